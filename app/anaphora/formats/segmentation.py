"""Cutting blocks into sentences by editable rules, and by hand.

A hand-made joint or cut is an offset in a block's text. It is no change of the text: the file is cut again
with it, so what is exported follows by construction.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from anaphora.core.errors import Message
from anaphora.core.text import has_han
from anaphora.formats.srx import SegmentationError, breaker, default_rules
from anaphora_nmt.text.segment import split_sentences

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class BlockJoints:
    """What a person decided about one block, as offsets in its text.

    Attributes:
        cuts: a sentence ends and the next one begins here.
        joins: no sentence ends at this place, whatever the rules say.
    """

    cuts: frozenset[int] = frozenset()
    joins: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Joints:
    """The hand-made joints and cuts of a document, by the number of the block."""

    blocks: Mapping[int, BlockJoints] = field(default_factory=dict)

    def to_json(self) -> str:
        """As kept with the project; empty for none."""
        kept = {
            str(number): {"cut": sorted(block.cuts), "join": sorted(block.joins)}
            for number, block in sorted(self.blocks.items())
            if block.cuts or block.joins
        }
        return json.dumps(kept, separators=(",", ":")) if kept else ""

    @classmethod
    def from_json(cls, text: str) -> Joints:
        """Read what `to_json` wrote.

        Raises:
            SegmentationError: it is something else.
        """
        if not text:
            return cls()
        try:
            return cls(
                {
                    int(number): BlockJoints(_offsets(block.get("cut", ())), _offsets(block.get("join", ())))
                    for number, block in json.loads(text).items()
                }
            )
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise SegmentationError(
                Message("The joints kept with the document cannot be read: {error}.", error=error),
                "Restore a backup of it.",
            ) from error

    def with_block(self, number: int, joints: BlockJoints) -> Joints:
        """The same with other joints in one block."""
        return Joints({**self.blocks, number: joints})


class RuleSegmenter:
    """Cuts by SRX rules, then by hand-made joints.

    Attributes:
        rules: the SRX file's text; "" for the rules of the app's first version.
        joints: see `Joints.to_json`.
    """

    def __init__(self, rules: str, joints: str = "") -> None:
        """Raises SegmentationError for joints that cannot be read, and for rules when they are first used."""
        self.rules = rules
        self.joints = joints
        self._blocks = Joints.from_json(joints).blocks

    def spans(self, text: str, block: int, offset: int) -> list[Span]:
        """See `Segmenter.spans`."""
        language = "zh" if has_han(text) else "en"
        spans = (
            _between(text, breaker(self.rules, language).breaks(text))
            if self.rules
            else split_sentences(text, language)
        )
        joints = self._blocks.get(block)
        return _by_hand(text, spans, joints, offset) if joints is not None else spans


def make_segmenter(rules: str, joints: str) -> RuleSegmenter:
    """A segmenter for a stored document.

    Args:
        rules: the text of the rules that it was cut with; "" for one of the app's first version, which had
            no rule files.
        joints: its hand-made joints; "" for none.
    Raises:
        SegmentationError: the joints cannot be read, or a rule makes no sense; the line is named.
    """
    if rules:
        breaker(rules, "zh")
    return RuleSegmenter(rules, joints)


@lru_cache(maxsize=1)
def default_segmenter() -> RuleSegmenter:
    """The segmenter for new documents as long as nobody has changed the rules."""
    return RuleSegmenter(default_rules())


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


def _by_hand(text: str, spans: list[Span], joints: BlockJoints, offset: int) -> list[Span]:
    """Sentences joined and cut as a person wanted; `offset` is where the text begins in its block."""
    joins = sorted(place - offset for place in joints.joins)
    merged: list[Span] = []
    for start, end in spans:
        if merged and any(merged[-1][1] <= place <= start for place in joins):
            merged[-1] = merged[-1][0], end
        else:
            merged.append((start, end))
    cuts = sorted(place - offset for place in joints.cuts)
    out: list[Span] = []
    for start, end in merged:
        inside = [place - start for place in cuts if start < place < end]
        out += [(start + a, start + b) for a, b in _between(text[start:end], inside)]
    return out
