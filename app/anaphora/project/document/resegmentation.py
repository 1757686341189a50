"""Plans joins and splits off the window's thread; `ResegmentCommand` carries them out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from anaphora.core.document import Document
from anaphora.core.errors import AnaphoraError
from anaphora.core.segment import Segment, Status
from anaphora.formats.base.segments import pieces_of_shape
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.resegmentation_plan import (
    BlockText,
    ResegmentationPlan,
    plan_merge,
    plan_split,
)
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import ProjectStore
from anaphora.system.background import BackgroundTasks
from anaphora.system.messages import describe_error


class ResegmentationService(SessionFollower):
    """Plans joins and splits in the open project.

    Signals:
        planned: the ResegmentationPlan for the current session.
    """

    planned = Signal(object)

    def __init__(self, tasks: BackgroundTasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._store: ProjectStore | None = None
        self._busy = False

    def follow(self, project: OpenProject) -> None:
        super().follow(project)
        self._store, self._busy = project.store, False

    def obstacle(self, segment: Segment) -> str:
        """The reason why a segment can be neither joined nor split; "" if none is known."""
        if segment.span is None:
            return self.tr("Segments of this file type cannot be joined or split.")
        if segment.status is Status.LOCKED:
            return self.tr("Locked segments cannot be changed.")
        return ""

    def merge(self, segment_id: str) -> None:
        """Plan to join a segment with the next one; `planned` or `failed` follows.

        Nothing happens while another plan is being made.
        """
        if self._session is None:
            return
        document = self._session.document
        row = document.row(segment_id)
        first = document.at(row)
        second = document.at(row + 1) if row + 1 < len(document) else None
        problem = self.obstacle(first)
        if not problem:
            if second is None or (first.document, first.block) != (second.document, second.block):
                problem = self.tr("This is the last segment of its paragraph.")
            else:
                problem = self.obstacle(second)
        if problem or second is None:
            self.failed.emit(problem)
        else:
            self._plan(first, partial(plan_merge, first=first.id))

    def split(self, segment_id: str, offset: int) -> None:
        """Plan to split a segment at an offset in the source; the same signals follow as for `merge`."""
        if self._session is None:
            return
        segment = self._session.document.get(segment_id)
        if problem := self.obstacle(segment):
            self.failed.emit(problem)
        else:
            self._plan(segment, partial(plan_split, segment_id=segment_id, offset=offset))

    def _plan(self, segment: Segment, work: Callable[[BlockText], ResegmentationPlan]) -> None:
        store, session = self._store, self._session
        if store is None or session is None or self._busy:
            return
        segments = _block_of(session.document, segment)

        def plan() -> tuple[DocumentSession, ResegmentationPlan]:
            pieces = pieces_of_shape(store.shapes(segment.document).get(segment.block, ""))
            return session, work(BlockText(pieces, segments, DEFAULT_SEGMENTER))

        self._busy = True
        self._tasks.start(plan, self._receive_plan, partial(self._give_up, session))

    def _receive_plan(self, result: tuple[DocumentSession, ResegmentationPlan]) -> None:
        session, plan = result
        if session is self._session:
            self._busy = False
            self.planned.emit(plan)

    def _give_up(self, session: DocumentSession, error: Exception) -> None:
        if session is not self._session:
            return
        self._busy = False
        if isinstance(error, AnaphoraError):
            self.failed.emit(describe_error(error))
        else:
            self.failed.emit(f"{type(error).__name__}: {error}")


def _block_of(document: Document, segment: Segment) -> tuple[Segment, ...]:
    def is_in_block(row: int) -> bool:
        each = document.at(row) if 0 <= row < len(document) else None
        return each is not None and (each.document, each.block) == (segment.document, segment.block)

    first = last = document.row(segment.id)
    while is_in_block(first - 1):
        first -= 1
    while is_in_block(last + 1):
        last += 1
    return tuple(document.at(row) for row in range(first, last + 1))
