"""The comments in the open project; the autosave writes them like other changes."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import Comment, CommentChange, Resegmentation, user_name
from anaphora.project.document.following import OpenProject, SessionFollower


class CommentService(SessionFollower):
    """Adds and removes comments on segments.

    Signals:
        changed: ids of segments whose comments have changed.
        leaving: the project may be closed next, so unfinished comments should be added.
    """

    changed = Signal(object)
    leaving = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._comments: dict[str, list[Comment]] = defaultdict(list)
        self._write: Callable[[CommentChange], None] | None = None

    def follow(self, project: OpenProject) -> None:
        super().follow(project)
        self._write = project.autosave.enqueue
        for comment in project.comments:
            self._comments[comment.segment].append(comment)

    def close(self) -> None:
        self.add_unfinished()
        self._comments.clear()
        self._write = None
        super().close()

    def add_unfinished(self) -> None:
        if self._write is not None:
            self.leaving.emit()

    def has(self, segment_id: str) -> bool:
        return segment_id in self._comments

    @property
    def count(self) -> int:
        """The number of segments with comments."""
        return len(self._comments)

    def of(self, segment_id: str) -> tuple[Comment, ...]:
        return tuple(self._comments.get(segment_id, ()))

    def all(self) -> tuple[Comment, ...]:
        return tuple(comment for comments in self._comments.values() for comment in comments)

    def add(self, segment_id: str, text: str, author: str = "") -> None:
        """Add a comment to a segment, by default in the user's name; ignores a blank text."""
        if self._write is None or not text.strip():
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        comment = Comment(uuid.uuid4().hex, segment_id, author or user_name(), now, text.strip())
        self._comments[segment_id].append(comment)
        self._write(CommentChange(comment))
        self.changed.emit((segment_id,))

    def remove(self, comment: Comment) -> None:
        comments = self._comments.get(comment.segment, [])
        if self._write is None or comment not in comments:
            return
        comments.remove(comment)
        if not comments:
            del self._comments[comment.segment]
        self._write(CommentChange(comment, removed=True))
        self.changed.emit((comment.segment,))

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        """Move comments as `store.records.move_after_resegmentation` does."""
        remaining = {segment.id for segment in change.after}
        first_id = change.after[0].id
        moved = [
            comment
            for segment in change.before
            if segment.id not in remaining
            for comment in self._comments.pop(segment.id, ())
        ]
        if moved:
            self._comments[first_id] += [replace(comment, segment=first_id) for comment in moved]
            self._comments[first_id].sort(key=lambda comment: comment.time)
            self.changed.emit((first_id,))
