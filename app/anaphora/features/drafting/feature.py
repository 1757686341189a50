"""Declares drafting in the background, changed drafts, completion while typing, and suggestions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.actions.entries import Action, MenuEntry, MenuPart, Submenu, add_switch
from anaphora.editor.feature import Desk, Feature, Section
from anaphora.features.checks.feature import Checks
from anaphora.features.drafting.changed_drafts import ChangedDrafts
from anaphora.features.drafting.drafting import DraftingService, DraftProgress
from anaphora.features.drafting.view.suggester import SETTING, TAKE_ACTIONS, Completer, Suggester
from anaphora.features.drafting.view.suggestions import ChangeLines, SuggestionsPanel
from anaphora.features.quality.feature import Quality
from anaphora.features.segments.feature import Segments
from anaphora.features.spelling.feature import Spelling
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm


class Drafting(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        project, worker, matches = desk.project, desk.worker, desk.of(Tm)
        self.service, self.changed_drafts = DraftingService(worker), ChangedDrafts()
        self.before_shown, self.follows = (self.changed_drafts,), (self.service,)
        self.panel = SuggestionsPanel(desk.theme)
        self.lines = ChangeLines(desk.theme, desk.model.number_of)
        self.completer = Completer(desk, desk.of(Spelling).service)
        self.suggester = Suggester(desk, matches.service, self.panel)
        desk.of(Segments).actions.delay_confirm = self.suggester.delay_confirm
        self._has_engine = False
        self.service.renewing.connect(self.changed_drafts.forget)
        self.service.renewing.connect(desk.of(Quality).confidence.restart_estimate)
        self.service.warned.connect(desk.of(Checks).service.add_warnings)
        self.service.suggested.connect(self._use_draft)
        self.service.learned.connect(self.suggester.forget)
        self.service.progressed.connect(self._show_progress)
        self.changed_drafts.changed.connect(self._show_change)
        self.panel.waiting_changed.connect(self._show_suggestions)
        desk.panels.rail_shown.connect(self.panel.shown)
        desk.of(Terms).service.ignored.connect(self.service.redraft)
        project.model_changed.connect(self.service.renew_drafts)
        matches.repetitions_chosen.connect(self.service.choose_repetitions)
        project.languages_changed.connect(self.service.follow_languages)
        worker.loaded.connect(self._enable_actions)
        worker.steered.connect(self.changed_drafts.forget_cause)
        worker.steered.connect(self.suggester.forget)

    def entries(self) -> Iterable[MenuEntry]:
        service, settings = self.service, self.desk.settings
        places = "translate:again:10 toolbar:again:10 target:write:40 row:write:20"
        again, name = self.translate_again, self.tr("Translate again")
        text = self.tr("Translate this segment &again")
        yield Action("again", text, again, places, "Ctrl+T", "again", beside_icon=name)
        places, pause = "translate:draft:20 toolbar:draft:10", self.tr("&Pause drafting")
        yield Action("pause", pause, lambda: service.set_paused(not service.paused), places, "F9", "pause")
        typing = self.tr("Complete te&xt while typing (Tab: use all, Ctrl+→: one word)")
        switch = self.completer.switch
        yield MenuPart("segment:insert:30", lambda menu: add_switch(menu, typing, settings, SETTING, switch))
        yield Submenu("suggestions", self.tr("Use a sugges&tion"), "segment:insert:40")
        for n, name in enumerate(TAKE_ACTIONS, 1):
            text, use = self.tr("Use suggestion &{0}").format(n), partial(self.suggester.take, n)
            yield Action(name, text, use, f"suggestions:insert:{n}", f"Ctrl+{n}")

    def shown(self) -> Iterable[Section]:
        yield Section("change", self.tr("This draft has changed"), self.lines, 10, self.lines.changed)
        yield Section("suggestions", self.tr("Suggestions"), self.panel, 30)

    def show_segment(self, segment: Segment | None) -> None:
        segment_id = segment.id if segment is not None else ""
        self.suggester.show_segment(segment_id)
        self.lines.show_change(segment, self.changed_drafts.mark_seen(segment_id))
        if segment is not None:
            self.service.set_current(segment_id)

    def close(self) -> None:
        self.suggester.show_segment("")
        self._show_paused(False)

    def translate_again(self) -> None:
        segment = self.desk.table.current_segment
        if segment is not None and segment.status is not Status.LOCKED:
            self.service.translate_again(segment.id)

    def _use_draft(self, segment_id: str, draft: SegmentState) -> None:
        if (editing := self.desk.project.editing) is not None:
            editing.take_draft(segment_id, draft)

    def _enable_actions(self) -> None:
        self._has_engine = True
        self._show_progress(self.service.progress)

    def _show_progress(self, progress: DraftProgress) -> None:
        actions, is_open = self.desk.actions, self.desk.project.session is not None
        self._show_paused(progress.paused)
        actions["again"].setEnabled(is_open and self._has_engine)
        actions["pause"].setEnabled(is_open and (progress.active or progress.paused))

    def _show_paused(self, paused: bool) -> None:
        text = self.tr("Re&sume drafting") if paused else self.tr("&Pause drafting")
        self.desk.actions.show_as("pause", text, "resume" if paused else "pause")

    def _show_change(self) -> None:
        segment = self.desk.table.current_segment
        if segment is not None and (change := self.changed_drafts.get(segment.id)) is not None:
            self.lines.show_change(segment, change)

    def _show_suggestions(self, waiting: bool) -> None:
        best = f"{self.panel.percent}%" if self.panel.percent else ""
        self.desk.panels.section("suggestions").show_filled(self.panel.count > 0 or waiting, best)
