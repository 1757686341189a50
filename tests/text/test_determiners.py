"""Which articles and determiners do not go with a term."""

from __future__ import annotations

import pytest

from anaphora_text.determiners import article, clashes


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("ledger", "a"),
        ("archive", "an"),
        ("Item", "an"),
        *((word, "") for word in ("hour", "user", "SQL", "3D", "one", "European", "")),
    ],
)
def test_letters_give_the_article_of_most_words(word: str, said: str) -> None:
    assert article(word) == said


def test_what_does_not_stand_before_a_form() -> None:
    assert clashes(("ledger", "ledgers", "account book", "hour", "账本")) == (
        "an ledger",
        "an Ledger",
        "an ledgers",
        "an Ledgers",
        "a account",
        "a Account",
    )
    said = clashes(("both parties", "Both parties"))
    assert {"the both", "two both", "the Both"} <= set(said) and "of both" not in said
    assert clashes(("", " ")) == ()
