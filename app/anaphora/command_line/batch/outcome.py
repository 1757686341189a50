"""What became of a document."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

DONE, FAILED = "done", "failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one document; plain values, as JSON takes them.

    Attributes:
        name: see `Job`.
        status: `DONE` or `FAILED`.
        error: why it failed, and what to do; empty where it did not.
        words: of the source: characters of scripts without spaces, words of others.
        segments, translated, remembered: how many there are, were drafted, were taken from a memory.
        expected: the mean of the expected chrF2 of its drafts, between 0 and 1; None where nothing says.
        doubtful: numbers of segments, from 1 as in a window, whose drafts are likely to be poor.
        proposed: the same of drafts that are likely to be worse than none, which a window only proposes.
        findings: (number of the segment, sentence): what the checks found.
        notes: what the reader of the format had to say.
        seconds: that it took.
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

    def to_plain(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_plain(cls, values: dict[str, Any]) -> Outcome:
        """What `to_plain` gave, after JSON.

        Raises:
            TypeError, ValueError: it is something else.
        """
        findings = tuple((int(segment), str(text)) for segment, text in values.get("findings", ()))
        numbers = {name: tuple(map(int, values.get(name, ()))) for name in ("doubtful", "proposed")}
        return cls(**{**values, **numbers, "notes": tuple(values.get("notes", ())), "findings": findings})
