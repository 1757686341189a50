"""Proper names of a document and how English writes them: 王强 is Wang Qiang, 阿巴丹 is Abadan.

Places and well-known persons come from a table that stands beside the model (`names.tsv`). What the document
itself introduces is spelled in pinyin: Chinese persons (王强说), those with a title (陈女士), and companies
(北京远山科技有限公司). A name travels through translation as a placeholder, as numbers do
(`text/protect.py`), so it is rendered the same way everywhere.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.text.company_names import find_companies
from anaphora_nmt.text.normalize import normalize_source
from anaphora_nmt.text.person_names import find_persons
from anaphora_nmt.text.protect import ProperName
from anaphora_nmt.text.tags import strip_tags
from anaphora_nmt.text.titled_names import find_titled
from anaphora_text.chinese_words import segmenter

NAMES_FILE = "names.tsv"
_SHORTEST = 2
_OF_A_PLACE = frozenset(("港", "队", "市", "省", "县", "站", "路", "机场", "大学", "医院", "地区"))
"""What may follow a name within a word of jieba's: 上海港 is the port of Shanghai."""


@dataclass(frozen=True)
class NameTable:
    """Renderings of proper names, by the name in Chinese."""

    renderings: Mapping[str, str]

    @classmethod
    def load(cls, path: Path) -> NameTable:
        """Read lines of name, tab, rendering.

        Raises:
            ModelFileError: the file cannot be read, or a line is not of that form.
        """
        try:
            lines = path.read_text("utf-8").splitlines()
            return cls(dict(_entry(line) for line in lines))
        except (OSError, ValueError) as error:
            raise ModelFileError(
                "The names in {path} cannot be read ({reason}). Install the model again.",
                path=path,
                reason=error,
            ) from error

    def save(self, path: Path) -> None:
        """Write what `load` reads."""
        lines = (f"{name}\t{rendering}\n" for name, rendering in sorted(self.renderings.items()))
        path.write_text("".join(lines), "utf-8")

    def find(self, text: str) -> list[ProperName]:
        """The names in a text, in order: the longest at each place; none begins or ends inside a word.

        Words are those of jieba's dictionary; where a name has two characters, those that jieba guesses, too.
        A name may be the beginning of a word that goes on with what it is the name of.
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
    """Where jieba's words begin and end; `guess`: words that its dictionary lacks, too."""
    ends = accumulate(map(len, segmenter().cut(text, HMM=guess)))
    return frozenset((0, *ends))


def _ends_word(text: str, end: int, edges: frozenset[int]) -> bool:
    """Whether a word ends there, or goes on with what a name before it is the name of."""
    return end in edges or any(
        text.startswith(kind, end) and end + len(kind) in edges for kind in _OF_A_PLACE
    )


def _entry(line: str) -> tuple[str, str]:
    name, rendering = line.split("\t")
    if len(name) < _SHORTEST or not rendering:
        raise ValueError(f"{line!r} is not a name of two characters or more, a tab and its rendering")
    return name, rendering


def with_introduced(table: NameTable, texts: Iterable[str]) -> NameTable:
    """The table with the names that a document's texts introduce."""
    return _with(
        table, {name: spelled for text in texts for name, spelled in _introduced(text, table).items()}
    )


def _introduced(text: str, table: NameTable) -> dict[str, str]:
    """The persons and companies that a text introduces, with their spelling."""
    persons = find_persons(text)
    found = (*persons, *find_titled(text, persons), *find_companies(text, table.renderings))
    return {text[name.start : name.end]: name.rendering for name in found}


def _with(table: NameTable, introduced: Mapping[str, str]) -> NameTable:
    return NameTable({**introduced, **table.renderings}) if introduced else table


@dataclass
class DocumentNames:
    """The names of one document, less those that its translator renders otherwise.

    Args:
        table: the model's names; None: the document has none.
        texts: its segments' sources, with tags.
    """

    table: NameTable | None
    texts: Sequence[str]
    _refused_by: dict[str, frozenset[str]] = field(default_factory=dict)
    _introduced: dict[str, dict[str, str]] = field(default_factory=dict)
    """Names by text: a large document whose segments are split is not read again."""

    def find(self, text: str) -> list[ProperName]:
        """The names in a text of the document, in order."""
        refused = self._refused
        return [name for name in self._names.find(text) if text[name.start : name.end] not in refused]

    def confirm(self, segment: str, source: str, target: str) -> None:
        """A name whose rendering is not in the confirmed target is left to the model from now on."""
        self.release(segment)
        plain = normalize_source(strip_tags(source)[0])
        missed = {
            plain[name.start : name.end] for name in self._names.find(plain) if name.rendering not in target
        }
        if missed:
            self._refused_by[segment] = frozenset(missed)

    def release(self, segment: str) -> None:
        """The segment is no longer confirmed: what it refused is not refused by it."""
        self._refused_by.pop(segment, None)

    def fork(self) -> DocumentNames:
        """The same names; what either refuses from now on is its own."""
        other = copy.copy(self)
        other._refused_by = dict(self._refused_by)
        return other

    def adopt(self, other: DocumentNames, moved: Mapping[str, str]) -> None:
        """Take over what another segmentation's confirmed segments refused; `moved`: new ids by old ones."""
        self._introduced = other._introduced
        self._refused_by = {
            moved[segment]: names for segment, names in other._refused_by.items() if segment in moved
        }

    @property
    def _refused(self) -> frozenset[str]:
        return frozenset().union(*self._refused_by.values())

    @cached_property
    def _names(self) -> NameTable:
        if self.table is None:
            return NameTable({})
        for text in self.texts:
            if text not in self._introduced:
                plain = normalize_source(strip_tags(text)[0])
                self._introduced[text] = _introduced(plain, self.table)
        texts = (self._introduced[text] for text in self.texts)
        return _with(self.table, {name: spelled for names in texts for name, spelled in names.items()})
