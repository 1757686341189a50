"""Letters typed in a bar or a dialog never reach a segment, after any number of Tab keys."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import isValid

MAX_STOPS = 60
DIALOGS = (
    "go_to",
    "keys",
    "about",
    "models",
    "languages",
    "sentence_rules",
    "terms",
    "add_term",
    "statistics",
    "backups",
    "export",
    "export_all",
    "checks",
    "pretranslate",
    "memory_rules",
    "packs",
    "memory_timeline",
)
PARTS = ("find", "replace", "filter", "concordance", "comment")
FORWARD, BACK = Qt.Key.Key_Tab, Qt.Key.Key_Backtab


@pytest.fixture
def window(qtbot, make_window, document, drafted):
    result = make_window(None, document)
    drafted(result)
    result.activateWindow()
    qtbot.waitUntil(lambda: result.table.card.isVisible())
    return result


def stops(start: QWidget, key: Qt.Key) -> Iterator[QWidget]:
    """The widgets that Tab visits until it returns to the start; a letter is typed in each."""
    seen: set[QWidget] = set()
    for _ in range(MAX_STOPS):
        at = QApplication.focusWidget()
        if at is None or at in seen:
            return
        seen.add(at)
        yield at
        QTest.keyClick(QApplication.focusWidget() or at, Qt.Key.Key_Q)
        QApplication.processEvents()
        # A letter may have opened a widget, from which Tab continues.
        if (at := QApplication.focusWidget()) is not None:
            QTest.keyClick(at, key)
    raise AssertionError(f"Tab does not come back to {start}")


def dialogs(window) -> list[QDialog]:
    return [each for each in window.findChildren(QDialog) if each.isVisible()]


@pytest.mark.slow
@pytest.mark.parametrize("key", [FORWARD, BACK], ids=["forward", "back"])
@pytest.mark.parametrize("part", PARTS)
def test_letters_typed_in_a_bar_do_not_reach_segments(qtbot, window, part, key) -> None:
    editor, before = window.table.editor, list(window.session.document)
    window.actions_by_name[part].trigger()
    QApplication.processEvents()
    start = QApplication.focusWidget()
    assert start is not None and start is not editor, "the part has the focus"
    met = list(stops(start, key))
    assert list(window.session.document) == before, [(type(each), each.accessibleName()) for each in met]
    assert editor not in met and len(met) > 1


@pytest.mark.slow
@pytest.mark.parametrize("action", DIALOGS)
def test_letters_typed_in_a_dialog_do_not_reach_segments(qtbot, window, action) -> None:
    before = list(window.session.document)
    for key in (FORWARD, BACK):
        window.actions_by_name[action].trigger()
        qtbot.waitUntil(lambda: bool(dialogs(window)), timeout=30000)
        (dialog,) = dialogs(window)
        dialog.activateWindow()
        qtbot.waitUntil(lambda d=dialog: QApplication.activeWindow() is d, timeout=30000)
        met = list(stops(dialog, key))
        assert met and all(each.window() is not window for each in met), met
        for each in dialogs(window):
            each.reject()
        qtbot.waitUntil(lambda d=dialog: not isValid(d) or not d.isVisible(), timeout=30000)
    assert list(window.session.document) == before
