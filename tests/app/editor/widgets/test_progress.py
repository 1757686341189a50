"""The progress dialog blocks editing."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QProgressBar
from shiboken6 import isValid

from anaphora.editor.widgets.dialogs import ProgressDialog, ProgressView


@pytest.fixture
def window(qtbot) -> QMainWindow:
    window = QMainWindow()
    qtbot.addWidget(window)
    window.setCentralWidget(QLineEdit())
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    window.centralWidget().setFocus()
    return window


def on_screen(dialog: ProgressDialog) -> bool:
    handle = dialog.windowHandle()
    return handle is not None and handle.isVisible()


def test_short_work_shows_no_dialog_and_blocks_editing(window, qtbot) -> None:
    field, handle = cast(QLineEdit, window.centralWidget()), cast(QWindow, window.windowHandle())
    checked: list[bool] = []
    action = QAction("Check", window)
    action.setShortcut(QKeySequence("F5"))
    action.triggered.connect(lambda: checked.append(True))
    window.addAction(action)
    QTest.keyClick(handle, Qt.Key.Key_A)
    assert field.text() == "a"
    dialog = ProgressDialog("Changing segments", "Replacing", 1000, window, delay=60_000)
    dialog.block()
    QTest.keyClick(handle, Qt.Key.Key_B)
    QTest.keyClick(handle, Qt.Key.Key_F5)
    QTest.mouseClick(handle, Qt.MouseButton.LeftButton)
    assert field.text() == "a" and not checked and not on_screen(dialog)
    dialog.end()
    assert field.hasFocus() and window.isActiveWindow()
    QTest.keyClick(handle, Qt.Key.Key_C)
    QTest.keyClick(handle, Qt.Key.Key_F5)
    assert field.text() == "ac" and checked


def test_longer_work_shows_a_dialog_and_a_key_cancels_it(window, qtbot) -> None:
    field, handle = cast(QLineEdit, window.centralWidget()), cast(QWindow, window.windowHandle())
    dialog = ProgressDialog("Changing segments", "Replacing", 1000, window, delay=50)
    dialog.block()
    qtbot.waitUntil(lambda: on_screen(dialog), timeout=5000)
    QTest.keyClick(handle, Qt.Key.Key_B)
    assert not field.text()
    with qtbot.waitSignal(dialog.cancel_requested, timeout=1000):
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.end()
    QTest.keyClick(handle, Qt.Key.Key_C)
    assert field.text() == "c"


class _Work(QObject):
    progressed = Signal(int)


def test_the_dialog_follows_only_the_running_work(window, qtbot) -> None:
    work, given_up = _Work(), []
    view = ProgressView(window, work.progressed, lambda: given_up.append(True), delay=0)
    view.end()
    assert view.dialog is None, "it has not begun"
    view.begin("Changing segments", "Replacing")
    first = cast(ProgressDialog, view.dialog)
    qtbot.waitUntil(lambda: on_screen(first), timeout=5000)
    bar = first.findChild(QProgressBar)
    work.progressed.emit(250)
    assert (bar.value(), bar.maximum()) == (250, 1000)
    view.begin("Changing segments", "Marking")
    second = cast(ProgressDialog, view.dialog)
    assert second is not first and second.text == "Marking" and not first.isVisible()
    work.progressed.emit(500)
    assert (bar.value(), second.findChild(QProgressBar).value()) == (250, 500)
    second.reject()
    assert given_up == [True] and second.cancelled and not first.cancelled
    view.end()
    assert view.dialog is None
    qtbot.waitUntil(lambda: not isValid(second), timeout=5000)
    work.progressed.emit(750)
