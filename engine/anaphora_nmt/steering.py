"""How a user steers a document's memory: rules, packs and questions. Frozen, plain, picklable, torch-free."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self

from anaphora_nmt.corrections import Correction, corrections_from_plain, corrections_to_plain
from anaphora_nmt.errors import SteeringError
from anaphora_text.untrusted_json import read_json

_FORMAT = "anaphora-memory-pack"
_MATCH = "match:"  # and a number, which in packs stands after a "#"


@dataclass(frozen=True, slots=True)
class MemoryRule:
    """A user's rule for a remembered word. Of several matching rules, the last counts.

    Attributes:
        word: the remembered word, as explanations label it; empty: all that `segment` contributes.
        segment: id of the segment that it comes from; empty: of all.
        weight: the odds of following it are multiplied with it; 0: as if it had never been remembered. The
            published caches know only 0 and anything else.
        pinned: it stays when the memory is full and others have to go.
        instead: what is remembered in its place, in segments that are confirmed; empty: the word itself.
        topic: it takes the word away from those of the document's topic, and says nothing else.
    Raises:
        SteeringError: it is empty or impossible.
    """

    word: str = ""
    segment: str = ""
    weight: float = 1.0
    pinned: bool = False
    instead: str = ""
    topic: bool = False

    def __post_init__(self) -> None:
        if not (self.word or self.segment):
            raise SteeringError("A rule needs a word or a segment.")
        if not (math.isfinite(self.weight) and self.weight >= 0):
            raise SteeringError("The weight of a rule is 0 or more, not {weight}.", weight=self.weight)
        if self.instead and not self.word:
            raise SteeringError("Only a word can be corrected, not a whole segment.")
        if self.topic and (not self.word or self.segment or self.instead or self.pinned):
            raise SteeringError("Of the topic a word can be taken away; it has no segments.")

    def fits(self, segment: str, word: str) -> bool:
        """True if it concerns a word of a segment."""
        return not self.topic and self.segment in ("", segment) and self.word in ("", word)

    def to_plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_plain`; SteeringError for something else."""
        kinds = {"word": str, "segment": str, "weight": (int, float)}
        kinds |= {"pinned": bool, "instead": str, "topic": bool}
        known = isinstance(values, Mapping) and set(values) <= set(kinds)
        if not known or not all(isinstance(value, kinds[name]) for name, value in values.items()):  # type: ignore[arg-type]
            raise SteeringError("This is no rule for a memory: {values}", values=values)
        return cls(**values)


@dataclass(frozen=True, slots=True)
class MemoryPack:
    """Confirmed pairs (source, target) that travel from one document to another, where they are `NAME#1`,
    `NAME#2`, …

    Attributes:
        corrections: that drafts of the other document follow, too.
    """

    name: str
    pairs: tuple[tuple[str, str], ...] = ()
    corrections: tuple[Correction, ...] = ()

    def merged(self, other: MemoryPack) -> MemoryPack:
        """With the pairs of another after its own; what both have once."""
        pairs = dict.fromkeys((*self.pairs, *other.pairs))
        corrections = dict.fromkeys((*self.corrections, *other.corrections))
        return MemoryPack(self.name, tuple(pairs), tuple(corrections))

    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.name}#{number}" for number in range(1, len(self.pairs) + 1))

    def to_bytes(self) -> bytes:
        """A file's content: JSON, legible, nothing beside the name, the pairs and the corrections."""
        plain = {"format": _FORMAT, "version": 1, "name": self.name, "pairs": self.pairs}
        if self.corrections:
            plain["corrections"] = corrections_to_plain(self.corrections)
        return (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode("utf-8")

    @classmethod
    def from_bytes(cls, content: bytes) -> MemoryPack:
        """The inverse of `to_bytes`; SteeringError for another file, or a damaged one."""
        try:
            plain = read_json(content.decode("utf-8"))
            if (plain["format"], plain["version"]) != (_FORMAT, 1) or not isinstance(plain["name"], str):
                raise ValueError("another format")
            pairs = tuple((source, target) for source, target in plain["pairs"])
            if not all(isinstance(side, str) for pair in pairs for side in pair):
                raise ValueError("a pair is two texts")
            corrections = corrections_from_plain(plain.get("corrections", []))
        except (SteeringError, ValueError, KeyError, TypeError, RecursionError) as problem:
            raise SteeringError("This file is no memory pack, or it is damaged.") from problem
        return cls(plain["name"], pairs, corrections)


@dataclass(frozen=True, slots=True)
class Matches:
    """A translation memory's sentences similar to a document's: (source, target), in order."""

    pairs: tuple[tuple[str, str], ...]

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """A translation memory holds none."""
        return ()

    def names(self) -> tuple[str, ...]:
        """Their name in a document; `match_number` reads it."""
        return tuple(f"{_MATCH}{number}" for number in range(1, len(self.pairs) + 1))


BroughtIn = MemoryPack | Matches
"""Texts before a document's first segment."""


def match_number(segment: str) -> str:
    """The number of a match in the name of a remembered segment; empty for other names."""
    number = segment.removeprefix(_MATCH)
    return number if number != segment and number.isdecimal() else ""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A change of a document's memory that is only asked about.

    Attributes:
        rules, corrections: in place of those that are in force; None: these.
    """

    rules: tuple[MemoryRule, ...] | None = None
    corrections: tuple[Correction, ...] | None = None


def rules_to_plain(rules: Iterable[MemoryRule]) -> list[dict[str, Any]]:
    return [rule.to_plain() for rule in rules]


def rules_from_plain(values: Sequence[Mapping[str, Any]]) -> tuple[MemoryRule, ...]:
    """The inverse of `rules_to_plain`; SteeringError for something else."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise SteeringError("This is no rule for a memory: {values}", values=values)
    return tuple(MemoryRule.from_plain(each) for each in values)
