"""Menus that add memory rules; the rules are applied as undo steps, most of them after a preview."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QCursor, QKeySequence
from PySide6.QtWidgets import QInputDialog, QMenu, QTreeWidget, QWidget

from anaphora.core.tags import readable_tags
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.rail import USE_ROLE
from anaphora.features.explain.view.effects import origin_text
from anaphora.features.steering.steering import (
    EFFECT_FACTOR,
    MemoryStep,
    Rules,
    SteeringService,
    rule_for,
    with_correction,
    with_factor,
    with_pin_toggled,
    with_rule,
    with_zero_weight,
)
from anaphora.features.steering.view.list_dialog import MemoryRulesDialog, TimelineDialog
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog
from anaphora_nmt.types import MemoryRule, MemoryUse


@dataclass(frozen=True, slots=True)
class _Command:
    """A command for a remembered word, with its shortcut in lists of such words.
    `needs_segment` is False if the command also applies to words without a segment, such as topic words."""

    text: str
    keys: str
    run: Callable[[MemoryUse], None]
    needs_segment: bool = True


class SteeringController(Announcer):
    """Connects lists of remembered words with the memory rules and the undo history."""

    def __init__(self, desk: Desk, service: SteeringService) -> None:
        super().__init__(desk.window)
        service.failed.connect(self.announced)
        self._service = service
        self._project, self._theme = desk.project, desk.theme
        self._model, self._table = desk.model, desk.table
        self._commands = (
            _Command(self.tr("Pin the word (keep it when the memory is full)"), "Ctrl+B", self._pin),
            _Command(self.tr("Increase the effect"), "+", lambda use: self._scale(use, EFFECT_FACTOR)),
            _Command(self.tr("Reduce the effect"), "-", lambda use: self._scale(use, 1 / EFFECT_FACTOR)),
            _Command(self.tr("Correct the word…"), "F2", self._correct),
            _Command(self.tr("Forget the word in the segment it came from"), "Del", self._forget_in_segment),
            _Command(self.tr("Forget the word everywhere"), "Shift+Del", self._forget_word, False),
            _Command(self.tr("Forget the whole segment it came from"), "Ctrl+Del", self._forget_segment),
        )

    def attach(self, words: QTreeWidget) -> None:
        words.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for command in self._commands:
            action = QAction(command.text, words)
            action.setShortcut(QKeySequence(command.keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._run_on_current, words, command))
            words.addAction(action)

    def show_menu(self, use: MemoryUse) -> None:
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for command in self._commands:
            if use.segment or not command.needs_segment:
                menu.addAction(command.text, partial(command.run, use))
        menu.popup(QCursor.pos())

    def list_rules(self) -> None:
        dialog = MemoryRulesDialog(lambda: self._service.rules, self._model.number_of, self._table.window())
        dialog.removal_requested.connect(self._remove)
        self._service.changed.connect(dialog.show_items)
        dialog.open()

    def show_timeline(self) -> None:
        if (editing := self._project.editing) is not None:
            dialog = TimelineDialog(editing, self._table.window())
            self._project.closing.connect(dialog.reject)
            dialog.open()

    def _run_on_current(self, words: QTreeWidget, command: _Command, _: bool = False) -> None:
        item = words.currentItem()
        use = item.data(0, USE_ROLE) if item is not None else None
        if not isinstance(use, MemoryUse) or (command.needs_segment and not use.segment):
            self.announced.emit(self.tr("Select a word in the list first."))
        else:
            command.run(use)

    def _pin(self, use: MemoryUse) -> None:
        rules = with_pin_toggled(self._service.rules, use.label, use.segment)
        text = self.tr("“{0}” will be kept when the memory is full.")
        if not rule_for(rules, use.label, use.segment).pinned:
            text = self.tr("“{0}” may be removed when the memory is full.")
        self._push(rules, self.tr("pinning a word"))
        self.announced.emit(text.format(readable_tags(use.label)))

    def _scale(self, use: MemoryUse, factor: float) -> None:
        rules = with_factor(self._service.rules, use.label, use.segment, factor)
        text = (
            self.tr("Increase the effect of “{0}”.") if factor > 1 else self.tr("Reduce the effect of “{0}”.")
        )
        self._propose(use, rules, text.format(readable_tags(use.label)), self.tr("changing an effect"))

    def _correct(self, use: MemoryUse) -> None:
        title, question = self.tr("Correct the word"), self.tr("Instead of “{0}”, remember:")
        parent: QWidget = self._table.window()
        instead, agreed = QInputDialog.getText(
            parent, title, question.format(readable_tags(use.label)), text=use.label
        )
        if agreed and instead.strip() and instead.strip() != use.label:
            self.correct(use, instead)

    def correct(self, use: MemoryUse, instead: str) -> None:
        rules = with_correction(self._service.rules, use.label, use.segment, instead)
        text = self.tr("Remember “{1}” instead of “{0}”. The translation does not change.")
        self._propose(
            use, rules, text.format(readable_tags(use.label), instead), self.tr("correcting a word")
        )

    def _forget_in_segment(self, use: MemoryUse) -> None:
        rules = with_zero_weight(self._service.rules, use.label, use.segment)
        text = self.tr("Forget “{0}” in {1}. The translation does not change.")
        text = text.format(readable_tags(use.label), self._origin(use.segment))
        self._propose(use, rules, text, self.tr("forgetting a word"))

    def _forget_word(self, use: MemoryUse) -> None:
        rules = with_zero_weight(self._service.rules, use.label)
        if not use.segment:  # may be a topic word
            rules = with_rule(rules, MemoryRule(use.label, weight=0.0, topic=True))
        text = self.tr("Forget “{0}” in all segments. The translations do not change.")
        self._propose(use, rules, text.format(readable_tags(use.label)), self.tr("forgetting a word"))

    def _forget_segment(self, use: MemoryUse) -> None:
        rules = with_zero_weight(self._service.rules, segment=use.segment)
        text = self.tr("Forget {0}. The translation does not change.")
        self._propose(use, rules, text.format(self._origin(use.segment)), self.tr("forgetting a segment"))

    def _remove(self, rule: MemoryRule) -> None:
        rules = tuple(each for each in self._service.rules if each != rule)
        self._push(rules, self.tr("removing a memory rule"))

    def _propose(self, use: MemoryUse, rules: Rules, about: str, label: str) -> None:
        dialog = MemoryPreviewDialog(about, self._model.number_of, self._theme, self._table.window())
        self._service.previewed.connect(dialog.show_previews)
        dialog.open()
        dialog.agreed.connect(lambda: self._push(rules, label, use.translates))
        dialog.ticket = self._service.preview_rules(rules, use.translates)

    def _push(self, rules: Rules, label: str, about: str = "") -> None:
        apply, before = self._service.use_rules, self._service.rules
        if (editing := self._project.editing) is not None:
            editing.stack.push(MemoryStep(label, lambda: apply(rules, about), lambda: apply(before, about)))

    def _origin(self, segment_id: str) -> str:
        return origin_text(segment_id, self._model.number_of)
