"""What a segment contributes to the memory under a user's rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from anaphora_nmt.memory.contents import Contribution
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.steering import MemoryRule

Spelled = Callable[[Word], str]
"""A word as it is written."""


def steered(
    given: Contribution, segment: str, rules: Sequence[MemoryRule], spelled: Spelled
) -> Contribution | None:
    """A contribution as rules leave it; None where nothing of the segment is to be remembered."""
    rules = [rule for rule in rules if rule.segment in ("", segment) and not rule.topic]
    if not rules:
        return given
    of_steps = list(_of_steps(given, segment, rules, spelled))
    words = [
        word
        for word, rule in zip(given.words, _of_words(given.words, segment, rules, spelled), strict=True)
        if _remembered(rule)
    ]
    kept = [step for step, rule in enumerate(of_steps) if _remembered(rule)]
    if not kept and not words and any(not rule.word for rule in rules):
        return None
    return replace(
        given.at(kept),
        words=tuple(words),
        weights=tuple(1.0 if (rule := of_steps[step]) is None else rule.weight for step in kept),
        pinned=tuple((rule := of_steps[step]) is not None and rule.pinned for step in kept),
    )


def corrected(
    pieces: Sequence[int],
    segment: str,
    rules: Sequence[MemoryRule],
    vocabulary: WordVocabulary,
    encode: Callable[[str], Sequence[int]],
) -> list[int]:
    """A confirmed text's pieces with what rules put in place of its words."""
    pieces = [int(piece) for piece in pieces]
    spans = vocabulary.spans(pieces)
    words = [tuple(pieces[start:end]) for start, end in spans]
    found: list[int] = []
    last = 0
    for (start, end), rule in zip(spans, _of_words(words, segment, rules, vocabulary.text), strict=True):
        if rule is not None and rule.instead:
            found += [*pieces[last:start], *encode(rule.instead)]
            last = end
    return [*found, *pieces[last:]]


def _remembered(rule: MemoryRule | None) -> bool:
    return rule is None or rule.weight > 0


def _of_words(
    words: Sequence[Word], segment: str, rules: Sequence[MemoryRule], spelled: Spelled
) -> Iterator[MemoryRule | None]:
    """For each word the rule that counts."""
    seen: Counter[str] = Counter()
    for word in words:
        text = spelled(word)
        fitting = [rule for rule in rules if rule.fits(segment, text, seen[text])]
        seen[text] += 1
        yield fitting[-1] if fitting else None


def _of_steps(
    given: Contribution, segment: str, rules: Sequence[MemoryRule], spelled: Spelled
) -> Iterator[MemoryRule | None]:
    steps = zip(given.indicators, given.in_words, strict=True)
    begun = [word for (word, index), inside in steps if inside and index == 0]
    of_words = _of_words(begun, segment, rules, spelled)
    marks = [rule for rule in rules if not rule.word]
    rule: MemoryRule | None = None
    for (_, index), inside in zip(given.indicators, given.in_words, strict=True):
        if not inside:
            yield marks[-1] if marks else None
            continue
        if index == 0:
            rule = next(of_words)
        yield rule
