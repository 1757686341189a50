"""The status line and the start page."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtWidgets import QApplication, QFrame, QLabel

from anaphora.services.drafting import DraftProgress
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.start_page import StartPage
from anaphora.views.widgets.status_line import StatusLine


def test_a_rebuilt_memory_leaves_the_drafting_progress(qtbot) -> None:
    line = StatusLine()
    qtbot.addWidget(line)
    line.show_progress(DraftProgress(82, 82))
    line.show_restoring(24, 82)
    assert line.progress.text() == "Rebuilding the memory: 24 of 82" and not line.bar.isHidden()
    line.show_restoring(82, 82)
    assert line.progress.text() == "Everything is drafted" and line.bar.isHidden()


def test_nothing_of_the_start_page_is_squeezed(qtbot, tmp_path: Path) -> None:
    page = StartPage(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(page)
    page.show_recent((tmp_path / "a-document-with-a-long-name.zh.docx", tmp_path / "b.md"))
    page.resize(1440, 860)
    page.show()
    qtbot.waitExposed(page)
    card = page.findChild(QFrame, "card")
    labels = [each for each in card.findChildren(QLabel) if each.isVisible()]
    for label in labels:
        assert label.height() >= max(label.heightForWidth(label.width()), label.minimumSizeHint().height())
    labels.sort(key=lambda label: label.y())
    assert labels[0].geometry().bottom() + 10 <= labels[1].y(), "the title touches the logo"
    assert abs(card.geometry().center().x() - page.rect().center().x()) <= 1
