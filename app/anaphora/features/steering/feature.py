"""Declares memory rules and the timeline."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.segment import Segment
from anaphora.editor.actions.entries import Action, Submenu
from anaphora.editor.feature import Desk, Feature
from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.features.steering.steering import SteeringService
from anaphora.features.steering.view.menu import SteeringController


class Steering(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.service = SteeringService(desk.worker, desk.of(Drafting).service)
        self.follows = (self.service,)
        self.controller = SteeringController(desk, self.service)
        explain = desk.of(Explain)
        explain.reasons.steering_requested.connect(self.controller.show_menu)
        self.controller.attach(explain.why.words)

    def entries(self) -> Iterable[Action | Submenu]:
        controller, group = self.controller, "document_memory:rules:"
        yield Submenu("document_memory", self.tr("Document &memory"), "translate:engine:10")
        rules = self.tr("Memory &rules…")
        yield Action("memory_rules", rules, controller.list_rules, f"{group}20")
        yield Action("memory_timeline", self.tr("&Timeline…"), controller.show_timeline, f"{group}30")

    def show_segment(self, segment: Segment | None) -> None:
        if segment is not None:
            self.service.set_current(segment.id)
