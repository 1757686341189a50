"""Well-known names with their English renderings, and the persons and companies that a text introduces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from anaphora_text.chinese_words import frequency, segmenter, word_class
from anaphora_text.function_words import read_pairs
from anaphora_text.han import is_han
from anaphora_text.names.person_names import ProperName, find_persons, find_titled, spell_word
from anaphora_text.punctuation import COLONS, OPENING, ROUND_BRACKET_PAIRS

_LEGAL_FORM = re.compile("(?:股份|集团股份)?有限(?:责任)?公司")
BUSINESS = read_pairs("business.tsv")
_NEVER_IN_NAMES = frozenset("的了一二三两几各某该本此这那个和与及或等是为在有由其我你他她它贵外内合独国")
"""Characters that may occur in the words before a company's own name, but not in the name."""
_TAGS_OUTSIDE_NAMES = ("v", "p", "c", "d", "u", "r", "m", "q")  # first letters of jieba's word classes
_OPENERS, _CLOSERS = ("".join(ends) for ends in zip(*ROUND_BRACKET_PAIRS, strict=True))
_MARKS_BEFORE = frozenset(COLONS + OPENING)
"""A company's name without a place must follow one of these marks, or be the whole text."""
_MIN_COMMON = 200
_MIN_COMPANY, _MAX_COMPANY = 2, 4
_BRANCH_WORDS = 3


def find_companies(text: str, names: Mapping[str, str]) -> list[ProperName]:
    """The companies in a text, in order; `names` has the renderings of places and well-known names."""
    if not _LEGAL_FORM.search(text):
        return []
    words, starts, offset = list(segmenter().cut(text, HMM=False)), list[int](), 0
    for word in words:
        starts.append(offset)
        offset += len(word)
    companies = []
    for match in _LEGAL_FORM.finditer(text):
        if match.start() in starts:
            legal_form = starts.index(match.start())
            name = _company_name(words[:legal_form], names, match.end() == len(text))
            if name is not None:
                first, english = name
                companies.append(ProperName(starts[first], match.end(), f"{english} Co., Ltd."))
    return companies


def _company_name(words: Sequence[str], names: Mapping[str, str], ends_text: bool) -> tuple[int, str] | None:
    english, first = _business(words)
    branch = _branch(words[:first], names)
    if branch:
        english, first = [f"({branch})", *english], first - _BRANCH_WORDS
    name, first = _own_name(words[:first], names)
    if not name or not english or (name not in names and name[:_MIN_COMPANY] in names):
        return None
    english = [names.get(name) or spell_word(name), *english]
    if first and (place := names.get(words[first - 1])):
        return first - 1, " ".join([place, *english])
    may_begin = words[first - 1][-1] in _MARKS_BEFORE if first else ends_text
    return (first, " ".join(english)) if may_begin else None


def _branch(words: Sequence[str], names: Mapping[str, str]) -> str | None:
    if len(words) <= _BRANCH_WORDS or words[-1] not in _CLOSERS or words[-3] not in _OPENERS:
        return None
    return names.get(words[-2])


def _own_name(words: Sequence[str], names: Mapping[str, str]) -> tuple[str, int]:
    name, first = "", len(words)
    while first and len(name) + len(words[first - 1]) <= _MAX_COMPANY and _is_part(words[first - 1]):
        is_place = words[first - 1] in names
        if is_place and (
            name
            or (first > 1 and words[first - 2] not in names and words[first - 2][-1] not in _MARKS_BEFORE)
        ):
            break
        first -= 1
        name = words[first] + name
        if is_place:
            break
    return (name, first) if len(name) >= _MIN_COMPANY else ("", len(words))


def _business(words: Sequence[str]) -> tuple[list[str], int]:
    english: list[str] = []
    first = len(words)
    while first and (word := BUSINESS.get(words[first - 1])):
        english.insert(0, word)
        first -= 1
    return english, first


def _is_part(word: str) -> bool:
    tag = word_class(word)
    is_common = len(word) > 1 and tag == "n" and frequency(word) >= _MIN_COMMON
    is_name = all(map(is_han, word)) and _NEVER_IN_NAMES.isdisjoint(word)
    return is_name and not is_common and not tag.startswith(_TAGS_OUTSIDE_NAMES)


NAMES_FILE = "names.tsv"
_MIN_NAME = 2
_PLACE_SUFFIXES = frozenset(("港", "队", "市", "省", "县", "站", "路", "机场", "大学", "医院", "地区"))
"""Suffixes that jieba joins to a name: 上海港 is the port of Shanghai."""


@dataclass(frozen=True)
class NameTable:
    renderings: Mapping[str, str]

    @classmethod
    def load(cls, path: Path) -> NameTable:
        """Read lines of a name, a tab and a rendering. Raises OSError, or ValueError for an invalid line."""
        return cls(dict(map(_entry, path.read_text("utf-8").splitlines())))

    def save(self, path: Path) -> None:
        lines = (f"{name}\t{rendering}\n" for name, rendering in sorted(self.renderings.items()))
        path.write_text("".join(lines), "utf-8")

    def find(self, text: str) -> list[ProperName]:
        """The longest name at each position of a text, in order. Names begin and end at word edges."""
        if not self._heads or not any(text[n : n + _MIN_NAME] in self._heads for n in range(len(text))):
            return []
        known, guessed = _edges(text, False), _edges(text, True)
        names: list[ProperName] = []
        last_end = 0
        for start in sorted(known | guessed):
            if start < last_end or text[start : start + _MIN_NAME] not in self._heads:
                continue
            for end in range(min(len(text), start + self._max_length), start + _MIN_NAME - 1, -1):
                edges = guessed if end - start == _MIN_NAME else known
                rendering = self.renderings.get(text[start:end])
                if rendering and start in edges and _ends_word(text, end, edges):
                    names.append(ProperName(start, end, rendering))
                    last_end = end
                    break
        return names

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset(name[:_MIN_NAME] for name in self.renderings)

    @cached_property
    def _max_length(self) -> int:
        return max(map(len, self.renderings), default=0)


def _edges(text: str, guess: bool) -> frozenset[int]:
    ends = accumulate(map(len, segmenter().cut(text, HMM=guess)))
    return frozenset((0, *ends))


def _ends_word(text: str, end: int, edges: frozenset[int]) -> bool:
    return end in edges or any(
        text.startswith(kind, end) and end + len(kind) in edges for kind in _PLACE_SUFFIXES
    )


def _entry(line: str) -> tuple[str, str]:
    name, rendering = line.split("\t")
    if len(name) < _MIN_NAME or not rendering:
        raise ValueError(f"{line!r} is not a name of two characters or more, a tab and its rendering")
    return name, rendering


def with_introduced(table: NameTable, texts: Iterable[str]) -> NameTable:
    return add_names(
        table, {name: spelled for text in texts for name, spelled in introduced_names(text, table).items()}
    )


def introduced_names(text: str, table: NameTable) -> dict[str, str]:
    """The renderings of the persons, titled names and companies that a text introduces, by name."""
    persons = find_persons(text)
    names = (*persons, *find_titled(text, persons), *find_companies(text, table.renderings))
    return {text[name.start : name.end]: name.rendering for name in names}


def add_names(table: NameTable, introduced: Mapping[str, str]) -> NameTable:
    """The table plus introduced names; the table's renderings take precedence."""
    return NameTable({**introduced, **table.renderings}) if introduced else table
