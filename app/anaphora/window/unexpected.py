"""An error that nobody handled is said in the status bar, whichever thread it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow


class UnexpectedNotice(QObject):
    """Says that something went wrong, and where to read what.

    Signals:
        noticed: emitted by whoever noticed it.
    """

    noticed = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.noticed.connect(self._say)

    def _say(self) -> None:
        self._window.show_message(
            self.tr("Something went wrong that should not have. Help ▸ Report a problem… shows what.")
        )
