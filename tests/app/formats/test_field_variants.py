"""Variants of real inputs: expected texts, and translations that survive."""

from __future__ import annotations

import pytest

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.document import SourceDocument
from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.bilingual.units import has_letters
from anaphora.formats.registry import fill, read_bytes

VTT = "WEBVTT\n\n"
OFFERED = {
    "formulas.html": (
        "<p>葡萄糖 C<sub>6</sub>H<sub>12</sub>O<sub>6</sub> 和 Ca<sup>2+</sup>，见<sup>[2][3]</sup>。</p>",
        ["葡萄糖 C{1}6{/1}H{2}12{/2}O{3}6{/3} 和 Ca{4}2+{/4}，见{5}[2][3]{/5}。"],
    ),
    "ruby.html": ("<p><ruby><b>粗</b>体<rp>(</rp><rt>cūtǐ</rt><rp>)</rp></ruby>好</p>", ["粗体好"]),
    "ruby link.html": (
        "<p>见<ruby><a href='x'>链<rt>liàn</rt>接</a><rt>jiē</rt></ruby>。</p>",
        ["见链接。"],
    ),
    "letter.txt": (
        "尊敬的{{ name }}：\n{% if n > 1 %}多{% else %}少{% endif %}。\n",
        ["尊敬的{1/}：", "多{1/}少{2/}。"],
    ),
    "marks.vtt": (
        f"\ufeff{VTT}\u200f00:01.000 --> 00:02.000\n第一\n\n00:00:03.000-->00:00:04,000\n第二\n",
        ["第一", "第二"],
    ),
    "joined.vtt": (
        f"{VTT}00:01.000 --> 00:02.000\n第一\n2\n00:03.000 --> 00:04.000\n第二\n",
        ["第一", "第二"],
    ),
    "ruby.vtt": (
        f"{VTT}00:01.000 --> 00:02.000\n<b><ruby>北<rt>běi</rt>京<rt>jīng</rt></ruby></b>和"
        "<ruby><i>汉</i><rt>h</rt></ruby>\n",
        ["{1}北京{/1}和汉"],
    ),
    "arrows.srt": (
        "1\n00:00:01,000 → 00:00:02,000\n第一\n\n2\n00:00:03,000 –> 00:00:04,000\n第二\n",
        ["第一", "第二"],
    ),
    "title.ass": (
        "[Script Info]\nTitle: 影片\n[V4+ Styles]\n[Events]\n"
        "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
        "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,你好\n",
        ["影片", "你好"],
    ),
    "entities.json": (
        '{"a":"甲 &amp; 乙&nbsp;丙","b":"{% if x %}丁{% endif %}"}',
        ["甲 {1/} 乙{2/}丙", "{1/}丁{2/}"],
    ),
    "entities.po": ('msgid "甲&nbsp;{{ b }}"\nmsgstr ""\n', ["甲{1/}{2/}"]),
    "numerals.txt": ("一. 总则；二. 分则。三. 附则。\n", ["一. 总则；二. 分则。", "三. 附则。"]),
    "sub.tmx": (
        '<tmx version="1.4"><header srclang="zh"/><body><tu><tuv xml:lang="zh"><seg>打<ph>x<sub>句</sub></ph>'
        '开</seg></tuv><tuv xml:lang="en"><seg>Open</seg></tuv></tu></body></tmx>',
        ["打{1/}开"],
    ),
    "nested.html": (
        "<p>看<ruby><ruby>漢<rt>かん</rt></ruby>字<rt>Chinese</rt></ruby>。</p>",
        ["看漢字。"],
    ),
    "braces.html": ("<p>集合 { 一, 二 } 的和。</p>", ["集合 { 一, 二 } 的和。"]),
    "formulas.md": (
        "公式\n\n\\[\n\\begin{aligned}\na &= b\n\nc &= \\text{中}\n\\end{aligned}\n\\]\n\n"
        "$$\na_1\n\nb_1 = \\text{中}\n$$\n\n\\begin{align*}\nx = 中\n\\end{align*}\n\n价格 $$ 不是公式\n",
        ["公式", "价格 $$ 不是公式"],
    ),
    "mkdocs.md": (
        '图 ![图](a.png){ width="300" }\n\n按 ++ctrl+c++ 复制。:smile:\n\n[按钮](#){ .md-button }\n\n'
        '--8<-- "inc.md"\n',
        ["图 {1}图{/1}", "按 {1/} 复制。", "按钮"],
    ),
    "jekyll.md": (
        '{% highlight ruby %}\nputs "中"\n\n# 注\n{% endhighlight %}\n\n'
        "文。\n\n"
        '{{< highlight go >}}\nf("中文")\n{{< /highlight >}}\n\n甲{% comment %}批注{% endcomment %}乙\n',
        ["文。", "甲{1/}乙"],
    ),
    "formatjs.json": (
        '{"a":{"id":"a","defaultMessage":"你好","description":"问候"},"b":{"string":"是","context":"x"}}',
        ["你好", "是"],
    ),
    "go.json": (
        '[{"id":"a","translation":"你好"},{"id":"b","one":"一个","other":"多个"}]',
        ["你好", "一个", "多个"],
    ),
    "id.json": ('{"id":"身份证","message":"消息"}', ["身份证", "消息"]),
    "rails.yml": (
        "zh:\n  date:\n    order: [ :year, :month ] # 注\n    other:\n    - :day\n  a: 年\n",
        ["年"],
    ),
    "address.md": (
        "见 <https://zh.wikipedia.org/wiki/中文> 吧。\n\n<https://example.com/文档>\n",
        ["见 {1/} 吧。"],
    ),
    "deleted.xlf": (
        '<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="zh" trgLang="en">'
        '<file id="f"><unit id="1"><segment><source>旧<mrk id="m1" type="x:deletion">删了</mrk>新'
        '<mrk id="m2" type="x:insertion">加了</mrk>。</source></segment></unit></file></xliff>',
        ["旧新加了。"],
    ),
    "numbers.txt": (
        "见图1. 2. 3. 所示的内容。参见第2. 5节。\n图1. 结构示意图。\n[注1. 见下文。]再说。\n版本v1. 2。\n",
        [
            "见图1. 2. 3. 所示的内容。",
            "参见第2. 5节。",
            "图1. 结构示意图。",
            "[注1. 见下文。]",
            "再说。",
            "版本v1. 2。",
        ],
    ),
    "brackets.txt": (
        "他说(第一句。第二句。)然后走了。\n如【图1。图2。】所示。\n他走了。（见下文。再看。）她来了。\n",
        [
            "他说(第一句。第二句。)然后走了。",
            "如【图1。图2。】所示。",
            "他走了。",
            "（见下文。",
            "再看。）",
            "她来了。",
        ],
    ),
    "typed arrows.srt": (
        "1\n00:00:01,000 -> 00:00:02,000\n一 -> 二\n\n2\n00:00:03,000 ==> 00:00:04,000\n三\n\n"
        "3\n00:00:05.000 => 00:00:06.000\n四\n\n4\n00:00:07,000 — > 00:00:08,000\n五\n",
        ["一 -> 二", "三", "四", "五"],
    ),
    "typed arrows.vtt": (f"{VTT}00:01.000 -> 00:02.000\n一\n\n00:03.000 => 00:04.000\n二\n", ["一", "二"]),
    "titles in braces.md": (
        "::: details{summary=\"摘要\"}\n一。\n:::\n\n::: {.callout-tip title='题'}\n二。\n:::\n",
        ["摘要", "一。", "题", "二。"],
    ),
    "pandoc.md": ("术语\n~ 定义一\n~ 定义二\n\n约 ~ 三\n", ["术语", "定义一", "定义二", "约 ~ 三"]),
    "math of GitHub.md": ("令 $`x_1 < 中`$ 成立。\n", ["令 {1/} 成立。"]),
    "ruby.md": (
        "在<ruby>北<rp>(</rp><rt>běi</rt><rp>)</rp>京<rt>jīng</rt></ruby>和**<ruby>汉<rt>hàn</rt></ruby>字**。"
        "二。\n",
        ["在北京和{1}汉字{/1}。", "二。"],
    ),
    "prose like code.txt": (
        "价 {for example, $5 apiece} 和 {for students = $20}，@can (of beans) 见 @section (3)。\n",
        ["价 {for example, $5 apiece} 和 {for students = $20}，@can (of beans) 见 @section (3)。"],
    ),
    "link in a drawing.html": ("<svg><a xlink:title='提示'><text>字</text></a></svg>", ["提示", "字"]),
    "quoted numbers.txt": (
        "他说：“1. 先做甲。再做乙。”\n“1. 丙。”\n见第3. 节和第 2.1. 章。\n",
        ["他说：“1. 先做甲。", "再做乙。”", "“1. 丙。”", "见第3. 节和第 2.1. 章。"],
    ),
}  # fmt: skip


