"""Targets that have a term."""

from __future__ import annotations

import pytest

from anaphora_nmt.types import (
    SourceTerm,
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
def test_terms_match_whole_words(target: str, form: str, is_kept: bool) -> None:
    assert SourceTerm(0, 1, forms=(form,)).kept_in(target) is is_kept
    assert SourceTerm(0, 1, forbidden=(form,)).kept_in(target) is not is_kept
