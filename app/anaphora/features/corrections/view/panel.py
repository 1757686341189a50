"""The panel with the list of corrections, and its controller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import cast

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QAction, QKeySequence, QShowEvent, QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QInputDialog, QPushButton, QTreeWidgetItem, QWidget

from anaphora.core.segment import document_id
from anaphora.core.tags import readable_tags
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.rail import NumberOf, Panel, note, tree
from anaphora.features.corrections.corrections import Corrections, CorrectionService
from anaphora.features.steering.steering import MemoryStep, SteeringService
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog
from anaphora.features.terms.service import TermService
from anaphora_nmt.types import Correction, WhatIf

SOURCE, CHOSEN, REJECTED, SEGMENT, USES, APPLIES_TO = range(6)
NUMBER_ALIGNMENT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_CORRECTION = Qt.ItemDataRole.UserRole + 1


class CorrectionReach(Enum):
    DOCUMENT = "document"
    PROJECT = "project"
    EVERYWHERE = "everywhere"


def reach_of(correction: Correction) -> CorrectionReach:
    if correction.everywhere:
        return CorrectionReach.EVERYWHERE
    return CorrectionReach.DOCUMENT if correction.scope else CorrectionReach.PROJECT


class CorrectionsPanel(Panel):
    """The corrections that are not revoked, the newest first.

    Signals:
        edit_requested, forget_requested, term_requested: the Correction.
        reach_requested: (Correction, CorrectionReach).
        became_visible: the panel is visible now; its counts may be outdated.
    """

    edit_requested = Signal(object)
    forget_requested = Signal(object)
    term_requested = Signal(object)
    reach_requested = Signal(object, object)
    segment_requested = Signal(str)
    became_visible = Signal()

    def __init__(self, number_of: NumberOf) -> None:
        super().__init__()
        self._number_of = number_of
        self._names = {
            CorrectionReach.DOCUMENT: self.tr("This document"),
            CorrectionReach.PROJECT: self.tr("This project"),
            CorrectionReach.EVERYWHERE: self.tr("All projects"),
        }
        headers = [
            *(self.tr("Source"), self.tr("Translation"), self.tr("Replaces")),
            *(self.tr("Segment"), self.tr("Times used"), self.tr("Applies to")),
        ]
        widths = {CHOSEN: 170, REJECTED: 170, SEGMENT: 88, USES: 80, APPLIES_TO: 120}
        self.list = tree(headers, SOURCE, widths, self.tr("Corrections"))
        for column in (SEGMENT, USES):
            self.list.headerItem().setTextAlignment(column, NUMBER_ALIGNMENT)
        self.list.currentItemChanged.connect(self._show_current)
        self.list.itemDoubleClicked.connect(lambda *_: self._emit(self.edit_requested))
        self._about = note(
            self.tr("No corrections yet. Replace a word in a draft and confirm. Later drafts use your word.")
        )
        self._about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.box.addWidget(self._about)
        self.box.addWidget(self.list, 1)
        self.box.addLayout(self._make_buttons())
        self.setFocusProxy(self.list)
        self.show_corrections((), ())

    @property
    def current(self) -> Correction | None:
        item = self.list.currentItem()
        return None if item is None else item.data(SOURCE, _CORRECTION)

    def show_corrections(self, corrections: Sequence[Correction], uses: Sequence[int]) -> None:
        """Show the corrections that are not revoked. `uses` has a count for each, or is empty if unknown."""
        current, counts = self.current, [*map(str, uses)] or [""] * len(corrections)
        items = [
            self._item(each, count)
            for each, count in zip(corrections, counts, strict=True)
            if not each.revoked_by
        ]
        with QSignalBlocker(self.list):  # no signals about the current item during deletion
            self.list.clear()
            self.list.addTopLevelItems(items[::-1])
            rows = range(len(items))
            same = [row for row in rows if items[-1 - row].data(SOURCE, _CORRECTION) == current]
            if items:
                self.list.setCurrentItem(items[-1 - (same or [0])[0]])
        has_any = self.list.topLevelItemCount() > 0
        self._about.setVisible(not has_any)
        self.list.setVisible(has_any)
        self._show_current()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.became_visible.emit()

    def _item(self, correction: Correction, count: str) -> QTreeWidgetItem:
        number = self._number_of(correction.segment)
        segment_number = str(number) if number else "–"
        texts = (correction.source, correction.chosen, correction.rejected)
        reach = self._names[reach_of(correction)]
        item = QTreeWidgetItem([*map(readable_tags, texts), segment_number, count, reach])
        item.setData(SOURCE, _CORRECTION, correction)
        for column in (SEGMENT, USES):
            item.setTextAlignment(column, NUMBER_ALIGNMENT)
        return item

    def _make_buttons(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 8)
        row.setSpacing(8)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._buttons = [
            self._add_command(row, self.tr("Edit…"), "F2", self.edit_requested),
            self._add_command(row, self.tr("Remove…"), "Del", self.forget_requested),
            self._add_command(row, self.tr("Add as a term"), "T", self.term_requested),
        ]
        go = QAction(self.tr("Go to the segment"), self.list)
        go.triggered.connect(self._go)
        self.list.addAction(go)
        row.addStretch(1)
        self.reach = QComboBox()
        self.reach.setAccessibleName(self.tr("Applies to"))
        for reach, name in self._names.items():
            self.reach.addItem(name, reach)
        self.reach.activated.connect(self._request_reach)
        row.addWidget(self.reach)
        return row

    def _add_command(self, row: QHBoxLayout, text: str, keys: str, signal: SignalInstance) -> QPushButton:
        button = QPushButton(text)
        button.setToolTip(keys)
        button.clicked.connect(lambda: self._emit(signal))
        row.addWidget(button)
        action = QAction(text, self.list)
        action.setShortcut(QKeySequence(keys))
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(lambda: self._emit(signal))
        self.list.addAction(action)
        return button

    def _show_current(self) -> None:
        correction = self.current
        for widget in (*self._buttons, self.reach):
            widget.setVisible(self.list.topLevelItemCount() > 0)
            widget.setEnabled(correction is not None)
        if correction is not None:
            # A correction from another project belongs to no document of this project.
            document = cast(QStandardItemModel, self.reach.model()).item(0)
            document.setEnabled(bool(self._number_of(correction.segment)))
            self.reach.setCurrentIndex(self.reach.findData(reach_of(correction)))

    def _emit(self, signal: SignalInstance) -> None:
        if (correction := self.current) is not None:
            signal.emit(correction)

    def _go(self) -> None:
        if (correction := self.current) is not None and self._number_of(correction.segment):
            self.segment_requested.emit(correction.segment)

    def _request_reach(self) -> None:
        correction, reach = self.current, self.reach.currentData()
        if correction is not None and reach is not reach_of(correction):
            self.reach_requested.emit(correction, reach)


COUNT_MS = 500
"""Pause in milliseconds between a change of translations and the next count of uses."""


class CorrectionController(Announcer):
    """Changes and removes corrections as undo steps, and counts their uses."""

    def __init__(
        self,
        desk: Desk,
        panel: CorrectionsPanel,
        service: CorrectionService,
        steering: SteeringService,
        terms: TermService,
    ) -> None:
        super().__init__(panel)
        self._panel, self._service, self._steering = panel, service, steering
        self._project = desk.project
        self._number_of, self._theme = desk.model.number_of, desk.theme
        service.failed.connect(self.announced)
        service.changed.connect(self._show)
        self._count_timer = QTimer(self, singleShot=True, interval=COUNT_MS)
        self._count_timer.timeout.connect(self._count)
        service.translations_changed.connect(self._count_timer.start)
        service.counted.connect(panel.show_corrections)
        panel.became_visible.connect(service.count)
        panel.edit_requested.connect(self._edit)
        panel.forget_requested.connect(self._forget)
        panel.term_requested.connect(lambda each: terms.prefer(each.source, each.chosen))
        panel.reach_requested.connect(self._change_reach)

    def edit(self, correction: Correction, chosen: str) -> None:
        """From now on, `chosen` replaces both the rejected and the previously chosen translation."""
        changed = replace(correction, chosen=chosen.strip(), fit=None)
        added = (replace(changed, rejected=correction.chosen), changed)
        self._push((correction,), added, self.tr("editing a correction"))

    def _show(self) -> None:
        self._panel.show_corrections(self._service.corrections, ())
        self._count()

    def _count(self) -> None:
        if self._panel.isVisible():
            self._service.count()

    def _edit(self, correction: Correction) -> None:
        question = self.tr("Translate “{0}” as:").format(readable_tags(correction.source))
        chosen, agreed = QInputDialog.getText(
            self._window, self.tr("Edit the correction"), question, text=correction.chosen
        )
        if agreed and chosen.strip() and chosen.strip() != correction.chosen:
            self.edit(correction, chosen)

    def _forget(self, correction: Correction) -> None:
        about = self.tr("Remove the correction “{0} → {1}”. Your translations do not change.").format(
            readable_tags(correction.source), readable_tags(correction.chosen)
        )
        dialog = MemoryPreviewDialog(about, self._number_of, self._theme, self._window)
        self._steering.previewed.connect(dialog.show_previews)
        dialog.agreed.connect(lambda: self._push((correction,), (), self.tr("removing a correction")))
        remaining = tuple(each for each in self._service.corrections if each != correction)
        segments = tuple(self._service.drafts_containing([correction.source]))
        dialog.ticket = self._steering.preview_what_if(WhatIf(corrections=remaining), segments)
        dialog.open()

    def _change_reach(self, correction: Correction, reach: CorrectionReach) -> None:
        scope = f"{document_id(correction.segment)}/" if reach is CorrectionReach.DOCUMENT else ""
        changed = replace(correction, scope=scope, everywhere=reach is CorrectionReach.EVERYWHERE)
        self._push((correction,), (changed,), self.tr("changing where a correction applies"))

    def _push(self, removed: Corrections, added: Corrections, label: str) -> None:
        change = self._service.change
        if (editing := self._project.editing) is not None:
            step = MemoryStep(label, lambda: change(removed, added), lambda: change(added, removed))
            editing.stack.push(step)

    @property
    def _window(self) -> QWidget:
        return self._panel.window()
