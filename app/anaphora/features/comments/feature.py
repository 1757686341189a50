"""Declares the rail's sections for comments, notes and the history of the current segment."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.segment import Segment
from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature, Section
from anaphora.features.comments.view.panel import CommentsController, CommentsPanel, HistoryLines, NotesPanel


class Comments(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.panel, self.notes = CommentsPanel(desk.theme), NotesPanel(desk.theme)
        self.history = HistoryLines(desk.theme)
        self.controller = CommentsController(desk, self.panel, self.notes, self.history)

    def entries(self) -> Iterable[Action]:
        places = "segment:comment:10 target:comment:10 row:go:10"
        yield Action("comment", self.tr("&Add a comment"), self.open_field, places, "Ctrl+Shift+M")

    def shown(self) -> Iterable[Section]:
        yield Section("comments", self.tr("Comments"), self.panel, 60, self.panel.changed)
        yield Section("notes", self.tr("Notes"), self.notes, 70, self.notes.counted)
        yield Section("history", self.tr("History"), self.history, 80, self.history.changed)

    def show_segment(self, segment: Segment | None) -> None:
        self.controller.show_segment(segment.id if segment is not None else "")

    def open(self) -> None:
        self.controller.follow_edits()

    def close(self) -> None:
        self.controller.show_segment("")

    def open_field(self) -> None:
        if self.desk.table.current_segment is not None:
            self.desk.panels.section("comments").show_filled(True)
            self.desk.panels.raise_panel("comments")
