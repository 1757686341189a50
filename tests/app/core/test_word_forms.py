"""Which words are forms of one."""

from __future__ import annotations

import pytest

from anaphora.core.word_forms import shares_a_word


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
