"""Memory rules from the panels: chosen, previewed, applied as an undoable step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QCursor, QKeySequence
from PySide6.QtWidgets import QInputDialog, QMenu, QTreeWidget, QWidget

from anaphora.core.tags import readable_tags
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.panel import USE_ROLE
from anaphora.features.explain.view.effects import origin_text
from anaphora.features.steering.rules import STRONGER, Rules, corrected, forgotten, pinned, weighed, with_rule
from anaphora.features.steering.steering import SteeringService
from anaphora.features.steering.step import MemoryStep
from anaphora.features.steering.view.list_dialog import MemoryRulesDialog
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog
from anaphora.features.steering.view.timeline import TimelineDialog
from anaphora_nmt.types import MemoryRule, MemoryUse


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to steer: its name, the keys that it has in a list of words, and what it does.
    `everywhere`: whether it needs no segment, which a word of the topic or of the sentences before lacks."""

    text: str
    keys: str
    steer: Callable[[MemoryUse], None]
    everywhere: bool = False


class SteeringController(Announcer):
    """Connects the panels that show the memory, its rules and the undo history."""

    def __init__(self, desk: Desk, service: SteeringService) -> None:
        super().__init__(desk.window)
        service.failed.connect(self.announced)
        self._service = service
        self._controller, self._theme = desk.project, desk.theme
        self._model, self._table = desk.model, desk.table
        self._ways = (
            _Way(self.tr("Keep it when the memory is full"), "Ctrl+B", self._pin),
            _Way(self.tr("Follow it more"), "+", lambda use: self._weigh(use, STRONGER)),
            _Way(self.tr("Follow it less"), "-", lambda use: self._weigh(use, 1 / STRONGER)),
            _Way(self.tr("Correct it…"), "F2", self._correct),
            _Way(self.tr("Forget it, from this segment"), "Del", self._forget_here),
            _Way(self.tr("Forget this word everywhere"), "Shift+Del", self._forget_word, everywhere=True),
            _Way(self.tr("Forget its whole segment"), "Ctrl+Del", self._forget_segment),
        )

    def attach(self, words: QTreeWidget) -> None:
        words.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        for way in self._ways:
            action = QAction(way.text, words)
            action.setShortcut(QKeySequence(way.keys))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(partial(self._steer_current, words, way))
            words.addAction(action)

    def show_menu(self, use: MemoryUse) -> None:
        menu = QMenu(self._table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for way in self._ways:
            if use.segment or way.everywhere:
                menu.addAction(way.text, partial(way.steer, use))
        menu.popup(QCursor.pos())

    def list_rules(self) -> None:
        dialog = MemoryRulesDialog(lambda: self._service.rules, self._model.number_of, self._table.window())
        dialog.removed.connect(self._take_back)
        self._service.changed.connect(dialog.follow)
        dialog.open()

    def show_timeline(self) -> None:
        """Show the steps of this session: any earlier state can be looked at and gone back to."""
        if (editing := self._controller.editing) is not None:
            dialog = TimelineDialog(editing, self._table.window())
            self._controller.closing.connect(dialog.reject)
            dialog.open()

    def _steer_current(self, words: QTreeWidget, way: _Way, _: bool = False) -> None:
        item = words.currentItem()
        use = item.data(0, USE_ROLE) if item is not None else None
        if not isinstance(use, MemoryUse) or not (use.segment or way.everywhere):
            self.announced.emit(self.tr("Choose a remembered word first."))
        else:
            way.steer(use)

    def _pin(self, use: MemoryUse) -> None:
        rules = pinned(self._service.rules, use.label, use.segment)
        text = self.tr("“{0}” will be kept when the memory is full.")
        if len(rules) < len(self._service.rules):
            text = self.tr("“{0}” may be dropped when the memory is full.")
        self._do(rules, self.tr("pinning a word"))
        self.announced.emit(text.format(readable_tags(use.label)))

    def _weigh(self, use: MemoryUse, factor: float) -> None:
        rules = weighed(self._service.rules, use.label, use.segment, factor)
        text = self.tr("Follow “{0}” more.") if factor > 1 else self.tr("Follow “{0}” less.")
        self._propose(use, rules, text.format(readable_tags(use.label)), self.tr("weighing a word"))

    def _correct(self, use: MemoryUse) -> None:
        title, question = self.tr("Correct it"), self.tr("Instead of “{0}”, remember:")
        parent: QWidget = self._table.window()
        instead, agreed = QInputDialog.getText(
            parent, title, question.format(readable_tags(use.label)), text=use.label
        )
        if agreed and instead.strip() and instead.strip() != use.label:
            self.correct(use, instead)

    def correct(self, use: MemoryUse, instead: str) -> None:
        """Propose that something else is remembered in place of a word."""
        rules = corrected(self._service.rules, use.label, use.segment, instead)
        text = self.tr("Remember “{1}” instead of “{0}”. The translation does not change.")
        self._propose(
            use, rules, text.format(readable_tags(use.label), instead), self.tr("correcting a word")
        )

    def _forget_here(self, use: MemoryUse) -> None:
        rules = forgotten(self._service.rules, use.label, use.segment)
        text = self.tr("Forget “{0}” from segment {1}. The translation does not change.")
        text = text.format(readable_tags(use.label), self._name(use.segment))
        self._propose(use, rules, text, self.tr("forgetting a word"))

    def _forget_word(self, use: MemoryUse) -> None:
        rules = forgotten(self._service.rules, use.label)
        if not use.segment:  # it may be one of the topic's
            rules = with_rule(rules, MemoryRule(use.label, weight=0.0, topic=True))
        text = self.tr("Forget “{0}” in all segments. The translations do not change.")
        self._propose(use, rules, text.format(readable_tags(use.label)), self.tr("forgetting a word"))

    def _forget_segment(self, use: MemoryUse) -> None:
        rules = forgotten(self._service.rules, segment=use.segment)
        text = self.tr("Forget segment {0}. The translation does not change.")
        self._propose(use, rules, text.format(self._name(use.segment)), self.tr("forgetting a segment"))

    def _take_back(self, rule: MemoryRule) -> None:
        rules = tuple(each for each in self._service.rules if each != rule)
        self._do(rules, self.tr("removing a memory rule"))

    def _propose(self, use: MemoryUse, rules: Rules, about: str, label: str) -> None:
        """Show what rules would change, and put them in force if the user agrees."""
        dialog = MemoryPreviewDialog(about, self._model.number_of, self._theme, self._table.window())
        self._service.previewed.connect(dialog.show_previews)
        dialog.open()
        dialog.agreed.connect(lambda: self._do(rules, label, use.translates))
        dialog.ticket = self._service.ask(rules, use.translates)

    def _do(self, rules: Rules, label: str, about: str = "") -> None:
        put, before = self._service.put_in_force, self._service.rules
        if (editing := self._controller.editing) is not None:
            editing.stack.push(MemoryStep(label, lambda: put(rules, about), lambda: put(before, about)))

    def _name(self, segment_id: str) -> str:
        return origin_text(segment_id, self._model.number_of)
