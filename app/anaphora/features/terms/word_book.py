"""Reference data about Chinese words and names: the dictionary's glosses, well-known names, pinyin."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from anaphora.features.dictionary.entries import PLACEHOLDERS, Dictionary, open_dictionary
from anaphora_text.chinese_words import cut, frequency, word_class
from anaphora_text.function_words import read_pairs
from anaphora_text.han import is_han
from anaphora_text.inflections import is_noun
from anaphora_text.names.person_names import spell, spell_word, surname_of
from anaphora_text.names.table import BUSINESS, NameTable, find_companies

log = logging.getLogger(__name__)

_MAX_RENDERINGS = 6
_MAX_WORDS = 4
"""Maximum number of words in a gloss; longer ones are explanations."""
_PARTIES = {"甲方": "Party A", "乙方": "Party B", "丙方": "Party C", "丁方": "Party D"}
_PLACES = read_pairs("places.tsv")
DIVISIONS = frozenset("省市区县州镇乡村街路巷")
"""Last characters in the names of administrative divisions and streets."""
_OFFICES = read_pairs("offices.tsv")
_PROPER_GLOSS = re.compile(r"(?:[A-Z][\w'’-]*)(?: [A-Z][\w'’-]*){0,4}")
_NOT_A_NAME = ("Japanese", "Chinese", "surname", "Taiwan", "Buddhist")
_USUAL_FREQUENCY = 500
"""A name with a higher frequency in jieba's dictionary is that of a well-known place: 香港, but not 东吴."""
_MIN_WORD_LENGTH = 2
"""Minimum number of characters of a word in a name; single characters are spelled in pinyin."""


