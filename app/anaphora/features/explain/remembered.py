"""Remembered words and their effects on the words of a translation, in a translator's terms."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from anaphora_nmt.types import NOTICEABLE, MemoryUse, TokenTrace

LOUD = 0.1
"""From this share of an output word's place on, another word is worth proposing there."""


class Effect(Enum):
    """The effect of a remembered word on an output word.

    Attributes:
        DECISIVE: without it another word would stand there.
        SUPPORTING: it made the word likelier. AGAINST: it spoke for another word. NONE: nothing to speak of.
    """

    DECISIVE = "decisive"
    SUPPORTING = "supporting"
    AGAINST = "against"
    NONE = "none"


def effect_of(use: MemoryUse) -> Effect:
    """The effect of a use, from measurements; without any, none."""
    if use.decisive:
        return Effect.DECISIVE
    influence = use.influence or 0.0
    if abs(influence) < NOTICEABLE:
        return Effect.NONE
    return Effect.SUPPORTING if influence > 0 else Effect.AGAINST


def is_drafted(use: MemoryUse) -> bool:
    """True if a remembered word comes from an unconfirmed draft of the engine."""
    return bool(use.segment) and not use.confirmed


def turning(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """The remembered words that replaced an output word by another one, of any kind.

    A decisive word that spoke for yet another one did not, unless all did. Where the memory changed the word
    and the engine found none decisive, all that made it likelier count.
    """
    decisive = [use for use in token.uses if use.decisive]
    if decisive:
        return tuple(use for use in decisive if (use.influence or 0.0) > 0) or tuple(decisive)
    changed = token.without_memory is not None
    return tuple(use for use in token.uses if changed and effect_of(use) is Effect.SUPPORTING)


def acting(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """The uses with an effect on an output word, in the engine's order.

    A draft that merely agrees with it is omitted: the engine's own agreement is not evidence.
    """
    turned = turning(token)
    return tuple(use for use in token.uses if use in turned or _is_evidence(use))


def _is_evidence(use: MemoryUse) -> bool:
    effect = effect_of(use)
    return effect is not Effect.NONE and not (effect is Effect.SUPPORTING and is_drafted(use))


def proposes_another_word(use: MemoryUse) -> bool:
    """True if a remembered word supports itself against an output word strongly enough to report."""
    return effect_of(use) is Effect.AGAINST and use.strength >= LOUD


def acting_words(tokens: Iterable[TokenTrace], memory: str, section: str) -> dict[str, MemoryUse]:
    """The words of a section that act on any of some output words, by label: each where it acts most."""
    found: dict[str, MemoryUse] = {}
    for token in tokens:
        for use in acting(token):
            known = found.get(use.label)
            if (use.memory, use.section) == (memory, section) and (
                known is None or abs(use.influence or 0.0) > abs(known.influence or 0.0)
            ):
                found[use.label] = use
    return found
