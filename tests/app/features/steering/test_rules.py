"""Adding, changing and removing rules for the memory."""

from __future__ import annotations

from anaphora.features.steering.steering import (
    EFFECT_FACTOR,
    Rules,
    changed_rules,
    with_correction,
    with_factor,
    with_pin_toggled,
    with_zero_weight,
)
from anaphora_nmt.types import MemoryRule


def test_a_word_has_one_rule() -> None:
    rules = with_pin_toggled((), "register", "1")
    assert rules == (MemoryRule("register", "1", pinned=True),)
    rules = with_factor(rules, "register", "1", EFFECT_FACTOR)
    assert rules == (MemoryRule("register", "1", weight=EFFECT_FACTOR, pinned=True),)
    rules = with_correction(rules, "register", "1", " logbook ")
    assert rules == (MemoryRule("register", "1", instead="logbook", pinned=True),)
    assert with_pin_toggled(rules, "register", "1") == (MemoryRule("register", "1", instead="logbook"),)


def test_neutral_rules_are_removed() -> None:
    assert with_pin_toggled(with_pin_toggled((), "register", "1"), "register", "1") == ()
    assert (
        with_factor(with_factor((), "register", "1", EFFECT_FACTOR), "register", "1", 1 / EFFECT_FACTOR) == ()
    )


def test_a_weight_stays_in_bounds_and_a_forgotten_word_counts_again() -> None:
    rules: Rules = ()
    for _ in range(9):
        rules = with_factor(rules, "register", "1", EFFECT_FACTOR)
    assert rules[0].weight == EFFECT_FACTOR**3
    for _ in range(9):
        rules = with_factor(rules, "register", "1", 1 / EFFECT_FACTOR)
    assert rules[0].weight == EFFECT_FACTOR**-3
    assert (
        with_factor(with_zero_weight((), "register", "1"), "register", "1", EFFECT_FACTOR)[0].weight
        == EFFECT_FACTOR
    )


def test_a_word_of_a_segment_a_word_and_a_segment_are_distinguished() -> None:
    rules = with_zero_weight(with_zero_weight(with_zero_weight((), "register", "1"), "register"), segment="1")
    assert rules == (
        MemoryRule("register", "1", weight=0.0),
        MemoryRule("register", weight=0.0),
        MemoryRule(segment="1", weight=0.0),
    )
    assert changed_rules(rules[:1], rules[1:]) == rules
    assert changed_rules(rules, rules) == ()
