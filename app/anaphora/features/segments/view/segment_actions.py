"""The actions on the current segment and on the selected segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QLocale, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QInputDialog

from anaphora.core.drafts import proposal_of
from anaphora.core.segment import Status
from anaphora.editor.feature import Desk
from anaphora.editor.table.active_card import with_enter_sign
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.dialogs import set_up_dialog
from anaphora.project.document.editing import Editing
from anaphora.project.document.progress import DONE

translate = QCoreApplication.translate


class SegmentActions(Announcer):
    """The actions on the table's current segment; `confirm` and `approve` act on all selected segments.

    Attributes:
        delay_confirm: receives a function that confirms; returns True if it calls that function later.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self.delay_confirm: Callable[[Callable[[], None]], bool] = lambda confirm: False
        self._project = desk.project
        self._table, self._model = desk.table, desk.model
        desk.table.card.confirm_requested.connect(self.confirm)
        desk.table.editor.typed.connect(self._type)
        desk.table.editor.enter_refused.connect(self.explain_enter)
        desk.table.editor.paste_refused.connect(self._report_limit)

    def undo(self) -> None:
        if (editing := self._project.editing) is not None:
            self.announced.emit("")  # a message about an undone step no longer applies
            editing.undo()

    def redo(self) -> None:
        if (editing := self._project.editing) is not None:
            self.announced.emit("")
            editing.redo()

    def confirm(self) -> None:
        self._confirm_selected(self._go_to_next)

    def _go_to_next(self) -> None:
        if self._table.currentIndex().row() + 1 < self._model.rowCount():
            self._table.step(1)
        elif self._table.next_row(lambda each: each.status not in DONE) < 0:
            self.announced.emit(self.tr("All segments are confirmed."))
        else:
            self.announced.emit(self.tr("This is the last segment. Some earlier segments are not confirmed."))

    def confirm_and_jump(self) -> None:
        self._confirm_selected(self._go_to_unconfirmed)

    def _go_to_unconfirmed(self) -> None:
        if not self._table.go_to_next(lambda each: each.status not in DONE):
            self.announced.emit(self.tr("All segments are confirmed."))

    def explain_enter(self) -> None:
        break_keys = QKeySequence(Qt.KeyboardModifier.ShiftModifier | Qt.Key.Key_Return)
        break_key = with_enter_sign(break_keys.toString(QKeySequence.SequenceFormat.NativeText))
        text = self.tr("Press {0} to confirm, or {1} to insert a line break.")
        self.announced.emit(text.format(self._table.card.confirm_key, break_key).lstrip())

    def unconfirm(self) -> None:
        self._edit(Editing.unconfirm)

    def approve(self) -> None:
        """Approve the selection's confirmed segments, or unapprove them if all are approved already."""
        chosen, editing = self._table.selected_segments(), self._project.editing
        confirmed = [each for each in chosen if each.status is Status.CONFIRMED]
        if editing is None or not confirmed:
            self.announced.emit(self.tr("Only confirmed segments can be approved."))
            return
        approved = not all(each.state.approved for each in confirmed)
        text = self.tr("Segments approved: {0}") if approved else self.tr("Segments no longer approved: {0}")

        def follow(count: int) -> None:
            if approved and len(chosen) == 1:
                self._table.step(1)
            self.announced.emit(text.format(QLocale().toString(count)))

        editing.approve([each.id for each in confirmed], approved, follow)

    def copy_source(self) -> None:
        self._edit(Editing.copy_source)

    def clear(self) -> None:
        self._edit(Editing.clear_target)

    def change_case(self) -> None:
        if not self._table.editor.change_case():
            self.announced.emit(self.tr("There are no upper-case or lower-case letters here."))

    def insert_tag(self) -> None:
        if not self._table.editor.insert_tag():
            self.announced.emit(self.tr("All tags are present."))

    def insert_pair(self) -> None:
        if not self._table.editor.insert_pair():
            self.announced.emit(self.tr("All pairs of tags are present."))

    def ask_number(self) -> None:
        session, segment = self._project.session, self._table.current_segment
        if session is None:
            return
        current_row = session.document.row(segment.id) if segment is not None else 0
        count = len(session.document)
        dialog = QInputDialog(self._table.window())
        set_up_dialog(dialog, translate("GoToDialog", "Go to segment"))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(1, max(count, 1))
        dialog.setIntValue(current_row + 1)
        dialog.setLabelText(translate("GoToDialog", "Segment number (1 to {0}):").format(count))
        dialog.intValueSelected.connect(
            lambda number: self._table.go_to_segment(session.document.at(number - 1).id)
        )
        dialog.open()

    def _confirm_selected(self, then: Callable[[], None]) -> None:
        segment, editing = self._table.current_segment, self._project.editing
        if segment is None or editing is None or self.delay_confirm(partial(self._confirm_selected, then)):
            return
        if len(chosen := [each.id for each in self._table.selected_segments()]) > 1:
            editing.confirm_many(chosen, lambda _: self._announce_confirmed(editing, chosen))
        elif proposal := proposal_of(segment.state):
            self._table.editor.show_ghost(proposal)  # Esc may have removed it
            self.announced.emit(
                self.tr("This draft is tentative. Press Tab to use it, or type your own translation.")
            )
        elif segment.status is Status.LOCKED or editing.confirm(segment.id):
            then()
        else:
            self.announced.emit(self.tr("There is no translation to confirm yet."))

    def _announce_confirmed(self, editing: Editing, chosen: Sequence[str]) -> None:
        count = sum(each.status is Status.CONFIRMED for each in map(editing.session.document.get, chosen))
        numbers = map(QLocale().toString, (count, len(chosen)))
        self.announced.emit(translate("HeaderStrip", "{0} of {1} confirmed").format(*numbers))

    def _edit(self, command: Callable[[Editing, str], None]) -> None:
        segment, editing = self._table.current_segment, self._project.editing
        if segment is not None and editing is not None:
            command(editing, segment.id)

    def _report_limit(self, limit: int) -> None:
        self.announced.emit(
            self.tr("The text was not pasted: the limit is {0} characters.").format(QLocale().toString(limit))
        )

    def _type(self, segment_id: str, text: str) -> None:
        if (editing := self._project.editing) is not None:
            editing.type_text(segment_id, text)
