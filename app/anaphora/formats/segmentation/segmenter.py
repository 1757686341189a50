"""Splitting blocks into sentences by editable rules, and by hand.

An override, a split or a join made by hand, is an offset in a block's text. It does not change the text: the
file is segmented again with it, so what is exported follows by construction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from anaphora.core.errors import Message
from anaphora.core.text import has_han
from anaphora.core.untrusted import read_json
from anaphora.formats.segmentation.srx import SegmentationError, breaker, default_rules, language_said
from anaphora.formats.segmentation.version_1_rules import split_sentences

Span = tuple[int, int]
"""Start and end offsets of a sentence, white space left out."""


class Segmenter(Protocol):
    """Finds the sentences of a block. Reading and writing a document must use equal ones.

    Attributes:
        rules: the text of the rules, to be kept with the document.
        overrides: splits and joins made by hand (`SegmentationOverrides.to_json`), kept likewise.
        language: code of the texts' language; "" where nobody says.
        encoding: what a text file was read in before; "" for one that is read for the first time.
    """

    rules: str
    language: str
    encoding: str

    @property
    def overrides(self) -> str: ...

    def spans(self, text: str, block: int, offset: int) -> list[Span]:
        """Split a stretch of a block.

        Args:
            text: the stretch, tags left out (see `Piece.width`).
            block: number of the block in its document, from 1.
            offset: where the stretch begins in its block (a line break inside a block ends a stretch).
        Returns:
            spans of `text`, in order; together they cover all that is not white space.
        """
        ...


@dataclass(frozen=True, slots=True)
class BlockOverrides:
    """What a person decided about one block, as offsets in its text.

    Attributes:
        splits: a sentence ends and the next one begins here.
        joins: no sentence ends at this place, whatever the rules say.
    """

    splits: frozenset[int] = frozenset()
    joins: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class SegmentationOverrides:
    """The splits and joins made by hand in a document, by the number of the block."""

    blocks: Mapping[int, BlockOverrides] = field(default_factory=dict)

    def to_json(self) -> str:
        """As kept with the project; empty for none."""
        kept = {
            str(number): {"cut": sorted(block.splits), "join": sorted(block.joins)}
            for number, block in sorted(self.blocks.items())
            if block.splits or block.joins
        }
        return json.dumps(kept, separators=(",", ":")) if kept else ""

    @classmethod
    def from_json(cls, text: str) -> SegmentationOverrides:
        """Read what `to_json` wrote.

        Raises:
            SegmentationError: it is something else.
        """
        if not text:
            return cls()
        try:
            return cls(
                {
                    int(number): BlockOverrides(
                        _offsets(block.get("cut", ())), _offsets(block.get("join", ()))
                    )
                    for number, block in read_json(text).items()
                }
            )
        except (ValueError, TypeError, AttributeError) as error:
            raise SegmentationError(
                Message("The splits and merges kept with the document cannot be read: {error}.", error=error),
                "Restore a backup of it.",
            ) from error

    def with_block(self, number: int, overrides: BlockOverrides) -> SegmentationOverrides:
        """The same with other overrides in one block."""
        return SegmentationOverrides({**self.blocks, number: overrides})


class RuleSegmenter:
    """Splits by SRX rules, then by what was decided by hand.

    Attributes:
        rules: the SRX file's text, which may say its language (see `srx.in_language`); "" for the rules of
            the app's first version.
        overrides: see `SegmentationOverrides.to_json`.
        language: see `Segmenter` and `language_of_rules`.
        encoding: see `Segmenter`.
    """

    def __init__(self, rules: str, overrides: str = "", encoding: str = "") -> None:
        """Raises SegmentationError for overrides that cannot be read, and for rules at their first use."""
        self.rules = rules
        self.overrides = overrides
        self.encoding = encoding
        self._plain, self.language = language_said(rules)
        self._blocks = SegmentationOverrides.from_json(overrides).blocks

    def spans(self, text: str, block: int, offset: int) -> list[Span]:
        """See `Segmenter.spans`."""
        language = language_of_rules(self.language, text)
        spans = (
            _between(text, breaker(self._plain, language).breaks(text))
            if self._plain
            else split_sentences(text, language)
        )
        overrides = self._blocks.get(block)
        return _overridden(text, spans, overrides, offset) if overrides is not None else spans


def language_of_rules(language: str, text: str) -> str:
    """The language whose rules split a text.

    Args:
        language: of its document; of texts of none, and of English, letters tell Chinese from English.
    """
    if language in ("", "en"):
        return "zh" if has_han(text) else "en"
    return language


def make_segmenter(rules: str, overrides: str, encoding: str = "") -> RuleSegmenter:
    """A segmenter for a stored document.

    Args:
        rules: the text of the rules that it was segmented with; "" for one of the app's first version, which
            had no rule files.
        overrides: its splits and joins made by hand; "" for none.
        encoding: the one that it was read in; "" where its bytes are to tell.
    Raises:
        SegmentationError: the overrides cannot be read, or a rule makes no sense; the line is named.
    """
    segmenter = RuleSegmenter(rules, overrides, encoding)
    if rules:
        breaker(language_said(rules)[0], segmenter.language or "zh")
    return segmenter


def _offsets(values: Iterable[int]) -> frozenset[int]:
    found = frozenset(values)
    if not all(isinstance(value, int) and value >= 0 for value in found):
        raise ValueError("an offset is no number")
    return found


def _between(text: str, breaks: Iterable[int]) -> list[Span]:
    """The sentences between some places, white space at their edges left out."""
    spans = []
    start = 0
    for end in (*breaks, len(text)):
        part = text[start:end]
        if stripped := part.strip():
            begin = start + len(part) - len(part.lstrip())
            spans.append((begin, begin + len(stripped)))
        start = end
    return spans


def _overridden(text: str, spans: list[Span], overrides: BlockOverrides, offset: int) -> list[Span]:
    """Sentences joined and split as a person wanted; `offset` is where the text begins in its block."""
    joins = sorted(place - offset for place in overrides.joins)
    merged: list[Span] = []
    for start, end in spans:
        if merged and any(merged[-1][1] <= place <= start for place in joins):
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    splits = sorted(place - offset for place in overrides.splits)
    out: list[Span] = []
    for start, end in merged:
        inside = [place - start for place in splits if start < place < end]
        out += [(start + a, start + b) for a, b in _between(text[start:end], inside)]
    return out


DEFAULT_SEGMENTER: Segmenter = RuleSegmenter(default_rules())
"""For new documents as long as nobody has changed the rules."""
