"""The message that the app shows at its start if it crashed the last time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from anaphora.editor.widgets.dialogs import ask

if TYPE_CHECKING:
    from anaphora.window.main_window import MainWindow

translate = QCoreApplication.translate


def show_crash(window: MainWindow) -> None:
    ask(
        window,
        translate("Help", "Report a problem"),
        translate("Help", "Anaphora closed unexpectedly last time. Nothing is lost."),
        translate("Help", "Your confirmed and typed text is in the project. Open the document again."),
        translate("Help", "&Report a problem…"),
        window.actions_by_name["report"].trigger,
    )
