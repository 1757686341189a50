"""Remarks that the translator dismissed, kept with the project."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal

from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.untrusted import read_json
from anaphora.project.document.following import Keep, KeptSetting, OpenProject

log = logging.getLogger(__name__)

DISMISSED_SETTING = "checks/dismissed"


def read_dismissals(kept: str) -> dict[str, list[str]]:
    """Dismissed keys by segment, as a project keeps them; none if that makes no sense."""
    held: dict[str, list[str]] = {}
    try:
        for segment, key in read_json(kept or "[]"):
            held.setdefault(str(segment), []).append(str(key))
    except (TypeError, ValueError) as problem:
        log.warning("what was dismissed cannot be read (%s): %.200s", problem, kept)
    return held


DISMISSED = KeptSetting(DISMISSED_SETTING, read_dismissals)


class Dismissals(QObject):
    """Dismissed remarks of segments.

    Signals:
        changed: id of a segment for which others hold now.
    """

    changed = Signal(str)

    keeps = (DISMISSED,)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._held: dict[str, list[str]] = {}
        self._keep: Keep = lambda key, value: None

    def follow(self, project: OpenProject) -> None:
        self._held = {key: [*held] for key, held in project.kept.of(DISMISSED).items()}
        self._keep = project.keep

    def close(self) -> None:
        """The project is left: its dismissals are available until another one is open."""

    def holds(self, segment_id: str, key: str) -> bool:
        return key in self._held.get(segment_id, ())

    def dismiss(self, segment_id: str, key: str) -> None:
        """Dismiss a remark; `changed` follows."""
        if not self.holds(segment_id, key):
            self._held.setdefault(segment_id, []).append(key)
            self._store()
            self.changed.emit(segment_id)

    def bring_back(self, segment_id: str, key: str) -> None:
        """Restore a remark; `changed` follows."""
        if self.holds(segment_id, key):
            self._held[segment_id].remove(key)
            self._store()
            self.changed.emit(segment_id)

    def carry_over(self, before: Sequence[Segment], after: Sequence[Segment]) -> None:
        """Follow segments that were joined or split: what was dismissed holds wherever their text stands now.

        An id may belong to another text afterwards, so ids do not identify remarks across changes.
        """
        if not any(self._held.get(segment.id) for segment in before):
            return
        held = [(*span, self._held.pop(segment.id, [])) for segment, span in _spans(before)]
        for segment, (start, end) in _spans(after):
            found = (key for begin, stop, keys in held if max(start, begin) < min(end, stop) for key in keys)
            if keys := list(dict.fromkeys(found)):
                self._held[segment.id] = keys
        self._store()

    def _store(self) -> None:
        entries = [[segment, key] for segment, keys in self._held.items() for key in keys]
        self._keep(DISMISSED_SETTING, json.dumps(entries, ensure_ascii=False))


def _spans(segments: Sequence[Segment]) -> Iterator[tuple[Segment, tuple[int, int]]]:
    """The position of each one's text in the text of all, without tags and spaces: both change."""
    end = 0
    for segment in segments:
        start, end = end, end + len("".join(MARK.sub("", segment.source).split()))
        yield segment, (start, end)
