"""Translating all documents: asks where to, shows how far it is, says when it is given up."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QSettings
from PySide6.QtWidgets import QWidget

from anaphora.application.disk_looks import DiskLooks
from anaphora.application.languages import chosen_language, duration, spoken
from anaphora.document.session import DocumentSession
from anaphora.many_documents.destination import content_of
from anaphora.many_documents.service import RunProgress, TranslateAllService
from anaphora.many_documents.view.dialog import TranslateAllDialog
from anaphora.views.widgets.announcer import Announcer
from anaphora.views.widgets.messages import show_error
from anaphora.views.widgets.progress import ProgressDialog


class TranslateAllController(Announcer):
    """Lets somebody translate all documents of the open project.

    Attributes:
        service: runs it.
        progress: None while no run is under way.
    """

    def __init__(
        self,
        window: QWidget,
        service: TranslateAllService,
        proposed: Callable[[], Path],
        usual: Callable[[], Path],
        device: Callable[[], str],
        settings: QSettings,
    ) -> None:
        """
        Args:
            proposed: gives the folder to propose, off the window's thread: it asks the disk.
            usual: gives the folder where the disk does not answer.
            device: gives what the model is to compute on.
            settings: keep the language.
        """
        super().__init__(window)
        self.service = service
        self.progress: ProgressDialog | None = None
        self._window = window
        self._proposed, self._usual = proposed, usual
        self._looks = DiskLooks(self)
        self._device = device
        self._settings = settings
        service.began.connect(self._begin)
        service.progressed.connect(self._show)
        service.ended.connect(self._end)
        service.cancelled.connect(self._tell_cancelled)
        service.failed.connect(self._fail)

    def open_dialog(self) -> None:
        """Ask where the translations go."""
        if self.service.is_busy:
            self.announced.emit(self.tr("All documents are being translated already."))
        elif not self.service.fits:
            self.announced.emit(self.tr("The project's model does not translate between its languages."))
        elif (session := self.service.session) is not None:
            self._looks.ask(self._proposed, partial(self._ask_folder, session), self._usual())

    def _ask_folder(self, session: DocumentSession, proposed: Path) -> None:
        if self.service.is_busy or self.service.session is not session:  # another project, meanwhile
            return
        dialog = TranslateAllDialog(self.service.count, proposed, content_of, self._window)
        dialog.agreed.connect(self.run)
        dialog.open()

    def run(self, folder: Path, projects: bool) -> None:
        """Translate all documents into a folder."""
        language = spoken(chosen_language(self._settings))
        self.service.run(folder, self._device(), language, projects)

    def _begin(self) -> None:
        title, text = self.tr("Translate all documents"), self.tr("The model is loaded…")
        self.progress = ProgressDialog(title, text, 1000, self._window, 0)
        self.progress.canceled.connect(self.service.cancel)

    def _show(self, told: RunProgress) -> None:
        if self.progress is None:
            return
        local = QLocale().toString
        parts = [self.tr("Documents: {0} of {1}").format(local(told.done), local(told.documents))]
        if told.done < told.documents:
            parts.append(self.tr("about {0} left").format(duration(told.seconds_left)))
        self.progress.show_text(" · ".join(parts))
        self.progress.show_step(round(1000 * told.share))

    def _end(self) -> None:
        progress, self.progress = self.progress, None
        if progress is not None:
            progress.end()

    def _tell_cancelled(self) -> None:
        self._end()
        self.announced.emit(self.tr("Cancelled. What is done stays in the folder."))

    def _fail(self, message: str) -> None:
        self._end()
        show_error(self._window, self.tr("Not translated"), message)
