"""A user's control of a document's memory: rules, packs, matches and previews, as frozen plain data."""

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
_MATCH_PREFIX = "match:"  # a number follows


@dataclass(frozen=True, slots=True)
class MemoryRule:
    """A user's rule for a remembered word. If several rules match, the last one applies.

    Attributes:
        word: the remembered word, as explanations label it, or "" for every word of `segment`.
        segment: id of the segment that contributed the word, or "" for any segment.
        weight: factor that multiplies the odds that a draft follows the word. With 0, the word counts as
            never remembered; only the memory of confirmed text uses other weights.
        pinned: whether the word stays when other words leave a full memory.
        instead: a replacement for the word in confirmed segments, or "".
        topic: True if the rule only removes the word from the document's topic words.
    Raises:
        SteeringError: the rule is empty or contradictory, or its weight is negative or not finite.
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
            raise SteeringError("The weight of a rule must be 0 or more, not {weight}.", weight=self.weight)
        if self.instead and not self.word:
            raise SteeringError("Only a word can be corrected, not a whole segment.")
        if self.topic and (not self.word or self.segment or self.instead or self.pinned):
            raise SteeringError("A rule for the topic needs only a word.")

    def applies_to(self, segment: str, word: str) -> bool:
        """True if the rule applies to a segment's remembered word; rules for the topic never do."""
        return not self.topic and self.segment in ("", segment) and self.word in ("", word)

    def to_plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_plain(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `to_plain`. Raises SteeringError if the values have another form."""
        kinds = {"word": str, "segment": str, "weight": (int, float)}
        kinds |= {"pinned": bool, "instead": str, "topic": bool}
        known = isinstance(values, Mapping) and set(values) <= set(kinds)
        if not known or not all(isinstance(value, kinds[name]) for name, value in values.items()):  # type: ignore[arg-type]
            raise SteeringError("This is not a rule for a memory: {values}", values=values)
        return cls(**values)


@dataclass(frozen=True, slots=True)
class MemoryPack:
    """Confirmed pairs (source, target) for use in another document.

    Attributes:
        corrections: corrections that drafts of the other document follow.
    """

    name: str
    pairs: tuple[tuple[str, str], ...] = ()
    corrections: tuple[Correction, ...] = ()

    def merged(self, other: MemoryPack) -> MemoryPack:
        """This pack with the pairs and corrections of another pack appended, without duplicates."""
        pairs = dict.fromkeys((*self.pairs, *other.pairs))
        corrections = dict.fromkeys((*self.corrections, *other.corrections))
        return MemoryPack(self.name, tuple(pairs), tuple(corrections))

    def names(self) -> tuple[str, ...]:
        """The ids of the pairs in the other document: `NAME#1`, `NAME#2`, …"""
        return tuple(f"{self.name}#{number}" for number in range(1, len(self.pairs) + 1))

    def to_bytes(self) -> bytes:
        """A file's content: readable JSON with the name, the pairs and the corrections."""
        plain = {"format": _FORMAT, "version": 1, "name": self.name, "pairs": self.pairs}
        if self.corrections:
            plain["corrections"] = corrections_to_plain(self.corrections)
        return (json.dumps(plain, ensure_ascii=False, indent=1) + "\n").encode("utf-8")

    @classmethod
    def from_bytes(cls, content: bytes) -> MemoryPack:
        """The inverse of `to_bytes`. Raises SteeringError for another format or damaged content."""
        try:
            plain = read_json(content.decode("utf-8"))
            if (plain["format"], plain["version"]) != (_FORMAT, 1) or not isinstance(plain["name"], str):
                raise ValueError("another format")
            pairs = tuple((source, target) for source, target in plain["pairs"])
            if not all(isinstance(side, str) for pair in pairs for side in pair):
                raise ValueError("a pair is two texts")
            corrections = corrections_from_plain(plain.get("corrections", []))
        except (SteeringError, ValueError, KeyError, TypeError, RecursionError) as problem:
            raise SteeringError("This file is not a memory pack, or it is damaged.") from problem
        return cls(plain["name"], pairs, corrections)


@dataclass(frozen=True, slots=True)
class Matches:
    """Pairs (source, target) from a translation memory, with sources similar to those of a document."""

    pairs: tuple[tuple[str, str], ...]

    @property
    def corrections(self) -> tuple[Correction, ...]:
        return ()

    def names(self) -> tuple[str, ...]:
        """The ids of the pairs in the document; `match_number` parses them."""
        return tuple(f"{_MATCH_PREFIX}{number}" for number in range(1, len(self.pairs) + 1))


BroughtIn = MemoryPack | Matches
"""Confirmed pairs from another source, which come before a document's first segment."""


def match_number(segment: str) -> str:
    """The number in the id of a match (`Matches.names`); "" for any other segment's id."""
    number = segment.removeprefix(_MATCH_PREFIX)
    return number if number != segment and number.isdecimal() else ""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """A hypothetical change of a document's memory, see `Translator.preview`.

    Attributes:
        rules, corrections: replacements for those in force; None keeps those in force.
    """

    rules: tuple[MemoryRule, ...] | None = None
    corrections: tuple[Correction, ...] | None = None


def rules_to_plain(rules: Iterable[MemoryRule]) -> list[dict[str, Any]]:
    return [rule.to_plain() for rule in rules]


def rules_from_plain(values: Sequence[Mapping[str, Any]]) -> tuple[MemoryRule, ...]:
    """The inverse of `rules_to_plain`. Raises SteeringError if the values have another form."""
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise SteeringError("This is not a rule for a memory: {values}", values=values)
    return tuple(MemoryRule.from_plain(each) for each in values)
