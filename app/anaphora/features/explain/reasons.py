"""The reasons for a translation: the remembered pairs that acted on its words."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.features.explain.marking import is_brought, is_followed, is_passed_over
from anaphora.features.explain.remembered import Effect, acting, effect_of, is_drafted, turning
from anaphora.features.explain.rendered import remembered_source, says_a_number, source_text, without_counts
from anaphora_nmt.types import Explanation, MemoryUse

_ORDER = (Effect.DECISIVE, Effect.AGAINST, Effect.SUPPORTING)
"""First the reasons that a translator can act on or that changed the word."""


@dataclass(frozen=True)
class Reason:
    """A remembered pair that acted on words of a translation.

    Attributes:
        remembered: the source words that the remembered word renders in its segment; empty: not known.
        words: the output words that it acts on, as they stand there, each once.
        effect: the strongest; none is decisive if the whole draft without memory has the word, too.
    """

    use: MemoryUse
    remembered: str
    source: str
    words: tuple[str, ...]
    numbers: tuple[int, ...]
    effect: Effect


_Acted = tuple[Effect, MemoryUse, int]
"""The effect of a remembered word on the output word of a number."""


def reasons(explanation: Explanation) -> tuple[Reason, ...]:
    """The remembered pairs behind a text, the strongest effects first.

    One for each remembered word, separately for drafted and confirmed ones: for all words that it decided,
    including function words and numbers; for equal content words that it supported, if it was confirmed; and
    for words used instead although it was confirmed. Support of numbers does not count: each segment
    has its own.
    """
    found: dict[tuple[str, bool, bool], list[_Acted]] = {}
    for number, token in enumerate(explanation.tokens):
        for use in acting(token):
            effect = _told(use, explanation, number)
            if effect is not None:
                key = use.label.casefold(), effect is Effect.AGAINST, is_drafted(use)
                found.setdefault(key, []).append((effect, use, number))
    some = [_reason(explanation, acted) for acted in found.values()]
    return tuple(sorted(some, key=lambda each: (_ORDER.index(each.effect), -abs(each.use.influence or 0.0))))


def _told(use: MemoryUse, explanation: Explanation, number: int) -> Effect | None:
    """The effect of a use, if reported; a word of the draft without memory was not changed by it."""
    token, effect = explanation.tokens[number], effect_of(use)
    if use in turning(token) and is_brought(explanation, token) is not False:
        return effect
    if effect is Effect.AGAINST:
        return effect if is_passed_over(use, explanation, number) else None
    supports = use.confirmed and use.segment and not says_a_number(use) and is_followed(use, token)
    return Effect.SUPPORTING if supports else None


def _reason(explanation: Explanation, acted: list[_Acted]) -> Reason:
    effect, use, best = min(
        acted, key=lambda one: (_ORDER.index(one[0]), -abs(one[1].influence or 0.0), one[2])
    )
    numbers = tuple(dict.fromkeys(number for _, _, number in acted))
    words = tuple(dict.fromkeys(explanation.tokens[number].word for number in numbers))
    remembered, source = remembered_source(use), source_text(explanation, best, use)
    label = use.label
    return Reason(
        use, without_counts(remembered, label), without_counts(source, label), words, numbers, effect
    )
