"""The strip above the table: how far the work is, and which segments are shown."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.editor.actions.entries import Action
from anaphora.editor.desk import Desk
from anaphora.editor.feature import Feature, Strip
from anaphora.features.checks.feature import Checks
from anaphora.features.documents.feature import Documents
from anaphora.features.drafting.feature import Drafting
from anaphora.features.filter.view.filtering import FilterController
from anaphora.features.filter.view.header_strip import HeaderStrip
from anaphora.features.quality.feature import Quality


class Filter(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        documents, checking = desk.of(Documents), desk.of(Checks).service
        self.strip = HeaderStrip()
        self.controller = FilterController(
            desk, self.strip, desk.of(Drafting).changed, desk.of(Quality).confidence, checking
        )
        self.strip.export_requested.connect(documents.files.choose_destination)
        documents.files.segments_requested.connect(self.controller.choose)
        desk.keymap.changed.connect(self._show_key)

    def entries(self) -> Iterable[Action]:
        field = self.strip.needle.setFocus
        yield Action("filter", self.tr("F&ilter by text"), field, "edit:find:50", "Ctrl+Shift+L")
        review, following = self.controller.review_next, self.tr("Next changed &draft")
        yield Action("next_changed", following, review, "segment:go:30", "F4")

    def shown(self) -> Iterable[Strip]:
        yield Strip(self.strip, -10)

    def open(self) -> None:
        self.controller.open()

    def _show_key(self) -> None:
        self.strip.set_review_key(self.desk.actions.key_text("next_changed"))
