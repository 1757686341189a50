"""Declares the panel with the discourse of the current document."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.segment import Segment
from anaphora.editor.feature import BOTTOM, Desk, Dock, Feature
from anaphora.features.discourse.service import DiscourseService
from anaphora.features.discourse.view.panel import DiscoursePanel


class DiscourseFeature(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.panel = DiscoursePanel(desk.theme, desk.model.number_of)
        self.service = DiscourseService(desk.tasks, self.panel.isVisible)
        self.follows = (self.service,)
        self.panel.became_visible.connect(self.service.update)
        self.panel.segment_requested.connect(desk.table.go_to_segment)
        self.service.found.connect(self.panel.show_discourse)
        self.service.failed.connect(self.announced)
        desk.project.languages_changed.connect(self.service.update)

    def shown(self) -> Iterable[Dock]:
        yield Dock("discourse", self.tr("Discourse"), self.panel, BOTTOM, 45)

    def show_segment(self, segment: Segment | None) -> None:
        if segment is not None:
            self.service.show_document(segment.document)
