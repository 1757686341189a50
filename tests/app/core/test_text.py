"""Spans of changed texts, addresses and control characters."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from anaphora.core.text import (
    carried_spans,
    changed_end,
    has_controls,
    has_han,
    shared_ends,
    without_controls,
    without_kept_addresses,
)

TEXTS = st.text(alphabet="ab ", max_size=12)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_spans_outside_a_change_move_with_their_words(head, old, new, tail) -> None:
    before, after = head + old + tail, head + new + tail
    spans = [(start, end) for start in range(len(before)) for end in range(start + 1, len(before) + 1)]
    for start, end in carried_spans(before, after, spans):
        assert 0 <= start < end <= len(after)
        assert after[start:end] in before
    untouched = [(start, end) for start, end in spans if end < len(head)]
    assert set(untouched) <= set(carried_spans(before, after, spans))


def test_the_end_of_a_change_is_found() -> None:
    assert (changed_end("abc", "abxc"), changed_end("abc", "ab"), changed_end("", "xy")) == (3, 2, 2)
    assert shared_ends("abc", "abc") == (3, 0) and shared_ends("aa", "aaa") == (2, 0)


def test_only_addresses_in_both_texts_are_left_out() -> None:
    kept = without_kept_addresses("见 https://a.org/中 。", "See https://a.org/中.")
    assert kept == ("见   。", "See  .")
    other = "见 https://a.org/x", "See https://b.org/x"
    assert without_kept_addresses(*other) == other


def test_control_characters_are_found_and_removed() -> None:
    assert has_controls("a\x00b") and not has_controls("a\tb\nc")
    assert without_controls("a\x00b\tc\ufffe") == "ab\tc"
    assert has_han("a字") and not has_han("aか")
