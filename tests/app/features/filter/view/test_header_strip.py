"""The strip above the table fits at every width; its chips and field filter segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from anaphora.editor.widgets.filter_chips import Shown
from anaphora.features.filter.view.filtering import HeaderStrip
from anaphora.system.interface_language import UiLanguage, install_language

FEW = {Shown.ALL: 20, Shown.UNCONFIRMED: 14}
MANY = {Shown.ALL: 58, Shown.UNCONFIRMED: 50, Shown.CHANGED: 2, Shown.ISSUES: 5, Shown.UNSURE: 12}
CASES = {
    "a few": (FEW, (6, 20)),
    "all kinds": (MANY, (8, 58)),
    "everything confirmed": ({Shown.ALL: 8}, (8, 8)),
    "large": (dict.fromkeys(Shown, 50_000), (12_345, 50_000)),
}


@pytest.fixture
def strip(qtbot) -> Iterator[HeaderStrip]:
    page = QWidget()
    qtbot.addWidget(page)
    made = HeaderStrip()
    box = QVBoxLayout(page)
    box.setContentsMargins(0, 0, 0, 0)
    box.addWidget(made)
    page.show()
    yield made


@pytest.fixture
def widen(qapp, strip) -> Callable[[int], None]:
    def set_width(width: int) -> None:
        strip.window().resize(width, 60)
        qapp.processEvents()
        qapp.processEvents()
        assert strip.width() == width

    return set_width


@pytest.fixture
def speak(qapp) -> Iterator[Callable[[UiLanguage], None]]:
    yield lambda language: install_language(qapp, language)
    install_language(qapp, UiLanguage.ENGLISH)


def shown_parts(strip: HeaderStrip) -> list[QWidget]:
    """The visible parts of the strip, from the left."""
    parts = [strip.progress, strip.chips, strip.list, strip.needle]
    return sorted((each for each in parts if each.isVisible()), key=lambda each: left_edge(strip, each))


def left_edge(strip: HeaderStrip, part: QWidget) -> int:
    return part.mapTo(strip, part.rect().topLeft()).x()


@pytest.mark.parametrize("language", [UiLanguage.ENGLISH, UiLanguage.CHINESE])
@pytest.mark.parametrize("case", CASES)
def test_the_strip_fits_at_every_width(strip, widen, speak, language, case):
    speak(language)
    counts, work = CASES[case]
    strip.chips.show_counts(counts)
    strip.show_progress(*work)
    said = {"en": "{0} of {1} confirmed", "zh_CN": "已确认 {0} / {1}"}[language.value]
    chips = strip.chips
    for width in range(1500, strip.minimumSizeHint().width() - 1, -11):
        widen(width)
        assert strip.progress.text() == said.format(*work), width
        parts = shown_parts(strip)
        assert [each for each in parts if each in (chips, strip.list)] == parts[1:2]
        wanted = sum(each.sizeHint().width() for each in parts[:2]) + strip.needle.minimumWidth()
        whole = [each for each in parts if each in (strip.progress, chips) or wanted + 50 <= width]
        assert all(each.width() >= each.sizeHint().width() for each in whole if each != strip.needle), width
        assert all(left_edge(strip, a) + a.width() <= left_edge(strip, b) for a, b in pairwise(parts)), width
        assert left_edge(strip, parts[-1]) + parts[-1].width() <= width


def test_chips_without_segments_are_hidden_and_arrows_choose(qtbot, strip, widen):
    strip.chips.show_counts(MANY)
    strip.show_progress(*CASES["all kinds"][1])
    widen(1500)
    chips = strip.chips
    seen = [chips.tabText(index) for index in range(chips.count()) if chips.isTabVisible(index)]
    assert seen == ["All  58", "Unconfirmed  50", "Changed  2", "Issues  5", "Low confidence  12"]
    for shown in (Shown.UNCONFIRMED, Shown.CHANGED, Shown.ISSUES):
        with qtbot.waitSignal(strip.filter_changed) as announced:
            QTest.keyClick(chips, Qt.Key.Key_Right)
        assert announced.args == [shown, ""] and strip.chips.chosen is shown
    strip.chips.show_counts({Shown.ALL: 58})
    assert chips.isTabVisible(chips.currentIndex()), "the chosen chip stays visible"
    with qtbot.waitSignal(strip.filter_changed) as announced:
        QTest.mouseClick(chips, Qt.MouseButton.LeftButton, pos=chips.tabRect(3).center())
    assert announced.args == [Shown.ISSUES, ""], "a second click filters again"


def test_where_the_chips_do_not_fit_a_list_filters(qtbot, strip, widen):
    strip.show_progress(*CASES["all kinds"][1])
    widen(460)
    strip.chips.show_counts(MANY)
    assert [strip.list.itemText(at) for at in range(strip.list.count())][-1] == "Low confidence  12"
    with qtbot.waitSignal(strip.filter_changed) as announced:
        QTest.keyClick(strip.list, Qt.Key.Key_Down)
    assert announced.args == [Shown.UNCONFIRMED, ""] and strip.list.currentText() == "Unconfirmed  50"


def test_the_wheel_over_the_chips_chooses_nothing(qtbot, strip, widen):
    strip.chips.show_counts(MANY)
    widen(1500)
    chips = strip.chips
    place, none = QPointF(chips.tabRect(0).center()), Qt.MouseButton.NoButton
    for step in (-120, -240, 120):
        event = QWheelEvent(
            *(place, chips.mapToGlobal(place), QPoint(), QPoint(0, step), none),
            *(Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False),
        )
        QApplication.sendEvent(chips, event)
        assert strip.chips.chosen is Shown.ALL


def test_keys_of_the_field_filter_at_once_and_return(qtbot, strip):
    told: list[tuple[Shown, str]] = []
    departures: list[bool] = []
    strip.activateWindow()
    strip.needle.setFocus()
    qtbot.waitUntil(strip.needle.hasFocus, timeout=5000)
    strip.filter_changed.connect(lambda shown, text: told.append((shown, text)))
    strip.left.connect(lambda: departures.append(True))
    strip.choose(Shown.UNCONFIRMED, " ledger ")
    qtbot.wait(250)
    assert told == [] and strip.chips.chosen is Shown.UNCONFIRMED, "set without a signal"
    for number, key in enumerate((Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down), 1):
        QTest.keyClick(strip.needle, key)
        assert told == [(Shown.UNCONFIRMED, "ledger")] * number == told and len(departures) == number
    QTest.keyClick(strip.needle, Qt.Key.Key_X)
    assert len(told) == 3 and len(departures) == 3, "filtering waits for typing"
    qtbot.waitUntil(lambda: len(told) == 4, timeout=5000)
    assert told[-1] == (Shown.UNCONFIRMED, "ledger x")
    QTest.keyClick(strip.needle, Qt.Key.Key_Escape)
    assert told[4:] == [(Shown.ALL, "")] and strip.needle.text() == "" and len(departures) == 4