def read(text: str, name: str, choices: ReadingChoices = ReadingChoices()) -> SourceDocument:
    return read_bytes(text.encode(), name, choices=choices)


def filled(document: SourceDocument, *targets: str) -> str:
    segments = [
        segment.with_state(SegmentState(target, Status.CONFIRMED))
        for segment, target in zip(document.segments, targets, strict=True)
    ]
    reading = ReadOptions("", document.encoding, document.choices)
    return fill(document.data, document.format, segments, reading).decode()


@pytest.mark.parametrize("name", OFFERED)
def test_input_gives_expected_texts_and_accepts_translations(name: str) -> None:
    text, sources = OFFERED[name]
    document = read(text, name)
    assert [segment.source for segment in document.segments] == sources
    assert fill(document.data, document.format, document.segments) == document.data
    wanted = [pseudo_translation(source) if has_letters(source) else source for source in sources]
    again = read(filled(document, *wanted), name)
    # Joined, because a sentence that begins with a number is split differently after other text.
    written = " ".join(segment.target or segment.source for segment in again.segments)
    assert written == " ".join(wanted)


def test_markdown_ruby_becomes_base_text() -> None:
    text = "他在<ruby>北京<rt>Běi *jīng* 中</rt></ruby>。第二*句*。\n"
    document = read(text, "a.md")
    assert filled(document, "In Beijing.", "") == "In Beijing. 第二*句*。\n".replace(". 第", ".第")
    assert filled(document, "", "The {1}second{/1}.") == text.replace("第二*句*。", "The *second*.")


