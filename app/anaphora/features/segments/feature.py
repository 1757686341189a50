"""Declares the actions on segments, undo and redo, and the sentence rules."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.segment import Status
from anaphora.editor.actions.entries import Action, MenuEntry, Submenu
from anaphora.editor.feature import Desk, Feature
from anaphora.features.segments.view.segment_actions import SegmentActions
from anaphora.features.segments.view.sentence_rules import ResegmentationController


class Segments(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.actions = SegmentActions(desk)
        self.resegmentation = ResegmentationController(desk)
        desk.keymap.changed.connect(self._show_confirm_key)

    def entries(self) -> Iterable[MenuEntry]:
        yield from self._history()
        yield from self._moving()
        yield from self._confirming()
        yield from self._editing()
        yield from self._resegmenting()

    def open(self) -> None:
        if (editing := self.desk.project.editing) is None:
            return
        editing.visited.connect(self.desk.table.go_to_change)
        undo, redo = (self.desk.actions[name] for name in ("undo", "redo"))
        editing.stack.canUndoChanged.connect(undo.setEnabled)
        editing.stack.canRedoChanged.connect(redo.setEnabled)
        undo.setEnabled(False)
        redo.setEnabled(False)

    def _history(self) -> Iterable[MenuEntry]:
        actions, places = self.actions, "edit:history:{0} toolbar:history:{0} text_history:history:{0}"
        yield Action("undo", self.tr("&Undo"), actions.undo, places.format(10), "Ctrl+Z", "undo")
        yield Action("redo", self.tr("&Redo"), actions.redo, places.format(20), "Ctrl+Y Ctrl+Shift+Z", "redo")

    def _moving(self) -> Iterable[MenuEntry]:
        text, step = self.tr("&Go to segment…"), self.desk.table.step
        yield Action("go_to", text, self.actions.ask_number, "edit:places:20 row:go:20", "Ctrl+G")
        text, places = self.tr("&Previous segment"), "segment:go:10 toolbar:go:10"
        yield Action("previous", text, lambda: step(-1), places, "Ctrl+Up", "previous")
        text, places = self.tr("&Next segment"), "segment:go:20 toolbar:go:20"
        yield Action("next", text, lambda: step(1), places, "Ctrl+Down", "next")

    def _confirming(self) -> Iterable[MenuEntry]:
        actions, offered = self.actions, self._can_unconfirm
        text, keys = self.tr("&Confirm and go to next"), "Ctrl+Return Ctrl+Enter"
        places = "segment:confirm:10 target:confirm:10 row:confirm:10"
        yield Action("confirm", text, actions.confirm, places, keys, "confirm")
        text, keys = self.tr("Confirm and g&o to next unconfirmed"), "Ctrl+Shift+Return Ctrl+Shift+Enter"
        yield Action("confirm_jump", text, actions.confirm_and_jump, "segment:confirm:20", keys)
        text, places = self.tr("&Unconfirm"), "segment:confirm:30 target:confirm:20 row:confirm:20"
        yield Action("unconfirm", text, actions.unconfirm, places, "Ctrl+Shift+U", offered=offered)
        text, places = self.tr("Approve or unapprove"), "segment:confirm:40 target:confirm:30 row:confirm:30"
        yield Action("approve", text, actions.approve, places, "Ctrl+Shift+A", offered=self._can_approve)

    def _editing(self) -> Iterable[MenuEntry]:
        actions, offered = self.actions, self._has_tags
        text, places = (
            self.tr("Cop&y the source to the translation"),
            "segment:write:20 target:write:20 source:write:10 row:write:10",
        )
        yield Action("copy_source", text, actions.copy_source, places, "Ctrl+Insert")
        text, places = self.tr("Change case"), "segment:write:30 target:write:10"
        yield Action("change_case", text, actions.change_case, places, "Alt+C")
        text, places = self.tr("Clear the t&ranslation"), "segment:write:40 target:write:30"
        yield Action("clear", text, actions.clear, places, "Ctrl+Shift+Delete")
        yield Submenu("tags", self.tr("Ta&gs"), "segment:insert:10")
        text, places = self.tr("Insert the next ta&g"), "tags:insert:10 target:tags:10"
        yield Action("insert_tag", text, actions.insert_tag, places, "Ctrl+,", offered=offered)
        text, places = self.tr("Put the next tag pair &around the selection"), "tags:insert:20 target:tags:20"
        yield Action("insert_pair", text, actions.insert_pair, places, "Ctrl+Shift+,", offered=offered)

    def _resegmenting(self) -> Iterable[MenuEntry]:
        resegmentation, text = self.resegmentation, self.tr("&Sentence rules…")
        yield Action("sentence_rules", text, resegmentation.edit_rules, "edit:language:10", is_global=True)
        text, places = self.tr("&Join with the next segment"), "segment:cut:10 source:cut:20 row:cut:10"
        yield Action("join", text, resegmentation.merge, places, "Ctrl+J")
        text, places = self.tr("Sp&lit the segment…"), "segment:cut:20 source:cut:10 row:cut:20"
        yield Action("split", text, resegmentation.split, places, "Ctrl+Shift+J")

    def _can_unconfirm(self) -> bool:
        segment = self.desk.table.current_segment
        return segment is not None and segment.status is Status.CONFIRMED

    def _can_approve(self) -> bool:
        return any(each.status is Status.CONFIRMED for each in self.desk.table.selected_segments())

    def _has_tags(self) -> bool:
        return bool(self.desk.table.editor.marks)

    def _show_confirm_key(self) -> None:
        self.desk.table.card.set_confirm_key(self.desk.actions.key_text("confirm"))
