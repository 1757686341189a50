"""Words of a source that its translation calls nothing of what the dictionary has for them.

A reader of “drawer” for 抽屉 needs no dictionary; a reader of “Temporary” for 合同 does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from anaphora.core.text import shared_ends
from anaphora.features.dictionary.entries import PLACEHOLDERS, DictionaryEntry
from anaphora.features.dictionary.source_words import SourceWord
from anaphora_text.function_words import FUNCTION_WORDS
from anaphora_text.word_forms import lemmas

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_LEAST_SHARED = 4
_SHARE = 0.6
"""Share of the longer word that two words of one family begin with alike: “econom-y”, “econom-ic”."""


def unrendered(words: Iterable[SourceWord], target: str) -> list[SourceWord]:
    there = lemmas_of(target)
    return [word for word in words if not is_rendered(word.entry, there)]


def is_rendered(entry: DictionaryEntry, target: frozenset[str]) -> bool:
    """True if a translation, by its lemmas, has the words of one of the glosses or of their family."""
    return any(_stands_there(gloss, target) for gloss in entry.glosses)


def lemmas_of(text: str) -> frozenset[str]:
    return frozenset(lemma for word in _WORD.findall(text.lower()) for lemma in lemmas(word))


def _stands_there(gloss: str, target: frozenset[str]) -> bool:
    words = [word for word in _WORD.findall(gloss.lower()) if word not in PLACEHOLDERS]
    content = [word for word in words if word not in FUNCTION_WORDS] or words
    found = sum(_is_there(word, target) for word in content)
    return bool(content) and 2 * found >= len(content)


def _is_there(word: str, target: frozenset[str]) -> bool:
    return any(lemma in target or any(_kin(lemma, other) for other in target) for lemma in lemmas(word))


def _kin(one: str, other: str) -> bool:
    return shared_ends(one, other)[0] >= max(_LEAST_SHARED, _SHARE * max(len(one), len(other)))
