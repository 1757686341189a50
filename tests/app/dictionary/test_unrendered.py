"""Which words of a source a translation does not have, as far as the dictionary tells."""

from __future__ import annotations

import pytest

from anaphora.dictionary.source_words import SourceWord
from anaphora.dictionary.unrendered import unrendered


@pytest.mark.parametrize(
    ("words", "target", "missed"),
    [
        (["合同", "抽屉"], "Temporary drawers.", ["合同"]),
        (["抽屉", "雷管"], "The old man opened the drawer.", ["雷管"]),
        (["翻译"], "A translation of the book.", []),  # to translate: of the same family
        (["经济"], "Its economic growth.", []),
        (["决定"], "They decided.", []),
        (["孩子"], "Children play.", []),  # child: by its lemma
        (["法律"], "The lawn is green.", ["法律"]),  # begins alike, and is no kin
        (["不可抗力"], "This is force majeure.", []),
        (["点燃"], "It was set on fire.", []),
        (["合同"], "", ["合同"]),
    ],
)
def test_words_that_a_translation_lacks(dictionary, words, target, missed) -> None:
    known = [SourceWord(0, word, dictionary.find(word)) for word in words]
    assert [word.text for word in unrendered(known, target)] == missed
