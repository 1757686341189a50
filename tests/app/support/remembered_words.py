"""The remembered words before the current segment."""

from __future__ import annotations

from anaphora.features.explain.inspector import Inspector
from anaphora_nmt.types import MemoryEntry


def remembered(inspector: Inspector) -> tuple[MemoryEntry, ...]:
    sections = inspector.view.sections if inspector.view is not None else ()
    return tuple(entry for section in sections if section.of_segments for entry in section.entries)
