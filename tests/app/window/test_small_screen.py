"""The window fits a screen of 1280×720 at 125 % in every state, in each of its languages."""

from __future__ import annotations

import struct

import pytest
from PySide6.QtCore import QByteArray, QRect, QSettings, QSize
from PySide6.QtWidgets import QDialog
from shiboken6 import isValid

from anaphora.editor.widgets.dialogs import FRAME
from anaphora.editor.widgets.filter_chips import Shown
from anaphora.features.engine_state.feature import EngineState
from anaphora.features.filter.feature import Filter
from anaphora.features.find.feature import Find
from anaphora.system.interface_language import UiLanguage, install_language
from anaphora.window.main_window import MainWindow

SMALL = QSize(1024, 576)
"""The available size of 1280×720 pixels at 125 %."""
DIALOGS = (
    "guide",
    "report",
    "keys",
    "about",
    "models",
    "sentence_rules",
    "terms",
    "statistics",
    "backups",
    "export",
    "checks",
    "pretranslate",
    "memory_rules",
    "packs",
)
LARGE_WORK = 12_345, 50_000


def states(window: MainWindow):
    """(name, function that brings the window into a state), in order."""
    strip, docks = window.of(Filter).strip, window.docks
    counts = dict.fromkeys(Shown, 50_000)
    yield "counts", lambda: strip.chips.show_counts(counts | {Shown.CHANGED: 0})
    yield "progress", lambda: strip.show_progress(*LARGE_WORK)
    yield "one draft changed", lambda: strip.chips.show_counts(counts | {Shown.CHANGED: 1})
    yield "drafts changed", lambda: strip.chips.show_counts(counts)
    yield (
        "no model",
        lambda: window.desk.worker.load_failed.emit("The model folder /nowhere is missing. " * 4),
    )
    yield "find", lambda: window.of(Find).bar.open(True)
    yield "find closed", window.of(Find).bar.close_bar
    yield "a model", window.of(EngineState).no_model_banner.hide
    for name in ("why", "consistency", "concordance", "discourse"):
        yield name, lambda name=name: docks.raise_panel(name)
    yield "documents", lambda: docks.show_dock("documents", True)
    yield "start", window.controller.close


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_state_fits_a_small_screen(qtbot, make_window, document, tmp_path, qapp, language) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("language", language)
    settings.sync()
    window = make_window(None, document, False)
    window.docks.show_dock("documents", False)
    window.resize(SMALL)
    qtbot.waitUntil(lambda: window.size() == SMALL, timeout=30000)
    assert max(action.menu().sizeHint().height() for action in window.menuBar().actions()) < 700
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


@pytest.fixture(autouse=True)
def english_again(qapp):
    """Restore English for later tests."""
    yield
    install_language(qapp, UiLanguage.ENGLISH)


def saved(place: QRect, screen: int, maximized: bool, screen_width: int) -> QByteArray:
    """Qt's stored geometry of a window (version 3 of its format)."""
    box = struct.pack(">4i", place.left(), place.top(), place.right(), place.bottom())
    head, state = (
        struct.pack(">IHH", 0x1D9D0CB, 3, 0),
        struct.pack(">iBBi", screen, maximized, 0, screen_width),
    )
    return QByteArray(head + box + box + state + box)


@pytest.mark.parametrize("maximized", [False, True])
@pytest.mark.parametrize("wider", [1, 2])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_window_saved_on_a_missing_monitor_opens_on_the_other(
    qtbot, make_window, qapp, side, wider, maximized
) -> None:
    room = qapp.primaryScreen().availableGeometry()
    place = QRect(side * room.width() + 40, 60, room.width() - 80, room.height() - 120)
    window = make_window(start=False)
    window.hide()
    window.desk.settings.setValue("geometry", saved(place, 1, maximized, room.width() * wider))
    window.state.restore()
    window.show()
    assert room.contains(window.geometry()) and room.contains(window.normalGeometry())
    # A position on a screen of a very different width is ignored.
    assert window.isMaximized() == (maximized and wider == 1)
    if wider == 1 and not maximized:
        assert window.size() == place.size()


def visible_dialogs(window: MainWindow) -> list[QDialog]:
    return [each for each in window.findChildren(QDialog) if each.isVisible()]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_dialog_fits_a_small_screen(qtbot, make_window, document, tmp_path, language) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("language", language)
    settings.sync()
    window = make_window(None, document, False)
    screen = window.screen().availableGeometry().size()
    too_large = {}
    for action in DIALOGS:
        window.actions_by_name[action].trigger()
        qtbot.waitUntil(lambda: len(visible_dialogs(window)) == 1, timeout=30000)
        shown = visible_dialogs(window)
        room, least = SMALL - FRAME, shown[0].minimumSizeHint()
        if least.expandedTo(room) != room:
            too_large[action] = least
        if shown[0].size().expandedTo(screen) != screen.expandedTo(least):
            too_large[f"{action} opens"] = shown[0].size()
        shown[0].close()
        qtbot.waitUntil(lambda dialog=shown[0]: not isValid(dialog) or not dialog.isVisible(), timeout=30000)
    assert too_large == {}
