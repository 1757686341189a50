"""The concordance's search."""

from __future__ import annotations

from anaphora.core.search import find_occurrences
from anaphora.core.segment import Segment, SegmentState, Status


def segment(number: int, source: str, target: str, status: Status = Status.DRAFT) -> Segment:
    return Segment(f"s{number}", source, SegmentState(target, status))


SEGMENTS = (
    segment(1, "更新缓存。", "Update the cache."),
    segment(2, "缓存和缓存", "Cache and CACHE", Status.CONFIRMED),
    segment(3, "读取账本。", "Read the ledger."),
    segment(4, "缓存在哪里？", "", Status.NOT_STARTED),
    segment(5, "{1}a+b{/1}", "{1}a+b{/1}", Status.EDITED),
)


def test_source_words_find_translations_and_offsets():
    found = find_occurrences(SEGMENTS, " 缓存 ")
    assert found.total == 2
    assert [occurrence.segment.id for occurrence in found.occurrences] == ["s1", "s2"]
    assert found.occurrences[1].source_spans == ((0, 2), (3, 5))
    assert found.occurrences[1].target_spans == ()


def test_target_words_are_found_in_any_case():
    found = find_occurrences(SEGMENTS, "cache")
    assert [occurrence.target_spans for occurrence in found.occurrences] == [((11, 16),), ((0, 5), (10, 15))]


def test_words_are_not_patterns_and_an_empty_text_finds_nothing():
    assert find_occurrences(SEGMENTS, "a+b").total == 1
    assert find_occurrences(SEGMENTS, "a.b").total == 0
    assert find_occurrences(SEGMENTS, "  ").total == 0


def test_untranslated_segments_are_left_out_in_any_status():
    emptied = segment(6, "缓存", "", Status.EDITED)
    given = segment(7, "缓存", "cache", Status.NOT_STARTED)
    assert find_occurrences((emptied, given), "缓存").total == 0


def test_tags_are_not_words():
    tagged = segment(1, "{1}第二步{/1}", "{1}Second{/1} step", Status.EDITED)
    assert find_occurrences([tagged], "1").total == 0
    assert find_occurrences([tagged], "second step").occurrences[0].target_spans == ((3, 18),)
