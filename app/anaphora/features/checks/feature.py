"""Declares the checks: the list of remarks, the action for the next issue, and menu entries with fixes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from anaphora.core.consistency import TermReport
from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature
from anaphora.editor.widgets.sentence import plain_action
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.quick_fixes import QuickFixes
from anaphora.features.checks.segment.check import Remark
from anaphora.features.checks.view.dialog import ChecksDialog
from anaphora.features.spelling.feature import Spelling
from anaphora.features.terms.feature import Terms
from anaphora.project.document.editing import NewText

_MAX_SHOWN = 60


class Checks(Feature):
    _terms_counted = Signal(int)

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        terms, spelling = desk.of(Terms), desk.of(Spelling).service
        self.service = service = CheckingService(desk.tasks, spelling, awaits_terms=True)
        self.before_shown = (service.dismissals, service)
        self.fixes = QuickFixes(service, desk.tasks)
        self._inconsistent_terms = 0
        self.fixes.fixed.connect(self._insert)
        desk.table.editor.typed.connect(service.follow_typing)
        desk.table.segment_shown.connect(service.end_typing)
        service.checked.connect(desk.model.set_warnings)
        desk.project.pair_changed.connect(service.check_all_again)
        terms.service.checked.connect(service.set_term_uses)
        terms.service.changed.connect(service.await_terms)
        terms.service.failed.connect(service.stop_awaiting_terms)
        terms.consistency.reported.connect(self._count_terms)

    def entries(self) -> Iterable[Action]:
        next_issue = self.tr("Next &segment to check")
        yield Action("next_warning", next_issue, self.go_to_warning, "segment:go:40", "F8", "warning")
        yield Action("checks", self.tr("C&hecks…"), self.open_dialog, "segment:go:60", "Shift+F8")

    def open_dialog(self) -> None:
        service, fixes = self.service, self.fixes
        dialog = ChecksDialog(
            service, fixes.preview, self._texts, self.desk.model.number_of, self.desk.theme, self.desk.window
        )
        dialog.segment_requested.connect(self.desk.table.go_to_segment)
        dialog.dismissed.connect(service.dismiss)
        dialog.dismissed.connect(lambda *_: dialog.follow())
        dialog.fix_requested.connect(self.fix)
        dialog.fix_all_requested.connect(fixes.fix_all)
        dialog.terms_requested.connect(dialog.close)  # the dialog would cover the terms
        dialog.terms_requested.connect(self.desk.of(Terms).show_several_renderings)
        self._terms_counted.connect(dialog.show_terms)
        dialog.show_terms(self._inconsistent_terms)
        dialog.follow()
        dialog.show()

    def go_to_warning(self) -> None:
        """Go to the next segment with an issue or a draft of low confidence; announce if there is none."""
        service, model, table = self.service, self.desk.model, self.desk.table
        if table.go_to_next(lambda each: service.has_issue(each.id) or model.is_doubted(each)):
            # The segment editor shows the remarks, but not the low confidence.
            current = table.current_segment
            doubt = model.doubt(current.id) if current is not None else ""
            self.announced.emit(" ".join(doubt.splitlines()))
        elif service.is_complete:
            self.announced.emit(self.tr("The checks found no issues, and no drafts have low confidence."))
        else:
            self.announced.emit(self.tr("Still checking. No issues so far."))

    def _count_terms(self, reports: Sequence[TermReport]) -> None:
        self._inconsistent_terms = sum(not report.is_consistent for report in reports)
        self._terms_counted.emit(self._inconsistent_terms)

    def _texts(self, segment_id: str) -> tuple[str, str, Mapping[str, str]]:
        segment, _ = self.service.remarks_of(segment_id)
        return (segment.source, segment.target, dict(segment.tags)) if segment is not None else ("", "", {})

    def fix(self, segment_id: str, key: str) -> None:
        target, text = self.fixes.preview(segment_id, key)
        if text:
            self._insert({segment_id: (target, text)})

    def fill_menu_at_word(self, menu: QMenu) -> None:
        current = self.desk.table.current_segment
        remarks = [each for each in self.service.remarks() if current is not None and each[0] == current.id]
        pending = [(segment_id, remark) for segment_id, remark, is_dismissed in remarks if not is_dismissed]
        for segment_id, remark in pending:
            if self.fixes.preview(segment_id, remark.key)[1]:
                self._add_entry(menu, self.tr("Fix: {0}"), remark).triggered.connect(
                    lambda _=False, segment=segment_id, key=remark.key: self.fix(segment, key)
                )
        for segment_id, remark in pending:
            self._add_entry(menu, self.tr("Dismiss: {0}"), remark).triggered.connect(
                lambda _=False, segment=segment_id, key=remark.key: self.service.dismiss(segment, key)
            )
        if remarks:
            menu.addSeparator()

    @staticmethod
    def _add_entry(menu: QMenu, label: str, remark: Remark) -> QAction:
        text = str(remark) if len(remark) <= _MAX_SHOWN else f"{remark[:_MAX_SHOWN]}…"
        return menu.addAction(label.format(plain_action(text)))

    def _insert(self, texts: Mapping[str, tuple[str, str]]) -> None:
        """Insert fixed texts, {segment id: (checked target, fixed text)}; skip targets that have changed."""
        editing = self.desk.project.editing
        if editing is None:
            return
        changes = [NewText(segment, target, text) for segment, (target, text) in texts.items()]
        editing.change_many(changes, self.tr("fixing"), self._report_fixed)

    def _report_fixed(self, count: int) -> None:
        if count == 0:
            self.announced.emit(self.tr("None of these issues has a safe fix."))
        else:
            self.announced.emit(self.tr("Fixed segments: {0}").format(count))
