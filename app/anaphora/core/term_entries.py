"""Source terms with their target terms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

MAX_CHARACTERS = 200
"""Maximum length of a source or target term; a longer text is probably a sentence."""


class Usage(StrEnum):
    PREFERRED = "preferred"
    ADMITTED = "admitted"
    FORBIDDEN = "forbidden"


_ORDER = list(Usage)


@dataclass(frozen=True, slots=True)
class TargetTerm:
    text: str
    usage: Usage = Usage.PREFERRED


@dataclass(frozen=True, slots=True)
class TermEntry:
    """A source term and its target terms, in the order of `Usage`.

    Attributes:
        domain: the subject field in which the term is used; "" for all fields.
        changed: time of the last change in seconds since 1970 (UTC); 0 if unknown.
        id: the entry's id in a term base; 0 outside a term base.
    """

    source: str
    targets: tuple[TargetTerm, ...] = ()
    note: str = ""
    domain: str = ""
    changed: int = 0
    id: int = 0

    @property
    def allowed(self) -> tuple[str, ...]:
        return tuple(target.text for target in self.targets if target.usage is not Usage.FORBIDDEN)

    @property
    def forbidden(self) -> tuple[str, ...]:
        return tuple(target.text for target in self.targets if target.usage is Usage.FORBIDDEN)


def tidy(entry: TermEntry) -> TermEntry:
    """An entry with single spaces and distinct target terms; the last usage of a repeated term counts."""
    by_text: dict[str, TargetTerm] = {}
    for target in entry.targets:
        if text := _single_spaced(target.text):
            by_text[text] = target if target.text == text else TargetTerm(text, target.usage)
    targets = tuple(by_text.values())
    if len(targets) > 1:
        targets = tuple(sorted(targets, key=lambda target: _ORDER.index(target.usage)))
    texts = _single_spaced(entry.source), entry.note.strip(), _single_spaced(entry.domain)
    if texts == (entry.source, entry.note, entry.domain) and targets == entry.targets:
        return entry
    source, note, domain = texts
    return TermEntry(source, targets, note, domain, entry.changed, entry.id)


def is_valid(entry: TermEntry) -> bool:
    if not entry.targets or not 0 < len(entry.source) <= MAX_CHARACTERS:
        return False
    return all([0 < len(target.text) <= MAX_CHARACTERS for target in entry.targets])


def merged(old: TermEntry, new: TermEntry) -> TermEntry:
    """The old entry with the additional target terms and note of another entry for the same source term."""
    known = {target.text for target in old.targets}
    added = [target for target in new.targets if target.text not in known]
    notes = [old.note, *([new.note] if new.note and new.note not in old.note else [])]
    return tidy(replace(old, targets=(*old.targets, *added), note="\n".join(filter(None, notes))))


def by_source(entries: Iterable[TermEntry]) -> dict[tuple[str, str], TermEntry]:
    merged_entries: dict[tuple[str, str], TermEntry] = {}
    for entry in entries:
        key = entry.source, entry.domain
        merged_entries[key] = merged(merged_entries[key], entry) if key in merged_entries else entry
    return merged_entries


def _single_spaced(text: str) -> str:
    return " ".join(text.split())
