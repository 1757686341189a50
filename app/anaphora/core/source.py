"""A document as read from its file, before translation."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as read from its file: enough to translate it and to write it back.

    Attributes:
        path: None for bytes without a file.
        encoding: for text formats ("utf-8", "utf-8-sig", "utf-16-le", "gb18030", …); empty for packages.
        data: the original file's bytes.
        notes: sentences for the user ("2 passages stay as they are").
        modified: time of the file's last change, in nanoseconds; 0 when unknown.
        language: code of its language when it was read; "" for unknown.
        shapes: of the blocks whose segments can be joined and split, by address (`formats.base.segments`).
    """

    name: str
    path: Path | None
    format: str
    encoding: str
    data: bytes
    segments: tuple[Segment, ...]
    notes: tuple[str, ...] = ()
    modified: int = 0
    language: str = ""
    shapes: Mapping[str, str] = field(default_factory=dict)
    choices: ReadingChoices = AS_SUGGESTED

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()
