"""Whether texts are completed while somebody types: the choice, its entry in a menu, where it is kept."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from anaphora.drafting.view.completer import Completer

SETTING = "completion"


def stored_completion(settings: QSettings) -> bool:
    """The choice that was made last; at first texts are completed."""
    return bool(settings.value(SETTING, True, type=bool))


def add_completion_choice(menu: QMenu, settings: QSettings, completer: Completer) -> QAction:

    def store(wanted: bool) -> None:
        settings.setValue(SETTING, wanted)
        completer.switch(wanted)

    text = QCoreApplication.translate("Menus", "Complete te&xt while typing (Tab takes it, Ctrl+→ a word)")
    action = QAction(text, menu, checkable=True)
    action.setChecked(completer.is_on)
    action.triggered.connect(store)
    menu.addAction(action)
    return action
