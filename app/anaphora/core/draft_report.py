"""What is known of a machine draft, or of a match that was filled in, kept with it in the project."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, replace

from anaphora.core.untrusted import MOST_TEXT, read_json
from anaphora_nmt.types import DraftQuality, WordQuality

MOST_PERCENT = 101
"""Of a match: the same text between the same neighbours."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A word of the dictionary that a draft was held to.

    Attributes:
        start, end: its characters in the source.
    """

    start: int
    end: int
    form: str


@dataclass(frozen=True, slots=True)
class DraftReport:
    """How good a draft is expected to be, and what was said of it; holds for the text that it was made with.

    Attributes:
        quality: of its words only the doubtful ones; None where nothing was translated.
        proposal: the draft's text, where it is too poor to stand in the target, see `drafts.state_of`.
        match: the percentage of the match, of a text that the translation memory filled in; 0 for a draft.
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
        """What is kept of a draft; None where there is nothing to keep."""
        if quality is not None and not all(
            map(math.isfinite, (quality.expected, *(w.right for w in quality.words)))
        ):
            quality = None  # a model whose weights are broken
        if quality is not None:
            quality = replace(quality, words=tuple(word for word in quality.words if word.doubtful))
        return cls(quality, warnings, hints) if quality is not None or warnings or hints else None


def pack(report: DraftReport | None) -> str:
    """A report as JSON; "" for None."""
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
    """The report of a draft as `pack` wrote it.

    Raises:
        ValueError: it makes no sense for these texts.
    """
    if not packed:
        return None
    try:
        said = read_json(packed, MOST_TEXT)
        quality, warnings = said.get("quality"), said.get("warnings", [])
        hints = tuple(_hints(word, source) for word in said.get("lent", []))
        proposal = _text(said.get("proposal", ""))
        known = None if quality is None else _quality(quality, proposal or target)
        if known is not None:
            known = replace(known, unusable=bool(proposal))
        match = _percent(said.get("match", 0))
        return DraftReport(known, tuple(map(_text, warnings)), hints, proposal, match)
    except (AttributeError, OverflowError, TypeError) as error:
        raise ValueError(f"the report of a draft makes no sense: {error}") from error


def _quality(packed: object, target: str) -> DraftQuality:
    expected, doubtful, words = _items(packed, 3)
    if not isinstance(words, list):
        raise ValueError("the words of a draft are no list")
    return DraftQuality(_number(expected), _flag(doubtful), tuple(_word(word, target) for word in words))


def _word(packed: object, target: str) -> WordQuality:
    word, first, last, right, invented = _items(packed, 5)
    start, end = _span(first, last, target)
    return WordQuality(_text(word), start, end, _number(right), True, _flag(invented))


def _hints(packed: object, source: str) -> Hint:
    first, last, form = _items(packed, 3)
    return Hint(*_span(first, last, source), _text(form))


def _span(start: object, end: object, text: str) -> tuple[int, int]:
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end <= len(text):
        raise ValueError("a word of a draft stands outside its text")
    return start, end


def _items(packed: object, count: int) -> list[object]:
    if not isinstance(packed, list) or len(packed) != count:
        raise ValueError("a part of the report of a draft is missing")
    return packed


def _number(value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError("the estimate of a draft is no number")
    return float(value)


def _percent(value: object) -> int:
    if not isinstance(value, int) or not 0 <= value <= MOST_PERCENT:
        raise ValueError("the percentage of a match makes no sense")
    return int(value)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("an answer about a draft is neither yes nor no")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("what is said of a draft is no text")
    return value
