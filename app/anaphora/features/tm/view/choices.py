"""The user's choices for repetitions and memories: menu and settings."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings
from PySide6.QtWidgets import QMenu

from anaphora.editor.actions.choices import add_choices, add_switch
from anaphora.project.document.repetitions import RepetitionChoice
from anaphora.system.window_settings import is_on, stored_choice
from anaphora_nmt.types import Repeats

REACH_SETTING = "repetitions/reach"
CONFIRM_SETTING = "repetitions/confirm_exact"
SHARED_SETTING = "memory/shared"
FILL_SETTING = "memory/fill"
Report = Callable[[RepetitionChoice], None]


def stored_repetitions(settings: QSettings) -> RepetitionChoice:
    """The stored choice; the default if it is missing or invalid."""
    reach = stored_choice(settings, REACH_SETTING, Repeats.ALL)
    return RepetitionChoice(reach, is_on(settings, CONFIRM_SETTING, False))


class RepetitionMenu(QObject):
    """Lets the user choose how confirming a segment changes its repetitions."""

    def __init__(self, menu: QMenu, settings: QSettings, choice: RepetitionChoice, report: Report) -> None:
        """`choice` is updated after a change, then `report` is called."""
        super().__init__(menu)
        self._settings = settings
        self._choice, self._report = choice, report
        chosen = stored_repetitions(settings)
        self.reaches = add_choices(menu, self._texts(), chosen.reach, self._choose_reach)
        menu.addSeparator()
        text = self.tr("&Confirm exact repetitions too")
        self.confirm = add_switch(menu, text, settings, CONFIRM_SETTING, self._apply, usually=False)
        self._apply()

    def _texts(self) -> dict[Repeats, str]:
        return {
            Repeats.ALL: self.tr("Fill in &all repetitions"),
            Repeats.SAME_BEFORE: self.tr("Fill in repetitions &with the same preceding segment"),
            Repeats.NONE: self.tr("&Leave repetitions unchanged"),
        }

    def _choose_reach(self, reach: Repeats) -> None:
        self._settings.setValue(REACH_SETTING, reach.value)
        self._apply()

    def _apply(self, _: bool = True) -> None:
        chosen = stored_repetitions(self._settings)
        self.confirm.setEnabled(chosen.reach is not Repeats.NONE)
        self._choice.reach, self._choice.confirm_exact = chosen.reach, chosen.confirm_exact
        self._report(chosen)
