"""Joining and splitting the current segment, and editing the sentence rules."""

from __future__ import annotations

from itertools import islice

from anaphora.core.languages import language_of
from anaphora.core.tags import MARK
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.features.segments.view.sentence_rules import SAMPLE, RulesDialog
from anaphora.project.document.resegmentation_plan import ResegmentationPlan
from anaphora.project.importing.sentence_rules import UserRules

_SAMPLE = 5
"""Number of segments of the document used as a sample for the rules."""


class ResegmentationController(Announcer):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._table, self._controller = desk.table, desk.project
        self._service = service = desk.project.resegmentation
        desk.table.card.source.chosen.connect(service.split)
        desk.table.card.source.left.connect(self._leave)
        service.planned.connect(self._apply)
        service.failed.connect(self.announced)

    def merge(self) -> None:
        if (segment := self._table.current_segment) is not None:
            self._service.merge(segment.id)

    def split(self) -> None:
        segment = self._table.current_segment
        if segment is None:
            return
        if problem := self._service.obstacle(segment):
            self.announced.emit(problem)
            return
        self._table.go_to_row(self._table.currentIndex().row())
        self._table.card.source.begin_choice()
        self.announced.emit(self.tr("Move the caret: Enter splits there, Esc cancels."))

    def edit_rules(self) -> None:
        session = self._controller.session
        language = session.pair.source_language if session is not None else language_of("zh")
        sample = SAMPLE
        if session is not None and language.code != "zh":
            begin = (MARK.sub("", each.source) for each in islice(session.document, _SAMPLE))
            sample = (" " if language.is_spaced else "").join(begin)
        dialog = RulesDialog(UserRules(), self._table.window(), language.code or "zh", sample)
        dialog.announced.connect(self.announced)
        dialog.open()

    def _leave(self, by_key: bool) -> None:
        self.announced.emit("")
        if by_key:
            self._table.editor.setFocus()

    def _apply(self, plan: ResegmentationPlan) -> None:
        editing = self._controller.editing
        if editing is None or not editing.resegment(plan):
            return
        joined = len(plan.after) < len(plan.before)
        self.announced.emit(self.tr("Segments joined") if joined else self.tr("Segment split"))
