"""Find and replace."""

from __future__ import annotations

import time

import pytest
from inverses import inverse_of

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import state_of
from anaphora.core.errors import SearchError
from anaphora.core.search import SearchQuery, find, replace, spans
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora_nmt.types import DraftQuality


@pytest.fixture
def document() -> Document:
    return Document(
        "a.txt",
        [
            Segment("1", "缓存 Cache", SegmentState("The cache.", Status.DRAFT)),
            Segment("2", "内存", SegmentState("Cache (a+b) cache", Status.CONFIRMED)),
            Segment("3", "锁定", SegmentState("cache", Status.LOCKED)),
            Segment("4", "空的", SegmentState()),
        ],
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (SearchQuery("cache"), ("1", "2", "3")),
        (SearchQuery("Cache", match_case=True), ("1", "2")),
        (SearchQuery("(a+b)"), ("2",)),
        (SearchQuery(r"^the\b", regex=True), ("1",)),
        (SearchQuery("x*", regex=True), ()),
    ],
)
def test_find(document: Document, query: SearchQuery, found: tuple[str, ...]) -> None:
    assert find(document, query) == found


def test_spans_are_offsets_of_each_hit() -> None:
    assert spans("Cache (a+b) cache", SearchQuery("cache")) == ((0, 5), (12, 17))
    assert spans("aaa", SearchQuery("b*", regex=True)) == ()


@pytest.mark.parametrize("text", ["(", "[a", "*", "(?P<n", "a{99999999999}"])
def test_a_broken_pattern_is_explained(document: Document, text: str) -> None:
    with pytest.raises(SearchError) as caught:
        find(document, SearchQuery(text, regex=True))
    assert text in caught.value.message and caught.value.advice


def test_an_empty_search_is_refused(document: Document) -> None:
    with pytest.raises(SearchError, match="search text is empty"):
        find(document, SearchQuery(""))


def test_replace_spares_locked_segments_and_unconfirms(document: Document) -> None:
    changes = replace(document, SearchQuery("cache"), "store")
    assert changes.segments == ("1", "2")
    document.apply(changes)
    assert document.get("1").state == SegmentState("The store.", Status.EDITED)
    assert document.get("2").state == SegmentState("Store (a+b) store", Status.EDITED)
    assert document.get("3").target == "cache"
    document.apply(inverse_of(changes))
    assert document.get("2").state == SegmentState("Cache (a+b) cache", Status.CONFIRMED)


def test_only_targets_with_a_hit_are_replaced(document: Document) -> None:
    assert replace(document, SearchQuery("cache"), "cache").segments == ("2",)  # its capital goes
    assert replace(document, SearchQuery("nowhere"), "x").edits == ()


def test_groups_and_backslashes_in_a_replacement(document: Document) -> None:
    changes = replace(document, SearchQuery(r"\((\w)\+(\w)\)", regex=True), r"[\2+\1]")
    assert changes.edits[0].after.target == "Cache [b+a] cache"
    plain = replace(document, SearchQuery("(a+b)"), r"\1\n")
    assert plain.edits[0].after.target == r"Cache \1\n cache"
    with pytest.raises(SearchError, match="does not fit"):
        replace(document, SearchQuery("cache", regex=True), r"\7")


@pytest.mark.parametrize(
    ("word", "text", "hits"),
    [
        ("дом", "дом домой Дом, задом", ["дом", "Дом"]),
        ("über", "über überall Über", ["über", "Über"]),
        ("na", "naïve na", ["na"]),
        ("हिन्दी", "हिन्दी हिन्दीभाषा", ["हिन्दी"]),
        ("हिन्द", "हिन्दी", []),
        ("API", "打开API接口 APIs", ["API"]),
        ("数据", "API数据库", ["数据"]),
        ("データ", "APIデータです", ["データ"]),
        ("(x)", "f(x) (x)", ["(x)", "(x)"]),
    ],
)
def test_whole_words_are_found_in_every_script_with_spaces(word: str, text: str, hits: list[str]) -> None:
    assert [text[a:b] for a, b in spans(text, SearchQuery(word, whole_words=True))] == hits


