"""Source words that a translation does not render, according to the dictionary."""

from __future__ import annotations

import pytest

from anaphora.features.dictionary.entries import (
    SourceWord,
    unrendered_words,
)


@pytest.mark.parametrize(
    ("words", "target", "missed"),
    [
        (["合同", "抽屉"], "Temporary drawers.", ["合同"]),
        (["抽屉", "雷管"], "The old man opened the drawer.", ["雷管"]),
        (["翻译"], "A translation of the book.", []),  # related to "to translate"
        (["经济"], "Its economic growth.", []),
        (["决定"], "They decided.", []),
        (["孩子"], "Children play.", []),  # child: by its lemma
        (["法律"], "The lawn is green.", ["法律"]),  # same beginning, but unrelated
        (["不可抗力"], "This is force majeure.", []),
        (["点燃"], "It was set on fire.", []),
        (["合同"], "", ["合同"]),
    ],
)
def test_words_missing_in_a_translation_are_found(dictionary, words, target, missed) -> None:
    known = [SourceWord(0, word, dictionary.find(word)) for word in words]
    assert [word.text for word in unrendered_words(known, target)] == missed
