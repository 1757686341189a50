"""Adding, changing and removing rules for the memory."""

from __future__ import annotations

from anaphora.features.steering.steering import (
    STRONGER,
    Rules,
    changed,
    corrected,
    forgotten,
    pinned,
    weighed,
)
from anaphora_nmt.types import MemoryRule


def test_a_word_has_one_rule() -> None:
    rules = pinned((), "register", "1")
    assert rules == (MemoryRule("register", "1", pinned=True),)
    rules = weighed(rules, "register", "1", STRONGER)
    assert rules == (MemoryRule("register", "1", weight=STRONGER, pinned=True),)
    rules = corrected(rules, "register", "1", " logbook ")
    assert rules == (MemoryRule("register", "1", instead="logbook", pinned=True),)
    assert pinned(rules, "register", "1") == (MemoryRule("register", "1", instead="logbook"),)


def test_neutral_rules_are_removed() -> None:
    assert pinned(pinned((), "register", "1"), "register", "1") == ()
    assert weighed(weighed((), "register", "1", STRONGER), "register", "1", 1 / STRONGER) == ()


def test_a_weight_stays_in_bounds_and_a_forgotten_word_counts_again() -> None:
    rules: Rules = ()
    for _ in range(9):
        rules = weighed(rules, "register", "1", STRONGER)
    assert rules[0].weight == STRONGER**3
    for _ in range(9):
        rules = weighed(rules, "register", "1", 1 / STRONGER)
    assert rules[0].weight == STRONGER**-3
    assert weighed(forgotten((), "register", "1"), "register", "1", STRONGER)[0].weight == STRONGER


def test_a_word_of_a_segment_a_word_and_a_segment_are_distinguished() -> None:
    rules = forgotten(forgotten(forgotten((), "register", "1"), "register"), segment="1")
    assert rules == (
        MemoryRule("register", "1", weight=0.0),
        MemoryRule("register", weight=0.0),
        MemoryRule(segment="1", weight=0.0),
    )
    assert changed(rules[:1], rules[1:]) == rules
    assert changed(rules, rules) == ()
