"""Reasons for a translation: remembered pairs with an effect on its words."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.features.explain.marking import (
    Effect,
    causes,
    effect_of,
    effective_uses,
    is_drafted,
    is_followed,
    is_from_memory,
    is_ignored,
)
from anaphora.features.explain.rendered import is_number, remembered_source, source_text, without_counts
from anaphora_nmt.types import Explanation, MemoryUse

_ORDER = (Effect.DECISIVE, Effect.AGAINST, Effect.SUPPORTING)
"""Order of importance for the user."""


@dataclass(frozen=True)
class Reason:
    """A remembered pair with an effect on words of a translation.

    Attributes:
        remembered: the source words that the remembered word renders in its own segment; "" if unknown.
        source: the source words of the most affected output word; "" if unknown.
        words: the affected output words, each once; numbers: their indices.
        effect: the strongest effect; not decisive if the draft without memory also has the word.
    """

    use: MemoryUse
    remembered: str
    source: str
    words: tuple[str, ...]
    numbers: tuple[int, ...]
    effect: Effect


_Found = tuple[Effect, MemoryUse, int]
"""Tuple of effect, remembered word, and index of the output word."""


def reasons(explanation: Explanation) -> tuple[Reason, ...]:
    """The reasons for a text, the strongest effects first.

    There is one reason for each remembered word; drafted and confirmed ones are separate. It covers all words
    that the remembered word decided; content words equal to it that it supported, if it is confirmed; and
    words used instead of it, if it is confirmed. Support for numbers does not count, as each segment has its
    own numbers.
    """
    found: dict[tuple[str, bool, bool], list[_Found]] = {}
    for number, token in enumerate(explanation.tokens):
        for use in effective_uses(token):
            effect = _reported_effect(use, explanation, number)
            if effect is not None:
                key = use.label.casefold(), effect is Effect.AGAINST, is_drafted(use)
                found.setdefault(key, []).append((effect, use, number))
    some = [_reason(explanation, uses) for uses in found.values()]
    return tuple(sorted(some, key=lambda each: (_ORDER.index(each.effect), -abs(each.use.influence or 0.0))))


def _reported_effect(use: MemoryUse, explanation: Explanation, number: int) -> Effect | None:
    """The effect of a use, or None if it is not reported."""
    token, effect = explanation.tokens[number], effect_of(use)
    if use in causes(token) and is_from_memory(explanation, token) is not False:
        return effect
    if effect is Effect.AGAINST:
        return effect if is_ignored(use, explanation, number) else None
    supports = use.confirmed and use.segment and not is_number(use) and is_followed(use, token)
    return Effect.SUPPORTING if supports else None


def _reason(explanation: Explanation, uses: list[_Found]) -> Reason:
    effect, use, best = min(
        uses, key=lambda each: (_ORDER.index(each[0]), -abs(each[1].influence or 0.0), each[2])
    )
    numbers = tuple(dict.fromkeys(number for _, _, number in uses))
    words = tuple(dict.fromkeys(explanation.tokens[number].word for number in numbers))
    remembered, source = remembered_source(use), source_text(explanation, best, use)
    label = use.label
    return Reason(
        use, without_counts(remembered, label), without_counts(source, label), words, numbers, effect
    )
