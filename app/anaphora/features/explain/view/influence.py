"""Marks words affected by the memory, and inserts confirmed words that a draft ignored."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from anaphora.core.influence_marks import InfluenceMark, mark_under
from anaphora.core.segment import Status
from anaphora.core.tags import readable_tags
from anaphora.editor.feature import Desk
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.sentence import plain_action
from anaphora.features.explain.inspector import InfluenceService, Inspector
from anaphora.features.explain.marking import influence_marks, with_remembered_word
from anaphora.features.explain.view.effects import origin_text


class InfluenceController(Announcer):
    def __init__(self, desk: Desk, service: InfluenceService, inspector: Inspector) -> None:
        super().__init__(desk.window)
        model, table = desk.model, desk.table
        self._project, self._actions, self._model, self._table = desk.project, desk.actions, model, table
        self._service, self._inspector = service, inspector
        model.provide(Role.INFLUENCE, service.marks)
        table.delegate.influence_tip = self.tip
        table.editor.influence_tip = self.tip
        table.seen.connect(service.set_visible)
        service.changed.connect(model.refresh)
        inspector.found.connect(service.store)
        service.compared.connect(inspector.compare)

    def tip(self, mark: InfluenceMark) -> str:
        word, number = readable_tags(mark.word), origin_text(mark.segment, self._model.number_of)
        if mark.is_repetition:
            text = self.tr("The whole draft comes from {0}, which has the same source and is confirmed.")
            return text.format(number)
        if mark.followed:
            pair = f"{mark.translates} → {word}" if mark.translates else word
            if not mark.segment:
                return self.tr("From the topic of the document: {0}").format(pair)
            text = self.tr("From the draft of {0}: {1}") if mark.is_drafted else self.tr("From {0}: {1}")
            return text.format(number, pair)
        confirmed = self.tr("You confirmed {0} → {1} ({2}).").format(mark.translates, word, number)
        key = self._actions.key_text("use_confirmed")
        return f"{confirmed} {self.tr('Press {0} to use this word.').format(key)}" if key else confirmed

    def use_here(self) -> None:
        """Use the ignored confirmed word at the caret, or else the first one of the segment."""
        ignored = self._ignored_marks()
        mark = mark_under(ignored, self._table.editor.caret) or next(iter(ignored), None)
        if mark is None:
            self.announced.emit(self.tr("No word here differs from your confirmed text."))
        else:
            self.use_word(mark)

    def use_word(self, mark: InfluenceMark) -> None:
        segment, editing = self._table.current_segment, self._project.editing
        if segment is None or editing is None:
            return
        if segment.status is Status.LOCKED:
            self.announced.emit(self.tr("This segment is locked."))
            return
        text = with_remembered_word(segment.target, mark)
        editing.replace_texts({segment.id: text}, self.tr("using a confirmed word"))
        self._table.editor.put_caret(mark.start + len(mark.word))

    def fill_menu(self, menu: QMenu) -> None:
        mark = mark_under(self._ignored_marks(), self._table.editor.caret)
        if mark is not None:
            text = self.tr("Use “{0}” here").format(plain_action(readable_tags(mark.word)))
            menu.addAction(text).triggered.connect(lambda _=False: self.use_word(mark))
            menu.addSeparator()

    def _ignored_marks(self) -> tuple[InfluenceMark, ...]:
        segment, explanation = self._table.current_segment, self._inspector.explanation
        if segment is None:
            return ()
        marks = self._service.marks(segment.id)
        if not marks and explanation is not None and explanation.text == segment.target:
            marks = influence_marks(explanation)
        return tuple(mark for mark in marks if not mark.followed)
