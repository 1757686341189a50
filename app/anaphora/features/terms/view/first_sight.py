"""Recurring names and terms in the window: a bar that offers them, and a dialog that lists them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.banner import ClosableBar
from anaphora.features.terms.first_sight import Candidate
from anaphora.features.terms.first_sight_service import FirstSightService
from anaphora.features.terms.service import TermService
from anaphora.features.terms.view.first_sight_dialog import FirstSightDialog


class FirstSightBar(ClosableBar):
    """Shown while there are candidates that the user has neither reviewed nor refused."""

    review_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "offerBar")
        self.review = QPushButton(self.tr("Review…"))
        self.review.clicked.connect(self.review_requested)
        self.lay_out(self.review, closing=self.tr("Do not suggest these again"))
        self.close_button.setToolTip(self.close_button.accessibleName())

    def offer(self, count: int) -> None:
        text = self.tr(
            "Recurring names and terms: {0}. Choose their translations once, and drafts use them everywhere."
        )
        self.label.setText(text.format(count))
        self.show()


class FirstSightController(Announcer):
    """Connects the search for candidates with its bar and dialog."""

    def __init__(
        self, desk: Desk, service: FirstSightService, terms: TermService, bar: FirstSightBar
    ) -> None:
        super().__init__(desk.window)
        self.dialog: FirstSightDialog | None = None
        self._window, self._table = desk.window, desk.table
        self._service, self._bar = service, bar
        self._offer: Sequence[Candidate] = ()
        service.offered.connect(self._show_offer)
        service.found.connect(self._list)
        service.improved.connect(self._improve)
        service.withdrawn.connect(self._forget_offer)
        service.closed.connect(self._close_list)
        service.failed.connect(self.announced)
        terms.added.connect(self._report_added)
        bar.review_requested.connect(self._review)
        bar.closed.connect(self._refuse)

    def search(self) -> None:
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
        elif self._service.is_possible:
            self.announced.emit(self.tr("Looking for recurring names and terms…"))
            self._service.search()
        else:
            self.announced.emit(
                self.tr("Names and terms are suggested only for translation from Chinese into English.")
            )

    def _show_offer(self, candidates: Sequence[Candidate]) -> None:
        self._offer = candidates
        self._bar.offer(len(candidates))

    def _review(self) -> None:
        if self._offer:
            self._list(self._offer)

    def _list(self, candidates: Sequence[Candidate]) -> None:
        self.announced.emit("")
        if self.dialog is None:
            self.dialog = dialog = FirstSightDialog(self._window)
            dialog.accepted_terms.connect(self._service.accept)
            dialog.refused.connect(self._service.mark_as_seen)
            dialog.segment_requested.connect(self._table.go_to_segment)
            dialog.finished.connect(self._forget_dialog)
        self.dialog.show_candidates(candidates)
        self.dialog.show()
        self.dialog.list.setFocus()
        self._service.ask_model(candidates)

    def _improve(self, candidates: Sequence[Candidate]) -> None:
        if self.dialog is not None:
            self.dialog.model.improve(candidates)

    def _refuse(self) -> None:
        self._service.mark_as_seen()
        self._table.setFocus()

    def _report_added(self, count: int) -> None:
        self.announced.emit(self.tr("Added to the term base: {0}").format(count))

    def _forget_offer(self) -> None:
        self._offer = ()
        self._bar.hide()

    def _close_list(self) -> None:
        """Close the list of a closed project; its rows must not be added to the next project's terms."""
        if self.dialog is not None:
            self.dialog.reject()

    def _forget_dialog(self) -> None:
        self.dialog = None
        self._table.setFocus()
