"""What the user wants of repetitions and the shared memory: the choices, their menus, where they are kept."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from anaphora.application.window_settings import stored_choice
from anaphora.document.repetitions import Reach, RepetitionChoice

REACH_SETTING = "repetitions/reach"
CONFIRM_SETTING = "repetitions/confirm_exact"
SHARED_SETTING = "memory/shared"
FILL_SETTING = "memory/fill"


def stored_repetitions(settings: QSettings) -> RepetitionChoice:
    """The choice that was made last, the default where nothing sensible is kept."""
    reach = stored_choice(settings, REACH_SETTING, Reach.EVERYWHERE)
    return RepetitionChoice(reach, str(settings.value(CONFIRM_SETTING, "false")) == "true")


def stored_shared(settings: QSettings) -> bool:
    return _is_on(settings, SHARED_SETTING)


def stored_filling(settings: QSettings) -> bool:
    return _is_on(settings, FILL_SETTING)


def _is_on(settings: QSettings, name: str) -> bool:
    return str(settings.value(name, "true")) == "true"


class RepetitionMenu(QObject):
    """Offers what a confirmation does to segments with the same source."""

    def __init__(self, menu: QMenu, settings: QSettings, choose: Callable[[RepetitionChoice], None]) -> None:
        super().__init__(menu)
        self._settings = settings
        self._choose = choose
        chosen = stored_repetitions(settings)
        self.reaches = QActionGroup(self)
        for reach, text in self._texts().items():
            action = QAction(text, menu, checkable=True)
            action.setData(reach.value)
            action.setChecked(reach is chosen.reach)
            self.reaches.addAction(action)
            menu.addAction(action)
        menu.addSeparator()
        self.confirm = QAction(self.tr("&Confirm exact repetitions at once"), menu, checkable=True)
        self.confirm.setChecked(chosen.confirm_exact)
        self.confirm.setEnabled(chosen.reach is not Reach.NONE)
        menu.addAction(self.confirm)
        self.reaches.triggered.connect(lambda _: self._store())
        self.confirm.triggered.connect(lambda _: self._store())
        choose(chosen)

    def _texts(self) -> dict[Reach, str]:
        return {
            Reach.EVERYWHERE: self.tr("Give a confirmed text to &all repetitions"),
            Reach.SAME_BEFORE: self.tr("…&unless the segment before differs"),
            Reach.NONE: self.tr("&Leave repetitions alone"),
        }

    def _store(self) -> None:
        checked = self.reaches.checkedAction()
        self._settings.setValue(REACH_SETTING, checked.data())
        self._settings.setValue(CONFIRM_SETTING, "true" if self.confirm.isChecked() else "false")
        chosen = stored_repetitions(self._settings)
        self.confirm.setEnabled(chosen.reach is not Reach.NONE)
        self._choose(chosen)


def add_shared_choice(menu: QMenu, text: str, settings: QSettings, choose: Callable[[bool], None]) -> QAction:
    return _add_choice(menu, text, settings, SHARED_SETTING, choose)


def add_filling_choice(
    menu: QMenu, text: str, settings: QSettings, choose: Callable[[bool], None]
) -> QAction:
    return _add_choice(menu, text, settings, FILL_SETTING, choose)


def _add_choice(
    menu: QMenu, text: str, settings: QSettings, name: str, choose: Callable[[bool], None]
) -> QAction:
    def store(wanted: bool) -> None:
        settings.setValue(name, "true" if wanted else "false")
        choose(wanted)

    action = QAction(text, menu, checkable=True)
    action.setChecked(_is_on(settings, name))
    action.triggered.connect(store)
    menu.addAction(action)
    return action
