"""A catalogue in the window: its states, notes and plural forms, and segments that are not drafted."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from recording_translator import RecordingTranslator

from anaphora.core.segment import SegmentState, Status
from anaphora.editor.widgets.tag_chips import CAPTION_PROPERTY
from anaphora.features.comments.feature import Comments
from anaphora.features.documents.feature import Documents
from anaphora.features.drafting.feature import Drafting
from anaphora.features.segments.feature import Segments

CATALOGUE = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: en\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

#. 首页的标题
#: home.c:3
#, c-format
msgctxt "菜单"
msgid "我们需要更新缓存 %s。"
msgstr ""

#, fuzzy
msgid "每个节点读取账本。"
msgstr "Every node shall read the ledger."

msgid "这个缓存在节点。"
msgstr "This cache is in the node."

msgid "Open the file"
msgstr ""

#, c-format
msgid "%d 个区块"
msgid_plural "%d 个区块"
msgstr[0] ""
msgstr[1] ""

msgid "Close"
msgstr "关闭"
"""


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.po"
    path.write_text(CATALOGUE, encoding="utf-8")
    return path


def settled(qtbot, window) -> None:
    qtbot.waitUntil(lambda: window.model.segment(0).status is Status.DRAFT, timeout=20000)
    qtbot.waitUntil(lambda: not window.of(Drafting).service.progress.active, timeout=20000)


def test_translated_and_non_chinese_text_is_not_drafted(qtbot, make_window, catalogue: Path) -> None:
    translator = RecordingTranslator()
    window = make_window(translator, catalogue)
    settled(qtbot, window)
    segments = [window.model.segment(row) for row in range(window.model.rowCount())]
    assert [segment.status for segment in segments] == [
        Status.DRAFT,
        Status.DRAFT,
        Status.EDITED,
        Status.NOT_STARTED,
        Status.DRAFT,
        Status.DRAFT,
        Status.EDITED,
    ]
    assert segments[1].target == "Every node shall read the ledger."
    assert segments[3].target == "" and segments[6].target == "关闭"
    window.table.go_to_row(0)
    window.of(Segments).actions.confirm()
    settled_target = window.model.segment(1).target
    qtbot.waitUntil(lambda: not window.of(Drafting).service.progress.active, timeout=20000)
    assert settled_target == window.model.segment(1).target == "Every node shall read the ledger."


def captions(field) -> list[str]:
    """The texts of the chips of a text field."""
    cursor, found = field.textCursor(), []
    for place, _ in field.shown().marks:
        cursor.setPosition(place + 1)
        found.append(cursor.charFormat().property(CAPTION_PROPERTY))
    return found


def test_notes_and_tags_are_shown(qtbot, make_window, catalogue: Path) -> None:
    window = make_window(None, catalogue)
    window.docks.raise_panel("notes", focus=False)
    window.table.go_to_row(0)
    shown = window.of(Comments).notes.text.text()
    for note in ("菜单", "首页的标题", "home.c:3", "c-format"):
        assert note in shown
    assert "%s" not in shown, "the chip shows it"
    assert captions(window.table.card.source) == ["%s"]
    window.table.go_to_row(5)
    assert "Plural form 2 of 2" in window.of(Comments).notes.text.text()
    window.table.go_to_row(3)
    assert not window.of(Comments).notes.text.isVisible()


def test_the_export_has_the_right_states(qtbot, make_window, catalogue: Path, tmp_path: Path) -> None:
    window = make_window(None, catalogue)
    settled(qtbot, window)
    editing = window.controller.editing
    english = window.model.segment(3)
    editing.type_text(english.id, "打开文件")
    editing.confirm(english.id)
    fuzzy = window.model.segment(1)
    editing.confirm(fuzzy.id)
    destination = tmp_path / "out.po"
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=20000):
        window.of(Documents).exporting.export(destination)
    text = destination.read_text(encoding="utf-8")
    assert 'msgid "Open the file"\nmsgstr "打开文件"\n' in text
    assert '\nmsgid "每个节点读取账本。"\nmsgstr "Every node shall read the ledger."\n' in text
    assert "#, fuzzy, c-format\nmsgctxt" in text and text.count("fuzzy") == 2
    assert SegmentState("关闭", Status.EDITED) == window.model.segment(6).state


INTO_CHINESE = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: zh_CN\\n"

msgid "Open the file"
msgstr "打开文件"

msgid "Close"
msgstr "关闭"

msgid "Save as"
msgstr ""
"""


def test_arabic_targets_run_from_right_to_left(make_window, tmp_path) -> None:
    path = tmp_path / "ar.po"
    path.write_text(
        INTO_CHINESE.replace("zh_CN", "ar")
        .replace("Open the file", "打开文件")
        .replace('msgstr "打开文件"', 'msgstr "افتح الملف"')
        .replace('msgid "Close"', 'msgid "第二行"')
        .replace('"关闭"', '"أغلق"'),
        encoding="utf-8",
    )
    window = make_window(None, path, False)
    editor = window.table.editor

    def caret_x() -> int:
        return editor.cursorRect().x()

    assert caret_x() > editor.viewport().width() // 2, "the caret begins at the right"
    window.table.go_to_row(2)
    assert editor.toPlainText() == "" and caret_x() > editor.viewport().width() // 2
    QTest.keyClicks(editor, "Save")
    assert caret_x() < editor.viewport().width() // 2, "English text runs from left to right"
    editor.selectAll()
    editor.insertPlainText("احفظ")
    assert caret_x() > editor.viewport().width() // 2 and window.model.segment(2).target == "احفظ"
