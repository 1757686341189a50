"""Fills matches into segments: pre-translation after a dialog, and exact matches automatically."""

from __future__ import annotations

from collections.abc import Callable

from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.features.tm.filling import FillingService
from anaphora.features.tm.pretranslation import Found, PretranslationService, is_open
from anaphora.features.tm.view.pretranslation_dialog import PretranslationDialog
from anaphora.project.document.editing import NewText
from anaphora.system.messages import describe_error


class PretranslationController(Announcer):
    """Fills segments that have not been edited from the translation memory and the term bases."""

    def __init__(self, desk: Desk, service: PretranslationService, filling: FillingService) -> None:
        super().__init__(desk.window)
        self._window, self._controller, self._service = desk.window, desk.project, service
        self.dialog: PretranslationDialog | None = None
        service.found.connect(self._show_found)
        service.failed.connect(self._fail)
        filling.found.connect(self._fill_in)
        filling.failed.connect(self.announced)
        desk.project.closed.connect(self._leave)

    def open_dialog(self) -> None:
        """Look up all segments, and show the counts."""
        session = self._controller.session
        if session is None or self.dialog is not None:
            return
        if not self._service.ask(session):
            self.announced.emit(self.tr("The translation memory is not open yet. Try again."))
            return
        self.dialog = PretranslationDialog(self._window)
        self.dialog.agreed.connect(self._apply)
        self._service.progressed.connect(self.dialog.progress.setValue)
        self.dialog.finished.connect(self._forget)
        self.dialog.open()

    def _apply(self, found: tuple[Found, ...]) -> None:
        text = self.tr("Pre-translated segments: {0}")
        self._insert(found, self.tr("pre-translating"), lambda count: self.announced.emit(text.format(count)))

    def _fill_in(self, found: tuple[Found, ...]) -> None:
        text = self.tr("Segments filled in from the translation memory: {0}")

        def report(count: int) -> None:
            if count:
                self.announced.emit(text.format(count))

        self._insert(found, self.tr("filling in matches"), report)

    def _insert(self, found: tuple[Found, ...], step: str, then: Callable[[int], None]) -> None:
        """Insert texts as one undo step; segments edited meanwhile are skipped."""
        editing = self._controller.editing
        if editing is None:
            return
        document = editing.session.document
        texts = [
            NewText(each.segment, document.get(each.segment).target, each.text, report=each.report)
            for each in found
            if document.has(each.segment) and is_open(document.get(each.segment))
        ]
        editing.change_many(texts, step, then)

    def _show_found(self, found: tuple[Found, ...]) -> None:
        if self.dialog is not None:
            self.dialog.show_found(found)

    def _fail(self, error: Exception) -> None:
        self._leave()
        self.announced.emit(describe_error(error))

    def _leave(self) -> None:
        if self.dialog is not None:
            self.dialog.reject()

    def _forget(self) -> None:
        self._service.cancel()
        self.dialog = None
