"""What a term asks of a target."""

from __future__ import annotations

from dataclasses import replace

import pytest

from anaphora_nmt.types import (
    FittedMemory,
    MemoryEntry,
    MemorySection,
    MemoryShare,
    MemoryVersion,
    MemoryView,
    SourceTerm,
    TokenTrace,
)


@pytest.mark.parametrize(
    ("target", "form", "is_kept"),
    [
        ("The Art of War", "art", True),
        ("Start the party", "art", False),
        ("state-of-the-art", "art", True),
        ("Wählen Sie die Straße", "strasse", False),
        ("deux œuvres", "œuvre", False),
        ("use C++11", "C++", True),
        ("打开数据库。", "数据", True),
        ("데이터를 열기", "데이터", True),
    ],
)
def test_a_term_is_kept_in_whole_words(target: str, form: str, is_kept: bool) -> None:
    assert SourceTerm(0, 1, forms=(form,)).kept_in(target) is is_kept
    assert SourceTerm(0, 1, forbidden=(form,)).kept_in(target) is not is_kept


def test_what_is_not_there_is_empty() -> None:
    token = TokenTrace(
        "peer", 0, 4, -0.5, (1.0,), shares=(MemoryShare("one", "One", 0.25), MemoryShare("two", "Two", 0.5))
    )
    assert [token.share_of(name) for name in ("one", "two", "three")] == [0.25, 0.5, 0.0]
    assert token.confidence == pytest.approx(0.60653, abs=1e-5)
    assert replace(token, log_probability=1e-6).confidence == 1.0, "rounding makes no word more than certain"
    entry = MemoryEntry("peer")
    held = (
        MemorySection("topic", "Topic", (entry,), memory="one"),
        MemorySection("topic", "T", memory="two"),
    )
    view = MemoryView("1", MemoryVersion("d", 0), held)
    assert view.section("one", "topic") is held[0] and view.section("two", "topic") is held[1]
    assert view.section("two", "recent") == MemorySection("recent", "", memory="two")


def test_a_fitted_memory_is_better_only_if_it_costs_less() -> None:
    assert FittedMemory(2.0, 1.5, 1.4, 10).is_better
    assert not FittedMemory(2.0, 1.5, 1.5, 10).is_better and not FittedMemory(2.0, 1.5, 1.6, 10).is_better