def test_words_in_shortcodes_are_counted() -> None:
    text = '{{< figure src="a.png" title="图的标题" >}}\n\n文。{{< ref "a.md" >}}\n'
    assert any("Template code" in note and note.endswith(": 1.") for note in read(text, "a.md").notes)


def test_user_patterns_combine_with_markup_and_branches() -> None:
    """In Android strings: `<b>` is the file's markup, the message is ICU's, and `@@x@@` matches a pattern."""
    text = (
        '<resources><string name="a">{n, plural, one {<b>一</b>个@@x@@} other {<b>#</b>个@@y@@}}</string>'
        '<string name="b">用<b>@@x@@</b>好</string></resources>'
    )
    document = read(text, "strings.xml", ReadingChoices(placeholders=(r"@@\w+@@",)))
    assert [segment.source for segment in document.segments] == [
        "{1}一{/1}个{2/}",
        "{2}{4/}{/2}个{1/}",
        "用{1/}好",
    ]
    assert filled(document, "{1}one{/1} {2/}", "{2}{4/}{/2} {1/}s", "use {1/}") == (
        '<resources><string name="a">{n, plural, one {<b>one</b> @@x@@} other {<b>#</b> @@y@@s}}</string>'
        '<string name="b">use <b>@@x@@</b></string></resources>'
    )


def test_a_file_of_phrase_is_opened_by_its_name_and_shows_what_is_confirmed() -> None:
    units = "".join(
        f'<trans-unit id="{number}" m:confirmed="{confirmed}" m:locked="{locked}"><source>一。</source>'
        f"<target>{target}</target></trans-unit>"
        for number, confirmed, locked, target in (
            (1, 1, "false", "One."),
            (2, 0, "false", ""),
            (3, 1, "true", "A."),
        )
    )
    text = (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:m="http://www.memsource.com/'
        f'mxlf/2.0"><file source-language="zh" target-language="en"><body>{units}</body></file></xliff>'
    )
    document = read(text, "a.mxliff")
    found = [segment.status for segment in document.segments]
    assert found == [Status.CONFIRMED, Status.NOT_STARTED, Status.LOCKED]
    again = read(filled(document, "One.", "Two.", "A."), "a.mxliff")
    assert [segment.target for segment in again.segments] == ["One.", "Two.", "A."]
    assert filled(document, "One.", "Two.", "A.").count('m:confirmed="1"') == 3


@pytest.mark.parametrize(
    ("text", "targets", "written"),
    [
        (
            "> 设有\n> \\[\n> x = 1\n> \\]\n> 完\n",
            ["Given", "done"],
            "> Given\n> \\[\n> x = 1\n> \\]\n> done\n",
        ),
        (
            "设有\n\\[\nx = 1\n\n+ 2\n\\]\n完\n",
            ["Given", "done"],
            "Given\n\\[\nx = 1\n\n+ 2\n\\]\ndone\n",
        ),
    ],
)
def test_markdown_blocks_on_separate_lines_stay_there(text: str, targets: list[str], written: str) -> None:
    document = read(text, "a.md")
    assert filled(document, *targets) == written


def test_phrase_tags_in_texts_are_protected() -> None:
    text = (
        '<xliff version="1.2" xmlns:m="http://www.memsource.com/mxlf/2.0"><file source-language="zh"'
        ' target-language="en"><body><trans-unit id="1"><source>{b&gt;粗&lt;b}体{1}，{x}</source>'
        "<target>{b&gt;Bo&lt;b}ld</target></trans-unit></body></file></xliff>"
    )
    document = read(text, "a.mxliff")
    (segment,) = document.segments
    assert (segment.source, segment.target) == ("{1/}粗{2/}体{3/}，{x}", "{1/}Bo{2/}ld")
    written = filled(document, "{1/}Bold{2/} type{3/}, {x}")
    assert "<target>{b&gt;Bold&lt;b} type{1}, {x}</target>" in written.replace(' state="final"', "")
