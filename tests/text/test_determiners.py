"""Articles and determiners that do not fit a term."""

from __future__ import annotations

import pytest

from anaphora_text.function_words import article, clashes


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("ledger", "a"),
        ("archive", "an"),
        ("Item", "an"),
        *((word, "") for word in ("hour", "user", "SQL", "3D", "one", "European", "")),
    ],
)
def test_article_follows_from_first_letters(word: str, expected: str) -> None:
    assert article(word) == expected


def test_wrong_determiners_before_a_form() -> None:
    assert clashes(("ledger", "ledgers", "account book", "hour", "账本")) == (
        "an ledger",
        "an Ledger",
        "an ledgers",
        "an Ledgers",
        "a account",
        "a Account",
    )
    found = clashes(("both parties", "Both parties"))
    assert {"the both", "two both", "the Both"} <= set(found) and "of both" not in found
    assert clashes(("", " ")) == ()
