"""What became of a document."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

DONE, FAILED = "done", "failed"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one document; plain values, as JSON takes them.

    Attributes:
        error: why it failed, and what to do.
        findings: (number of the segment, sentence): what the checks found.
        words and the others: see `FileReport`.
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
        """What `to_plain` gave, after JSON; TypeError, ValueError: it is something else."""
        findings = tuple((int(segment), str(text)) for segment, text in values.get("findings", ()))
        numbers = {name: tuple(map(int, values.get(name, ()))) for name in ("doubtful", "proposed")}
        return cls(**{**values, **numbers, "notes": tuple(values.get("notes", ())), "findings": findings})
