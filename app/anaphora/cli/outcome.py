"""The outcome of translating a document."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from anaphora.core.length_limits import count_words
from anaphora.core.segment import Segment

DONE, FAILED = "done", "failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of translating one document, as plain values for JSON.

    Attributes:
        error: the reason for a failure, with advice.
        words: the size of the translated sources, see `size_of`.
        translated: number of drafted or pseudo-translated segments.
        segments, remembered: the number of all segments, and of those from the translation memory.
        expected: the mean expected chrF2 of the drafts, in [0, 1]; None if unknown.
        doubtful: numbers (from 1) of the segments whose drafts are probably poor or have an invented word.
        proposed: numbers of the segments whose drafts are probably too poor to edit, see `Proposals`.
        findings: pairs (number of a segment, remark).
    """

    name: str
    status: str
    error: str = ""
    words: int = 0
    segments: int = 0
    translated: int = 0
    remembered: int = 0
    expected: float | None = None
    doubtful: tuple[int, ...] = ()
    proposed: tuple[int, ...] = ()
    findings: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def is_done(self) -> bool:
        return self.status == DONE

    @classmethod
    def from_plain(cls, values: dict[str, Any]) -> Outcome:
        """The outcome from `asdict` values, read from JSON; raises TypeError or ValueError if invalid."""
        findings = tuple((int(segment), str(text)) for segment, text in values.get("findings", ()))
        numbers = {name: tuple(map(int, values.get(name, ()))) for name in ("doubtful", "proposed")}
        return cls(**{**values, **numbers, "notes": tuple(values.get("notes", ())), "findings": findings})


def size_of(segments: Iterable[Segment]) -> int:
    """The size of sources: characters in scripts without spaces plus words in other scripts."""
    return sum(count_words(segment.source).total for segment in segments)
