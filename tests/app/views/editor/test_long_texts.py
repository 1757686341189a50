"""A long text is laid out in parts and scrolled; whoever types, copies or walks through it notices none."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any, cast

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.shortening import MOST_SOURCE, MOST_TARGET, MOST_UNIT, PART, glimpse, seams
from anaphora.document.editing import Editing
from anaphora.document.session import DocumentSession
from anaphora.views.appearance.theme import Theme
from anaphora.views.editor.segment_model import SegmentModel
from anaphora.views.editor.segment_table import SegmentTable
from anaphora.views.editor.tag_edit import mime_text

TAGS = (("{1}", "bold"), ("{2/}", "code"))
LINE = "It\u00a0is {1}bold{/1}, {2/} and\n{5}no tag; "
LONG = LINE * 300
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


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
        # No event loop runs in these tests that would delete it, and it holds its session.
        table.deleteLater()
        QCoreApplication.sendPostedEvents(table, QEvent.Type.DeferredDelete.value)
        del table.editing, table.session, table.model_held


def target(table: Any) -> str:
    return table.session.document.at(0).target


def test_a_text_is_divided_between_words_and_otherwise_anywhere() -> None:
    text = "word " * 1000
    places = [0, *seams(text), len(text)]
    assert all(0 < b - a <= PART for a, b in pairwise(places))
    assert all(text[place - 1] == " " for place in places[1:-1])
    assert list(seams("x" * 2500)) == [1000, 2000]
    assert list(seams("x" * PART)) == []


def test_a_long_text_is_read_as_it_was_put_in(make_table) -> None:
    editor = make_table(LONG).editor
    assert editor.document().blockCount() > len(LONG) / PART - 2
    assert editor.toPlainText() == LONG
    shown = editor.shown()
    assert all(
        shown.offset(shown.place(offset)) == offset for offset in range(0, 3000) if LONG[offset] == "o"
    )
    editor.put_caret(6000)
    assert editor.caret == 6000
    editor.fill("short")
    assert editor.toPlainText() == "short" and editor.document().blockCount() == 1


def test_a_card_of_a_long_text_is_no_higher_and_is_scrolled_within(make_table) -> None:
    table = make_table("y" * MOST_TARGET, "")
    assert table.card.height() < 600
    editor, bar = table.editor, table.editor.verticalScrollBar()
    assert bar.maximum() > 10
    middle = QPointF(editor.viewport().rect().center())
    turn = QWheelEvent(
        *(middle, QPointF(editor.mapToGlobal(middle.toPoint())), QPoint(), QPoint(0, -120)),
        *(Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False),
    )
    before = table.verticalScrollBar().value()
    QApplication.sendEvent(editor.viewport(), turn)
    assert bar.value() > 0 and table.verticalScrollBar().value() == before
    table.go_to_row(1)
    assert bar.maximum() == 0 and editor.toPlainText() == ""


def test_keys_walk_over_a_seam_and_delete_beside_it_in_one_step(make_table) -> None:
    table = make_table("y" * 8000)
    editor = table.editor
    (seam, *_) = seams("y" * 8000)
    editor.put_caret(seam - 1)
    walked = []
    for _ in range(3):
        QTest.keyClick(editor, Qt.Key.Key_Right)
        walked.append(editor.caret)
    assert walked == [seam, seam + 1, seam + 2]
    for _ in range(3):
        QTest.keyClick(editor, Qt.Key.Key_Left)
    assert editor.caret == seam - 1
    for key, left in ((Qt.Key.Key_Delete, 7999), (Qt.Key.Key_Delete, 7998), (Qt.Key.Key_Delete, 7997)):
        QTest.keyClick(editor, key)
        assert len(target(table)) == left
    editor.put_caret(2 * PART)
    for left in range(7996, 7990, -1):
        QTest.keyClick(editor, Qt.Key.Key_Backspace)
        assert len(target(table)) == left
    assert set(target(table)) == {"y"}


def test_what_is_selected_over_a_seam_is_copied_without_it(make_table) -> None:
    editor = make_table(LONG).editor
    editor.select_span((900, 3500))
    assert editor.selected_span == (900, 3500)
    editor.copy()
    assert QGuiApplication.clipboard().text() == LONG[900:3500]
    editor.fill("y" * 8000)
    editor.select_span((500, 2500))
    assert editor.selected_text() == "y" * 2000


def test_a_text_grows_long_and_short_again_as_it_is_typed(make_table) -> None:
    table = make_table("a{1}b{/1}\nc")
    editor = table.editor
    editor.put_caret(1)
    editor.insertFromMimeData(mime_text("y" * (MOST_SOURCE + 10)))
    expected = "a" + "y" * (MOST_SOURCE + 10) + "{1}b{/1}\nc"
    assert target(table) == expected and editor.document().blockCount() > 4
    assert editor.caret == MOST_SOURCE + 11
    QTest.keyClick(editor, Qt.Key.Key_A, CONTROL)
    QTest.keyClicks(editor, "z")
    assert target(table) == "z"


def test_letters_typed_one_by_one_divide_a_text(make_table) -> None:
    table = make_table("y" * MOST_SOURCE)
    editor = table.editor
    assert editor.document().blockCount() == 1
    editor.put_caret(100)
    QTest.keyClicks(editor, "abc")
    assert target(table) == "y" * 100 + "abc" + "y" * (MOST_SOURCE - 100)
    assert editor.document().blockCount() > 4 and editor.caret == 103
    editor.type_text("z" * 900)
    editor.type_text("z" * 900)
    assert target(table) == "y" * 100 + "abc" + "z" * 1800 + "y" * (MOST_SOURCE - 100)
    assert max(_lengths(editor)) <= 2 * PART


def _lengths(editor: Any) -> list[int]:
    document = editor.document()
    return [document.findBlockByNumber(number).length() for number in range(document.blockCount())]


def test_a_chip_moves_over_a_seam(make_table) -> None:
    words = "word " * 1200
    table = make_table(words[:1000] + "{2/}" + words[1000:])
    editor = table.editor
    editor.put_caret(1000)
    assert editor.move_tag(1)
    assert target(table) == words[:1004] + "{2/}" + words[1004:]
    assert editor.move_tag(-1) and editor.move_tag(-1)
    assert target(table).replace("{2/}", "") == words and target(table).index("{2/}") < 1000


def test_what_is_too_long_to_be_worked_on_is_shown_in_short_and_never_written(make_table) -> None:
    table = make_table("y" * (MOST_TARGET + 1))
    editor = table.editor
    assert editor.isReadOnly() and 0 < len(editor.toPlainText()) < 2000
    editor.type_text("z")
    assert target(table) == "y" * (MOST_TARGET + 1)
    table.session.set_states({"0": SegmentState("short", Status.EDITED)})
    assert editor.toPlainText() == "short" and not editor.isReadOnly()
    whole = Segment("1", "账" * MOST_UNIT, SegmentState("y" * MOST_TARGET))
    assert glimpse(whole) is whole
    many = Segment("1", "账{1/}" * 5000)
    assert len(glimpse(many).source) < 2000


@pytest.mark.slow
@pytest.mark.usefixtures("garbage_at_rest")
def test_neither_going_to_a_segment_at_the_bounds_nor_a_key_in_it_takes_long(make_table) -> None:
    """About ten times what it takes."""
    table = make_table(*["y" * MOST_TARGET] * 3, source="账" * MOST_UNIT)
    begun = time.thread_time()
    table.go_to_row(1)
    QApplication.processEvents()
    assert time.thread_time() - begun < 0.15
    table.editor.put_caret(MOST_TARGET // 2)
    begun = time.thread_time()
    QTest.keyClick(table.editor, Qt.Key.Key_Backspace)
    QApplication.processEvents()
    assert time.thread_time() - begun < 0.05


@pytest.mark.slow
@pytest.mark.usefixtures("garbage_at_rest")
@pytest.mark.parametrize("letter", ["y", "账"])
def test_a_frame_with_ten_texts_at_the_bounds_takes_less_than_16_ms(make_table, letter: str) -> None:
    """Scrolled by the wheel; processor time of the middle one of 60 frames."""
    table = make_table(*[letter * MOST_TARGET] * 10, source="账" * MOST_UNIT)
    times = []
    for step in range(60):
        begun = time.thread_time()
        bar = table.verticalScrollBar()
        bar.setValue(bar.value() + (40, -40)[step // 15 % 2])
        QApplication.processEvents()
        table.viewport().repaint()
        times.append(time.thread_time() - begun)
    assert median(times) < 0.016, f"{1000 * median(times):.1f} ms"
