"""Whether topic and recent words act on drafts: the choice, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSettings

from anaphora.memory.view.topic import TopicPanel

SETTING = "memory/topic_words_act"
"""True or false; not there: where a document's topic is clear."""


def offer_acting_words(panel: TopicPanel, settings: QSettings, choose: Callable[[bool | None], None]) -> None:
    """Let a translator choose in the panel; what was chosen last holds from the start."""

    def store(wanted: bool | None) -> None:
        if wanted is None:
            settings.remove(SETTING)
        else:
            settings.setValue(SETTING, wanted)
        choose(wanted)

    if settings.contains(SETTING):
        wanted = bool(settings.value(SETTING, type=bool))
        panel.show_acting(wanted)
        choose(wanted)
    panel.acting_chosen.connect(store)
