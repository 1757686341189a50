"""Texts and colours of effects in the panels."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.rail import NumberOf
from anaphora.features.explain.marking import Effect, effect_of
from anaphora_nmt.types import MemoryUse, match_number


def effect_word(effect: Effect) -> str:
    words = {
        Effect.DECISIVE: QCoreApplication.translate("Effect", "decisive"),
        Effect.SUPPORTING: QCoreApplication.translate("Effect", "positive"),
        Effect.AGAINST: QCoreApplication.translate("Effect", "negative"),
        Effect.NONE: QCoreApplication.translate("Effect", "none"),
    }
    return words[effect]


def effect_colour(effect: Effect, theme: Theme, confirmed: bool = True) -> QColor:
    """Green, orange or grey for an effect; never green for words that are not `confirmed`."""
    colours = theme.colours
    effect_colours = {
        Effect.DECISIVE: colours.confirmed if confirmed else colours.warning,
        Effect.SUPPORTING: colours.confirmed if confirmed else colours.muted,
        Effect.AGAINST: colours.warning,
        Effect.NONE: colours.muted,
    }
    return QColor(effect_colours[effect])


def effect_sentence(use: MemoryUse, word: str) -> str:
    sentences = {
        Effect.DECISIVE: QCoreApplication.translate(
            "Effect", "Without “{0}”, “{1}” would not be the most likely word here."
        ),
        Effect.SUPPORTING: QCoreApplication.translate("Effect", "“{0}” made “{1}” more likely."),
        Effect.AGAINST: QCoreApplication.translate("Effect", "“{0}” made “{1}” less likely."),
        Effect.NONE: QCoreApplication.translate("Effect", "“{0}” had no effect on “{1}”."),
    }
    return sentences[effect_of(use)].format(use.label, word)


def place_text(segment_id: str, number_of: NumberOf) -> str:
    """The origin of a remembered word for a narrow column: a segment number, "TM", or "" for a pack."""
    return "TM" if match_number(segment_id) else str(number_of(segment_id) or "")


def origin_text(segment_id: str, number_of: NumberOf) -> str:
    """The origin of a remembered word for a sentence: a segment, a match, or a segment of a pack."""
    if match := match_number(segment_id):
        return QCoreApplication.translate("Effect", "translation memory match {0}").format(match)
    if number := number_of(segment_id):
        return QCoreApplication.translate("Effect", "segment {0}").format(number)
    return QCoreApplication.translate("Effect", "memory pack segment {0}").format(segment_id)
