"""Finds source words of which a translation contains none of the dictionary's glosses.

“drawer” for 抽屉 renders the word; “Temporary” for 合同 does not.
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
_MIN_SHARED = 4
_SHARE = 0.6
"""Minimum common beginning of two related words, as a share of the longer one: “econom-y”, “econom-ic”."""


def unrendered(words: Iterable[SourceWord], target: str) -> list[SourceWord]:
    found = lemmas_of(target)
    return [word for word in words if not is_rendered(word.entry, found)]


def is_rendered(entry: DictionaryEntry, target: frozenset[str]) -> bool:
    """True if a target, by its lemmas, contains the words of a gloss or words related to them."""
    return any(_contains(gloss, target) for gloss in entry.glosses)


def lemmas_of(text: str) -> frozenset[str]:
    return frozenset(lemma for word in _WORD.findall(text.lower()) for lemma in lemmas(word))


def _contains(gloss: str, target: frozenset[str]) -> bool:
    words = [word for word in _WORD.findall(gloss.lower()) if word not in PLACEHOLDERS]
    content = [word for word in words if word not in FUNCTION_WORDS] or words
    found = sum(_has_related(word, target) for word in content)
    return bool(content) and 2 * found >= len(content)


def _has_related(word: str, target: frozenset[str]) -> bool:
    return any(lemma in target or any(_related(lemma, other) for other in target) for lemma in lemmas(word))


def _related(one: str, other: str) -> bool:
    return shared_ends(one, other)[0] >= max(_MIN_SHARED, _SHARE * max(len(one), len(other)))
