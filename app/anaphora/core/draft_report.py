"""The report on a target that the engine or the translation memory made; the project stores it."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace
from typing import TypeVar

from anaphora.core.untrusted import MAX_TEXT_BYTES, read_json
from anaphora_nmt.types import DraftQuality, WordQuality

T = TypeVar("T")
MAX_PERCENT = 101
"""The percentage of a match with the same source and the same neighbours."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A dictionary word, `form`, that a draft had to use for the source's word at `start` to `end`."""

    start: int
    end: int
    form: str


@dataclass(frozen=True, slots=True)
class DraftReport:
    """Data about a machine draft or a filled-in match, valid only for the text for which they were made.

    Attributes:
        quality: the estimate of the draft's quality, with only the doubtful words; None without an estimate.
        warnings: possible errors of the draft, as sentences in plain English.
        proposal: the draft's text if the draft is too poor for the target (`drafts.state_of`), otherwise "".
        match: percentage of the match that the translation memory filled in; 0 for a draft.
    """

    quality: DraftQuality | None = None
    warnings: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()
    proposal: str = ""
    match: int = 0

    @classmethod
    def of(
        cls, quality: DraftQuality | None, warnings: tuple[str, ...] = (), hints: tuple[Hint, ...] = ()
    ) -> DraftReport | None:
        """A report with only the doubtful words of `quality`; None if the report would be empty."""
        if quality is not None and not all(
            map(math.isfinite, (quality.expected, *(w.right for w in quality.words)))
        ):
            quality = None  # broken weights of the model give infinite or undefined estimates
        if quality is not None:
            quality = replace(quality, words=tuple(word for word in quality.words if word.doubtful))
        return cls(quality, warnings, hints) if quality is not None or warnings or hints else None


def pack(report: DraftReport | None) -> str:
    if report is None:
        return ""
    packed: dict[str, object] = {}
    if (quality := report.quality) is not None:
        words = [[word.word, word.start, word.end, word.right, word.invented] for word in quality.words]
        packed["quality"] = [quality.expected, quality.doubtful, words]
        if report.proposal:
            packed["proposal"] = report.proposal
    if report.warnings:
        packed["warnings"] = report.warnings
    if report.hints:
        packed["lent"] = [[word.start, word.end, word.form] for word in report.hints]
    if report.match:
        packed["match"] = report.match
    return json.dumps(packed, ensure_ascii=False, separators=(",", ":"))


def unpack(packed: str, source: str, target: str) -> DraftReport | None:
    """The inverse of `pack`, for a segment with this source and target; None for "". Raises ValueError if
    `packed` is not a report, or contains offsets outside these texts."""
    if not packed:
        return None
    try:
        values = read_json(packed, MAX_TEXT_BYTES)
        hints = tuple(
            Hint(*_span(first, last, source), _checked(str, form))
            for first, last, form in values.get("lent", [])
        )
        proposal = _checked(str, values.get("proposal", ""))
        estimate = None
        if (quality := values.get("quality")) is not None:
            expected, doubtful, words = quality
            qualities = tuple(_word(word, proposal or target) for word in _checked(list, words))
            estimate = DraftQuality(_number(expected), _checked(bool, doubtful), qualities, bool(proposal))
        match = _checked(int, values.get("match", 0))
        if not 0 <= match <= MAX_PERCENT:
            raise ValueError(f"the percentage of a match is not between 0 and {MAX_PERCENT}")
        warnings = tuple(_checked(str, text) for text in values.get("warnings", []))
        return DraftReport(estimate, warnings, hints, proposal, match)
    except (AttributeError, OverflowError, TypeError) as error:
        raise ValueError(f"the report on a draft is malformed: {error}") from error


def _word(packed: list[object], target: str) -> WordQuality:
    word, first, last, right, invented = packed
    start, end = _span(first, last, target)
    return WordQuality(_checked(str, word), start, end, _number(right), True, _checked(bool, invented))


def _span(start: object, end: object, text: str) -> tuple[int, int]:
    first, last = _checked(int, start), _checked(int, end)
    if not 0 <= first <= last <= len(text):
        raise ValueError("a word of a draft is outside its text")
    return first, last


def _number(value: object) -> float:
    number = float(_checked(int, value) if isinstance(value, int) else _checked(float, value))
    if not math.isfinite(number):
        raise ValueError("a number in the quality estimate of a draft is not finite")
    return number


def _checked(kind: type[T], value: object) -> T:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is not of type {kind.__name__}")
    return value
