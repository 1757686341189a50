"""Editing corrections from their list, with undo."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QInputDialog, QWidget

from anaphora.core.segment import document_id
from anaphora.core.tags import readable_tags
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.features.corrections.corrections import Corrections, CorrectionService
from anaphora.features.corrections.view.panel import CorrectionReach, CorrectionsPanel
from anaphora.features.steering.steering import SteeringService
from anaphora.features.steering.step import MemoryStep
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog
from anaphora.features.terms.service import TermService
from anaphora_nmt.types import Correction, WhatIf

COUNT_MS = 500
"""Pause between a change of translations and counting uses."""


class CorrectionController(Announcer):
    """Connects the list of corrections, the engine and the undo history."""

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
        self._controller = desk.project
        self._number_of, self._theme = desk.model.number_of, desk.theme
        service.failed.connect(self.announced)
        service.changed.connect(self._show)
        self._count_timer = QTimer(self, singleShot=True, interval=COUNT_MS)
        self._count_timer.timeout.connect(self._count)
        service.translations_changed.connect(self._count_timer.start)
        service.counted.connect(panel.show_corrections)
        panel.shown.connect(service.count)
        panel.edit_requested.connect(self._edit)
        panel.forget_requested.connect(self._forget)
        panel.term_requested.connect(lambda each: terms.add_pair(each.source, each.chosen))
        panel.reach_requested.connect(self._change_reach)

    def edit(self, correction: Correction, chosen: str) -> None:
        """Use `chosen` from now on, also instead of the previous rendering."""
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
        """Preview the changes, and forget the correction if the user agrees."""
        about = self.tr("Forget “{0} → {1}”. Your translations do not change.").format(
            readable_tags(correction.source), readable_tags(correction.chosen)
        )
        dialog = MemoryPreviewDialog(about, self._number_of, self._theme, self._window)
        self._steering.previewed.connect(dialog.show_previews)
        dialog.agreed.connect(lambda: self._push((correction,), (), self.tr("forgetting a correction")))
        kept = tuple(each for each in self._service.corrections if each != correction)
        segments = tuple(self._service.drafts_containing([correction.source]))
        dialog.ticket = self._steering.ask_what_if(WhatIf(corrections=kept), segments)
        dialog.open()

    def _change_reach(self, correction: Correction, reach: CorrectionReach) -> None:
        scope = f"{document_id(correction.segment)}/" if reach is CorrectionReach.DOCUMENT else ""
        changed = replace(correction, scope=scope, everywhere=reach is CorrectionReach.EVERYWHERE)
        self._push((correction,), (changed,), self.tr("changing the scope of a correction"))

    def _push(self, removed: Corrections, added: Corrections, label: str) -> None:
        change = self._service.change
        if (editing := self._controller.editing) is not None:
            step = MemoryStep(label, lambda: change(removed, added), lambda: change(added, removed))
            editing.stack.push(step)

    @property
    def _window(self) -> QWidget:
        return self._panel.window()
