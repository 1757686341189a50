"""Branches of ICU plurals and selects: offered one by one in every format, and put together again."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Mapping

import docx_samples as samples
import pytest
from docx import Document

from anaphora.core.notes import NoteKind
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.base.format import Reading
from anaphora.formats.registry import fill, find_blocks, read_bytes

MARK = re.compile(r"\{\d+/\}")
PLURAL = "打开 {count, plural, one {# 个文件} other {# 个文件（{name}）}}。"
ENGLISH = "Open {count, plural, one {# file} other {# files ({name})}}."
BOLD = "<w:r><w:rPr><w:b/></w:rPr><w:t>份</w:t></w:r>"
TARGETS = {
    "打开 @。": "Open @.",
    "@ 个文件": "@ file",
    "@ 个文件（@）": "@ files (@)",
}
"""With "@" for any tag."""
FILES = {
    "a.properties": "open={}\n",
    "a.json": '{{"open": "{}"}}',
    "a.yml": 'open: "{}"\n',
    "strings.xml": '<resources><string name="open">{}</string></resources>',
    "a.resx": '<root><data name="open" xml:space="preserve"><value>{}</value></data></root>',
    "a.strings": '"open" = "{}";\n',
    "a.po": 'msgid ""\nmsgstr "Language: en\\n"\n\nmsgid "{}"\nmsgstr ""\n',
    "a.ts": '<!DOCTYPE TS><TS version="2.1" language="en"><context><name>A</name><message><source>{}</source>'
    '<translation type="unfinished"></translation></message></context></TS>',
    "a.xliff": '<xliff version="1.2"><file original="a" source-language="zh" target-language="en">'
    '<body><trans-unit id="1"><source>{}</source></trans-unit></body></file></xliff>',
    "b.xliff": '<xliff version="2.0" srcLang="zh" trgLang="en" xmlns="urn:oasis:names:tc:xliff:document:2.0">'
    '<file id="f"><unit id="1"><segment><source>{}</source></segment></unit></file></xliff>',
    "a.tmx": '<tmx version="1.4"><header srclang="zh" segtype="block"/><body><tu><tuv xml:lang="zh"><seg>{}'
    "</seg></tuv></tu></body></tmx>",
    "a.xcstrings": '{{"sourceLanguage": "zh", "strings": {{"{}": {{}}}}, "version": "1.0"}}',
    "a.csv": 'id,zh,en\n1,"{}",\n',
    "a.arb": '{{"@@locale": "zh", "open": "{}"}}',
    "a.srt": "1\n00:00:01,000 --> 00:00:02,000\n{}\n",
    "a.txt": "{}\n",
    "a.md": "# {}\n",
    "a.html": "<p>{}</p>",
}  # fmt: skip


def filled(data: bytes, name: str, states: Mapping[str, SegmentState], first: str = "zh") -> bytes:
    document = read_bytes(data, name)
    segments = [each.with_state(states.get(each.source, each.state)) for each in document.segments]
    return fill(data, document.format, segments, Reading(first, document.encoding))


def in_english(segment: Segment) -> SegmentState:
    """Its translation, with its tags in their order."""
    marks = iter(MARK.findall(segment.source))
    target = TARGETS.get(MARK.sub("@", segment.source), "")
    return SegmentState(re.sub("@", lambda _: next(marks), target), Status.EDITED)


def edited(targets: Mapping[str, str]) -> dict[str, SegmentState]:
    return {source: SegmentState(target, Status.EDITED) for source, target in targets.items()}


@pytest.mark.parametrize("name", FILES)
def test_branches_are_offered_and_written_in_every_format(name: str) -> None:
    data = FILES[name].format(PLURAL).encode()
    segments = read_bytes(data, name).segments
    assert len(segments) == 3, [each.source for each in segments]
    assert {MARK.sub("@", each.source) for each in segments} == {*TARGETS}
    assert [each.notes[-1].text for each in segments[1:]] == ["one", "other"]
    written = filled(data, name, {each.source: in_english(each) for each in segments}).decode()
    assert ENGLISH in written
    assert filled(data, name, {}) == data


@pytest.mark.parametrize("name", FILES)
def test_a_branch_may_begin_with_its_argument(name: str) -> None:
    text = "共 {n, plural, =0{没有} one{一个} other{{n} 个文件}}，好。"
    data = FILES[name].format(text).encode()
    segments = read_bytes(data, name).segments
    assert [MARK.sub("@", each.source) for each in segments] == ["共 @，好。", "没有", "一个", "@ 个文件"]
    wanted = dict(
        zip((each.source for each in segments), ("In all {}.", "no", "one", "{} files"), strict=True)
    )
    targets = {source: target.format(*MARK.findall(source)) for source, target in wanted.items()}
    written = filled(data, name, edited(targets)).decode()
    assert "In all {n, plural, =0{no} one{one} other{{n} files}}." in written
    assert filled(data, name, {}) == data


@pytest.mark.parametrize("name", FILES)
def test_an_argument_may_branch_twice_in_a_text(name: str) -> None:
    text = "开 {n, plural, one {#份} other {#份（{a}）}}，关 {n, plural, one {#张} other {#张（{a}）}}。"
    data = FILES[name].format(text).encode()
    segments = read_bytes(data, name).segments
    assert len({each.id for each in segments}) == len({each.block for each in segments}) == 5
    targets = {each.source: each.source.replace("份", " a").replace("张", " b") for each in segments}
    wanted = text.replace("份", " a").replace("张", " b")
    # In a catalogue a long line may be broken.
    written = filled(data, name, edited(targets)).decode().replace('"\n"', "")
    assert wanted.strip("。") in written.replace("(", "（").replace(")", "）").replace(", 关", "，关")
    assert filled(data, name, {}) == data


@pytest.mark.parametrize("name", FILES)
def test_a_case_that_stands_twice_is_two_texts(name: str) -> None:
    data = FILES[name].format("共 {n, plural, one {甲} one {乙} other {丙}}。").encode()
    segments = read_bytes(data, name).segments
    assert [each.source for each in segments[1:]] == ["甲", "乙", "丙"]
    assert len({each.id for each in segments}) == 4
    written = filled(data, name, edited({"甲": "A", "乙": "B", "丙": "C"})).decode()
    assert "{n, plural, one {A} one {B} other {C}}" in written


@pytest.mark.parametrize("name", FILES)
def test_branches_right_behind_the_brace_of_a_branch_are_offered(name: str) -> None:
    text = "共 {g, select, a {甲} other {{n, plural, =0 {} one {#个人} other {.乙}}}}。"
    data = FILES[name].format(text).encode()
    segments = read_bytes(data, name).segments
    assert [MARK.sub("@", each.source) for each in segments] == ["共 @。", "甲", "@个人", ".乙"]
    targets = {each.source: each.source.replace("个人", " men").replace("乙", "B") for each in segments}
    written = filled(data, name, edited(targets)).decode()
    assert "{g, select, a {甲} other {{n, plural, =0 {} one {# men} other {.B}}}}" in written


def test_branches_of_markdown_are_no_attributes() -> None:
    text = "# 题 {#文}\n\n见 {n, plural, one {#个 `码`} other {.些 $x$}} 和 [链](x){.类}。\n"
    sources = [each.source for each in read_bytes(text.encode(), "a.md").segments]
    assert sources == ["题", "见 {1/} 和 {2}链{/2}。", "{1/}个 {2/}", ".些 {1/}"]
    assert filled(text.encode(), "a.md", edited({each: each for each in sources})).decode() == text


def test_branches_in_pages_keep_their_markup_and_their_templates() -> None:
    page = (
        "<p i18n>更新于 {m, plural,\n  =0 {刚刚}\n  other {{{m}} 分钟前，{g, select, male {<b>他</b>说} "
        "other {}}}}。第二句。</p>"
    )
    document = read_bytes(page.encode(), "a.html")
    assert [each.source for each in document.segments] == [
        "更新于 {1/}。", "第二句。", "刚刚", "{1/} 分钟前，{2/}", "{1}他{/1}说",
    ]  # fmt: skip
    targets = {"刚刚": "now", "{1}他{/1}说": "{1}he{/1} says", "更新于 {1/}。": "Updated {1/}."}
    written = filled(document.data, "a.html", edited(targets)).decode()
    assert written == page.replace("更新于", "Updated").replace("刚刚", "now").replace(
        "。第二", ".第二"
    ).replace("<b>他</b>说", "<b>he</b> says")
    only = filled(document.data, "a.html", edited({"刚刚": "now"})).decode()
    assert only == page.replace("刚刚", "now")


def test_branches_in_letters_slides_sheets_and_texts_are_offered_and_written() -> None:
    run = "<w:r><w:t xml:space='preserve'>{}</w:t></w:r>"
    inner = (
        run.format("共 {n, plural, one {一个} other {# ")
        + BOLD
        + run.format("}}。{n, select, a {甲} other {乙}}")
    )
    letter = samples.paragraph(inner)
    document = read_bytes(letter, "a.docx")
    assert [each.source for each in document.segments] == ["共 {1/}。", "一个", "{1/} {2}份{/2}", "甲", "乙"]
    assert len({each.block for each in document.segments}) == 5
    targets = {"一个": "one", "{1/} {2}份{/2}": "{1/} {2}copies{/2}", "共 {1/}。": "In all {1/}.", "乙": "B"}
    out = Document(io.BytesIO(filled(letter, "a.docx", edited(targets)))).paragraphs[0]
    assert out.text == "In all {n, plural, one {one} other {# copies}}.{n, select, a {甲} other {B}}"
    assert [each.text for each in out.runs if each.bold] == ["copies"]


def test_sentences_of_a_project_from_before_hold_the_message_as_text() -> None:
    data = FILES["a.txt"].format(PLURAL).encode()
    unit = Segment(
        "1", PLURAL, SegmentState(ENGLISH, Status.EDITED), block=read_bytes(data, "a.txt").segments[0].block,
        span=(0, len(PLURAL)),
    )  # fmt: skip
    assert fill(data, "txt", [unit]).decode() == f"{ENGLISH}\n"


def test_markup_that_crosses_a_branch_leaves_the_message_as_text() -> None:
    page = "<p>共 {n, plural, one {<b>一个} other {</b>多个}}。</p>"
    (segment,) = read_bytes(page.encode(), "a.html").segments
    assert MARK.sub("", segment.source).startswith("共 {n, plural, one {")


@pytest.mark.parametrize("name", ["a.txt", "a.html"])
def test_many_messages_in_a_text_are_read_and_written_in_linear_time(name: str) -> None:
    data = FILES[name].format("共 {n, plural, one {一个} other {# 个}}，" * 2000).encode()
    started = time.process_time()
    document = read_bytes(data, name)
    assert len(document.segments) == 4001
    out = filled(data, name, edited({"一个": "one"}))
    assert out.count(b"{one}") == 2000 and time.process_time() - started < 20


def test_the_branches_of_the_files_own_target_are_offered() -> None:
    russian = "{n, plural, one {# файл} few {# файла} many {# файлов} other {# файла}}"
    source = "{n, plural, one {# 个文件} other {# 个文件们}}"
    data = f'msgid ""\nmsgstr "Language: ru\\n"\n\nmsgid "{source}"\nmsgstr "{russian}"\n'.encode()
    segments = read_bytes(data, "a.po").segments
    assert [(each.notes[-1].text, each.target.split("} ")[-1]) for each in segments] == [
        ("one", "файл"),
        ("few", "файла"),
        ("many", "файлов"),
        ("other", "файла"),
    ]
    assert "们" not in segments[0].source and all("们" in each.source for each in segments[1:])
    one = [each.with_state(SegmentState(each.target + "!", Status.EDITED)) for each in segments[2:3]]
    assert (
        russian.replace("файлов", "файлов!") in fill(data, "po", [*segments[:2], *one, segments[3]]).decode()
    )
    assert fill(data, "po", segments) == data


def test_a_message_is_a_draft_until_each_branch_is_translated() -> None:
    data = FILES["a.po"].format(PLURAL).encode()
    segments = read_bytes(data, "a.po").segments
    written = filled(data, "a.po", {each.source: in_english(each) for each in segments[:2]}).decode()
    assert "#, fuzzy" in written
    assert "Open {count, plural, one {# file} other {# 个文件（{name}）}}." in written


def test_selects_in_plurals_are_offered_to_their_ends() -> None:
    text = "{n, plural, other {{who, select, male {他有 # 个} other {他们有 # 个}}}}"
    segments = read_bytes(FILES["a.xliff"].format(text).encode(), "a.xliff").segments
    assert [each.source.partition("有")[0] for each in segments] == ["他", "他们"]
    assert [note.text for note in segments[0].notes if note.kind is NoteKind.CONTEXT] == ["who = male"]


def test_a_unit_of_an_older_project_is_written_whole() -> None:
    data = FILES["a.xliff"].format(PLURAL).encode()
    unit = Segment("1", PLURAL, SegmentState(ENGLISH, Status.EDITED), block="1")
    assert ENGLISH in fill(data, "xliff", [unit]).decode()


@pytest.mark.parametrize("name", FILES)
def test_a_message_whose_branches_hold_no_words_is_written(name: str) -> None:
    data = FILES[name].format("共 {n, plural, one {#} other {#}} 个").encode()
    (segment,) = read_bytes(data, name).segments
    target = segment.source.replace("共", "In all").replace(" 个", "")
    out = filled(data, name, edited({segment.source: target})).decode()
    assert "In all {n, plural, one {#} other {#}}" in out


def test_branches_with_markup_of_the_file_are_written() -> None:
    data = FILES["strings.xml"].format("{n, plural, other {# 个<b>文件</b>}}<i>好</i>").encode()
    around, branch = read_bytes(data, "strings.xml").segments
    targets = {
        around.source: around.source.replace("好", "fine"),
        branch.source: branch.source.replace(" 个", " ").replace("文件", "files"),
    }
    out = filled(data, "strings.xml", edited(targets)).decode()
    assert ">{n, plural, other {# <b>files</b>}}<i>fine</i></string>" in out


def test_what_is_no_message_is_left_as_it_is() -> None:
    for text in ("{count, plural, one {没有结尾", "用 {a, plural} 写", "集合 {a, b, c}"):
        (segment,) = read_bytes(FILES["a.xliff"].format(text).encode(), "a.xliff").segments
        assert segment.source == text
    assert json.loads(filled(FILES["a.json"].format("一").encode(), "a.json", edited({"一": "A"}))) == {
        "open": "A"
    }


def test_a_target_with_branches_without_end_is_no_message() -> None:
    source = f"{{n, plural, other {{{{m, plural, other {{words {'y' * 10_000}}}}}}}}}"
    inner = "{m, plural, " + " ".join(f"k{number} {{t}}" for number in range(60)) + "}"
    target = "{n, plural, " + " ".join(f"k{number} {{{inner}}}" for number in range(60)) + "}"
    unit = (
        '<xliff version="1.2"><file original="a" source-language="en" target-language="de"><body>'
        f'<trans-unit id="1"><source>{source}</source><target>{target}</target></trans-unit>'
        "</body></file></xliff>"
    ).encode()
    blocks = find_blocks(unit, "xliff", Reading("en")).blocks
    assert [block.unit.source for block in blocks if block.unit is not None] == [source]
