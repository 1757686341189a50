"""Connects the find bar with the search service, the table and the editing of targets."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from PySide6.QtCore import QObject, QTimer

from anaphora.core.document import Document
from anaphora.core.edits import ChangeSet, Edit, Preview
from anaphora.core.search import SearchQuery, spans
from anaphora.core.segment import Status
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.changes import RenderingPreview
from anaphora.features.find.search import SearchService
from anaphora.features.find.view.find_bar import FindBar
from anaphora.project.document.editing import NewText
from anaphora.system.messages import describe_error

REPEAT_MS = 300
"""Pause in milliseconds between a change in the project and the repeated search."""


class Finder(QObject):
    """Searches, steps through matching segments, and replaces text with undo."""

    def __init__(self, desk: Desk, bar: FindBar, service: SearchService) -> None:
        super().__init__(bar)
        self._bar, self._service = bar, service
        self._table, self._project = desk.table, desk.project
        self._query: SearchQuery | None = None
        self._hits: tuple[str, ...] = ()
        self._proposed: frozenset[str] = frozenset()
        self._result = ""
        self.preview: RenderingPreview | None = None
        self._repeat_timer = QTimer(self, singleShot=True, interval=REPEAT_MS)
        self._repeat_timer.timeout.connect(self._search_again)
        service.found.connect(self._receive_hits)
        service.failed.connect(self._receive_failure)
        bar.query_changed.connect(self._begin_search)
        bar.step_requested.connect(self.step)
        bar.replace_requested.connect(self._replace_here)
        bar.replace_all_requested.connect(self._replace_all)
        bar.closed.connect(desk.table.setFocus)
        desk.project.opened.connect(self._follow_session)

    @property
    def hits(self) -> tuple[str, ...]:
        return self._hits

    def step(self, direction: int) -> None:
        """Go to the next (1) or previous (-1) matching segment; the first one follows the last one."""
        session = self._project.session
        if session is None or not self._hits:
            return
        current_row = self._current_row()
        rows = [session.document.row(segment) for segment in self._hits if session.document.has(segment)]
        if not rows:
            return
        later = [row for row in rows if row > current_row]
        earlier = [row for row in rows if row < current_row]
        row = (later or rows)[0] if direction > 0 else (earlier or rows)[-1]
        self._result = ""
        focus = self._bar.needle.hasFocus()
        self._table.go_to_segment(session.document.at(row).id)
        self._select_hit()
        if focus:
            self._bar.needle.setFocus()
        self._report(row)

    def _select_hit(self) -> None:
        editor = self._table.editor
        if self._query is not None and (found := spans(editor.toPlainText(), self._query, editor.marks)):
            editor.select_span(found[0])

    def _follow_session(self) -> None:
        if (session := self._project.session) is not None:
            session.resegmented.connect(self._search_again)
            session.applied.connect(self._follow)

    def _follow(self, _: ChangeSet) -> None:
        """Drop the report of a replacement, which may have been undone, and search again soon."""
        if self._query is not None:
            self._result = ""
            self._repeat_timer.start()

    def _search_again(self) -> None:
        if self._query is not None:
            self._search(self._query)

    def _begin_search(self, query: SearchQuery | None) -> None:
        self._result = ""
        self._search(query)

    def _search(self, query: SearchQuery | None) -> None:
        session = self._project.session
        # The copy distinguishes the results of this search from those of an earlier one with an equal query.
        self._query, self._proposed = copy(query), frozenset()
        if self._query is None or session is None:
            self._show_hits(None, ())
            self._bar.show_status("")
            return
        self._service.search(session, self._query)

    def _receive_hits(self, query: SearchQuery, hits: tuple[str, ...], proposed: frozenset[str]) -> None:
        if query is self._query:
            self._proposed = proposed
            self._show_hits(query, hits)

    def _receive_failure(self, query: SearchQuery, error: Exception) -> None:
        if query == self._query:
            self._fail(error)

    def _show_hits(self, query: SearchQuery | None, hits: tuple[str, ...]) -> None:
        self._hits = hits
        self._table.mark_matches(query)
        if query is not None:
            self._report(self._current_row())

    def _current_row(self) -> int:
        session, segment = self._project.session, self._table.current_segment
        return session.document.row(segment.id) if session is not None and segment is not None else -1

    def _report(self, row: int) -> None:
        session = self._project.session
        if self._result:
            # After a replacement, no matches are expected to remain.
            text = self.tr("{0}. Segments with remaining matches: {1}").format(self._result, len(self._hits))
            self._bar.show_status(self._with_proposed(text) if self._hits else self._result)
            return
        if session is None or not self._hits:
            self._bar.show_status(self.tr("No matches"))
            return
        segment = session.document.at(row).id if row >= 0 else ""
        if segment in self._hits:
            position = self._hits.index(segment) + 1
            text = self.tr("{0} of {1}").format(position, len(self._hits))
        else:
            count = len(self._hits)
            plural = self.tr("{0} segments").format(count)
            text = self.tr("1 segment") if count == 1 else plural
        self._bar.show_status(self._with_proposed(text))

    def _with_proposed(self, text: str) -> str:
        count = len(self._proposed.intersection(self._hits))
        return self.tr("{0} ({1} in tentative drafts only)").format(text, count) if count else text

    def _replace_here(self, replacement: str) -> None:
        """Replace text in the current segment, or go to the next matching segment if nothing changes.
        A confirmed segment changes only if the user includes confirmed segments and accepts a preview."""
        session, segment, query = self._project.session, self._table.current_segment, self._query
        if session is None or segment is None or query is None:
            return

        def receive(changes: ChangeSet) -> None:
            if query != self._query or session is not self._project.session:
                return
            if session.document.find(segment.id) != segment:
                return  # the segment has changed meanwhile
            if not changes.edits:
                self.step(1)
            elif segment.status is not Status.CONFIRMED:
                edit = changes.edits[0]
                self._apply((Preview(edit.segment, edit.before.target, edit.after.target),))
            elif self._bar.with_confirmed.isChecked():
                self._show_preview(session.document, query, replacement, changes.edits)
            else:
                self._bar.show_status(self.tr("This segment is confirmed and was not changed."))

        self._service.replace((segment,), query, replacement, receive)

    def _replace_all(self, replacement: str) -> None:
        session, query, confirmed = self._project.session, self._query, self._bar.with_confirmed.isChecked()
        if session is None or query is None:
            return

        def receive(changes: ChangeSet) -> None:
            if query != self._query or session is not self._project.session:
                return
            document = session.document  # segments may have changed meanwhile
            edits = [
                each
                for each in changes.edits
                if document.has(each.segment) and document.get(each.segment).state == each.before
            ]
            chosen = [each for each in edits if confirmed or each.before.status is not Status.CONFIRMED]
            kept = len(edits) - len(chosen)
            if chosen:
                self._show_preview(document, query, replacement, chosen, kept)
            elif kept or not self._hits:
                self._bar.show_status(self._confirmed_note(kept) if kept else self.tr("No matches"))
            else:
                self._bar.show_status(
                    self.tr("Nothing to replace: all matches are in sources, tentative drafts or tags.")
                )

        self._service.replace(session.document, query, replacement, receive)

    def _confirmed_note(self, count: int) -> str:
        return self.tr("Confirmed segments not changed: {0}.").format(count)

    def _show_preview(
        self, document: Document, query: SearchQuery, replacement: str, chosen: Sequence[Edit], kept: int = 0
    ) -> None:
        previews = [
            Preview(each.segment, each.before.target, each.after.target, document.get(each.segment).tags)
            for each in chosen
        ]
        notes = [self.tr("“{0}” → “{1}”, segments: {2}.").format(query.text, replacement, len(previews))]
        confirmed = sum(edit.before.status is Status.CONFIRMED for edit in chosen)
        if confirmed:
            text = self.tr("Confirmed segments that will become unconfirmed: {0}.")
            notes.append(text.format(confirmed))
        if kept:
            notes.append(self._confirmed_note(kept))
        if self._proposed:
            notes.append(self.tr("Tentative drafts not changed: {0}.").format(len(self._proposed)))
        self.preview = RenderingPreview(
            query.text,
            replacement,
            previews,
            lambda segment: document.row(segment) + 1,
            self._bar.theme,
            self._bar.window(),
            " ".join(notes),
        )
        self.preview.agreed.connect(self._apply)
        self.preview.finished.connect(self._forget_preview)
        self.preview.open()

    def _apply(self, previews: tuple[Preview, ...]) -> None:
        """Apply the accepted changes as one undo step, except in segments that have changed meanwhile."""
        editing = self._project.editing
        if editing is None:
            return
        texts = [NewText(each.segment, each.before, each.after) for each in previews]
        editing.change_many(texts, self.tr("replacing"), self._report_replaced)

    def _report_replaced(self, count: int) -> None:
        if not count:
            return  # all texts have changed meanwhile
        self._search_again()
        plural = self.tr("{0} segments changed").format(count)
        self._result = self.tr("1 segment changed") if count == 1 else plural
        self._bar.show_status(self._result)

    def _forget_preview(self) -> None:
        self.preview = None

    def _fail(self, error: Exception) -> None:
        self._show_hits(None, ())
        self._bar.show_status(describe_error(error))
