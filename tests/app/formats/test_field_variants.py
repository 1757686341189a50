"""More of people's inputs, as a hostile mind would vary them: what is offered and holds a translation."""

from __future__ import annotations

import pytest

from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import SegmentState, Status
from anaphora.core.source import SourceDocument
from anaphora.export.pseudo_translation import has_letters, pseudo_translation
from anaphora.formats.base.format import Reading
from anaphora.formats.registry import fill, read_bytes
from anaphora.reading.documents import import_notes

VTT = "WEBVTT\n\n"
QT = '<!DOCTYPE TS><TS language="en" sourcelanguage="zh"><context><name>C</name>{}</context></TS>'
OFFERED = {
    "formulas.html": (
        "<p>葡萄糖 C<sub>6</sub>H<sub>12</sub>O<sub>6</sub> 和 Ca<sup>2+</sup>，见<sup>[2][3]</sup>。</p>",
        ["葡萄糖 C{1}6{/1}H{2}12{/2}O{3}6{/3} 和 Ca{4}2+{/4}，见{5}[2][3]{/5}。"],
    ),
    "ruby.html": ("<p><ruby><b>粗</b>体<rp>(</rp><rt>cūtǐ</rt><rp>)</rp></ruby>好</p>", ["{1}粗{/1}体好"]),
    "ruby link.html": (
        "<p>见<ruby><a href='x'>链<rt>liàn</rt>接</a><rt>jiē</rt></ruby>。</p>",
        ["见{1}链接{/1}。"],
    ),
    "freemarker.html": (
        "<p><#if (a > 1)>共<#else>少${n}</#if>，<@msg key='a'/>、{$x|upper}、{#each a as b}项{/each}。</p>",
        ["共{1/}少{2/}，{3/}、{4/}、{5/}项{6/}。"],
    ),
    "letter.txt": (
        "尊敬的{{ name }}：\n{% if n > 1 %}多{% else %}少{% endif %}。\n",
        ["尊敬的{1/}：", "多{1/}少{2/}。"],
    ),
    "directives.md": (
        "```{warning} 小心\n:class: wide\n正文。\n\n```python\nx = '中文'\n```\n```\n\n"
        "````\n```{note}\n代码\n```\n````\n\n:::{note}\n:class: tip\n内容。\n:::\n\n"
        ":::tip[题 [链](x)]\n文。\n:::\n",
        ["小心", "正文。", "内容。", "题 {1}链{/1}", "文。"],
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
}  # fmt: skip


def read(text: str, name: str, choices: ReadingChoices = ReadingChoices()) -> SourceDocument:
    return read_bytes(text.encode(), name, choices=choices)


def filled(document: SourceDocument, *targets: str) -> str:
    segments = [
        segment.with_state(SegmentState(target, Status.CONFIRMED))
        for segment, target in zip(document.segments, targets, strict=True)
    ]
    reading = Reading("", document.encoding, document.choices)
    return fill(document.data, document.format, segments, reading).decode()


@pytest.mark.parametrize("name", OFFERED)
def test_an_input_is_offered_in_its_texts_and_holds_a_pseudo_translation(name: str) -> None:
    text, sources = OFFERED[name]
    document = read(text, name)
    assert [segment.source for segment in document.segments] == sources
    assert not [note for note in import_notes(document) if "compare" in note]
    assert fill(document.data, document.format, document.segments) == document.data
    wanted = [pseudo_translation(source) if has_letters(source) else source for source in sources]
    again = read(filled(document, *wanted), name)
    # Joined, for a sentence that begins with a number is cut otherwise with something in front of it.
    written = " ".join(segment.target or segment.source for segment in again.segments)
    assert written == " ".join(wanted)


def test_a_ruby_with_looks_goes_with_its_letters_or_keeps_its_reading_and_the_looks() -> None:
    text = "<p>爱<ruby><b>北</b>京<rt>jīng</rt></ruby>。</p>"
    assert filled(read(text, "a.html"), "Love {1}Bei{/1}jing.") == "<p>Love <b>Bei</b>jing.</p>"
    kept = read(text, "a.html", ReadingChoices(keeps_readings=True))
    assert [segment.source for segment in kept.segments] == ["爱{1}{2}北{/2}京{/1}。"]
    assert filled(kept, "Love {1}{2}Bei{/2}jing{/1}.") == (
        "<p>Love <ruby><b>Bei</b>jing<rt>jīng</rt></ruby>.</p>"
    )


def test_a_ruby_of_subtitles_goes_with_its_letters_or_keeps_its_reading() -> None:
    text = f"{VTT}00:01.000 --> 00:02.000\n爱<ruby>北京<rt>Běijīng</rt></ruby>。\n"
    assert filled(read(text, "a.vtt"), "Love Beijing.").endswith("\nLove Beijing.\n")
    kept = read(text, "a.vtt", ReadingChoices(keeps_readings=True))
    assert filled(kept, "Love {1}Beijing{2}Běijīng{/2}{/1}.").endswith(
        "\nLove <ruby>Beijing<rt>Běijīng</rt></ruby>.\n"
    )


def test_a_new_translation_takes_the_place_of_all_lengths_in_qt() -> None:
    """Text beside the variants is none: Linguist refuses the file."""
    variants = "<lengthvariant>A long one</lengthvariant><lengthvariant>Short</lengthvariant>"
    message = f'<message><source>很长</source><translation variants="yes">{variants}</translation></message>'
    document = read(QT.format(message), "a.ts")
    assert [(each.source, each.target) for each in document.segments] == [("很长", "A long one")]
    assert '<translation variants="yes"><lengthvariant>Long</lengthvariant></translation>' in filled(
        document, "Long"
    )
