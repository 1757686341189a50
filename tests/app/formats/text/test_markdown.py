"""Markdown: texts are translated, and everything else stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from rendering import render

from anaphora.cli.pseudo_translation import pseudo_translation
from anaphora.core.document import SourceDocument
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.registry import read_bytes

GUIDE = """---
title: 缓存手册
tags: [缓存, 手册]
---

# 缓存**手册** #

本手册介绍缓存。缓存保存最近用过的词，
翻译下一句时会再次查看它们。  
换行之后是新的一句。

> 引用里的第一句。引用里
> 跨行的第二句。

1. 运行 `pip install anaphora` 进行安装。
2. **注意：不要删除缓存。也不要移动它。**
   - 详见[设计文档](https://example.com/设计.html "设计说明")与 ![结构图](img/a.png)。
   - 按 <kbd>Ctrl</kbd> 键即可。

| 名称 | 说明 |
|:-----|-----:|
| `size` | 大小，默认为 500\\|1000 |
| 缓存 | *重要*的词 |

```python
# 这里的注释不翻译
print("缓存")
```

<div>这一块也不翻译</div>

设置标题
--------

参见[词表][words]。这里真的写着 {1} 与 {2/}。转义\\*星号\\*。

[words]: https://example.com/words "词表"
"""


def read(text: str) -> SourceDocument:
    return read_bytes(text.encode(), "guide.md")


def sources(document: SourceDocument) -> list[str]:
    return [segment.source for segment in document.segments]


def translate(text: str, targets: dict[str, str]) -> str:
    """Translate segments, given by their sources."""
    document = read(text)
    known = sources(document)
    assert set(targets) <= set(known), known
    chosen = {s.id: targets[s.source] for s in document.segments if s.source in targets}
    return render(document.data, "markdown", chosen).decode()


def test_guide_is_split_into_expected_segments() -> None:
    document = read(GUIDE)
    assert sources(document) == [
        "缓存手册",
        "缓存{1}手册{/1}",
        "本手册介绍缓存。",
        "缓存保存最近用过的词，翻译下一句时会再次查看它们。",
        "换行之后是新的一句。",
        "引用里的第一句。",
        "引用里跨行的第二句。",
        "运行 {1/} 进行安装。",
        "注意：不要删除缓存。",
        "也不要移动它。",
        "详见{1}设计文档{/1}与 {2}结构图{/2}。",
        "设计说明",
        "按 {1}Ctrl{/1} 键即可。",
        "名称",
        "说明",
        "大小，默认为 500|1000",
        "缓存",
        "{1}重要{/1}的词",
        "设置标题",
        "参见{1}词表{/1}。",
        "这里真的写着 {1} 与 {2/}。",
        "转义*星号*。",
        "词表",
    ]
    assert document.notes == ("HTML blocks are not translated. Blocks that contain text: 1.",)
    first, install = document.segments[1], document.segments[7]
    assert dict(first.tags) == {"{1}": "bold"}
    assert dict(install.tags) == {"{1/}": "`pip install anaphora`"}


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_an_untouched_document_is_byte_identical(line_end: str, encoding: str) -> None:
    data = GUIDE.replace("\n", line_end).encode(encoding)
    document = read_bytes(data, "guide.md")
    assert len(document.segments) == 23
    assert render(data, "markdown", {}) == data
    assert render(data, "markdown", dict.fromkeys((s.id for s in document.segments), " ")) == data


def test_only_the_translated_text_changes() -> None:
    result = translate(
        GUIDE,
        {
            "缓存{1}手册{/1}": "Cache {1}manual{/1}",
            "引用里的第一句。": "First sentence of the quote.",
            "引用里跨行的第二句。": "The second one spans lines.",
            "运行 {1/} 进行安装。": "Install it with {1/}.",
            "注意：不要删除缓存。": "Note: do not delete the cache.",
            "也不要移动它。": "Do not move it, either.",
            "详见{1}设计文档{/1}与 {2}结构图{/2}。": "See {2}the diagram{/2} and the {1}design{/1}.",
            "设计说明": 'a"b',
            "按 {1}Ctrl{/1} 键即可。": "Press {1}Ctrl{/1}.",
            "大小，默认为 500|1000": "size, 500|1000 by default",
            "{1}重要{/1}的词": "{1}important{/1} words",
            "设置标题": "Settings",
            "参见{1}词表{/1}。": "See the {1}word list{/1}.",
            "这里真的写着 {1} 与 {2/}。": "It really says {1} and {2/} here.",
        },
    )
    expected = GUIDE
    for old, new in (
        ("# 缓存**手册** #", "# Cache **manual** #"),
        (
            "引用里的第一句。引用里\n> 跨行的第二句。",
            "First sentence of the quote. The second one spans lines.",
        ),
        ("运行 `pip install anaphora` 进行安装。", "Install it with `pip install anaphora`."),
        (
            "**注意：不要删除缓存。也不要移动它。**",
            "**Note: do not delete the cache. Do not move it, either.**",
        ),
        (
            '详见[设计文档](https://example.com/设计.html "设计说明")与 ![结构图](img/a.png)。',
            'See ![the diagram](img/a.png) and the [design](https://example.com/设计.html "a&quot;b").',
        ),
        ("按 <kbd>Ctrl</kbd> 键即可。", "Press <kbd>Ctrl</kbd>."),
        ("大小，默认为 500\\|1000", "size, 500\\|1000 by default"),
        ("*重要*的词", "*important* words"),
        ("设置标题\n", "Settings\n"),
        (
            "参见[词表][words]。这里真的写着 {1} 与 {2/}。",
            "See the [word list][words]. It really says {1} and {2/} here.",
        ),
    ):
        assert old in expected
        expected = expected.replace(old, new)
    assert result == expected


@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("1. Install it", "1\\. Install it"),
        ("- dash", "\\- dash"),
        ("# hash", "\\# hash"),
        ("> quote", "\\> quote"),
        ("[Note]: this", "\\[Note]: this"),
        ("two\nlines", "two lines"),
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("*not* emphasised", "\\*not\\* emphasised"),
        ("call [this](that)", "call \\[this](that)"),
        ("a `b` c", "a \\`b\\` c"),
        ("<b>x</b>", "\\<b\\>x\\</b\\>"),
        ("R&amp;D", "R\\&amp;D"),
    ],
)
def test_new_text_stays_text(target: str, written: str) -> None:
    result = translate("一段文字\n", {"一段文字": target})
    assert result == written + "\n"
    html = MarkdownIt("commonmark").render(result)
    assert html.startswith("<p>") and "<em>" not in html and "<code>" not in html and "<a" not in html


@pytest.mark.parametrize(
    ("target", "written"),
    [
        ("a {1}b{/1} c", "a **b** c"),
        ("a{1} b {/1}c", "a **b** c"),
        ("a {1}{/1}b", "a b"),
        ("no tags", "no tags"),
        ("only {1} opened", "only  opened"),
        ("{/1} closed {1} wrongly", "closed  wrongly"),
    ],
)
def test_broken_pairs_are_repaired(target: str, written: str) -> None:
    result = translate("甲**乙**丙\n", {"甲{1}乙{/1}丙": target})
    assert " ".join(result.split()) == " ".join(written.split())


def test_literal_tags_do_not_collide_with_real_ones() -> None:
    text = "写着 {1} 的**粗体**"
    assert sources(read(text)) == ["写着 {1} 的{2}粗体{/2}"]
    assert translate(text, {"写着 {1} 的{2}粗体{/2}": "{2}bold{/2} with {1}"}) == "**bold** with {1}"


def test_bold_beside_chinese_punctuation_is_recognised() -> None:
    text = "**注意：**请勿删除。甲 ** 乙。"
    assert sources(read(text)) == ["{1}注意：{/1}请勿删除。", "甲 ** 乙。"]
    assert "<strong>" not in MarkdownIt("commonmark").render(text)
    result = translate(text, {"{1}注意：{/1}请勿删除。": "{1}Note:{/1} do not delete it."})
    assert result == "**Note:** do not delete it.甲 ** 乙。"
    assert "<strong>Note:</strong>" in MarkdownIt("commonmark").render(result)
    assert sources(read("**`ls`：**列出")) == ["{1}{2/}：{/1}列出"]


def test_formulas_are_standalone_tags() -> None:
    text = "令$x_1 = 2$且$$y$$，售价 $5 到 $6。"
    assert sources(read(text)) == ["令{1/}且{2/}，售价 $5 到 $6。"]
    result = translate(text, {"令{1/}且{2/}，售价 $5 到 $6。": "Let {1/} and {2/}, from $5 to $6."})
    assert result == "Let $x_1 = 2$ and $$y$$, from $5 to $6."
    assert sources(read("向量 $\\hat{y}\\{a\\}$ 与 \\$x\\$，关系 $\\mathrm{Y} = \\vec{b}$ 等")) == [
        "向量 {1/} 与 $x$，关系 {2/} 等"
    ]


def test_a_formula_on_several_lines_is_one_tag() -> None:
    text = "> 式 $$a\n> = b$$ 成立。\n"
    assert [each.tags for each in read(text).segments] == [(("{1/}", "$$a\n> = b$$"),)]
    assert translate(text, {"式 {1/} 成立。": "{1/} holds."}) == "> $$a\n> = b$$ holds.\n"


def test_containers_keep_their_fences() -> None:
    text = "::: tip 提示\n里面的文字。\n:::\n\n后面。\n"
    assert sources(read(text)) == ["提示", "里面的文字。", "后面。"]
    assert translate(text, {"提示": "A tip", "里面的文字。": "Text inside."}) == (
        "::: tip A tip\nText inside.\n:::\n\n后面。\n"
    )


ANYTHING = st.text(alphabet='甲。乙 *_`[](){}1/<>b!\\|\n-#&;~:ab"', max_size=60)


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_any_text_can_be_read_and_written(text: str) -> None:
    data = text.encode()
    document = read_bytes(data, "a.md")
    assert not any("could not be parsed" in note for note in document.notes)
    assert render(data, "markdown", {}) == data


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
@example("\\{:1}乙")
@example("[a\\\\)")
@example("[\\\\]乙")
@example("甲\\{#乙}")
@example("\\{ .乙} 甲")
@example("\\{{ 甲 }}")
@example("\\{% 甲 %}")
@example("~\n乙")
@example("甲****b****")
@example("甲**[!a]**")
@example("\\[^1] 乙")
@example("\\[^1]: 乙")
def test_identical_translation_is_equivalent(text: str) -> None:
    document = read_bytes(text.encode(), "a.md")
    result = render(document.data, "markdown", {segment.id: segment.source for segment in document.segments})
    assert sources(read_bytes(result, "a.md")) == sources(document)


def test_footnotes_are_separate_texts_and_their_marks_stay() -> None:
    text = "关于[^1]。\n\n[^1]: 是*一种*。\n    续。\n\n    第二。\n[^注]: 另一。\n\n末[^注]。\n"
    found = read(text)
    assert sources(found) == [
        "关于{1/}。",
        "是{1}一种{/1}。",
        "续。",
        "第二。",
        "另一。",
        "末{1/}。",
    ]
    assert found.segments[1].notes == (Note(NoteKind.PLACE, "Footnote"),)
    targets = ["On caches{1/}.", "It is {1}one{/1}.", "More.", "Second.", "Another.", "End{1/}."]
    assert translate(text, dict(zip(sources(found), targets, strict=True))) == (
        "On caches[^1].\n\n[^1]: It is *one*.\n    More.\n\n    Second.\n[^注]: Another.\n\nEnd[^注].\n"
    )


def test_links_labelled_by_their_text_keep_their_label() -> None:
    text = "见[安装指南]、[配置][]和![图][]。\n\n[安装指南]: /a\n[配置]: /b\n[图]: c.png\n"
    result = translate(
        text, dict.fromkeys(sources(read(text)), "See {1}Install{/1}, {2}配置{/2}, {3}pic{/3}.")
    )
    assert result.startswith("See [Install][安装指南], [配置][], ![pic][图].\n\n[安装指南]: /a\n")
    html = MarkdownIt("commonmark").render(result)
    assert '<a href="/a">Install</a>' in html and '<img src="c.png" alt="pic"' in html


def test_boxes_and_definitions_keep_their_structure() -> None:
    text = (
        "> [!NOTE]\n> 请备份。\n\n> [!tip]- 提示\n> 内容。\n\n"
        '!!! note "警告"\n    缩进。\n\n    第二段。\n\n'
        '=== "标签"\n\n    里面。\n\n    ??? tip\n        嵌套。\n\n'
        "苹果\n:   水果。\n\n:::note[题]\n文。\n:::\n"
    )
    found = sources(read(text))
    assert found == [
        "请备份。", "提示", "内容。", "警告", "缩进。", "第二段。", "标签", "里面。", "嵌套。", "苹果",
        "水果。", "题", "文。",
    ]  # fmt: skip
    assert translate(text, {source: pseudo_translation(source) for source in found}) == (
        "> [!NOTE]\n> [··请备份。]\n\n> [!tip]- [·提示]\n> [·内容。]\n\n"
        '!!! note "[·警告]"\n    [·缩进。]\n\n    [··第二段。]\n\n=== "[·标签]"\n\n    [·里面。]\n\n'
        "    ??? tip\n        [·嵌套。]\n\n[·苹果]\n:   [·水果。]\n\n:::note[[·题]]\n[·文。]\n:::\n"
    )


def test_formulas_templates_and_attributes_are_protected() -> None:
    text = (
        "# 题 {#a}\n\n令\\(a_1 * b_2\\)且$\\text{距离}$，{{ x | f*g*h }}次"
        "{% if a_b %}或{% endif %}，\\[可选\\]，$5 到 $6。\n"
    )
    found = sources(read(text))
    assert found == ["题", "令{1/}且{2/}，{3/}次{4/}或{5/}，[可选]，$5 到 $6。"]
    result = translate(text, {"题": "Title", found[1]: "{3/} times{4/} or{5/}, {1/}, {2/}, [x], $5."})
    assert result == (
        "# Title {#a}\n\n{{ x | f*g*h }} times{% if a_b %} or{% endif %}, "
        "\\(a_1 * b_2\\), $\\text{距离}$, [x], $5.\n"
    )


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_front_matter_titles_are_read_and_quoted_as_needed(line_end: str) -> None:
    text = "---\ntitle: 手册\ndescription: \"说\\\"好\\\"\"\nsummary: '快''速'\nx: 缓存\n---\n文\n".replace(
        "\n", line_end
    )
    found = read(text)
    assert sources(found) == ["手册", '说"好"', "快'速", "文"]
    result = translate(text, {"手册": "Guide: one", '说"好"': 'say "hi"', "快'速": "it's", "文": "text"})
    expected = (
        '---\ntitle: "Guide: one"\ndescription: "say \\"hi\\""\nsummary: \'it\'\'s\'\nx: 缓存\n---\ntext\n'
    )
    assert result == expected.replace("\n", line_end)


def test_tasks_keep_boxes_and_quoted_titles_get_no_quotes() -> None:
    text = '- [ ] 未完\n- [x] 已完\n\n!!! note "题"\n    文\n\n::: {.tip title="框"}\n里\n:::\n'
    assert sources(read(text)) == ["未完", "已完", "题", "文", "框", "里"]
    assert translate(text, {"未完": "to do", "题": 'A "title"', "框": 'a "box"'}) == (
        '- [ ] to do\n- [x] 已完\n\n!!! note "A ”title”"\n    文\n\n::: {.tip title="a ”box”"}\n里\n:::\n'
    )


def test_adjacent_variables_are_not_a_formula() -> None:
    text = "路径${a}/${b}，公式${x}^2$与$a_1$。\n"
    assert sources(read(text)) == ["路径{1/}/{2/}，公式{3/}与{4/}。"]


LINES = {
    "Hugo": (
        '甲行\n{{< figure src="a"\n  title="b" >}}\n乙行\n{{% notice %}}\n丙行\n丁行\n{{% /notice %}}\n',
        ["甲行", "乙行", "丙行丁行"],
        'T0\n{{< figure src="a"\n  title="b" >}}\nT1\n{{% notice %}}\nT2\n{{% /notice %}}\n',
    ),
    "Jekyll": (
        "甲行  \n{% include a.html %}\n{% if b %}\n乙行\n{% else %}\n丙行\n{% endif %}\n{: .note }\n",
        ["甲行", "乙行", "丙行"],
        "T0  \n{% include a.html %}\n{% if b %}\nT1\n{% else %}\nT2\n{% endif %}\n{: .note }\n",
    ),
    "in lists and quotes": (
        "> - 甲行\n>   {{< x >}}\n>   乙行\n>\n>   {{< y >}}\n>   丙行\n>   {{< /y >}}\n",
        ["甲行", "乙行", "丙行"],
        "> - T0\n>   {{< x >}}\n>   T1\n>\n>   {{< y >}}\n>   T2\n>   {{< /y >}}\n",
    ),
    "within a line": (
        "甲行{{< x >}}\n乙行{% y %}丙行\n",
        ["甲行{1/} 乙行{2/}丙行"],
        "T0{{< x >}}{% y %}\n",
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_blocks_on_separate_lines_stay_there(name: str) -> None:
    text, wanted, written = LINES[name]
    document = read_bytes(text.encode(), "a.md")
    assert sources(document) == wanted
    assert render(document.data, "markdown", {}) == document.data
    targets = {
        each.id: f"T{number}" + "".join(mark for mark, _ in each.tags)
        for number, each in enumerate(document.segments)
    }
    assert render(document.data, "markdown", targets).decode() == written


STRUCTURES = {
    "a note in a list in a quote": (
        "> - 甲[^a]。\n>\n>   [^a]: 乙。\n",
        "> - T0[^a]\n>\n>   [^a]: T1\n",
    ),
    "definitions of links behind a note": (
        "甲[丙][x]![图][]。\n\n[^1]: 乙。\n[x]: http://x\n[图]: a.png\n\n丁。\n",
        "T0[][x]![][图]\n\n[^1]: T1\n[x]: http://x\n[图]: a.png\n\nT2\n",
    ),
    "a definition of a link behind a note in a quote": (
        "> 甲[丙][x]。\n>\n> [^1]: 乙。\n> [x]: http://x '题'\n\n丁。\n",
        "> T0[][x]\n>\n> [^1]: T1\n> [x]: http://x 'T2'\n\nT3\n",
    ),
    "a title with quotation marks": ('!!! note "甲 \\"乙\\""\n    丙\n', '!!! note "T0"\n    T1\n'),
}


@pytest.mark.parametrize("name", STRUCTURES)
def test_structures_of_dialects_are_kept(name: str) -> None:
    text, written = STRUCTURES[name]
    document = read(text)
    targets = {
        each.id: f"T{number}" + "".join(mark for mark in re.findall(r"\{/?\d+/?\}", each.source))
        for number, each in enumerate(document.segments)
    }
    assert render(document.data, "markdown", {}) == document.data
    assert render(document.data, "markdown", targets).decode() == written


@pytest.mark.parametrize("above", ["[^1]: A note.", "Term\n: Its definition."])
def test_bracketed_word_after_note_is_not_a_definition(above: str) -> None:
    text = f"Text[^1].\n\n{above}\n[Important]: read this text before you go on.\n"
    assert any("read this text before" in source for source in sources(read(text)))


def test_wiki_links_stay() -> None:
    text = "详见[[安装指南]]与[[设置|第一步]]。数组 [[1, 2], [3, 4]]。\n\n![[图片.png]]\n\n[[toc]]\n"
    (link, array) = sources(read(text))
    assert (link, array) == ("详见{1/}与{2/}。", "数组 [[1, 2], [3, 4]]。")
    assert translate(text, {link: "See {2/}, {1/}."}).startswith("See [[设置|第一步]], [[安装指南]].")


@pytest.mark.parametrize("before", ["", "> ", "- "], ids=["paragraph", "quote", "list"])
@pytest.mark.parametrize(
    "target",
    [
        "!!! note", "??? note", '=== "tab"', ":::tip", ": definition", "~ definition", "*[a]: b",
        "[!NOTE] a",
    ],
)  # fmt: skip
def test_new_text_does_not_begin_a_dialect_block(target: str, before: str) -> None:
    written = translate(f"{before}文字。\n", {"文字。": target})
    assert written == f"{before}\\{target}\n"
    assert sources(read(written)) == [target]


def test_an_escaped_footnote_is_text() -> None:
    assert sources(read("见\\[^1]与[^1]。\n")) == ["见[^1]与{1/}。"]
    assert sources(read("\\[^1]: 注。\n")) == ["[^1]: 注。"]
    assert translate("文字。\n", {"文字。": "[^1] a"}) == "\\[^1\\] a\n"
    assert translate("文字。\n", {"文字。": "[^1]: a"}) == "\\[^1]: a\n"
    assert sources(read("\\[^1\\] a\n\n\\[^1]: a\n")) == ["[^1] a", "[^1]: a"]


def sources_of(text: str) -> list[str]:
    return sources(read(text))


@pytest.mark.parametrize("scheme", ["https://a.b/c", "http://a.b", "ftp://a.b/c", "mailto:a@b.c", "tel:+86"])
def test_address_after_colon_is_not_an_icon(scheme: str) -> None:
    assert sources_of(f"**网址**:{scheme}") == [f"{{1}}网址{{/1}}:{scheme}"]
    assert sources_of(f"下载（官网）:{scheme} 或别处") == [f"下载（官网）:{scheme} 或别处"]
    assert sources_of(f"见[首页]。\n\n[首页]:{scheme}\n") == ["见{1}首页{/1}。"]
    assert sources_of("喜欢（:heart:/:tada: :smile:）") == ["喜欢（{1/}/{2/} {3/}）"], "icons stay"
    assert sources_of(":warning:注意:bug:问题") == ["{1/}注意{2/}问题"]


@pytest.mark.parametrize("begin", ["1. ", "2) ", "- ", "+ ", "# ", "> "])
def test_heading_needs_no_block_escapes(begin: str) -> None:
    assert translate(f"## {begin}安装\n", {f"{begin}安装": f"{begin}Install"}) == f"## {begin}Install\n"
    assert translate("安装\n", {"安装": f"{begin}Install"}) != f"{begin}Install\n", "a paragraph does"
    box = f'!!! note "{begin}提示"\n    正文。\n'
    assert translate(box, {f"{begin}提示": f"{begin}Tip"}) == box.replace("提示", "Tip")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("使用**“甲”**和**“乙”**两种模式。", ["使用{1}“甲”{/1}和{2}“乙”{/2}两种模式。"]),
        ("这是**重点。**然后**继续（一）**操作。", ["这是{1}重点。{/1}", "然后{1}继续（一）{/1}操作。"]),
        ("在*《书》*与*《报》*里", ["在{1}《书》{/1}与{2}《报》{/2}里"]),
        ("删~~（旧）~~留**（新）**。", ["删{1}（旧）{/1}留{2}（新）{/2}。"]),
        ('**"인용"**은 **(예)**로', ['{1}"인용"{/1}은 {2}(예){/2}로']),
        ("2 ** 3，甲 * 乙 * 丙", ["2 ** 3，甲 * 乙 * 丙"]),
    ],
)
def test_emphasis_beside_wide_marks_pairs_correctly(text: str, found: list[str]) -> None:
    assert sources_of(text) == found


@pytest.mark.parametrize(
    ("text", "target", "shown"),
    [
        ("a **note:** b", "甲{1}注意：{/1}乙", "甲<strong>注意：</strong>乙"),
        ("a *“b”* c", "甲{1}“乙”{/1}丙", "甲<em>“乙”</em>丙"),
        ("a _b_ c", "甲{1}乙{/1}丙", "甲<em>乙</em>丙"),
        ("a __b__ c", "甲{1}乙{/1}丙", "甲<strong>乙</strong>丙"),
        ("a **b** **c** d", "甲{1}乙{/1}{2}丙{/2}丁", "甲<strong>乙</strong><strong>丙</strong>丁"),
        ("a **b** c", "甲{1}乙{/1}丙", "甲<strong>乙</strong>丙"),
        ("a **`b`** c", "甲{1/}丙", "甲<strong><code>b</code></strong>丙"),
    ],
)
def test_emphasis_is_recognised_in_text_without_spaces(text: str, target: str, shown: str) -> None:
    (source,) = sources_of(text)
    result = translate(text, {source: target})
    assert MarkdownIt("commonmark").render(result) == f"<p>{shown}</p>\n"
    assert sources_of(result) == [target]


PLAIN = st.text(alphabet="甲乙。，“”（）a b.,()", min_size=1, max_size=6)


@settings(max_examples=200, deadline=None)
@given(PLAIN, PLAIN, PLAIN, st.sampled_from(["**", "*", "__", "_"]))
def test_bold_is_bold_between_any_texts(before: str, inner: str, after: str, mark: str) -> None:
    if not inner.strip():
        return
    text = f"字 {mark}重{mark} 点"
    result = translate(text, {sources_of(text)[0]: f"字{before}{{1}}{inner}{{/1}}{after}点"})
    html = MarkdownIt("commonmark").render(result)
    tag = "strong" if len(mark) == 2 else "em"
    assert f"<{tag}>{inner.strip()}</{tag}>" in html and "*" not in html and "_" not in html


PANDOC = """% 手册：第 1 章
% 张三

术语一

:   解释。

        代码 : 一
        : 二

    `甲`
    :   里面的。

        `乙`
        ~   更里面的。

- 条目

    术语二
    : 第二种写法。

段落。

    : 代码
"""


def test_title_block_lines_and_nested_definitions_are_separate_texts() -> None:
    texts = ["手册：第 1 章", "张三", "术语一", "解释。", "里面的。", "更里面的。", "条目", "术语二"]
    assert sources_of(PANDOC) == [*texts, "第二种写法。", "段落。"]
    assert translate(PANDOC, {each: each for each in sources_of(PANDOC)}) == PANDOC
    assert sources_of("% 手册\n% 张三\n  李四\n% 2026年\n") == ["手册", "张三", "李四", "2026年"]
    assert sources_of("甲\n% 乙\n") == ["甲 % 乙"], "elsewhere it is text"
