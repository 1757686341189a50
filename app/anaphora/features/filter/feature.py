"""Declares the strip above the table, which shows the progress and filters segments."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from anaphora.editor.actions.entries import Action, MenuEntry, Submenu
from anaphora.editor.feature import Desk, Feature, Strip
from anaphora.editor.widgets.filter_chips import MENU_FILTERS, Shown
from anaphora.features.checks.feature import Checks
from anaphora.features.documents.feature import Documents
from anaphora.features.drafting.feature import Drafting
from anaphora.features.filter.view.filtering import FilterController, HeaderStrip
from anaphora.features.quality.feature import Quality


class Filter(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        documents, checking = desk.of(Documents), desk.of(Checks).service
        self.strip = HeaderStrip()
        self.controller = FilterController(
            desk, self.strip, desk.of(Drafting).changed_drafts, desk.of(Quality).confidence, checking
        )
        documents.files.segments_requested.connect(self.controller.choose)

    def entries(self) -> Iterable[MenuEntry]:
        field = self.strip.needle.setFocus
        yield Action("filter", self.tr("F&ilter by text"), field, "edit:find:50", "Ctrl+Shift+L")
        yield Submenu("states", self.tr("Sho&w only"), "edit:find:60")
        names = self.strip.chips.names()
        for rank, state in enumerate((Shown.ALL, *MENU_FILTERS)):
            choose = partial(self.controller.choose, state)
            yield Action(f"show_{state.value}", names[state], choose, f"states:show:{rank}")
        go, following = self.controller.go_to_changed, self.tr("Next changed &draft")
        yield Action("next_changed", following, go, "segment:go:30", "F4")

    def shown(self) -> Iterable[Strip]:
        yield Strip(self.strip, -10)

    def open(self) -> None:
        self.controller.open()
