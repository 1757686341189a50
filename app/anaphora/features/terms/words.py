"""Words of a text that may be terms, by its language, and how often several of them stand together.

Chinese has its own counter (`phrases`). Here lists contain function words, and janome finds Japanese nouns.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from anaphora.core.consistency import Term
from anaphora.core.languages import Language
from anaphora.features.terms.word_edges import japanese_words, word_edges
from anaphora_text.function_words import FUNCTION_WORDS

_LONGEST = 3
"""Words of a term."""
_SHORTEST = 3
"""Letters of a word that is a term by itself; of capitals, and of Han and kana, one letter less."""
_TOGETHER = 0.6
"""Least share of its rarest word's occurrences that a term of several words has."""
_ALL = 0.8
"""A word is not a term by itself if this share of its occurrences is in a longer term."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_LISTED_AS = {"nb": "no", "nob": "no", "nn": "no", "zsm": "ms", "ind": "id"}
_PARTICLES = re.compile(
    r"(?<=[가-힣]{2})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)
"""Endings of Korean nouns."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word where it stands in a text; `stands` if it may be a term by itself."""

    text: str
    start: int
    stands: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def terms_by_words(sources: Mapping[str, str], language: Language) -> list[Term]:
    """Recurring parts of sources, by segment id: possible terms, and up to three of them in a row."""
    counts: Counter[str] = Counter()
    parts: dict[str, tuple[str, ...]] = {}
    forms: dict[str, Counter[str]] = {}
    holders: dict[str, dict[str, None]] = {}
    for segment, source in sources.items():
        for words in _rows(source, language):
            form = " ".join(source[words[0].start : words[-1].end].split())
            key = form.casefold()
            counts[key] += 1
            parts[key] = tuple(word.text.casefold() for word in words)
            forms.setdefault(key, Counter())[form] += 1
            holders.setdefault(key, {})[segment] = None
    kept = counts.copy()
    for key in sorted(kept, key=lambda each: -len(parts[each])):
        if len(parts[key]) > 1 and not _is_one(parts[key], kept[key], counts, kept):
            del kept[key]
    return [
        # as it is written most, of equally frequent forms in small letters
        Term(max(forms[key], key=lambda form: (forms[key][form], form.islower())), tuple(holders[key]), count)
        for key, count in kept.items()
        if count > 0
    ]


def _is_one(parts: tuple[str, ...], together: int, counts: Counter[str], kept: Counter[str]) -> bool:
    """True if words are one term; words that hardly appear elsewhere are then not terms by themselves."""
    if together < 2 or len({*parts}) < len(parts):
        return False
    if together < _TOGETHER * min(counts[part] or together for part in parts):
        return False
    for size in range(1, len(parts)):
        for start in range(len(parts) - size + 1):
            for inner in (blank.join(parts[start : start + size]) for blank in ("", " ")):
                if inner in kept and together >= _ALL * kept[inner]:
                    kept[inner] = 0
    return True


def _rows(source: str, language: Language) -> Iterator[list[_Word]]:
    """Words that may be a term: side by side, with nothing between them but blanks."""
    run: list[_Word] = []
    for word in _words_of(source, language):
        between = source[run[-1].end : word.start] if run else ""
        if between.strip() or (between and not language.is_spaced):
            run = []
        run = [*run[1 - _LONGEST :], word]
        for start in range(len(run)):
            if start < len(run) - 1 or word.stands:
                yield run[start:]


def _words_of(source: str, language: Language) -> Iterator[_Word]:
    """The words of a text that may be in a term; none of a language of which too little is known."""
    stops = _stop_words(language.code)
    if language.code == "ja":
        for start, text, is_noun in japanese_words(source):
            if is_noun:
                yield _Word(text, start, len(text) > 1)
    elif not stops:
        return
    elif not language.is_spaced:
        for start, end in sorted(word_edges(source).items()):
            text = source[start:end]
            if text not in stops and any(map(str.isalpha, text)):
                yield _Word(text, start, len(text) >= _SHORTEST)
    else:
        before = ""
        for match in _WORD.finditer(source):
            text = _PARTICLES.sub("", match.group()) if language.code == "ko" else match.group()
            is_letter = len(text) == 1 and text.isupper() and before[:1].isupper()  # Party A
            if is_letter or (text.casefold() not in stops and not text.isdigit()):
                is_short = language.code == "ko" or (text.isupper() and text.isascii())
                is_word = len(text) >= _SHORTEST - is_short and any(map(str.isalpha, text))
                yield _Word(text, match.start(), is_word)
            before = text


@lru_cache(maxsize=64)
def _stop_words(code: str) -> frozenset[str]:
    import stopwordsiso

    if code == "en":
        return FUNCTION_WORDS  # the list has "goods" and many other nouns

    listed = _LISTED_AS.get(code, code)
    found = stopwordsiso.stopwords(listed) if stopwordsiso.has_lang(listed) else ()
    return frozenset(word.casefold() for word in found)
