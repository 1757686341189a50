"""Find the proper names in a document, and give their English renderings: Wang Qiang for 王强.

Renderings of places and well-known persons come from a table in the model's folder (`names.tsv`). Persons
and companies that the document introduces are spelled in pinyin.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from anaphora_nmt.text.normalize import normalize_source
from anaphora_nmt.text.tags import strip_tags
from anaphora_text.names.person_names import ProperName
from anaphora_text.names.table import NameTable, add_names, introduced_names

_TERMS = {"不可抗力": "force majeure"}
"""Terms that a model would translate word by word, and their renderings."""


@dataclass
class DocumentNames:
    """The names in one document, except those that a confirmed target renders differently.

    `texts` have tags; if `table` is None, no names are found.
    """

    table: NameTable | None
    texts: Sequence[str]
    _rejected_by: dict[str, frozenset[str]] = field(default_factory=dict)
    _term_renderings: dict[str, str] = field(default_factory=dict)
    _introduced: dict[str, dict[str, str]] = field(default_factory=dict)
    """The names that each text introduces, cached because a split or join changes only a few texts."""

    def find(self, text: str) -> list[ProperName]:
        rejected = self._rejected
        names = [name for name in self._names.find(text) if text[name.start : name.end] not in rejected]
        return self._with_terms(text, names) if self._term_renderings else names

    def set_renderings(self, source: str, renderings: Mapping[str, str]) -> bool:
        """Replace the renderings (by term) of a source's terms, and return True if one changed.

        A name that is a term gets the term's rendering; a name within a longer term is not found.
        """
        plain = normalize_source(strip_tags(source)[0])
        new = {normalize_source(strip_tags(text)[0]): form for text, form in renderings.items()}
        kept = {text: form for text, form in self._term_renderings.items() if text not in plain}
        before, self._term_renderings = self._term_renderings, {**kept, **new}
        return before != self._term_renderings

    def _with_terms(self, text: str, names: Iterable[ProperName]) -> list[ProperName]:
        known = [term for term in self._term_renderings if term in text]
        around = [match.span() for term in known for match in re.finditer(re.escape(term), text)]
        kept = []
        for name in names:
            size = name.end - name.start
            if not any(
                start <= name.start and name.end <= end and end - start > size for start, end in around
            ):
                rendering = self._term_renderings.get(text[name.start : name.end], name.rendering)
                kept.append(replace(name, rendering=rendering))
        return kept

    def confirm(self, segment_id: str, source: str, target: str) -> None:
        """From now on, do not find the source's names whose renderings the confirmed target lacks."""
        self.release(segment_id)
        plain = normalize_source(strip_tags(source)[0])
        missed = {
            plain[name.start : name.end] for name in self._names.find(plain) if name.rendering not in target
        }
        if missed:
            self._rejected_by[segment_id] = frozenset(missed)

    def release(self, segment_id: str) -> None:
        self._rejected_by.pop(segment_id, None)

    def fork(self) -> DocumentNames:
        other = copy.copy(self)
        other._rejected_by = dict(self._rejected_by)
        other._term_renderings = dict(self._term_renderings)
        return other

    def adopt(self, other: DocumentNames, moved: Mapping[str, str]) -> None:
        """Take over term renderings and rejected names; `moved` maps segment ids in `other` to ids here."""
        self._introduced = other._introduced
        self._term_renderings = dict(other._term_renderings)
        self._rejected_by = {
            moved[each]: names for each, names in other._rejected_by.items() if each in moved
        }

    @property
    def _rejected(self) -> frozenset[str]:
        return frozenset().union(*self._rejected_by.values())

    @cached_property
    def _names(self) -> NameTable:
        if self.table is None:
            return NameTable({})
        for text in self.texts:
            if text not in self._introduced:
                plain = normalize_source(strip_tags(text)[0])
                self._introduced[text] = introduced_names(plain, self.table)
        texts = (self._introduced[text] for text in self.texts)
        return add_names(
            self.table, _TERMS | {name: spelled for names in texts for name, spelled in names.items()}
        )
