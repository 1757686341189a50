"""Declares corrections: the list of them, and their use in drafts."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature
from anaphora.features.corrections.corrections import CorrectionService
from anaphora.features.corrections.view.panel import CorrectionController, CorrectionsPanel
from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.features.steering.feature import Steering
from anaphora.features.terms.feature import Terms
from anaphora.system.locations import shared_corrections_path


class Corrections(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        drafting, steering = desk.of(Drafting).service, desk.of(Steering).service
        terms = desk.of(Terms).service
        self.service = CorrectionService(desk.worker, drafting, desk.tasks, shared_corrections_path())
        self.follows = (self.service,)
        self.panel = CorrectionsPanel(desk.model.number_of)
        self._tabs = desk.of(Explain).why.tabs
        self._tabs.insertTab(1, self.panel, self.tr("Corrections"))
        self.controller = CorrectionController(desk, self.panel, self.service, steering, terms)
        desk.project.languages_changed.connect(self.service.follow_languages)

    def entries(self) -> Iterable[Action]:
        yield Action("corrections", self.tr("&Corrections…"), self.show_list, "document_memory:rules:10")

    def show_list(self) -> None:
        self._tabs.setCurrentWidget(self.panel)
        self.desk.panels.raise_panel("why", focus=False)
        self.panel.setFocus()
