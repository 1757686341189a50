"""The status line and the start page."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from PySide6.QtCore import QLocale, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QPushButton

from anaphora.editor.appearance.theme import Theme
from anaphora.features.drafting.drafting import DraftProgress
from anaphora.features.engine_state.view.status import EngineStatus
from anaphora.window.start_page import StartPage


def test_a_rebuilt_memory_leaves_the_drafting_progress(qtbot) -> None:
    line = EngineStatus()
    line.show_progress(DraftProgress(82, 82))
    QLocale.setDefault(QLocale("en_US"))
    line.show_restoring(24, 8_200)
    QLocale.setDefault(QLocale.system())
    assert line.progress.text() == "Rebuilding the memory: 24 of 8,200" and not line.bar.isHidden()
    line.show_restoring(82, 82)
    assert line.progress.text() == "All drafts are ready" and line.bar.isHidden()


def test_a_message_without_room_is_whole_in_the_tip(qtbot, make_window, document) -> None:
    window = make_window(None, document, False)
    line, message = (
        window.status_line,
        "The drafts of 18 segments were made again, because a term has changed. " * 3,
    )
    for width, text, tip in ((1024, message, message), (1024, "Saved.", ""), (4000, message, "")):
        window.resize(width, 700)
        window.show_message(text)
        line.grab()
        assert (line.currentMessage(), line.toolTip()) == (text, tip)
    places = []
    for is_saved in (True, False, True, False, True):
        line.show_saved(is_saved)
        qtbot.wait(1)
        places.append(line.saved.geometry())
    assert places[1] == places[2] == places[3] == places[4], "the line stays while the user types"


def test_the_start_page_is_not_squeezed(qtbot, tmp_path: Path) -> None:
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


def test_recent_documents_are_listed_and_opened_by_key(qtbot, tmp_path: Path) -> None:
    page = StartPage(Theme(cast(QApplication, QApplication.instance())))
    qtbot.addWidget(page)
    first, missing = tmp_path / "a.docx", tmp_path / "b.md"
    page.show_recent((first, missing))
    rows = [each for each in page.findChildren(QPushButton) if each.accessibleName()]
    assert [row.accessibleName() for row in rows] == ["a.docx", "b.md"]
    page.resize(900, 700)
    page.show()
    rows[0].setFocus()
    with qtbot.waitSignal(page.file_requested) as signal:
        QTest.keyClick(rows[0], Qt.Key.Key_Space)
    assert signal.args == [first]
