"""Source words that a translation does not render, according to the dictionary."""

from __future__ import annotations

import pytest

from anaphora.features.dictionary.entries import (
    DictionaryEntry,
    SourceWord,
    is_rendered,
    lemmas_of,
    unrendered,
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
    assert [word.text for word in unrendered(known, target)] == missed


@pytest.mark.parametrize(
    ("gloss", "target", "rendered"),
    [
        ("force majeure", "a force", True),  # half of it
        ("steam heated dryer", "a dryer", False),
        ("steam heated dryer", "a steam dryer", True),
        ("of", "part of it", True),  # function words count if there are no others
        ("of", "part", False),
        ("someone", "someone", False),  # a placeholder
        ("to sell sth", "They sold sth.", True),
        ("", "", False),
        ("abcdef", "abcdxy", True),  # four letters of six
        ("abcxyz", "abcuvw", False),
        ("abc", "abc", True),
        ("abcd", "abcz", False),
        ("abcdefghij", "abcdefxxxx", True),  # six of ten
        ("abcdefghij", "abcdexxxxx", False),
        ("abcdef", "abcdxxxxxxx", False),  # four of eleven
    ],
)
def test_half_of_a_gloss_or_a_related_word_renders_a_word(gloss: str, target: str, rendered: bool) -> None:
    entry = DictionaryEntry("词", ("nothing alike", gloss))
    assert is_rendered(entry, lemmas_of(target)) is rendered
