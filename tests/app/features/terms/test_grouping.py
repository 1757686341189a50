"""Grouping the renderings of a term."""

from __future__ import annotations

import pytest

from anaphora.core.consistency import (
    Inconsistency,
    Occurrence,
    Term,
    TermReport,
    inconsistencies,
    normal_form,
)
from anaphora.features.terms.consistency import group_renderings, sort_reports

TERM = Term("缓存", ("1", "2", "3", "4", "5"), 6)


def report(*occurrences: tuple[str, str]) -> TermReport:
    return group_renderings(TERM, [Occurrence(segment, text) for segment, text in occurrences])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("cache", "Caches"),
        ("the cache", "cache"),
        ("policy", "Policies"),
        ("box", "boxes"),
        ("class", "classes"),
        ("house", "houses"),
        ("file system", "File systems"),
        ("word-embedding", "word embedding"),
        ("cache,", "“cache”"),
        ("batch", "batches"),
        ("training", "trained"),
        ("caching", "cache"),
        ("updated", "update"),
        ("Automatic", "automatically"),
        ("local", "locally"),
        ("family", "families"),
        ("operates", "operations"),
        ("decorator", "decorated"),
    ],
)
def test_variants_count_as_one_rendering(one: str, other: str) -> None:
    assert normal_form(one) == normal_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("cache", "buffer"), ("status", "state"), ("bus", "bu"), ("plan", "plane"), ("thing", "th")],
)
def test_different_words_are_different_renderings(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)


def test_forms_are_grouped_and_the_most_frequent_is_shown() -> None:
    result = report(("1", "cache"), ("2", "Caches"), ("3", "cache"), ("4", "buffer"))
    assert [(r.text, r.segments) for r in result.renderings] == [
        ("cache", ("1", "2", "3")),
        ("buffer", ("4",)),
    ]
    assert result.renderings[0].forms == ("cache", "Caches")
    assert (result.term, result.count, result.is_consistent) == ("缓存", 6, False)


def test_a_stray_longer_form_is_not_a_separate_rendering() -> None:
    result = report(("1", "cache"), ("2", "cache"), ("3", "new cache"))
    assert [(r.text, r.segments) for r in result.renderings] == [("cache", ("1", "2", "3"))]
    assert result.is_consistent
    twice = report(("1", "cache"), ("2", "cache"), ("3", "cache memory"), ("4", "cache memory"))
    assert len(twice.renderings) == 2
    as_frequent = report(("1", "cache"), ("2", "new cache"))
    assert [r.text for r in as_frequent.renderings] == ["cache", "new cache"], "nor the stray form"


def test_inconsistent_terms_come_first() -> None:
    fine = TermReport("甲", report(("1", "a1")).renderings, 99)
    mixed = report(("1", "cache"), ("2", "buffer"))
    rare = TermReport("乙", mixed.renderings, 2)
    assert [r.term for r in sort_reports([fine, rare, mixed])] == ["缓存", "乙", "甲"]


def test_a_segment_has_the_renderings_of_its_inconsistent_terms() -> None:
    mixed = report(("1", "cache"), ("2", "Caches"), ("3", "buffer"))
    again = TermReport(
        "世界", group_renderings(TERM, [Occurrence("1", "world"), Occurrence("4", "state")]).renderings, 2
    )
    fine = TermReport("甲", report(("1", "a1")).renderings, 99)
    allowed = TermReport("乙", mixed.renderings, 3, accepted=True)
    assert allowed.is_consistent and not mixed.is_consistent
    cache = Inconsistency("缓存", ("cache", "Caches"), ("cache", "buffer"))
    assert inconsistencies([mixed, again, fine, allowed]) == {
        "1": (cache, Inconsistency("世界", ("world",), ("world", "state"))),
        "2": (cache,),
        "3": (Inconsistency("缓存", ("buffer",), ("cache", "buffer")),),
        "4": (Inconsistency("世界", ("state",), ("world", "state")),),
    }


def test_an_article_goes_only_before_a_word() -> None:
    assert normal_form("The") == normal_form("the") != ""
    assert normal_form("an - the cache") == normal_form("cache")
    assert normal_form("in the cache") != normal_form("in cache")
