"""The window fits a screen of 1280×720 at 125 %, whatever it shows, in each of its languages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, QSize

from anaphora.views.appearance.languages import Language, install_language
from anaphora.views.widgets.header_strip import Shown, WorkDone
from anaphora.views.window.main_window import MainWindow

SMALL = QSize(1024, 576)
"""What is left of 1280×720 pixels at 125 %."""
LARGE_WORK = WorkDone(12_345, 50_000, 123_456, 1_234_567, 812, 36_000)


def states(window: MainWindow):
    """(name, what brings the window into a state), one after the other."""
    strip, docks = window.strip, window.docks
    counts = dict.fromkeys(Shown, 50_000)
    yield "counts", lambda: strip.show_counts(counts | {Shown.CHANGED: 0})
    yield "progress", lambda: strip.show_work(LARGE_WORK)
    yield "one draft changed", lambda: strip.show_counts(counts | {Shown.CHANGED: 1})
    yield "drafts changed", lambda: strip.show_counts(counts)
    yield "no model", lambda: window.banner.show_problem("The model folder /nowhere is missing. " * 4)
    yield "find", lambda: window.find_bar.open(True)
    yield "find closed", window.find_bar.close_bar
    yield "a model", window.banner.hide
    for name in ("why", "consistency", "concordance"):
        yield name, lambda name=name: docks.raise_panel(name)
    yield "documents", lambda: docks.show_dock("documents", True)
    yield "start", window.controller.close


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_state_fits_a_small_screen(qtbot, make_window, document, tmp_path, qapp, language) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("language", language)
    settings.setValue("say_at_closing", False)
    settings.sync()
    window = make_window(None, document, False)
    window.docks.show_dock("documents", False)
    window.resize(SMALL)
    qtbot.waitUntil(lambda: window.size() == SMALL, timeout=30000)
    table = window.table
    assert table.viewport().height() > 300 and table.card.isVisible()
    qtbot.waitUntil(lambda: table.viewport().rect().contains(table.card.geometry()), timeout=30000)
    for name, enter in states(window):
        enter()
        qapp.processEvents()
        qapp.processEvents()
        least = window.minimumSizeHint()
        assert least.width() <= SMALL.width() and least.height() <= SMALL.height(), (name, least)
        assert window.size() == SMALL, name
        strip = window.strip
        for button in (each for each in strip.buttons() if each.isVisible()):
            assert button.width() >= button.sizeHint().width(), (name, button.text())
            assert strip.rect().contains(button.geometry()), (name, button.text())


@pytest.fixture(autouse=True)
def english_again(qapp):
    """The tests that follow read English."""
    yield
    install_language(qapp, Language.ENGLISH)


def test_the_strip_says_as_much_as_there_is_room_for(qtbot, make_window, document) -> None:
    window = make_window(None, document, False)
    strip = window.strip
    counts = {Shown.ALL: 58, Shown.UNCONFIRMED: 50, Shown.CHANGED: 2, Shown.ISSUES: 5, Shown.UNSURE: 12}
    strip.show_counts(counts)
    strip.show_work(WorkDone(8, 58, 120, 900, 700, 4000))
    window.resize(1900, 900)
    qtbot.waitUntil(lambda: "F4" in strip.review.text() and "120 of 900 words" in strip.progress.text())
    window.resize(1280, 800)
    qtbot.waitUntil(lambda: window.width() == 1280)
    assert strip.chip(Shown.ISSUES).text() == "Issues  5"
    assert strip.review.text() and strip.review.accessibleName() == "2 drafts changed, review"
    assert strip.progress.toolTip().startswith("8 of 58 confirmed")
