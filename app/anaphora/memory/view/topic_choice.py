"""Whether topic and recent words act on drafts: the choice, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSettings

from anaphora.memory.view.topic import TopicPanel

SETTING = "memory/topic_words_act"


def offer_acting_words(panel: TopicPanel, settings: QSettings, choose: Callable[[bool], None]) -> None:
    """Let a translator choose in the panel; what was chosen last holds from the start."""

    def store(wanted: bool) -> None:
        settings.setValue(SETTING, wanted)
        choose(wanted)

    if bool(settings.value(SETTING, False, type=bool)):
        panel.acting.setChecked(True)
        choose(True)
    panel.acting_chosen.connect(store)
