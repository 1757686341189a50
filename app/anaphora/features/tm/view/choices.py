"""The user's choices for repetitions and the shared memory: menus and settings."""

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
Tell = Callable[[RepetitionChoice], None]


def stored_repetitions(settings: QSettings) -> RepetitionChoice:
    """The choice that was made last, the default where nothing sensible is kept."""
    reach = stored_choice(settings, REACH_SETTING, Repeats.ALL)
    return RepetitionChoice(reach, is_on(settings, CONFIRM_SETTING, False))


class RepetitionMenu(QObject):
    """Offers what a confirmation does to segments with the same source."""

    def __init__(self, menu: QMenu, settings: QSettings, choice: RepetitionChoice, tell: Tell) -> None:
        """`choice` is the current value; `tell` is called after a change."""
        super().__init__(menu)
        self._settings = settings
        self._choice, self._tell_others = choice, tell
        chosen = stored_repetitions(settings)
        self.reaches = add_choices(menu, self._texts(), chosen.reach, self._choose_reach)
        menu.addSeparator()
        text = self.tr("&Confirm exact repetitions too")
        self.confirm = add_switch(menu, text, settings, CONFIRM_SETTING, self._tell, usually=False)
        self._tell()

    def _texts(self) -> dict[Repeats, str]:
        return {
            Repeats.ALL: self.tr("Fill in &all repetitions"),
            Repeats.SAME_BEFORE: self.tr("…&unless the segment before differs"),
            Repeats.NONE: self.tr("&Leave repetitions unchanged"),
        }

    def _choose_reach(self, reach: Repeats) -> None:
        self._settings.setValue(REACH_SETTING, reach.value)
        self._tell()

    def _tell(self, _: bool = True) -> None:
        chosen = stored_repetitions(self._settings)
        self.confirm.setEnabled(chosen.reach is not Repeats.NONE)
        self._choice.reach, self._choice.confirm_exact = chosen.reach, chosen.confirm_exact
        self._tell_others(chosen)
