"""Names and terms on first sight in the window: the offer under the document, the list to choose from."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.closable_bar import ClosableBar
from anaphora.features.terms.first_sight import Candidate
from anaphora.features.terms.first_sight_service import FirstSightService
from anaphora.features.terms.service import TermService
from anaphora.features.terms.view.first_sight_dialog import FirstSightDialog


class FirstSightBar(ClosableBar):
    """Hidden until something is proposed, and once it has been reviewed or closed."""

    review_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, "offerBar")
        self.review = QPushButton(self.tr("Review…"))
        self.review.clicked.connect(self.review_requested)
        self.lay_out(self.review, closing=self.tr("Do not suggest these again"))
        self.close_button.setToolTip(self.close_button.accessibleName())

    def offer(self, count: int) -> None:
        said = self.tr(
            "Recurring names and terms: {0}. Choose their translations once, and drafts use them everywhere."
        )
        self.label.setText(said.format(count))
        self.show()


class FirstSightController(Announcer):
    """Connects the candidates of a document and their views in the window."""

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
        service.left.connect(self._forget_offer)
        service.closed.connect(self._close_list)
        service.failed.connect(self.announced)
        terms.added.connect(self._tell_added)
        bar.review_requested.connect(self._review)
        bar.closed.connect(self._refuse)

    def look(self) -> None:
        if self.dialog is not None:
            self.dialog.raise_()
            self.dialog.activateWindow()
        elif self._service.is_possible:
            self.announced.emit(self.tr("Looking for recurring names and terms…"))
            self._service.look()
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
            dialog.refused.connect(self._service.see)
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
        self._service.see()
        self._table.setFocus()

    def _tell_added(self, count: int) -> None:
        self.announced.emit(self.tr("Added to the term base: {0}").format(count))

    def _forget_offer(self) -> None:
        self._offer = ()
        self._bar.hide()

    def _close_list(self) -> None:
        """Drop the selected rows of a closed project, which would otherwise go into the next one's terms."""
        if self.dialog is not None:
            self.dialog.reject()

    def _forget_dialog(self) -> None:
        self.dialog = None
        self._table.setFocus()
