"""Functions that add a rule for a remembered word to the user's rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anaphora_nmt.types import MemoryRule

STRONGER = 4.0
"""Factor on the odds of following a word more; its inverse is for less."""
_MAX_WEIGHT = STRONGER**3

Rules = tuple[MemoryRule, ...]


def rule_for(rules: Iterable[MemoryRule], word: str, segment: str) -> MemoryRule:
    """The rule for a word of a segment, or a neutral rule."""
    found = [rule for rule in rules if _key(rule) == (word, segment, False)]
    return found[-1] if found else MemoryRule(word, segment)


def with_rule(rules: Sequence[MemoryRule], rule: MemoryRule) -> Rules:
    """The rules with a new rule, which replaces an earlier rule for the same word."""
    others = tuple(each for each in rules if _key(each) != _key(rule))
    return others if _is_neutral(rule) else (*others, rule)


def pinned(rules: Sequence[MemoryRule], word: str, segment: str) -> Rules:
    """Keep a word when the memory is full, or no longer keep it."""
    known = rule_for(rules, word, segment)
    return with_rule(rules, replace(known, pinned=not known.pinned))


def weighed(rules: Sequence[MemoryRule], word: str, segment: str, factor: float) -> Rules:
    """Multiply the weight of a word; a forgotten word counts again."""
    known = rule_for(rules, word, segment)
    weight = min(max((known.weight or 1.0) * factor, 1 / _MAX_WEIGHT), _MAX_WEIGHT)
    return with_rule(rules, replace(known, weight=weight))


def corrected(rules: Sequence[MemoryRule], word: str, segment: str, instead: str) -> Rules:
    """Remember `instead` in place of a word of a segment."""
    return with_rule(rules, replace(rule_for(rules, word, segment), instead=instead.strip(), weight=1.0))


def forgotten(rules: Sequence[MemoryRule], word: str = "", segment: str = "") -> Rules:
    """Forget a word of a segment, a word of all segments, or a whole segment."""
    return with_rule(rules, replace(rule_for(rules, word, segment), weight=0.0))


def changed(before: Iterable[MemoryRule], after: Iterable[MemoryRule]) -> Rules:
    before, after = tuple(before), tuple(after)
    return tuple(rule for rule in (*before, *after) if (rule in before) != (rule in after))


def _key(rule: MemoryRule) -> tuple[str, str, bool]:
    return rule.word, rule.segment, rule.topic


def _is_neutral(rule: MemoryRule) -> bool:
    return rule.weight == 1.0 and not (rule.pinned or rule.instead or rule.topic)
