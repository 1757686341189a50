"""Declares term bases, recurring terms with their renderings, and the offer of names and terms."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from anaphora.editor.actions.entries import Action, MenuEntry, Submenu
from anaphora.editor.feature import BOTTOM, Desk, Dock, Feature, Section, Strip
from anaphora.features.dictionary.feature import Dictionary
from anaphora.features.spelling.feature import Spelling
from anaphora.features.terms.consistency_service import ConsistencyService, UnifyingService
from anaphora.features.terms.first_sight_service import FirstSightService
from anaphora.features.terms.service import TermService
from anaphora.features.terms.view.first_sight_dialog import FirstSightBar, FirstSightController
from anaphora.features.terms.view.ledger_panel import ConsistencyPanel, LedgerController
from anaphora.features.terms.view.terms_of_segment import INSERT_ACTIONS, TermBaseLines, TermController
from anaphora.system.locations import known_names, shared_terms_path


class Terms(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        theme, worker, dictionary = desk.theme, desk.worker, desk.of(Dictionary).service
        self.service = TermService(shared_terms_path())
        worker.set_terms(self.service.for_engine)
        self.consistency = ConsistencyService(dictionary, worker, desk.tasks)
        self.unifying = UnifyingService(worker, desk.tasks, self.service.for_engine)
        self.offers = FirstSightService(self.service, dictionary, worker, known_names, desk.tasks)
        self.before_shown = (self.unifying,)
        self.follows = (self.service, self.consistency, self.offers)
        self.lines, self.panel, self.bar = TermBaseLines(theme), ConsistencyPanel(theme), FirstSightBar(theme)
        self.segment_terms = TermController(desk, self.service, self.lines)
        self.ledger = LedgerController(desk, self.panel, self.unifying, self.service)
        self.first_sight = FirstSightController(desk, self.offers, self.service, self.bar)
        self.service.changed.connect(self._use_terms)
        desk.project.languages_changed.connect(self.consistency.follow_languages)
        self.consistency.reported.connect(self.panel.show_reports)
        self.consistency.reported.connect(desk.model.show_reports)
        self.consistency.failed.connect(self.announced)
        self.panel.segment_requested.connect(desk.table.go_to_segment)

    def entries(self) -> Iterable[MenuEntry]:
        terms = self.segment_terms
        yield Action("add_term", self.tr("Add a &term"), terms.add, "edit:terms:10", "Ctrl+Shift+G")
        yield Action("terms", self.tr("Term &base…"), terms.open_dialog, "edit:terms:20", "Ctrl+Alt+G")
        names = self.tr("Recurring na&mes and terms…")
        yield Action("first_sight", names, self.first_sight.search, "edit:terms:30")
        next_inconsistent = self.tr("Next segment with an &inconsistent term")
        go = self.go_to_inconsistent
        yield Action("next_inconsistent", next_inconsistent, go, "segment:go:50", "F7", "inconsistent")
        yield Submenu("insert_term", self.tr("Insert a ter&m"), "segment:insert:50")
        for n, name in enumerate(INSERT_ACTIONS, 1):
            text, insert = self.tr("Insert term &{0}").format(n), partial(terms.insert, n)
            yield Action(name, text, insert, f"insert_term:insert:{n}", f"Alt+{n}")

    def shown(self) -> Iterable[Dock | Section | Strip]:
        yield Dock("consistency", self.tr("Terms"), self.panel, BOTTOM, 30)
        yield Section("term_list", self.tr("Term base"), self.lines, 40, self.lines.changed)
        yield Strip(self.bar, 10)

    def close(self) -> None:
        self.segment_terms.show_segment("")

    def end(self) -> None:
        self.service.finish()

    def go_to_inconsistent(self) -> None:
        model = self.desk.model
        if not self.desk.table.go_to_next(lambda each: model.is_inconsistent(each.id)):
            self.announced.emit(self.tr("Every term has only one translation."))

    def show_several_renderings(self) -> None:
        self.panel.show_several()
        self.desk.panels.raise_panel("consistency")

    def _use_terms(self) -> None:
        if (terms := self.service.terms) is not None:
            self.consistency.use_terms(terms.translations)
            self.desk.of(Spelling).service.use_terms(terms.words)
