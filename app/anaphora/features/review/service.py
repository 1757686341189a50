"""Exports a translation for review, and imports the changes, in the background."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import Comment
from anaphora.core.segment import Segment, Status
from anaphora.core.untrusted import read_json
from anaphora.features.review.changes import Exported, ReviewChange, compare
from anaphora.features.review.files import ReviewRow, ReviewTable, read_table, write_table
from anaphora.project.current import CurrentProject
from anaphora.project.document.editing import NewText
from anaphora.project.exporting.writing import check_destination
from anaphora.project.store.project import ProjectStore

SETTING = "review/{0}"
"""Name of the setting with the segments as they were exported; {0} is the export's token."""


class ReviewService(QObject):
    """Writes and reads review files of the open project in the background.

    Signals:
        compared: (path, list of ReviewChange).
    """

    written = Signal(Path)
    compared = Signal(Path, object)

    def __init__(self, project: CurrentProject) -> None:
        super().__init__()
        self._project = project

    def write(self, destination: Path, headings: Sequence[str], names: Mapping[Status, str]) -> None:
        """Write a review file; emits `written`, or the project reports the error. `names`: status names."""
        project = self._project
        session, store = project.session, project.store
        if session is None or store is None:
            return
        segments, comments = tuple(session.document), project.comments.all()
        title = session.document.name

        def export() -> Path:
            rows = _rows(segments, comments, names)
            table = ReviewTable(uuid.uuid4().hex, rows, tuple(headings))
            return _export(store, table, segments, title, destination)

        project.run(export, self.written.emit, self.tr("The review file cannot be written"), True)

    def read(self, path: Path) -> None:
        """Read a reviewed file; emits `compared`, or the project reports the error."""
        project = self._project
        session, store = project.session, project.store
        if session is None or store is None:
            return
        segments = tuple(session.document)

        def show(changes: list[ReviewChange]) -> None:
            if project.session is session:
                self.compared.emit(path, changes)

        def fail(error: Exception) -> None:
            if project.session is session:
                project.report(self.tr("The review file cannot be read"), error)

        project.tasks.start(lambda: _compare(store, path, segments), show, fail)

    def apply(self, changes: Sequence[ReviewChange], author: str, then: Callable[[int], None]) -> None:
        """Apply changes as one undo step, and add the comments; `then` gets the number of segments."""
        project = self._project
        if project.editing is None:
            return
        comments = project.comments
        texts = (
            NewText(
                each.segment,
                each.before,
                each.after,
                partial(comments.add, each.segment, each.comments, author) if each.comments else None,
            )
            for each in changes
        )
        project.editing.change_many(texts, self.tr("accepting review changes"), then, len(changes))


def _rows(
    segments: Sequence[Segment], comments: Iterable[Comment], names: Mapping[Status, str]
) -> tuple[ReviewRow, ...]:
    texts: dict[str, list[str]] = defaultdict(list)
    for comment in comments:
        texts[comment.segment].append(comment.text)
    return tuple(
        ReviewRow(number, each.source, each.target, names[each.status], "\n".join(texts.get(each.id, ())))
        for number, each in enumerate(segments, 1)
    )


def _export(
    store: ProjectStore, table: ReviewTable, segments: Sequence[Segment], title: str, destination: Path
) -> Path:
    check_destination(store, destination)
    exported = {
        row.number: (segment.id, row.target, row.comments)
        for row, segment in zip(table.rows, segments, strict=True)
    }
    store.set_setting(SETTING.format(table.token), json.dumps(exported, ensure_ascii=False))
    return write_table(table, title, destination)


def _compare(store: ProjectStore, path: Path, segments: Sequence[Segment]) -> list[ReviewChange]:
    table = read_table(path)
    try:
        stored = read_json(store.setting(SETTING.format(table.token), "{}")) if table.token else {}
        exported = {int(number): Exported(*map(str, values)) for number, values in stored.items()}
    except (ValueError, TypeError, AttributeError):
        exported = {}  # damaged setting: each difference is a conflict
    return compare(table.rows, segments, exported)
