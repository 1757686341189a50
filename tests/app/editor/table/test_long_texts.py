"""Long texts in the editor."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.structure import MAX_SOURCE_LENGTH, MAX_TARGET_LENGTH, MAX_UNIT_LENGTH, glimpse
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.table.segment_model import SegmentModel
from anaphora.editor.table.segment_table import SegmentTable
from anaphora.editor.table.tag_edit import mime_text
from anaphora.project.document.editing import Editing
from anaphora.project.document.session import DocumentSession

TAGS = (("{1}", "bold"), ("{2/}", "code"))
LINE = "It\u00a0is {1}bold{/1}, {2/} and\n{5}no tag; "
LONG = LINE * 300
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def make_table(qtbot) -> Iterator[Any]:
    made: list[Any] = []

    def make(*targets: str, source: str = "它是{1}粗{/1}的{2/}。") -> Any:
        segments = [
            Segment(str(row), source, SegmentState(target, Status.EDITED), tags=TAGS)
            for row, target in enumerate(targets)
        ]
        model = SegmentModel()
        table: Any = SegmentTable(model, Theme(cast(QApplication, QApplication.instance())))
        table.session = DocumentSession("d", Document("d", segments))
        table.editing = Editing(table.session)
        table.model_held = model
        table.editor.typed.connect(table.editing.type_text)
        made.append(table)
        table.resize(900, 700)
        table.show()
        model.set_session(table.session)
        table.go_to_row(0)
        return table

    yield make
    for table in made:
        # These tests run no event loop to delete the table, which holds its session.
        table.deleteLater()
        QCoreApplication.sendPostedEvents(table, QEvent.Type.DeferredDelete.value)
        del table.editing, table.session, table.model_held


def target(table: Any) -> str:
    return table.session.document.at(0).target


def test_a_long_text_is_displayed_completely(make_table) -> None:
    editor = make_table(LONG).editor
    assert editor.toPlainText() == LONG
    shown = editor.shown()
    assert all(
        shown.offset(shown.place(offset)) == offset for offset in range(0, 3000) if LONG[offset] == "o"
    )
    editor.put_caret(6000)
    assert editor.caret == 6000
    editor.fill("short")
    assert editor.toPlainText() == "short"


def test_a_text_grows_long_and_short_again_as_it_is_typed(make_table) -> None:
    table = make_table("a{1}b{/1}\nc")
    editor = table.editor
    editor.put_caret(1)
    editor.insertFromMimeData(mime_text("y" * (MAX_SOURCE_LENGTH + 10)))
    expected = "a" + "y" * (MAX_SOURCE_LENGTH + 10) + "{1}b{/1}\nc"
    assert target(table) == expected
    assert editor.caret == MAX_SOURCE_LENGTH + 11
    QTest.keyClick(editor, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(editor, "z")
    assert target(table) == "z"


def test_a_text_too_long_to_edit_is_shortened_and_never_written(make_table) -> None:
    table = make_table("y" * (MAX_TARGET_LENGTH + 1))
    editor = table.editor
    assert editor.isReadOnly() and 0 < len(editor.toPlainText()) < 2000
    editor.type_text("z")
    assert target(table) == "y" * (MAX_TARGET_LENGTH + 1)
    table.session.set_states({"0": SegmentState("short", Status.EDITED)})
    assert editor.toPlainText() == "short" and not editor.isReadOnly()
    whole = Segment("1", "账" * MAX_UNIT_LENGTH, SegmentState("y" * MAX_TARGET_LENGTH))
    assert glimpse(whole) is whole
    many = Segment("1", "账{1/}" * 5000)
    assert len(glimpse(many).source) < 2000


@pytest.mark.slow
@pytest.mark.usefixtures("garbage_at_rest")
def test_segments_at_the_size_limits_are_fast(make_table) -> None:
    """The limit is ten times the usual time."""
    table = make_table(*["y" * MAX_TARGET_LENGTH] * 3, source="账" * MAX_UNIT_LENGTH)
    begun = time.thread_time()
    table.go_to_row(1)
    QApplication.processEvents()
    assert time.thread_time() - begun < 3
    table.editor.put_caret(MAX_TARGET_LENGTH // 2)
    begun = time.thread_time()
    QTest.keyClick(table.editor, Qt.Key.Key_Backspace)
    QApplication.processEvents()
    assert time.thread_time() - begun < 0.5
