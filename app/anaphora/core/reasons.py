"""Why a translation reads as it does: the remembered pairs that acted on its content words."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora.core.counted import says_a_number, without_counts
from anaphora.core.influence import is_brought, is_followed, is_passed_over
from anaphora.core.remembered import Effect, acting, effect_of
from anaphora.core.rendered import remembered_source, source_text
from anaphora_nmt.types import Explanation, MemoryUse

_ORDER = (Effect.DECISIVE, Effect.AGAINST, Effect.SUPPORTING)
"""What a translator can do something about, or would not have had otherwise, first."""


@dataclass(frozen=True)
class Reason:
    """A remembered pair that acted on words of a translation.

    Attributes:
        use: what was remembered, where it acts most.
        remembered: the source words that the remembered word renders in its segment; empty: not known.
        source: the source words of this segment that the output words render.
        words: the output words that it acts on, as they stand there, each once.
        numbers: of their tokens.
        effect: the strongest; what a whole draft without memory has, too, nothing decides.
    """

    use: MemoryUse
    remembered: str
    source: str
    words: tuple[str, ...]
    numbers: tuple[int, ...]
    effect: Effect


def reasons(explanation: Explanation) -> tuple[Reason, ...]:
    """The remembered pairs behind a text, what they did to it first.

    One for each remembered word: of content words that it helped to, where it is the word that stands there,
    and of words that stand in its place although somebody has confirmed it. Numbers are left out: each
    segment has its own.
    """
    found: dict[tuple[str, bool], list[tuple[MemoryUse, int]]] = {}
    for number, token in enumerate(explanation.tokens):
        for use in acting(token):
            against = effect_of(use) is Effect.AGAINST
            if (
                use.segment
                and not says_a_number(use)
                and (is_passed_over(use, explanation, number) if against else is_followed(use, token))
            ):
                found.setdefault((use.label.casefold(), against), []).append((use, number))
    some = [_reason(explanation, uses) for uses in found.values()]
    return tuple(sorted(some, key=lambda each: (_ORDER.index(each.effect), -abs(each.use.influence or 0.0))))


def _reason(explanation: Explanation, uses: list[tuple[MemoryUse, int]]) -> Reason:
    use, best = min(
        uses, key=lambda one: (_ORDER.index(effect_of(one[0])), -abs(one[0].influence or 0.0), one[1])
    )
    numbers = tuple(dict.fromkeys(number for _, number in uses))
    words = tuple(dict.fromkeys(explanation.tokens[number].word for number in numbers))
    effect = effect_of(use)
    if effect is Effect.DECISIVE and not any(
        is_brought(explanation, explanation.tokens[number]) is not False for number in numbers
    ):
        effect = Effect.SUPPORTING
    remembered, source = remembered_source(use), source_text(explanation, best, use)
    label = use.label
    return Reason(
        use, without_counts(remembered, label), without_counts(source, label), words, numbers, effect
    )
