"""Open dialogs follow a change of the colours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication

from anaphora.core.edits import Preview
from anaphora.editor.appearance.theme import DARK, LIGHT, Theme, ThemeChoice
from anaphora.editor.widgets.changes import RenderingPreview
from anaphora.editor.widgets.html_table import HTML_ROLE
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.segment.check import Remark
from anaphora.features.checks.view.dialog import ChecksDialog
from anaphora.features.review.changes import ReviewChange, ReviewKind
from anaphora.features.review.view.dialog import ReviewDialog
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog
from anaphora.system.background import BackgroundTasks

BEFORE, AFTER = "An array of numbers.", "A tensor of numbers."
PREVIEW = Preview("1", BEFORE, AFTER)


@pytest.fixture
def theme(qapp) -> Iterator[Theme]:
    found = Theme(cast(QApplication, qapp), ThemeChoice.LIGHT)
    yield found
    found.choose(ThemeChoice.SYSTEM)


def rich_text(rows: QAbstractItemView) -> str:
    """The contents of the cells of a list's first row."""
    model = rows.model()
    cells = (model.index(0, column).data(HTML_ROLE) for column in range(model.columnCount()))
    return " ".join(cell or "" for cell in cells)


def review_of(theme: Theme) -> ReviewDialog:
    return ReviewDialog("a.xlsx", [ReviewChange(ReviewKind.CHANGED, "1", 1, "张量。", BEFORE, AFTER)], theme)


def renderings_of(theme: Theme) -> RenderingPreview:
    return RenderingPreview("张量", "tensor", [PREVIEW], lambda _: 1, theme)


def preview_of(theme: Theme) -> MemoryPreviewDialog:
    dialog = MemoryPreviewDialog("Forget a word.", lambda _: 1, theme)
    dialog.show_previews([PREVIEW], dialog.ticket)
    return dialog


@pytest.mark.parametrize("make", [review_of, renderings_of, preview_of])
def test_differences_follow_a_change_of_colours(qtbot, theme: Theme, make) -> None:
    dialog = make(theme)
    qtbot.addWidget(dialog)
    rows = dialog.list
    box = rows.model().index(0, 0)
    can_decide = rows.model().setData(box, Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole)
    assert LIGHT.warning in rich_text(rows)
    theme.choose(ThemeChoice.DARK)
    assert DARK.warning in rich_text(rows) and LIGHT.warning not in rich_text(rows)
    decided = box.data(Qt.ItemDataRole.CheckStateRole)
    assert decided == (Qt.CheckState.Unchecked if can_decide else None), "the decision stays"


def test_a_fixed_text_follows_a_change_of_colours(qtbot, theme: Theme, monkeypatch) -> None:
    checking = CheckingService(BackgroundTasks())
    monkeypatch.setattr(checking, "remarks", lambda: [("1", Remark("A number is missing."), False)])
    dialog = ChecksDialog(
        checking,
        lambda *_: (BEFORE, AFTER),
        lambda _: ("张量。", BEFORE, {}),
        lambda _: 1,
        theme,
    )
    qtbot.addWidget(dialog)
    dialog.follow()
    assert LIGHT.match in dialog.fixed.text()
    theme.choose(ThemeChoice.DARK)
    assert DARK.match in dialog.fixed.text() and LIGHT.match not in dialog.fixed.text()
