"""Recurring terms in languages other than Chinese: words, and up to three adjacent words.

For Chinese see `phrases`. Lists of stop words exclude function words; janome finds Japanese nouns.
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
"""Maximum number of words in a term."""
_SHORTEST = 3
"""Minimum number of letters in a term of one word; one less for capitals and Korean."""
_TOGETHER = 0.6
"""A term of several words must have at least this share of the occurrences of its rarest word."""
_ALL = 0.8
"""A term is left out if this share of its occurrences is within a longer term."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_LISTED_AS = {"nb": "no", "nob": "no", "nn": "no", "zsm": "ms", "ind": "id"}
_PARTICLES = re.compile(
    r"(?<=[가-힣]{2})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)
"""Endings of Korean nouns."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a text; `may_be_term` means alone, without other words."""

    text: str
    start: int
    may_be_term: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def terms_by_words(sources: Mapping[str, str], language: Language) -> list[Term]:
    """Recurring words, and up to three adjacent ones, in sources by segment id."""
    counts: Counter[str] = Counter()
    parts: dict[str, tuple[str, ...]] = {}
    forms: dict[str, Counter[str]] = {}
    holders: dict[str, dict[str, None]] = {}
    for segment, source in sources.items():
        for words in _runs(source, language):
            form = " ".join(source[words[0].start : words[-1].end].split())
            key = form.casefold()
            counts[key] += 1
            parts[key] = tuple(word.text.casefold() for word in words)
            forms.setdefault(key, Counter())[form] += 1
            holders.setdefault(key, {})[segment] = None
    kept = counts.copy()
    for key in sorted(kept, key=lambda each: -len(parts[each])):
        if len(parts[key]) > 1 and not _is_term(parts[key], kept[key], counts, kept):
            del kept[key]
    return [
        # The most frequent form; of equally frequent ones, the one in lower case.
        Term(max(forms[key], key=lambda form: (forms[key][form], form.islower())), tuple(holders[key]), count)
        for key, count in kept.items()
        if count > 0
    ]


def _is_term(parts: tuple[str, ...], together: int, counts: Counter[str], kept: Counter[str]) -> bool:
    """True if words form a term; shorter terms that rarely occur outside it are then dropped from `kept`."""
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


def _runs(source: str, language: Language) -> Iterator[list[_Word]]:
    """Runs of adjacent words that may be a term."""
    run: list[_Word] = []
    for word in _words_of(source, language):
        between = source[run[-1].end : word.start] if run else ""
        if between.strip() or (between and not language.is_spaced):
            run = []
        run = [*run[1 - _LONGEST :], word]
        for start in range(len(run)):
            if start < len(run) - 1 or word.may_be_term:
                yield run[start:]


def _words_of(source: str, language: Language) -> Iterator[_Word]:
    """The words of a text that may be in a term; none in a language without a list of stop words."""
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
        return FUNCTION_WORDS  # stopwordsiso has "goods" and many other nouns

    listed = _LISTED_AS.get(code, code)
    found = stopwordsiso.stopwords(listed) if stopwordsiso.has_lang(listed) else ()
    return frozenset(word.casefold() for word in found)