@dataclass(frozen=True)
class WordBook:
    """Renderings of words and names; `names` has only well-known names. The first use is slow."""

    dictionary: Dictionary | None
    names: Mapping[str, str]

    def name(self, word: str) -> str:
        """The English form of a well-known name; "" for other words."""
        if (known := self.names.get(word)) is not None:
            return known
        for gloss in self._glosses(word)[:1]:
            match = _PROPER_GLOSS.match(gloss)
            if (
                match
                and not match.group().startswith(_NOT_A_NAME)
                and word_class(word)[:2] in ("ns", "nz", "nt")
            ):
                return match.group()
        return ""

    def is_noun(self, word: str) -> bool:
        return any(map(_is_noun_gloss, self._glosses(word)[:1]))

    def may_be_noun(self, word: str) -> bool:
        """True if any of the dictionary's glosses is a noun: 付款 (to pay; payment)."""
        return any(map(_is_noun_gloss, self._glosses(word)))

    def of_term(self, text: str) -> list[str]:
        """Possible renderings of a term, the likeliest first: nouns before verbs, verbs without "to"."""
        if text in _PARTIES:
            return [_PARTIES[text]]
        renderings = [*filter(None, [self.name(text)]), *self._short_glosses(text)]
        return list(dict.fromkeys(renderings))[:_MAX_RENDERINGS]

    def of_person(self, name: str) -> list[str]:
        """A person's name in pinyin, after the usual English form if the person is well known."""
        surname = surname_of(name)
        spelled = spell(surname, name[len(surname) :]) if surname else spell_word(name)
        known = self.names.get(name)
        return [known, spelled] if known and known != spelled else [spelled]

    def of_place(self, name: str) -> list[str]:
        """A place's usual English form; else its name with the kind (区) in English, then all in pinyin."""
        if known := self.name(name):
            return [known]
        for size in (2, 1):
            stem, kind = name[:-size], name[-size:]
            if kind in _PLACES and len(stem) > 1:
                spelled = f"{self.name(stem) or spell_word(stem)} {_PLACES[kind]}"
                return [spelled, spell_word(name)]
        return [spell_word(name)]

    def of_organisation(self, name: str, words: Sequence[str] = ()) -> list[str]:
        """Possible names of an organisation or product: known words in English, unknown words in pinyin."""
        if known := self.name(name):
            return [known]
        ends = range(1, len(name) + 1)
        names = {
            part: english
            for end in ends
            for start in range(end)
            if (part := name[start:end]) and (english := self.name(part))
        }
        if whole := [found.rendering for found in find_companies(name, names) if found.end == len(name)]:
            return whole
        parts = words if len(words) > 1 else _cut_longest(name, _OFFICES)
        known = " ".join(self._name_parts(parts, spells_names=False))
        spelled = " ".join(self._name_parts(parts, spells_names=True))
        is_usual = frequency(parts[0]) > _USUAL_FREQUENCY
        return list(dict.fromkeys((known, spelled) if is_usual else (spelled, known)))

    def may_be_place(self, word: str) -> bool:
        """True for a well-known place, or a frequent place name that the dictionary lacks: 厦门."""
        if word_class(word) != "ns":
            return False
        return bool(self.name(word)) or (not self._glosses(word) and frequency(word) > _USUAL_FREQUENCY)

    def _name_parts(self, words: Sequence[str], spells_names: bool) -> Iterator[str]:
        """A name's words in English; adjacent unknown characters are joined in pinyin.

        If `spells_names` is True, words that are names of something else are in pinyin, too: 启明星 (Venus).
        """
        unknown = ""
        for number, word in enumerate((*words, "")):
            if word in DIVISIONS and number:
                english = _PLACES[word]
            else:
                english = _OFFICES.get(word) or BUSINESS.get(word) or self._english_word(word, spells_names)
            if word and not english and all(map(is_han, word)):
                unknown += word
                continue
            if unknown:
                yield spell_word(unknown)
                unknown = ""
            if word:
                yield english or word

    def _english_word(self, word: str, spells_names: bool) -> str:
        """A name's word in English; "" if it is to be spelled in pinyin."""
        if len(word) < _MIN_WORD_LENGTH:
            return ""
        if (known := self.name(word)) and not spells_names:
            return known
        if word_class(word) in ("nr", "nz", "ns", "nrt") and (spells_names or not self.is_noun(word)):
            return self.of_place(word)[0] if word[-1] in _PLACES and len(word) > _MIN_WORD_LENGTH else ""
        nouns = (gloss for gloss in self._short_glosses(word) if is_noun(gloss))
        return next((gloss for gloss in nouns if len(gloss.split()) <= 2), "").title()

    def _glosses(self, word: str) -> Sequence[str]:
        entry = self.dictionary.find(word) if self.dictionary is not None and word else None
        return entry.glosses if entry is not None else ()

    def _short_glosses(self, word: str) -> list[str]:
        glosses = sorted(self._glosses(word), key=lambda gloss: gloss.startswith("to "))
        return [
            gloss.removeprefix("to ")
            for gloss in glosses
            if gloss.isascii() and len(gloss.split()) <= _MAX_WORDS and not PLACEHOLDERS & {*gloss.split()}
        ]


def _is_noun_gloss(gloss: str) -> bool:
    return not gloss.startswith("to ") and is_noun(gloss)


def open_word_book(dictionary: Path | None, names: Path | None) -> WordBook:
    return WordBook(open_dictionary(dictionary) if dictionary is not None else None, read_names(names))


def read_names(path: Path | None) -> Mapping[str, str]:
    try:
        return NameTable.load(path).renderings if path is not None else {}
    except (OSError, ValueError) as problem:
        # The engine reports the same when it loads the model.
        log.warning("the names in %s cannot be read: %s", path, problem)
        return {}


def _cut_longest(name: str, known: Mapping[str, str]) -> list[str]:
    longest_first = sorted((each for each in known if len(each) > 1), key=len, reverse=True)
    words: list[str] = []
    end = 0
    for match in re.finditer("|".join(map(re.escape, longest_first)), name):
        words += cut(name[end : match.start()], False)
        words.append(match.group())
        end = match.end()
    return [*words, *cut(name[end:], False)]
