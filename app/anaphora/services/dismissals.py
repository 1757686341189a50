"""What the translator has said is no problem, kept with the project."""

from __future__ import annotations

import json
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

DISMISSED_SETTING = "checks/dismissed"
Keep = Callable[[str, str], None]
"""Keeps a setting with the project, durably and in order."""


class Dismissals(QObject):
    """Remarks on segments that are no problem there.

    Signals:
        changed: id of a segment for which others hold now.
    """

    changed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._held: dict[str, list[str]] = {}
        self._keep: Keep = lambda key, value: None

    def open(self, kept: str, keep: Keep) -> None:
        """Take up what a project says; something unreadable counts as nothing."""
        self._keep = keep
        self._held = {}
        try:
            entries = json.loads(kept or "[]")
            for segment, key in entries:
                self._held.setdefault(str(segment), []).append(str(key))
        except (ValueError, TypeError):
            self._held = {}

    def holds(self, segment_id: str, key: str) -> bool:
        """Whether a remark on a segment is dismissed."""
        return key in self._held.get(segment_id, ())

    def dismiss(self, segment_id: str, key: str) -> None:
        """Say no more of this; `changed` follows."""
        if not self.holds(segment_id, key):
            self._held.setdefault(segment_id, []).append(key)
            self._store(segment_id)

    def bring_back(self, segment_id: str, key: str) -> None:
        """Say it again; `changed` follows."""
        if self.holds(segment_id, key):
            self._held[segment_id].remove(key)
            self._store(segment_id)

    def _store(self, segment_id: str) -> None:
        entries = [[segment, key] for segment, keys in self._held.items() for key in keys]
        self._keep(DISMISSED_SETTING, json.dumps(entries, ensure_ascii=False))
        self.changed.emit(segment_id)
