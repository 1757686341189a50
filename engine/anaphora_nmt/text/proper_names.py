"""Proper names of a document and how English writes them: 王强 is Wang Qiang, 阿巴丹 is Abadan.

Places and well-known persons come from a table beside the model (`names.tsv`). Persons (王强说, 陈女士) and
companies (北京远山科技有限公司) that the document introduces are spelled in pinyin. A name travels through
translation as a placeholder, as numbers do (`text/protect.py`).
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
from anaphora_text.names.table import NameTable, introduced_by, joined

_TERMS = {"不可抗力": "force majeure"}
"""Terms that a model takes to pieces."""


@dataclass
class DocumentNames:
    """The names of one document, less those that its translator renders otherwise.

    Args:
        table: the model's names; None: the document has none. texts: its segments' sources, with tags.
    """

    table: NameTable | None
    texts: Sequence[str]
    _refused_by: dict[str, frozenset[str]] = field(default_factory=dict)
    _called: dict[str, str] = field(default_factory=dict)
    """Names in terms, and words that contain names."""
    _introduced: dict[str, dict[str, str]] = field(default_factory=dict)
    """Names by text: a large document whose segments are split is not read again."""

    def find(self, text: str) -> list[ProperName]:
        refused = self._refused
        found = [name for name in self._names.find(text) if text[name.start : name.end] not in refused]
        return self._as_called(text, found) if self._called else found

    def call(self, source: str, called: Mapping[str, str]) -> bool:
        """The terms' renderings of parts of a segment's source, in place of earlier ones.

        A name that is a term is called so from now on; one within a longer term is left to that.

        Returns: whether anything is called otherwise than before.
        """
        plain = normalize_source(strip_tags(source)[0])
        said = {normalize_source(strip_tags(text)[0]): form for text, form in called.items()}
        kept = {text: form for text, form in self._called.items() if text not in plain}
        before, self._called = self._called, {**kept, **said}
        return before != self._called

    def _as_called(self, text: str, found: Iterable[ProperName]) -> list[ProperName]:
        """Names as terms call them, without those that stand within a longer term."""
        held = [term for term in self._called if term in text]
        around = [match.span() for term in held for match in re.finditer(re.escape(term), text)]
        kept = []
        for name in found:
            size = name.end - name.start
            if not any(
                start <= name.start and name.end <= end and end - start > size for start, end in around
            ):
                called = self._called.get(text[name.start : name.end], name.rendering)
                kept.append(replace(name, rendering=called))
        return kept

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
        """The segment is unconfirmed: its rejections no longer count."""
        self._refused_by.pop(segment, None)

    def fork(self) -> DocumentNames:
        other = copy.copy(self)
        other._refused_by = dict(self._refused_by)
        other._called = dict(self._called)
        return other

    def adopt(self, other: DocumentNames, moved: Mapping[str, str]) -> None:
        """Take over what another segmentation's confirmed segments refused; `moved`: new ids by old ones."""
        self._introduced = other._introduced
        self._called = dict(other._called)
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
                self._introduced[text] = introduced_by(plain, self.table)
        texts = (self._introduced[text] for text in self.texts)
        return joined(
            self.table, _TERMS | {name: spelled for names in texts for name, spelled in names.items()}
        )
