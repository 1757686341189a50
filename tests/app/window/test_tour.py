"""The guided tour goes by keyboard, stands beside what it speaks of, and can be left at any time."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from anaphora.views.appearance.theme import Theme, ThemeChoice
from anaphora.window.tour import GAP, Tour, TourStep

KEY = Qt.Key


def press(window, key: Qt.Key) -> None:
    window.activateWindow()
    QApplication.processEvents()
    QTest.keyClick(QApplication.focusWidget() or window.tour.tour, key)


@pytest.mark.parametrize("size", [QSize(1280, 800), QSize(1024, 576)])
def test_each_step_stands_beside_what_it_speaks_of(qtbot, make_window, document, size):
    window = make_window(None, document, False)
    window.docks.show_dock("documents", False)
    window.resize(size)
    QApplication.processEvents()
    window.actions_by_name["tour"].trigger()
    tour = window.tour.tour
    texts = []
    while window.tour.tour is not None:
        QApplication.processEvents()
        texts.append((tour.title.text(), tour.text.text()))
        assert window.rect().contains(tour.geometry()), texts[-1]
        assert not tour.geometry().intersects(tour.target.adjusted(2, 2, -2, -2)), texts[-1]
        assert QApplication.focusWidget() is tour.next_button, "the keyboard is in the note"
        labels = [each for each in tour.findChildren(QLabel) if each.isVisible()]
        assert all(each.height() >= each.heightForWidth(each.width()) for each in labels), texts[-1]
        press(window, KEY.Key_Return)
    assert len(set(texts)) == 7
    words = sum(len(f"{title} {text}".split()) for title, text in texts)
    assert words < 240, "read in two minutes at 120 words a minute"
    assert window.table.editor.hasFocus()


def test_it_starts_on_the_sample_and_is_left_by_esc(qtbot, make_window):
    window = make_window(None, None, False)
    before = [each.text() for each in window.start_page.findChildren(QLabel)]
    assert any(text.count("\n") == 2 for text in before), "three lines say what this is"
    window.start_page.tour_button.setFocus()
    QTest.keyClick(window.start_page.tour_button, KEY.Key_Space)
    qtbot.waitUntil(lambda: window.tour.tour is not None, timeout=20000)
    tour, target = window.tour.tour, window.table.current_segment.target
    assert tour.place == 0 and not tour.back_button.isEnabled()
    press(window, KEY.Key_Right)
    press(window, KEY.Key_Right)
    press(window, KEY.Key_Left)
    assert tour.place == 1
    press(window, KEY.Key_X)
    assert window.table.current_segment.target == target, "nothing is typed behind the note"
    press(window, KEY.Key_Escape)
    assert window.tour.tour is None and window.table.editor.hasFocus()
    window.actions_by_name["tour"].trigger()
    assert window.tour.tour is not None
    window.controller.close()
    assert window.tour.tour is None and window.start_page.isVisible()


@pytest.mark.parametrize(
    ("place", "beside"),
    [
        (QRect(300, 100, 100, 20), "below"),
        (QRect(300, 520, 100, 60), "above"),
        (QRect(500, 0, 280, 600), "left"),
        (QRect(0, 0, 280, 600), "right"),
        (QRect(0, 0, 800, 600), "over"),
    ],
)
def test_a_note_stands_where_there_is_room(qtbot, place: QRect, beside: str) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(800, 600)
    spoken_of = QWidget(window)
    spoken_of.setGeometry(place)
    window.show()
    steps = [TourStep(lambda: spoken_of, title, "Some words.") for title in ("One", "Two")]
    tour = Tour(steps, Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT), window)
    QApplication.processEvents()
    note = tour.geometry()
    assert window.rect().contains(note)
    sides = {
        "below": note.top() == place.bottom() + GAP and note.left() == place.left(),
        "above": note.bottom() == place.top() - GAP - 1 and note.left() == place.left(),
        "left": note.right() == place.left() - GAP - 1 and note.top() == GAP,
        "right": note.left() == place.right() + GAP and note.top() == GAP,
        "over": (note.center() - window.rect().center()).manhattanLength() <= 2,
    }
    assert sides[beside], (note, place)
    assert "1 of 2" in [label.text() for label in tour.findChildren(QLabel)]
    assert (tour.next_button.text(), tour.back_button.isEnabled()) == ("Next", False)
    tour.step(1)
    assert "2 of 2" in [label.text() for label in tour.findChildren(QLabel)]
    assert (tour.next_button.text(), tour.back_button.isEnabled()) == ("Done", True)
    tour.step(-1)
    tour.step(-1)
    assert tour.title.text() == "One"
