"""The status line and the start page."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QLabel

from anaphora.drafting.drafting import DraftProgress
from anaphora.engine.view.status_line import StatusLine
from anaphora.projects.recent_progress import RecentDocument
from anaphora.projects.view.recent_row import RecentRow
from anaphora.projects.view.start_page import StartPage
from anaphora.views.appearance.theme import Theme


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
    labels = sorted((each for each in labels if each.parent() is card), key=lambda label: label.y())
    assert labels[0].geometry().bottom() + 10 <= labels[1].y(), "the title touches the logo"
    assert abs(card.geometry().center().x() - page.rect().center().x()) <= 1


def test_recent_documents_say_how_far_they_are_and_open_by_key(qtbot, tmp_path: Path) -> None:
    page = StartPage(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(page)
    first, gone = tmp_path / "a.docx", tmp_path / "b.md"
    page.show_recent((first, gone))
    page.show_progress(RecentDocument(first, True, 3, 12))
    page.show_progress(RecentDocument(gone, False))
    page.show_progress(RecentDocument(tmp_path / "not listed"))
    rows = page.findChildren(RecentRow)
    assert [row.said for row in rows] == ["3 of 12 confirmed", "not found"]
    assert rows[0].accessibleName() == "a.docx" and "3 of 12" in rows[0].accessibleDescription()
    page.show_progress(RecentDocument(first, True, 5, 5))
    assert rows[0].said == "all confirmed"
    page.resize(900, 700)
    page.show()
    rows[0].setFocus()
    with qtbot.waitSignal(page.file_requested) as asked:
        QTest.keyClick(rows[0], Qt.Key.Key_Space)
    assert asked.args == [first]


def test_the_drop_area_lights_up_while_files_are_over_it(qtbot) -> None:
    page = StartPage(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(page)
    page.resize(900, 700)
    before = page.grab().toImage()
    page.show_dragging(True)
    assert page.grab().toImage() != before
    page.show_dragging(False)
    assert page.grab().toImage() == before
