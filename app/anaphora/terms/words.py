"""Words of a text that may be terms, by its language, and how often several of them stand together.

Chinese has a counter of its own (`phrases`). Here stopwordsiso's lists tell function words; of
English lemminflect's dictionary also tells what may be a noun, and of Japanese janome.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from anaphora.core.consistency import Term
from anaphora.core.languages import Language
from anaphora.term_base.word_edges import japanese_words, word_edges
from anaphora_text.function_words import FUNCTION_WORDS

_LONGEST = 3
"""Words of a term."""
_SHORTEST = 3
"""Letters of a word that is a term by itself; of capitals, and of Han and kana, one letter less."""
_TOGETHER = 0.6
"""Least share of its rarest word's occurrences that a term of several words has."""
_ALL = 0.8
"""A word of which so many occurrences stand in a longer term is none by itself."""
_NOMINAL = 0.4
"""Occurrences of an English word that may be a verb, in places of a noun, that make it one."""
_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_LISTED_AS = {"nb": "no", "nob": "no", "nn": "no", "zsm": "ms", "ind": "id"}
_SAID_BEFORE_NOUNS = (
    "the a an this that these those each any every no some its his her their our your my such all both "
    "either other of for by in with under on"
)
_DETERMINERS = frozenset(_SAID_BEFORE_NOUNS.split())
_SAID_GENERALLY = (
    "time times day days way ways thing things case cases part parts number numbers point points kind "
    "kinds sort example examples fact place one ones lot others result results reason reasons end side "
    "item items following above below use need aim goal order step steps same own such"
)
_GENERIC = frozenset(_SAID_GENERALLY.split())
"""English nouns that are no terms by themselves."""
_PARTICLES = re.compile(
    r"(?<=[가-힣]{2})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)
"""Endings of Korean nouns."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A word where it stands in a text.

    Attributes:
        stands: whether it may be a term by itself.
        ends: whether it may be the last word of one.
        is_nominal: whether it stands where nouns do.
    """

    text: str
    start: int
    stands: bool
    ends: bool = True
    is_nominal: bool = True

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def terms_by_words(sources: Mapping[str, str], language: Language) -> list[Term]:
    """What recurs in sources, by segment id: words that may be terms, and up to three of them in a row."""
    counts: Counter[str] = Counter()
    nominal: Counter[str] = Counter()
    parts: dict[str, tuple[str, ...]] = {}
    forms: dict[str, Counter[str]] = {}
    holders: dict[str, dict[str, None]] = {}
    for segment, source in sources.items():
        for words in _rows(source, language):
            form = " ".join(source[words[0].start : words[-1].end].split())
            key = form.casefold()
            counts[key] += 1
            nominal[key] += words[-1].is_nominal
            parts[key] = tuple(word.text.casefold() for word in words)
            forms.setdefault(key, Counter())[form] += 1
            holders.setdefault(key, {})[segment] = None
    kept = Counter({key: count for key, count in counts.items() if nominal[key] >= _NOMINAL * count})
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
    """Whether words are one term; if so, those that hardly stand elsewhere are none by themselves."""
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
            if word.ends and (start < len(run) - 1 or word.stands):
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
    elif language.code == "en":
        yield from _english_words(source)
    else:
        for match in _WORD.finditer(source):
            text = _PARTICLES.sub("", match.group()) if language.code == "ko" else match.group()
            if text.casefold() not in stops and not text.isdigit():
                is_short = language.code == "ko" or (text.isupper() and text.isascii())
                is_word = len(text) >= _SHORTEST - is_short and any(map(str.isalpha, text))
                yield _Word(text, match.start(), is_word)


def _english_words(source: str) -> Iterator[_Word]:
    before = ""
    for match in _WORD.finditer(source):
        text = match.group()
        kinds = _kinds(text.lower())
        if len(text) == 1 and text.isupper() and text != "I" and before[:1].isupper():
            yield _Word(text, match.start(), stands=False)  # Party A
        elif not text.isdigit() and kinds & {"NOUN", "PROPN", "ADJ"}:
            is_noun = "ADJ" not in kinds or "NOUN" in kinds
            is_word = len(text) >= _SHORTEST - text.isupper()
            is_generic = text.lower() in _GENERIC or ("ADJ" in kinds and text.lower() in _stop_words("en"))
            stands = is_noun and is_word and (text.isupper() or not is_generic)
            is_nominal = "VERB" not in kinds or _is_before_noun(before.lower(), text)
            yield _Word(text, match.start(), stands, is_noun, is_nominal)
        before = text


def _is_before_noun(before: str, word: str) -> bool:
    """Whether a word that may be a verb is a noun behind another word.

    Of "the contract", "a new contract" and "the purchase contract"; not of "the buyer signs", "parties sign".
    """
    kinds = _kinds(before)
    is_compound = "NOUN" in kinds and not before.endswith("s") and not word.endswith("s")
    return before in _DETERMINERS or "ADJ" in kinds or is_compound


@lru_cache(maxsize=8_000)
def _kinds(word: str) -> frozenset[str]:
    """What an English word may be (NOUN, VERB, ADJ, ADV); a name where no dictionary has it."""
    from lemminflect import getAllLemmas

    if not word or word in FUNCTION_WORDS | _DETERMINERS:
        return frozenset()
    unknown = () if word in _stop_words("en") else ("PROPN",)
    return frozenset(getAllLemmas(word) or unknown)


@lru_cache(maxsize=64)
def _stop_words(code: str) -> frozenset[str]:
    import stopwordsiso

    listed = _LISTED_AS.get(code, code)
    found = stopwordsiso.stopwords(listed) if stopwordsiso.has_lang(listed) else ()
    return frozenset(word.casefold() for word in found)
