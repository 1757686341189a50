"""Tags in texts: missing tags, wrong tags, and places for tags."""

from __future__ import annotations

import pytest

from anaphora.core.segment import Segment
from anaphora.core.tags import (
    caption_of,
    labels_of,
    marks_in_words,
    marks_of,
    missing_marks,
    place_for_mark,
    readable_tags,
    wrong_marks,
)

OWN = ("{1}", "{/1}", "{2/}", "{3}", "{/3}")


def test_a_segment_owns_only_its_labelled_tags() -> None:
    segment = Segment("1", "说{1}的{2}书{/2}", tags=(("{2}", "bold"),))
    assert marks_of(segment) == ("{2}", "{/2}")
    assert labels_of(segment) == {"{2}": "bold", "{/2}": "bold"}
    assert marks_of(Segment("1", "说{1}的{2/}")) == ("{1}", "{2/}"), "in an old project"


def test_missing_tags_are_in_the_order_of_the_source() -> None:
    assert missing_marks(("{1/}", "{1/}", "{1/}"), "a{1/}b{1/}") == ("{1/}",)
    assert missing_marks(OWN, "a {3}b{/3} {/1}") == ("{1}", "{2/}")
    assert missing_marks(OWN, "".join(OWN)) == ()


@pytest.mark.parametrize(
    ("marks", "wrong"),
    [
        (OWN, ()),
        (("{3}", "{/3}", "{1}", "{2/}", "{/1}"), ()),
        (("{1}", "{1}", "{/1}"), (1,)),
        (("{/1}", "{1}"), (0,)),
        (("{1}", "{3}", "{/1}", "{/3}"), (0, 2)),
        (("{1}", "{9}"), (1,)),
        (("{1}",), ()),
    ],
)
def test_surplus_early_and_crossed_tags_are_wrong(marks: tuple[str, ...], wrong: tuple[int, ...]) -> None:
    found = wrong_marks(OWN, marks)
    assert set(wrong) <= found
    assert bool(wrong) == bool(found)


@pytest.mark.parametrize(
    ("text", "offset", "mark", "place"),
    [
        ("the ledger", 6, "{1}", 4),
        ("the ledger", 6, "{/1}", 10),
        ("the ledger", 5, "{1/}", 4),
        ("the ledger", 9, "{1/}", 10),
        ("the ledger", 4, "{1}", 4),
        ("the ledger", 3, "{/1}", 3),
        ("don't go", 4, "{1/}", 5),
        ("don't go", 3, "{1}", 0),
        ("well-known", 5, "{1/}", 5),
        ("账本节点", 2, "{1}", 2),
        ("a {1}b{/1}", 3, "{2/}", 2),
        ("", 0, "{1}", 0),
        ("word", 4, "{1}", 4),
    ],
)
def test_no_tag_goes_inside_a_word_or_a_tag(text, offset, mark, place) -> None:
    assert place_for_mark(text, offset, mark) == place


def test_tags_inside_words_of_the_source_are_found() -> None:
    assert marks_in_words("H{1}2{/1}O 是水") == {"{1}", "{/1}"}
    assert marks_in_words("更新{1}缓存{/1}，{2}Docker{/2}") == set()


def test_screen_readers_get_numbers_of_tags_and_code() -> None:
    text = "Press {1}Enter{/1}, see {2/} and {3/}."
    assert readable_tags(text) == "Press ‹1›Enter‹1›, see ‹2› and ‹3›."
    assert readable_tags(text, {"{1}": "bold", "{2/}": "`git  push`", "{3/}": "${x}"}) == (
        "Press ‹1›Enter‹1›, see git push and ${x}."
    )
    assert readable_tags("no tag") == "no tag"


def test_only_a_single_tag_is_shown_by_its_code() -> None:
    assert caption_of("{1/}", "`{name}`") == "{name}"
    assert [caption_of(mark, "`{name}`") for mark in ("{1}", "{/1}")] == ["1", "1"]
    assert caption_of("{2/}", "line break") == "2"
    longest = "{" + "x" * 26 + "}"
    assert caption_of("{1/}", f"`{longest}`") == longest
    assert caption_of("{1/}", f"`{longest}}}`") == longest[:27] + "…", "28 signs are enough for a chip"
