"""A translator's rule for a remembered word, added to earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anaphora_nmt.types import MemoryRule

STRONGER = 4.0
"""Factor on the odds of following a word that is to count more; less is its inverse."""
_HEAVIEST = STRONGER**3

Rules = tuple[MemoryRule, ...]


def about(rules: Iterable[MemoryRule], word: str, segment: str) -> MemoryRule:
    """The rule for a word of a segment; a neutral one by default."""
    found = [rule for rule in rules if _place(rule) == (word, segment, False)]
    return found[-1] if found else MemoryRule(word, segment)


def with_rule(rules: Sequence[MemoryRule], rule: MemoryRule) -> Rules:
    """The rules with a new one in place of an earlier one for the same word."""
    others = tuple(each for each in rules if _place(each) != _place(rule))
    return others if _says_nothing(rule) else (*others, rule)


def pinned(rules: Sequence[MemoryRule], word: str, segment: str) -> Rules:
    """Let a word stay when the memory is full; once more takes that back."""
    known = about(rules, word, segment)
    return with_rule(rules, replace(known, pinned=not known.pinned))


def weighed(rules: Sequence[MemoryRule], word: str, segment: str, factor: float) -> Rules:
    """Let a word count more, or less; a forgotten one counts again."""
    known = about(rules, word, segment)
    weight = min(max((known.weight or 1.0) * factor, 1 / _HEAVIEST), _HEAVIEST)
    return with_rule(rules, replace(known, weight=weight))


def corrected(rules: Sequence[MemoryRule], word: str, segment: str, instead: str) -> Rules:
    """Remember something else in place of a word of a segment."""
    return with_rule(rules, replace(about(rules, word, segment), instead=instead.strip(), weight=1.0))


def forgotten(rules: Sequence[MemoryRule], word: str = "", segment: str = "") -> Rules:
    """Forget a word of a segment, a word wherever it stands, or all of a segment."""
    return with_rule(rules, replace(about(rules, word, segment), weight=0.0))


def changed(before: Iterable[MemoryRule], after: Iterable[MemoryRule]) -> Rules:
    before, after = tuple(before), tuple(after)
    return tuple(rule for rule in (*before, *after) if (rule in before) != (rule in after))


def _place(rule: MemoryRule) -> tuple[str, str, bool]:
    return rule.word, rule.segment, rule.topic


def _says_nothing(rule: MemoryRule) -> bool:
    return rule.weight == 1.0 and not (rule.pinned or rule.instead or rule.topic)
