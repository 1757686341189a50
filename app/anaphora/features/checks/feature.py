"""What the checks say of segments: a list to be gone through, mended and dismissed."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QMenu

from anaphora.editor.actions.entries import Action
from anaphora.editor.desk import Desk
from anaphora.editor.feature import Feature
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.quick_fixes import QuickFixes
from anaphora.features.checks.view.issues import ChecksController
from anaphora.features.spelling.feature import Spelling
from anaphora.features.terms.feature import Terms


class Checks(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        terms, spelling = desk.of(Terms), desk.of(Spelling).service
        self.service = service = CheckingService(desk.tasks, spelling, judges_terms=True)
        self.before_shown = (service.dismissals, service)
        self.fixes = QuickFixes(service, desk.tasks)
        self.controller = ChecksController(desk, service, self.fixes)
        service.checked.connect(desk.model.set_warnings)
        desk.project.pair_changed.connect(service.say_again)
        terms.service.judged.connect(service.judge_terms)
        terms.service.changed.connect(service.await_terms)
        terms.service.failed.connect(service.give_up_terms)
        terms.consistency.reported.connect(self.controller.count_terms)
        self.controller.terms_requested.connect(terms.show_several_renderings)

    def entries(self) -> Iterable[Action]:
        following, go = self.tr("Next segment to &check"), self.controller.go_to_next
        yield Action("next_warning", following, go, "segment:go:40", "F8", "warning")
        listed, ask = self.tr("C&hecks…"), self.controller.open_dialog
        yield Action("checks", listed, ask, "segment:go:60", "Shift+F8")

    def fill_menu_at_word(self, menu: QMenu) -> None:
        self.controller.fill_menu(menu)
