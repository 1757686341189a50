"""Connects the panel of recurring terms to previews, rewriting and the project's term base."""

from __future__ import annotations

from anaphora.core.consistency import Rendering, TermReport
from anaphora.core.previews import Preview
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.rendering_preview import RenderingPreview
from anaphora.features.terms.service import TermService
from anaphora.features.terms.unifying import UnifyingService
from anaphora.features.terms.view.ledger_panel import ConsistencyPanel


class LedgerController(Announcer):
    def __init__(
        self, desk: Desk, panel: ConsistencyPanel, unifying: UnifyingService, terms: TermService
    ) -> None:
        super().__init__(desk.window)
        self.preview: RenderingPreview | None = None
        self._desk, self._controller, self._terms = desk, desk.project, terms
        panel.rendering_chosen.connect(unifying.propose)
        panel.accepted.connect(self._accept)
        unifying.working.connect(self._report_work)
        unifying.proposed.connect(self._show_preview)
        unifying.failed.connect(self.announced)

    def _report_work(self, count: int) -> None:
        self.announced.emit(self.tr("Redrafting segments: {0}…").format(count))

    def _show_preview(self, report: TermReport, rendering: Rendering, previews: tuple[Preview, ...]) -> None:
        """Show the sentences as they would be with one rendering of a term, for the user to approve."""
        if not previews:
            self._terms.settle(report.term, [rendering.text])
            return
        self.preview = preview = RenderingPreview(
            report.term,
            rendering.text,
            previews,
            self._desk.model.number_of,
            self._desk.theme,
            self._desk.window,
        )

        def agree(chosen: tuple[Preview, ...]) -> None:
            is_kept = preview.keep.isChecked()

            def end(count: int) -> None:
                self._report_changed(count)
                # The user can cancel many changes; the term base then stays unchanged.
                if is_kept and (count or not chosen):
                    self._terms.settle(report.term, [rendering.text])

            if (editing := self._controller.editing) is not None:
                editing.apply_previews(chosen, end)

        preview.agreed.connect(agree)
        preview.finished.connect(self._forget_preview)
        preview.open()

    def _report_changed(self, count: int) -> None:
        many = self.tr("{0} segments changed").format(count)
        self.announced.emit(self.tr("1 segment changed") if count == 1 else many)

    def _forget_preview(self) -> None:
        self.preview = None

    def _accept(self, report: TermReport) -> None:
        """Allow all renderings of a term in the project's term base."""
        first = report.chosen
        others = [each.text for each in report.renderings if each.text != first]
        self._terms.settle(report.term, [first, *others])
