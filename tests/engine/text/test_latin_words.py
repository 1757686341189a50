"""Latin words in Chinese texts, and words that a translation has lost."""

from __future__ import annotations

import pytest

from anaphora_nmt.text.latin_words import keeps_latin_words, lost_words


@pytest.mark.parametrize(
    ("target", "lost"),
    [
        ("Set momentum and plistlib.", []),
        ("Plistlibs have Momentum.", []),
        ("Set mom and plstlib.", ["momentum", "plistlib"]),
        ("Remomentum (plistlib)", ["momentum"]),
    ],
)
def test_words_missing_in_target_are_lost(target: str, lost: list[str]) -> None:
    source = "将 momentum 和 plistlib 设为 momentum"
    assert lost_words(source, target) == lost
    assert lost_words(source, target, {"momentum", "plistlib"}) == []


@pytest.mark.parametrize(
    ("before", "after", "keeps"),
    [
        ("The GCC plugin", "Its GCC plugins", True),
        ("The GCC plugin", "The gcc plugin", False),
        ("The GCC plugin", "The compiler plugin", False),
        ("The plugin", "The gcc plugin", True),
    ],
)
def test_word_spelled_as_in_source_must_stay(before: str, after: str, keeps: bool) -> None:
    assert keeps_latin_words("该 GCC 插件", before, after) == keeps
