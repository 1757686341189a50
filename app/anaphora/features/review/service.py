"""Exporting a translation for review, and importing the changes."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.records import Comment
from anaphora.core.segment import Segment, Status
from anaphora.core.untrusted import read_json
from anaphora.features.review.changes import Given, ReviewChange, compare
from anaphora.features.review.files import ReviewRow, ReviewTable, write_table
from anaphora.features.review.reading import read_table
from anaphora.project.current import CurrentProject
from anaphora.project.document.editing import NewText
from anaphora.project.exporting.destinations import check_destination
from anaphora.project.store.project import ProjectStore

SETTING = "review/{0}"
"""The exported state under a token, to find changes that were made here meanwhile."""


class ReviewService(QObject):
    """Writes and reads review files of the open project off the window's thread.

    Signals:
        written: the path.
        compared: (path, the ReviewChanges of a file that came back).
    """

    written = Signal(Path)
    compared = Signal(Path, object)

    def __init__(self, controller: CurrentProject) -> None:
        super().__init__()
        self._controller = controller

    def write(self, destination: Path, headings: Sequence[str], names: Mapping[Status, str]) -> None:
        """Write a review file; `written` or the controller's `failed` follows."""
        controller = self._controller
        session, store = controller.session, controller.store
        if session is None or store is None:
            return
        segments, comments = tuple(session.document), controller.comments.all()
        title = session.document.name

        def give_out() -> Path:
            rows = _rows(segments, comments, names)
            table = ReviewTable(uuid.uuid4().hex, rows, tuple(headings))
            return _give_out(store, table, segments, title, destination)

        controller.run(give_out, self.written.emit, self.tr("The review file cannot be written"), True)

    def read(self, path: Path) -> None:
        """Read a file that came back; `compared` or the controller's `failed` follows."""
        controller = self._controller
        session, store = controller.session, controller.store
        if session is None or store is None:
            return
        segments = tuple(session.document)

        def show(found: list[ReviewChange]) -> None:
            if controller.session is session:
                self.compared.emit(path, found)

        def fail(error: Exception) -> None:
            if controller.session is session:
                controller.report(self.tr("The review file cannot be read"), error)

        controller.tasks.start(lambda: _compare(store, path, segments), show, fail)

    def take(self, changes: Sequence[ReviewChange], author: str, then: Callable[[int], None]) -> None:
        """Accept changes in one step; a segment that has changed again is left alone.

        `then` is called with the number of changed segments.
        """
        controller = self._controller
        if controller.editing is None:
            return
        comments = controller.comments
        texts = (
            NewText(
                each.segment,
                each.before,
                each.after,
                partial(comments.add, each.segment, each.comments, author) if each.comments else None,
            )
            for each in changes
        )
        controller.editing.change_many(texts, self.tr("accepting review changes"), then, len(changes))


def _rows(
    segments: Sequence[Segment], comments: Iterable[Comment], names: Mapping[Status, str]
) -> tuple[ReviewRow, ...]:
    """A row for each segment, with its comments, the oldest first."""
    said: dict[str, list[str]] = defaultdict(list)
    for comment in comments:
        said[comment.segment].append(comment.text)
    return tuple(
        ReviewRow(number, each.source, each.target, names[each.status], "\n".join(said.get(each.id, ())))
        for number, each in enumerate(segments, 1)
    )


def _give_out(
    store: ProjectStore, table: ReviewTable, segments: Sequence[Segment], title: str, destination: Path
) -> Path:
    check_destination(store, destination)
    given = {
        row.number: (segment.id, row.target, row.comments)
        for row, segment in zip(table.rows, segments, strict=True)
    }
    store.set_setting(SETTING.format(table.token), json.dumps(given, ensure_ascii=False))
    return write_table(table, title, destination)


def _compare(store: ProjectStore, path: Path, segments: Sequence[Segment]) -> list[ReviewChange]:
    table = read_table(path)
    try:
        kept = read_json(store.setting(SETTING.format(table.token), "{}")) if table.token else {}
        given = {int(number): Given(*map(str, values)) for number, values in kept.items()}
    except (ValueError, TypeError, AttributeError):
        given = {}  # of a damaged setting: each difference is asked about
    return compare(table.rows, segments, given)
