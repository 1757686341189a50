"""Capitals of a word or a selection are changed by one key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from anaphora.core.segment import SegmentState, Status
from anaphora.views.editor.letter_case import case_forms

ALT = Qt.KeyboardModifier.AltModifier
ENGLISH = QLocale("en")


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("Tensor", ["tensor", "TENSOR", "Tensor"]),
        ("tensor", ["Tensor", "TENSOR", "tensor"]),
        ("TENSOR", ["Tensor", "tensor", "TENSOR"]),
        (
            "Model Construction",
            ["Model construction", "model construction", "MODEL CONSTRUCTION", "Model Construction"],
        ),
        ("“new {1}user’s{/1} guide”", ["“New {1}user’s{/1} guide”", "“New {1}User’s{/1} Guide”"]),
        ("张量", ["张量"]),
        ("42", ["42"]),
    ],
)
def test_the_likeliest_case_comes_first_and_the_present_one_last(text: str, forms: list[str]) -> None:
    found = list(case_forms(text, ENGLISH))
    assert found[: len(forms)] == forms and found[-1] == text


def test_capitals_are_those_of_the_language() -> None:
    assert case_forms("istanbul", QLocale("tr"))[0] == "İstanbul"
    assert case_forms("istanbul", ENGLISH)[0] == "Istanbul"


@pytest.fixture
def window(make_window, document):
    found = make_window(None, document, False)
    first = found.session.document.at(0)
    found.session.set_states({first.id: SegmentState("Automatic Differentiation", Status.DRAFT)})
    return found


def test_a_key_changes_the_word_at_the_caret_and_comes_round(window) -> None:
    editor = window.table.editor
    editor.put_caret(len("Automatic Diff"))
    seen = []
    for _ in range(3):
        QTest.keyClick(editor, Qt.Key.Key_C, ALT)
        seen.append(window.model.segment(0).target)
        assert editor.caret == len("Automatic Diff")
    assert seen == ["Automatic differentiation", "Automatic DIFFERENTIATION", "Automatic Differentiation"]
    assert window.model.segment(0).status is Status.EDITED
    QTest.keyClick(editor, Qt.Key.Key_C, ALT)
    window.actions_by_name["undo"].trigger()
    assert window.model.segment(0).target == "Automatic Differentiation"
    assert window.model.segment(0).status is Status.DRAFT


def test_it_changes_a_selection_which_stays_selected(window) -> None:
    editor = window.table.editor
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_C, ALT)
    assert editor.toPlainText() == "Automatic differentiation"
    assert editor.textCursor().selectedText() == "Automatic differentiation"
    QTest.keyClick(editor, Qt.Key.Key_C, ALT)
    assert editor.toPlainText() == "automatic differentiation"


def test_where_there_is_no_letter_it_says_so(window) -> None:
    editor = window.table.editor
    editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(editor, " 42")
    QTest.keyClick(editor, Qt.Key.Key_C, ALT)
    assert editor.toPlainText() == "Automatic Differentiation 42"
    assert "no letters" in window.status_line.currentMessage()


def test_a_locked_segment_stays(window) -> None:
    segment = window.session.document.at(0)
    window.session.set_states({segment.id: SegmentState(segment.target, Status.LOCKED)})
    QTest.keyClick(window.table.editor, Qt.Key.Key_C, ALT)
    assert window.model.segment(0).target == "Automatic Differentiation"
