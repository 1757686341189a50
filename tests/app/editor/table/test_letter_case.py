"""One key changes the case of a word or a selection."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest

from anaphora.core.segment import SegmentState, Status

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(make_window, document):
    found = make_window(None, document, False)
    first = found.session.document.at(0)
    found.session.set_states({first.id: SegmentState("Automatic Differentiation", Status.DRAFT)})
    return found


def test_a_key_cycles_the_case_of_the_word_at_the_caret(window) -> None:
    editor = window.table.editor
    editor.put_caret(len("Automatic Diff"))
    seen = []
    for _ in range(3):
        QTest.keyClick(editor, Qt.Key.Key_C, ALT)
        seen.append(window.model.segment(0).target)
        assert editor.caret == len("Automatic Diff")
    assert seen == ["Automatic DIFFERENTIATION", "Automatic differentiation", "Automatic Differentiation"]
    assert window.model.segment(0).status is Status.EDITED
    QTest.keyClick(editor, Qt.Key.Key_C, ALT)
    window.actions_by_name["undo"].trigger()
    assert window.model.segment(0).target == "Automatic Differentiation"


def test_the_case_of_a_selection_changes_and_it_stays_selected(window) -> None:
    editor = window.table.editor
    editor.selectAll()
    QTest.keyClick(editor, Qt.Key.Key_C, ALT)
    assert editor.toPlainText() == editor.textCursor().selectedText() == "automatic differentiation"
    editor.fill("istanbul")
    editor.setLocale(QLocale("tr"))
    assert editor.change_case() and editor.toPlainText() == "İstanbul"


@pytest.mark.parametrize("status", [Status.EDITED, Status.LOCKED])
def test_text_without_letters_and_locked_text_stay(window, status: Status) -> None:
    text = "Automatic" if status is Status.LOCKED else "42"
    window.session.set_states({window.session.document.at(0).id: SegmentState(text, status)})
    QTest.keyClick(window.table.editor, Qt.Key.Key_C, ALT)
    assert window.model.segment(0).target == text
