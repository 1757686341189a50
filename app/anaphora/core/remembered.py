"""What is remembered and what it did for the words of a translation, as a translator would say it."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from anaphora.core.word_forms import is_content
from anaphora_nmt.types import NOTICEABLE, Explanation, MemoryUse, TokenTrace

Place = tuple[str, str]
"""A remembered word and the id of the segment that it stands in: where the reader sees it."""

LOUD = 0.1
"""The share of an output word's place from which on another word is worth proposing there."""

_PARTICLES = "的地得了着过之是在和与及或把被将从对于为以而且但也都就等其这那不"
"""Characters that are words by themselves."""
_HEARD = 0.05
"""The share of attention from which on a source word counts at all."""
_EXPECTED = -7.0
"""The log-probability from which on an output word has source words: attention lies somewhere also where
somebody has typed what the source does not say."""


class Effect(Enum):
    """What a remembered word did for an output word.

    Attributes:
        DECISIVE: without it another word would stand there.
        SUPPORTING: it made the word likelier. AGAINST: it spoke for another word. NONE: nothing to speak of.
    """

    DECISIVE = "decisive"
    SUPPORTING = "supporting"
    AGAINST = "against"
    NONE = "none"


def effect_of(use: MemoryUse) -> Effect:
    """What a use did, from what was measured; what was not measured did nothing."""
    if use.decisive:
        return Effect.DECISIVE
    influence = use.influence or 0.0
    if abs(influence) < NOTICEABLE:
        return Effect.NONE
    return Effect.SUPPORTING if influence > 0 else Effect.AGAINST


def acting(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """What had an effect on an output word, in the engine's order."""
    return tuple(use for use in token.uses if effect_of(use) is not Effect.NONE)


def proposes_another_word(use: MemoryUse) -> bool:
    """Whether a remembered word speaks for itself in place of an output word, loudly enough to be told."""
    return effect_of(use) is Effect.AGAINST and use.strength >= LOUD


def remembered_words(token: TokenTrace) -> tuple[MemoryUse, ...]:
    """Words of the document's history behind an output word; confirmed words that it follows come first."""
    found = [use for use in token.uses if use.segment]
    return tuple(sorted(found, key=lambda use: not use.confirmed))


def place(use: MemoryUse) -> Place:
    """Word and segment."""
    return use.label, use.segment


def acting_words(tokens: Iterable[TokenTrace], memory: str, section: str) -> dict[str, MemoryUse]:
    """By label, what of a section acts on any of some words, where it acts most."""
    found: dict[str, MemoryUse] = {}
    for token in tokens:
        for use in acting(token):
            known = found.get(use.label)
            if (use.memory, use.section) == (memory, section) and (
                known is None or abs(use.influence or 0.0) > abs(known.influence or 0.0)
            ):
                found[use.label] = use
    return found


def source_spans(explanation: Explanation, word: int) -> tuple[tuple[int, int], ...]:
    """Where the source words stand that an output word attends to, at least half as much as to the first.

    Few Chinese characters are words by themselves: one that stands beside another one belongs to it with a
    quarter of its attention. What stands together is one stretch. Articles and prepositions have none, and
    neither has a word that the model does not expect, unless it is copied.

    Args:
        word: number of the output word.
    """
    token = explanation.tokens[word]
    words, shares = explanation.source_words, token.attention
    best = max(shares, default=0.0)
    if not says_something(token.word):
        return ()
    if token.log_probability < _EXPECTED and (not shares or words[shares.index(best)].word != token.word):
        return ()
    chosen = {at for at, share in enumerate(shares) if share >= best / 2 and share > _HEARD}
    for at in sorted(chosen):
        for beside in (at - 1, at + 1):
            if 0 <= beside < len(words) and all(_is_character(words[each].word) for each in (at, beside)):
                touching = words[max(at, beside)].start == words[min(at, beside)].end
                if touching and shares[beside] >= max(shares[at] / 4, _HEARD):
                    chosen.add(beside)
    spans: list[tuple[int, int]] = []
    for at in sorted(chosen):
        start, end = words[at].start, words[at].end
        if spans and spans[-1][1] == start:
            start = spans.pop()[0]
        spans.append((start, end))
    return tuple(spans)


def says_something(word: str) -> bool:
    """Whether an output word is a content word or has figures: others come from no word of the source."""
    return is_content(word) or any(map(str.isdigit, word))


def _is_character(word: str) -> bool:
    return len(word) == 1 and word.isalpha() and not word.isascii() and word not in _PARTICLES
