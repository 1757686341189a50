"""A chip has the same text everywhere as in the table."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocumentFragment
from PySide6.QtWidgets import QAbstractItemView, QApplication

from anaphora.core.edits import PastState, Preview
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import readable_tags
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.changes import RenderingPreview
from anaphora.editor.widgets.html_table import HtmlDelegate
from anaphora.features.comments.view.panel import HistoryLines
from anaphora.features.drafting.changed_drafts import ChangedDraft
from anaphora.features.drafting.view.suggestions import ChangeLines
from anaphora.features.review.changes import ReviewChange, ReviewKind
from anaphora.features.review.view.dialog import ReviewDialog
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog

SEGMENT = Segment(
    "a",
    "张量是{1/}和{2}类{/2}。",
    SegmentState("A tensor is {1/} and a {2}class{/2}.", Status.DRAFT),
    tags=(("{1/}", "`tf.Tensor`"), ("{2}", "**")),
)
OTHER = "An array is {1/} and a {2}class{/2}."
PREVIEW = Preview("a", SEGMENT.target, OTHER, tags=SEGMENT.tags)


@pytest.fixture
def theme(qapp: QApplication) -> Theme:
    return Theme(cast(QApplication, qapp))


def cells(list_: QAbstractItemView) -> list[str]:
    """The painted text of each cell of the first row, and its accessible text."""
    delegate = list_.itemDelegate()
    assert isinstance(delegate, HtmlDelegate)
    found = []
    for column in range(1, 3):
        index = list_.model().index(0, column)
        found.append(delegate.document(index, 400).toPlainText())
        found.append(index.data(Qt.ItemDataRole.AccessibleTextRole))
    return found


def shows_chips(text: str) -> bool:
    return "tf.Tensor" in text and "{" not in text and "‹1›" not in text


def test_previews_and_reviews_show_a_chips_code(qtbot, theme: Theme) -> None:
    memory = MemoryPreviewDialog("Forget a word.", lambda _: 1, theme)
    memory.show_previews([PREVIEW], memory.ticket)
    renderings = RenderingPreview("张量", "array", [PREVIEW], lambda _: 1, theme)
    change = ReviewChange(
        ReviewKind.CHANGED, "a", 1, SEGMENT.source, SEGMENT.target, OTHER, tags=SEGMENT.tags
    )
    review = ReviewDialog("review.xlsx", [change], theme)
    for dialog in (memory, renderings, review):
        qtbot.addWidget(dialog)
        assert all(map(shows_chips, cells(dialog.list))), cells(dialog.list)


def test_the_rail_shows_the_code_of_a_chip(qtbot, theme: Theme) -> None:
    changed = ChangeLines(theme, lambda _: 1)
    changed.show_change(SEGMENT, ChangedDraft("a", OTHER))
    history = HistoryLines(theme)
    states = [
        PastState("2026-01-01T10:00:00+00:00", "A", Status.EDITED, text)
        for text in (OTHER, OTHER, SEGMENT.target)
    ]
    history.show_history(states, dict(SEGMENT.tags))
    for lines in (changed, history):
        qtbot.addWidget(lines)
        assert shows_chips(QTextDocumentFragment.fromHtml(lines.text.text()).toPlainText())
    assert "since the draft" not in history.text.text()
    # The first text, which is not compared, also has its chips.
    chip = f"background-color:{theme.colours.accent_soft}"
    assert history.text.text().count(chip) == 2 * 3


def test_screen_readers_get_code_and_numbers_of_other_tags() -> None:
    assert readable_tags("a {1/} {2}b{/2}", {"{1/}": "`x`", "{2}": "**"}) == "a x ‹2›b‹2›"
