"""Qt's .ts: translations and states are read and written, everything else keeps its bytes."""

from __future__ import annotations

import bilingual_samples as samples
import pytest

from anaphora.core.notes import Note, NoteKind
from anaphora.core.segment import SegmentState, Status
from anaphora.formats.base.format import FormatError
from anaphora.formats.registry import fill, read_bytes

FILE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US">
<context>
    <name>主窗口</name>
    <message>
        <location filename="main.cpp" line="12"/>
        <source>打开 %1 &amp;文件</source>
        <comment>菜单</comment>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>关闭</source>
        <extracomment>按钮</extracomment>
        <translation>Close</translation>
    </message>
    <message>
        <source>草稿</source>
        <translation type="unfinished">Draft</translation>
    </message>
    <message>
        <source>旧的</source>
        <translation type="vanished">Old</translation>
    </message>
    <message numerus="yes">
        <source>%n 个文件</source>
        <translation type="unfinished">
            <numerusform>%n file</numerusform>
            <numerusform></numerusform>
        </translation>
    </message>
    <message id="last">
        <source>第一行
第二行</source>
        <translation type="unfinished" />
    </message>
</context>
</TS>
"""


def opened(text: str = FILE):
    return read_bytes(text.encode(), "app_en.ts")


def test_messages_with_their_states() -> None:
    document = opened()
    assert [(each.block, each.source, each.target, each.status) for each in document.segments] == [
        ("1", "打开 {1/} &文件", "", Status.NOT_STARTED),
        ("2", "关闭", "Close", Status.EDITED),
        ("3", "草稿", "Draft", Status.DRAFT),
        ("5.0", "{1/} 个文件", "{1/} file", Status.DRAFT),
        ("5.1", "{1/} 个文件", "", Status.NOT_STARTED),
        ("6", "第一行\n第二行", "", Status.NOT_STARTED),
    ]
    assert document.segments[0].notes == (
        Note(NoteKind.CONTEXT, "主窗口"),
        Note(NoteKind.CONTEXT, "菜单"),
        Note(NoteKind.REFERENCES, "main.cpp:12"),
    )
    assert document.segments[3].notes[1] == Note(NoteKind.PLURAL_FORM, "", ("1", "2"))
    assert samples.put(document, {}) == document.data


def put(**changed: SegmentState) -> str:
    document = opened()
    wanted = {each.id: changed[f"m{each.block.replace('.', '_')}"] for each in document.segments
              if f"m{each.block.replace('.', '_')}" in changed}  # fmt: skip
    return samples.put(document, wanted).decode()


def test_targets_and_states_are_written() -> None:
    text = put(
        m1=SegmentState("Open {1/} <file>", Status.CONFIRMED),
        m2=SegmentState("Shut", Status.DRAFT),
        m3=SegmentState("Draft", Status.EDITED),
        m5_1=SegmentState("{1/} files", Status.DRAFT),
        m6=SegmentState("One\ntwo", Status.EDITED),
    )
    assert text == (
        FILE.replace(
            '<translation type="unfinished"></translation>',
            "<translation>Open %1 &lt;file&gt;</translation>",
        )
        .replace("<translation>Close<", '<translation type="unfinished">Shut<')
        .replace('<translation type="unfinished">Draft<', "<translation>Draft<")
        .replace("<numerusform></numerusform>", "<numerusform>%n files</numerusform>")
        .replace('<translation type="unfinished" />', "<translation>One\ntwo</translation>")
    )


def test_a_message_is_finished_when_all_its_forms_are() -> None:
    done = put(m5_0=SegmentState("{1/} file", Status.EDITED), m5_1=SegmentState("{1/} files", Status.EDITED))
    assert "<translation>\n            <numerusform>%n file</numerusform>" in done
    half = put(m5_0=SegmentState("{1/} file", Status.CONFIRMED))
    assert half == FILE


def test_language_is_declared_if_file_declares_none() -> None:
    document = opened(FILE.replace(' language="en_US"', ""))
    wanted = {document.segments[1].id: SegmentState("Shut", Status.EDITED)}
    assert b'<TS version="2.1" language="en">' in samples.put(document, wanted)


def test_other_files_are_refused() -> None:
    for data in (b"export const a: string = 'x';", b"G@\x00\x11" + bytes(400), b""):
        with pytest.raises(FormatError, match="not a Qt translation file"):
            read_bytes(data, "a.ts")
    with pytest.raises(FormatError, match="not valid XML"):
        read_bytes(b"<TS><context>", "a.ts")
    with pytest.raises(FormatError, match="root element is “x”"):
        read_bytes(b"<x><TS/></x>", "a.ts")


def test_byte_elements_stay_in_their_message() -> None:
    message = (
        '<!DOCTYPE TS><TS language="en"><context><name>C</name><message><source>甲<byte value="x1f"/>乙%1'
        '&lt;b&gt;丙&lt;/b&gt;</source><translation type="unfinished">A<byte value="x1f"/></translation>'
        "</message></context></TS>"
    )
    (segment,) = opened(message).segments
    assert (segment.source, segment.target) == ("甲{1/}乙{2/}{3}丙{/3}", "A{1/}")
    assert segment.tags[0] == ("{1/}", "x1f")
    done = segment.with_state(SegmentState("One{1/}two {2/} {3}three{/3}", Status.EDITED))
    written = fill(message.encode(), "qt", [done]).decode()
    assert '<translation>One<byte value="x1f"/>two %1 &lt;b&gt;three&lt;/b&gt;</translation>' in written


def with_messages(messages: str, head: str = '<TS version="2.1" language="en">'):
    return opened(f"<!DOCTYPE TS>{head}<context><name>C</name>{messages}</context></TS>")


def written(document, *states: SegmentState) -> str:
    wanted = {each.id: state for each, state in zip(document.segments, states, strict=True)}
    return samples.put(document, wanted).decode()


def test_missing_translation_element_is_added() -> None:
    document = with_messages(
        "<message><source>关闭</source></message><message><source>123</source></message>"
    )
    assert [each.status for each in document.segments] == [Status.NOT_STARTED]
    assert "<source>关闭</source><translation>Close</translation></message>" in written(
        document, SegmentState("Close", Status.EDITED)
    )
    assert '<translation type="unfinished">Close</translation></message>' in written(
        document, SegmentState("Close", Status.DRAFT)
    )
    assert with_messages('<message numerus="yes"><source>%n 个</source></message>').segments == ()
    assert with_messages("<message><translation>x</translation></message>").segments == ()


def test_a_message_becomes_unfinished_with_one_of_its_forms() -> None:
    forms = "<numerusform>%n file</numerusform><numerusform>%n files</numerusform>"
    document = with_messages(
        f'<message numerus="yes"><source>%n 个</source><translation>{forms}</translation></message>'
    )
    done = SegmentState("{1/} file", Status.EDITED)
    text = written(document, done, SegmentState("{1/} files", Status.DRAFT))
    assert f'<translation type="unfinished">{forms}' in text
    text = written(document, done, SegmentState("", Status.NOT_STARTED))
    assert '<translation type="unfinished"><numerusform>%n file</numerusform><numerusform></' in text
    assert put(m2=SegmentState("", Status.NOT_STARTED)) == FILE.replace(
        "<translation>Close</translation>", '<translation type="unfinished"></translation>'
    )


@pytest.mark.parametrize("forms", ["<numerusform></numerusform>", ""])
def test_file_with_one_chinese_form_gets_english_forms(forms: str) -> None:
    empty = f'<translation type="unfinished">{forms}</translation>'
    document = with_messages(f'<message numerus="yes"><source>%n 个</source>{empty}</message>')
    assert len(document.segments) == 2
    plural = SegmentState("{1/} files", Status.EDITED)
    text = written(document, SegmentState("{1/} file", Status.EDITED), plural)
    forms = "<numerusform>%n file</numerusform><numerusform>%n files</numerusform>"
    assert f"<translation>{forms}</translation>" in text
    text = written(document, SegmentState("", Status.NOT_STARTED), plural)
    assert "<numerusform>%n files</numerusform></translation>" in text


def test_a_file_for_japanese_keeps_its_one_form() -> None:
    form = "<translation><numerusform></numerusform></translation>"
    message = f'<message numerus="yes"><source>%n 个</source>{form}</message>'
    assert len(with_messages(message, '<TS version="2.1" language="ja">').segments) == 1
