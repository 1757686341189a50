"""Which words are forms of one."""

from __future__ import annotations

import pytest

from anaphora_text.word_forms import (
    begin_alike,
    is_content,
    is_short_for,
    may_be_noun,
    prepare,
    shares_a_word,
    stem,
    stems,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tokens", "Token"),
        ("tensor", "Tensors"),
        ("basic", "the basics of it"),
        ("array-based", "arrays"),
        ("wrote", "is written"),
        ("children", "child"),
        ("indices", "index"),
        ("operates", "operations"),
        ("decorator", "decorated"),
    ],
)
def test_forms_of_one_word(one: str, other: str) -> None:
    assert shares_a_word(one, other) and shares_a_word(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [("cache", "buffer"), ("register", "ledger"), ("the array", "the list"), ("state", "status"), ("", "a")],
)
def test_different_words(one: str, other: str) -> None:
    assert not shares_a_word(one, other)


def test_words_of_one_family_begin_alike() -> None:
    pairs = (("Analyse", "Analysis"), ("dimensional", "dimension"), ("Automatic", "Auto"))
    assert all(begin_alike(*pair) for pair in pairs)
    assert not any(begin_alike(*pair) for pair in (("show", "display"), ("compute", "complete"), ("a", "at")))


def test_a_word_may_be_short_for_another_one():
    for one, other in (("apps", "application"), ("Auto", "automatic"), ("dependency", "dep")):
        assert is_short_for(one, other), (one, other)
    for one, other in (("ledger", "register"), ("in", "index"), ("node", "peer")):
        assert not is_short_for(one, other), (one, other)
    assert may_be_noun("register") and may_be_noun("ledgers") and not may_be_noun("ensures")


def test_what_is_prepared_is_all_that_a_comparison_loads() -> None:
    stem.cache_clear()
    stems.cache_clear()
    prepare()
    assert stem.cache_info().currsize > 0


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("register", True),
        ("the", False),
        ("of", False),
        ("2019", False),
        ("7th", True),
        ("...", False),
        ("", False),
    ],
)
def test_a_content_word_has_letters_and_is_no_article(word: str, says: bool) -> None:
    assert is_content(word) is says