@pytest.mark.parametrize(
    ("target", "new"),
    [
        ("Ledger and ledger, LEDGER", "Register and register, REGISTER"),
        ("The ledger. Ledger!", "The register. Register!"),
    ],
)
def test_a_replacement_in_small_letters_takes_the_capitals_of_each_hit(target, new) -> None:
    segments = [Segment("1", "账本", SegmentState(target, Status.DRAFT))]
    (edit,) = replace(segments, SearchQuery("ledger"), "register").edits
    assert edit.after.target == new


def test_typed_capitals_in_a_replacement_are_kept() -> None:
    segments = [Segment("1", "账本", SegmentState("Ledger and ledger", Status.DRAFT))]

    def replaced(replacement: str, **options: bool) -> str:
        (edit,) = replace(segments, SearchQuery("ledger", **options), replacement).edits
        return edit.after.target

    assert replaced("iBook") == "iBook and iBook"
    assert replaced("register", match_case=True) == "Ledger and register"
    assert replaced("register", regex=True) == "register and register"
    assert replaced("") == " and "


def test_proposals_are_found_but_not_replaced() -> None:
    proposed = state_of("A poor cache.", DraftReport.of(DraftQuality(0.3, unusable=True)))
    segments = [Segment("1", "缓存", proposed)]
    assert find(segments, SearchQuery("poor")) == ("1",)
    assert not replace(segments, SearchQuery("poor"), "good").edits


TAGGED = Segment(
    "1",
    "{1}第1步{/1}：按 {2/} 次。",
    SegmentState("{1}Step 1{/1}: press {2/} 1 time {3}.", Status.EDITED),
    tags=(("{1}", "bold"), ("{2/}", "<br>")),
)


@pytest.mark.parametrize("options", [{}, {"match_case": True}, {"whole_words": True}, {"regex": True}])
def test_only_text_is_searched_and_replaced_never_tags(options) -> None:
    (edit,) = replace([TAGGED], SearchQuery("1", **options), "2").edits
    assert edit.after.target == "{1}Step 2{/1}: press {2/} 2 time {3}."
    assert find([TAGGED], SearchQuery("3", **options)) == ("1",), "text that only looks like a tag"
    for inside in ("/1", "2/", "}:"):
        assert find([TAGGED], SearchQuery(inside, **options)) == ()
    assert TAGGED.target[slice(*spans(TAGGED.target, SearchQuery("1"), ("{1}", "{/1}"))[0])] == "1"


def test_a_hit_across_a_tag_is_found_and_the_tag_stays() -> None:
    across = SearchQuery("step 1:")
    assert find([TAGGED], across) == ("1",)
    (edit,) = replace([TAGGED], across, "stage 1:").edits
    assert edit.after.target.startswith("{1}Stage 1{/1}: press")
    assert replace([TAGGED], across, "then").edits == (), "the place of the tag would be unknown"
    assert replace([TAGGED], SearchQuery("press"), "{1}").edits == (), "no text becomes a tag"
    emphatic = Segment("1", "{1}重点{/1}", SegmentState("{1}colour{/1} ", Status.DRAFT))
    (edit,) = replace([emphatic], SearchQuery("colour"), "colours").edits
    assert edit.after.target == "{1}colours{/1} "


@pytest.mark.parametrize("pattern", [r"(\w+\s?)+:$", r"^(\w+\s?)+$", "(a|aa)+$", "(a|a)*b"])
def test_a_pattern_that_backtracks_is_stopped(pattern: str) -> None:
    segments = [Segment(str(n), "译", SegmentState("a" * 40 + "!", Status.DRAFT)) for n in range(50)]
    query = SearchQuery(pattern, regex=True)
    for search in (lambda: find(segments, query), lambda: replace(segments, query, "x")):
        begun = time.thread_time()
        try:
            search()
        except SearchError as error:
            assert pattern in error.message and "too long" in error.message and error.advice
        assert time.thread_time() - begun < 0.5
    begun = time.thread_time()
    assert spans(segments[0].target, query) == ()
    assert time.thread_time() - begun < 0.3
