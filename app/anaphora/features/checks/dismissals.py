"""Remarks that the translator dismissed, stored in the project."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, Signal

from anaphora.core.segment import Segment
from anaphora.core.tags import MARK
from anaphora.core.untrusted import read_json
from anaphora.project.document.following import OpenProject, ProjectSetting, SaveSetting

log = logging.getLogger(__name__)

DISMISSED_SETTING = "checks/dismissed"


def read_dismissals(stored: str) -> dict[str, list[str]]:
    """Keys of dismissed remarks by segment id, from the project's setting, up to the first invalid entry."""
    dismissed: dict[str, list[str]] = {}
    try:
        for segment, key in read_json(stored or "[]"):
            dismissed.setdefault(str(segment), []).append(str(key))
    except (TypeError, ValueError) as problem:
        log.warning("dismissed remarks cannot be read (%s): %.200s", problem, stored)
    return dismissed


DISMISSED = ProjectSetting(DISMISSED_SETTING, read_dismissals)


class Dismissals(QObject):
    """Dismissed remarks; `changed` carries the id of a segment whose dismissed remarks have changed."""

    changed = Signal(str)

    project_settings = (DISMISSED,)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._dismissed: dict[str, list[str]] = {}
        self._save_setting: SaveSetting = lambda key, value: None

    def follow(self, project: OpenProject) -> None:
        self._dismissed = {key: [*dismissed] for key, dismissed in project.settings.of(DISMISSED).items()}
        self._save_setting = project.save_setting

    def close(self) -> None:
        """Do nothing: the dismissals stay available until another project is opened."""

    def is_dismissed(self, segment_id: str, key: str) -> bool:
        return key in self._dismissed.get(segment_id, ())

    def dismiss(self, segment_id: str, key: str) -> None:
        if not self.is_dismissed(segment_id, key):
            self._dismissed.setdefault(segment_id, []).append(key)
            self._store()
            self.changed.emit(segment_id)

    def restore(self, segment_id: str, key: str) -> None:
        if self.is_dismissed(segment_id, key):
            self._dismissed[segment_id].remove(key)
            self._store()
            self.changed.emit(segment_id)

    def carry_over(self, before: Sequence[Segment], after: Sequence[Segment]) -> None:
        """After a join or split, copy each dismissed remark to all new segments with text of its old segment.

        Segments are not matched by id, because after the change an id may belong to a different text.
        """
        if not any(self._dismissed.get(segment.id) for segment in before):
            return
        old = [(*span, self._dismissed.pop(segment.id, [])) for segment, span in _spans(before)]
        for segment, (start, end) in _spans(after):
            moved = (key for first, last, keys in old if max(start, first) < min(end, last) for key in keys)
            if keys := list(dict.fromkeys(moved)):
                self._dismissed[segment.id] = keys
        self._store()

    def _store(self) -> None:
        entries = [[segment, key] for segment, keys in self._dismissed.items() for key in keys]
        self._save_setting(DISMISSED_SETTING, json.dumps(entries, ensure_ascii=False))


def _spans(segments: Sequence[Segment]) -> Iterator[tuple[Segment, tuple[int, int]]]:
    """Each segment with its (start, end) in the text of all sources together, without tags and spaces."""
    end = 0
    for segment in segments:
        start, end = end, end + len("".join(MARK.sub("", segment.source).split()))
        yield segment, (start, end)
