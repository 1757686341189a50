"""Closing and deletion of windows, as at the end of the program."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent
from pytestqt.qtbot import QtBot

from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.window.main_window import MainWindow


def end_windows(qtbot: QtBot, windows: list[MainWindow]) -> None:
    """Close windows, wait for their threads, delete them, and clear the list."""
    while windows:
        window = windows.pop(0)
        window.close()
        worker = window.desk.worker
        qtbot.waitUntil(partial(worker.stop, 5.0), timeout=30000)
        assert window.controller.tasks.finish(30000)
        assert window.controller.saving.finish(30.0)
        window.of(Tm).service.finish()
        window.of(Terms).service.finish()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
