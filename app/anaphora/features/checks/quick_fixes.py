"""Fixes one remark of the checks, or many."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from anaphora.core.segment import Segment, Status
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.fixes import mended, mended_all
from anaphora.features.checks.remarks import Remark
from anaphora.system.background import BackgroundTasks

log = logging.getLogger(__name__)


class QuickFixes(QObject):
    """Computes the fixed targets of segments.

    Signals:
        fixed: by segment id the checked target and its fixed text.
    """

    mended = Signal(object)

    def __init__(self, checking: CheckingService, tasks: BackgroundTasks) -> None:
        super().__init__()
        self._checking = checking
        self._tasks = tasks

    def mend(self, segment_id: str, key: str) -> tuple[str, str]:
        """A segment's current target and its text without a remark; "" twice without a safe way."""
        segment, said = self._checking.said_of(segment_id)
        if segment is None or segment.status is Status.LOCKED:
            return "", ""
        remark = next((each for each in said if each.key == key), None)
        text = (
            mended(segment.source, segment.target, remark, self._checking.languages)
            if remark is not None
            else ""
        )
        return (segment.target, text) if text else ("", "")

    def mend_all(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Fix remarks, by segment id and key, in a thread; `fixed` follows. Confirmed text stays."""
        found, pair = self._of(wanted), self._checking.languages

        def work() -> dict[str, tuple[str, str]]:
            texts = ((each, mended_all(each.source, each.target, remarks, pair)) for each, remarks in found)
            return {each.id: (each.target, text) for each, text in texts if text}

        def fail(error: Exception) -> None:
            log.error("what the checks say could not be mended", exc_info=error)
            self.mended.emit({})

        self._tasks.start(work, self.mended.emit, fail)

    def _of(self, wanted: Iterable[tuple[str, str]]) -> list[tuple[Segment, list[Remark]]]:
        """Segments that are neither confirmed nor locked, with those remarks that are wanted."""
        keys: dict[str, set[str]] = defaultdict(set)
        for segment_id, key in wanted:
            keys[segment_id].add(key)
        found = []
        for segment_id in keys:
            segment, said = self._checking.said_of(segment_id)
            if segment is not None and segment.status not in (Status.CONFIRMED, Status.LOCKED):
                found.append((segment, [each for each in said if each.key in keys[segment_id]]))
        return found
