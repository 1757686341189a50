"""Words that are forms of one word."""

from __future__ import annotations

import pytest

from anaphora_text.word_forms import (
    is_content,
    is_short_for,
    may_be_noun,
    shares_a_word,
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


def test_a_word_may_be_short_for_another_one():
    for one, other in (("apps", "application"), ("Auto", "automatic"), ("dependency", "dep")):
        assert is_short_for(one, other), (one, other)
    for one, other in (("ledger", "register"), ("in", "index"), ("node", "peer")):
        assert not is_short_for(one, other), (one, other)
    assert may_be_noun("register") and may_be_noun("ledgers") and not may_be_noun("ensures")


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
def test_content_word_has_letters_and_is_no_function_word(word: str, says: bool) -> None:
    assert is_content(word) is says
