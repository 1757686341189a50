"""The effects of remembered words on the words of a translation, as shown to the user."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from anaphora_nmt.types import NOTICEABLE, MemoryUse, TokenTrace

MIN_SHARE = 0.1
"""Minimum share of an output word's probability for another word to be reported."""


class Effect(Enum):
    """The effect of a remembered word on an output word.

    Attributes:
        DECISIVE: without it another word would be chosen.
        SUPPORTING: it made the word likelier. AGAINST: it supported another word. NONE: not noticeable.
    """

    DECISIVE = "decisive"
    SUPPORTING = "supporting"
    AGAINST = "against"
    NONE = "none"


def effect_of(use: MemoryUse) -> Effect:
    """The measured effect of a use; NONE without measurements."""
    if use.decisive:
        return Effect.DECISIVE
    influence = use.influence or 0.0
    if abs(influence) < NOTICEABLE:
        return Effect.NONE
    return Effect.SUPPORTING if influence > 0 else Effect.AGAINST


def is_drafted(use: MemoryUse) -> bool:
    """True if a remembered word comes from an unconfirmed draft of the engine."""
    return bool(use.segment) and not use.confirmed


def causes(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """The remembered words because of which an output word was chosen.

    These are the decisive ones, without those that supported yet another word, unless all did. If the memory
    changed the word and none is decisive, these are all that supported it.
    """
    decisive = [use for use in token.uses if use.decisive]
    if decisive:
        return tuple(use for use in decisive if (use.influence or 0.0) > 0) or tuple(decisive)
    changed = token.without_memory is not None
    return tuple(use for use in token.uses if changed and effect_of(use) is Effect.SUPPORTING)


def effective_uses(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """The uses with an effect on an output word, in the engine's order.

    Drafts that only support it are omitted, as they are not evidence.
    """
    changing = causes(token)
    return tuple(use for use in token.uses if use in changing or _is_evidence(use))


def _is_evidence(use: MemoryUse) -> bool:
    effect = effect_of(use)
    return effect is not Effect.NONE and not (effect is Effect.SUPPORTING and is_drafted(use))


def proposes_another_word(use: MemoryUse) -> bool:
    """True if a remembered word supports itself instead of the output word strongly enough to report."""
    return effect_of(use) is Effect.AGAINST and use.strength >= MIN_SHARE


def words_with_effect(tokens: Iterable[TokenTrace], memory: str, section: str) -> dict[str, MemoryUse]:
    """By label, the words of a section with an effect on output words, each with its strongest use."""
    found: dict[str, MemoryUse] = {}
    for token in tokens:
        for use in effective_uses(token):
            known = found.get(use.label)
            if (use.memory, use.section) == (memory, section) and (
                known is None or abs(use.influence or 0.0) > abs(known.influence or 0.0)
            ):
                found[use.label] = use
    return found
