"""Words of a text that may be terms, by its language, and how often several of them stand together.

Chinese has a counter of its own (`terms`); here are the others. What a function word is, stopwordsiso's lists
say; of English, lemminflect's dictionary also tells what may be a noun, and of Japanese janome.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from anaphora.core.languages import Language
from anaphora.term_base.word_edges import japanese_words, word_edges
from anaphora_text.function_words import FUNCTION_WORDS

_LONGEST = 3
"""Words of a term."""
_SHORTEST = 3
"""Letters of a word that is a term by itself, of a script with an alphabet; of capitals, and of Han and kana,
one letter less."""
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
_SAID_FOR_NOUNS = (
    "i you he she it we they me him us them what who whom how why where whether if more most many much less "
    "yes ok please"
)
_PRONOUNS = frozenset(_SAID_FOR_NOUNS.split())
_PARTICLES = re.compile(
    r"(?<=[가-힣]{2})(?:에서|으로|에게|까지|부터|은|는|이|가|을|를|의|에|로|와|과|도|만)$"
)
"""Endings of Korean nouns."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word where it stands in a text.

    Attributes:
        stands: whether it may be a term by itself.
        ends: whether it may be the last word of one.
        is_nominal: whether it stands where nouns do.
    """

    text: str
    start: int
    end: int
    stands: bool
    ends: bool = True
    is_nominal: bool = True


class WordCounter:
    """Counts words that may be terms, and up to three of them in a row; `holders` are segments by term."""

    def __init__(self, language: Language) -> None:
        self.holders: dict[str, dict[str, None]] = {}
        self._language = language
        self._counts: Counter[str] = Counter()
        self._nominal: Counter[str] = Counter()
        self._parts: dict[str, tuple[str, ...]] = {}
        self._forms: dict[str, Counter[str]] = {}

    def add(self, segment: str, source: str) -> None:
        for run in _runs(source, self._language):
            for start in range(len(run)):
                for words in (
                    run[start:end] for end in range(start + 1, min(start + _LONGEST, len(run)) + 1)
                ):
                    if words[-1].ends and (len(words) > 1 or words[0].stands):
                        self._count(segment, source[words[0].start : words[-1].end], words)

    def _count(self, segment: str, form: str, words: list[Word]) -> None:
        form = " ".join(form.split())
        key = form.casefold()
        self._counts[key] += 1
        self._nominal[key] += words[-1].is_nominal
        self._parts[key] = tuple(word.text.casefold() for word in words)
        self._forms.setdefault(key, Counter())[form] += 1
        self.holders.setdefault(key, {})[segment] = None

    def terms(self) -> Counter[str]:
        """How often each term occurs, as it is mostly written; `holders` go by the same texts."""
        counts = Counter({key: n for key, n in self._counts.items() if self._nominal[key] >= _NOMINAL * n})
        for key in sorted(counts, key=lambda each: -len(self._parts[each])):
            parts = self._parts[key]
            if len(parts) > 1 and not self._is_one(parts, counts[key], counts):
                del counts[key]
        shown = {key: self._shown(key) for key in counts}
        self.holders = {text: self.holders[key] for key, text in shown.items()}
        return Counter({text: counts[key] for key, text in shown.items() if counts[key] > 0})

    def _is_one(self, parts: tuple[str, ...], together: int, counts: Counter[str]) -> bool:
        """Whether words are one term; if so, those that hardly stand elsewhere are none by themselves."""
        if together < 2 or len({*parts}) < len(parts):
            return False
        if together < _TOGETHER * min(self._counts[part] or together for part in parts):
            return False
        for size in range(1, len(parts)):
            for start in range(len(parts) - size + 1):
                for inner in (blank.join(parts[start : start + size]) for blank in ("", " ")):
                    if inner in counts and together >= _ALL * counts[inner]:
                        counts[inner] = 0
        return True

    def _shown(self, key: str) -> str:
        """The form that is written most; of equally frequent ones that in small letters."""
        forms = self._forms[key]
        return max(forms, key=lambda form: (forms[form], form.islower()))


def _runs(source: str, language: Language) -> Iterator[list[Word]]:
    """Words that may be parts of one term: side by side, with nothing between them but blanks."""
    run: list[Word] = []
    for word in words_of(source, language):
        between = source[run[-1].end : word.start] if run else ""
        if between.strip() or (between and not language.is_spaced):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def words_of(source: str, language: Language) -> Iterator[Word]:
    """The words of a text that may be in a term; none of a language of which too little is known."""
    if language.code == "ja":
        for start, text, is_noun in japanese_words(source):
            if is_noun:
                yield Word(text, start, start + len(text), len(text) > 1)
        return
    stops = _stop_words(language.code)
    if not stops:
        return
    if not language.is_spaced:
        yield from _unspaced_words(source, stops)
    elif language.code == "en":
        yield from _english_words(source)
    else:
        for match in _WORD.finditer(source):
            text = _PARTICLES.sub("", match.group()) if language.code == "ko" else match.group()
            if text.casefold() not in stops and not text.isdigit():
                yield Word(text, match.start(), match.start() + len(text), _may_stand(text, language))


def _unspaced_words(source: str, stops: frozenset[str]) -> Iterator[Word]:
    for start, end in sorted(word_edges(source).items()):
        text = source[start:end]
        if text not in stops and any(map(str.isalpha, text)):
            yield Word(text, start, end, len(text) >= _SHORTEST)


def _english_words(source: str) -> Iterator[Word]:
    before = ""
    for match in _WORD.finditer(source):
        text = match.group()
        kinds = _kinds(text.lower())
        if len(text) == 1 and text.isupper() and text != "I" and before[:1].isupper():
            yield Word(text, match.start(), match.end(), stands=False)  # Party A
        elif not text.isdigit() and kinds & {"NOUN", "PROPN", "ADJ"}:
            is_noun = "ADJ" not in kinds or "NOUN" in kinds
            is_word = len(text) >= _SHORTEST or (text.isupper() and len(text) > 1)
            is_generic = text.lower() in _GENERIC or ("ADJ" in kinds and text.lower() in _stop_words("en"))
            stands = is_noun and is_word and (text.isupper() or not is_generic)
            is_nominal = "VERB" not in kinds or _is_before_noun(before.lower(), text)
            yield Word(text, match.start(), match.end(), stands, is_noun, is_nominal)
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

    if not word or word in FUNCTION_WORDS | _DETERMINERS | _PRONOUNS:
        return frozenset()
    unknown = () if word in _stop_words("en") else ("PROPN",)
    return frozenset(getAllLemmas(word) or unknown)


def _may_stand(text: str, language: Language) -> bool:
    """Whether a word is long enough for a term."""
    if language.code == "ko" or (text.isupper() and text.isascii()):
        return len(text) > 1
    return len(text) >= _SHORTEST and any(map(str.isalpha, text))


@lru_cache(maxsize=64)
def _stop_words(code: str) -> frozenset[str]:
    import stopwordsiso

    listed = _LISTED_AS.get(code, code)
    found: Iterable[str] = stopwordsiso.stopwords(listed) if stopwordsiso.has_lang(listed) else ()
    return frozenset(word.casefold() for word in found)
