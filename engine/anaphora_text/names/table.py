"""A table of well-known names with their English renderings, and names that a text introduces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from anaphora_text.chinese_words import segmenter
from anaphora_text.names.company_names import find_companies
from anaphora_text.names.person_names import ProperName, find_persons, find_titled

NAMES_FILE = "names.tsv"
_SHORTEST = 2
_OF_A_PLACE = frozenset(("港", "队", "市", "省", "县", "站", "路", "机场", "大学", "医院", "地区"))
"""Suffixes of names that jieba joins to them: 上海港 is the port of Shanghai."""


@dataclass(frozen=True)
class NameTable:
    """Renderings of proper names, by the name in Chinese."""

    renderings: Mapping[str, str]

    @classmethod
    def load(cls, path: Path) -> NameTable:
        """Read lines of name, tab, rendering; OSError, or ValueError for an invalid line."""
        return cls(dict(map(_entry, path.read_text("utf-8").splitlines())))

    def save(self, path: Path) -> None:
        lines = (f"{name}\t{rendering}\n" for name, rendering in sorted(self.renderings.items()))
        path.write_text("".join(lines), "utf-8")

    def find(self, text: str) -> list[ProperName]:
        """The longest names at each position of a text, in order; they begin and end at jieba's word edges.

        Names of two characters may also end at guessed word edges. A name may end inside a word that
        continues with a suffix from `_OF_A_PLACE`.
        """
        if not self._heads or not any(text[at : at + _SHORTEST] in self._heads for at in range(len(text))):
            return []
        known, guessed = _edges(text, False), _edges(text, True)
        found: list[ProperName] = []
        at = 0
        for start in sorted(known | guessed):
            if start < at or text[start : start + _SHORTEST] not in self._heads:
                continue
            for end in range(min(len(text), start + self._longest), start + _SHORTEST - 1, -1):
                edges = guessed if end - start == _SHORTEST else known
                rendering = self.renderings.get(text[start:end])
                if rendering and start in edges and _ends_word(text, end, edges):
                    found.append(ProperName(start, end, rendering))
                    at = end
                    break
        return found

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset(name[:_SHORTEST] for name in self.renderings)

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self.renderings), default=0)


def _edges(text: str, guess: bool) -> frozenset[int]:
    """The edges of jieba's words; with `guess`, also of words that its dictionary lacks."""
    ends = accumulate(map(len, segmenter().cut(text, HMM=guess)))
    return frozenset((0, *ends))


def _ends_word(text: str, end: int, edges: frozenset[int]) -> bool:
    """True if a word ends at `end`, or after a suffix from `_OF_A_PLACE`."""
    return end in edges or any(
        text.startswith(kind, end) and end + len(kind) in edges for kind in _OF_A_PLACE
    )


def _entry(line: str) -> tuple[str, str]:
    name, rendering = line.split("\t")
    if len(name) < _SHORTEST or not rendering:
        raise ValueError(f"{line!r} is not a name of two characters or more, a tab and its rendering")
    return name, rendering


def with_introduced(table: NameTable, texts: Iterable[str]) -> NameTable:
    """The table plus the names that a document's texts introduce."""
    return joined(
        table, {name: spelled for text in texts for name, spelled in introduced_by(text, table).items()}
    )


def introduced_by(text: str, table: NameTable) -> dict[str, str]:
    """The persons and companies that a text introduces, with their renderings."""
    persons = find_persons(text)
    found = (*persons, *find_titled(text, persons), *find_companies(text, table.renderings))
    return {text[name.start : name.end]: name.rendering for name in found}


def joined(table: NameTable, introduced: Mapping[str, str]) -> NameTable:
    """The table plus introduced names; its own renderings take precedence."""
    return NameTable({**introduced, **table.renderings}) if introduced else table
