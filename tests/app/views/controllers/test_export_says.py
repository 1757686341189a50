"""What an export would hold is said before it is made; the start page says what this is."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel

from anaphora.core.segment import SegmentState, Status


def title(window) -> str:
    window.actions_by_name["export"].trigger()
    dialog = window.findChildren(QFileDialog)[-1]
    said = dialog.windowTitle()
    dialog.close()
    return said


@pytest.mark.slow
def test_the_export_says_what_is_confirmed_and_what_is_not(make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.actions_by_name["confirm"].trigger()
    assert title(window) == "Export translation: 1 confirmed, 11 not confirmed"
    last = window.session.document.at(11)
    window.session.set_states({last.id: SegmentState("", Status.EDITED)})
    window.model.set_warnings(window.session.document.at(5).id, ("A number is missing: 5",))
    window.model.set_warnings(last.id, ())
    said = title(window)
    assert "1 confirmed, 10 not confirmed, 1 untranslated, 1 flagged" in said


def test_the_start_page_says_what_this_is_in_three_lines(make_window):
    window = make_window(start=False)
    said = [label.text() for label in window.start_page.findChildren(QLabel)]
    assert any(len(text.split("\n")) == 3 and "You edit and confirm" in text for text in said)
