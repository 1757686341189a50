"""Review files: where they go, where they come from, and what is taken over."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from anaphora.editor.desk import Desk
from anaphora.editor.widgets.announcer import Announcer
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.editor.widgets.plain_text import short_path
from anaphora.features.review.changes import ReviewChange
from anaphora.features.review.files import SUFFIX
from anaphora.features.review.service import ReviewService
from anaphora.features.review.view.dialog import ReviewDialog


class ReviewController(Announcer):
    """Asks for files and shows what came back."""

    def __init__(self, desk: Desk, service: ReviewService) -> None:
        super().__init__(desk.window)
        self._service = service
        self._window, self._controller = desk.window, desk.project
        self._model, self._theme = desk.model, desk.theme
        service.written.connect(self._tell_written)
        service.compared.connect(self._show)

    def _tell_written(self, path: Path) -> None:
        self.announced.emit(self.tr("Written for review: {0}").format(short_path(path)))

    def give_out(self) -> None:
        session = self._controller.session
        if session is None:
            return
        name = f"{Path(session.document.name).stem}.review{SUFFIX}"
        filters = [self.tr("Word documents (*.docx)")]
        title, folder = self.tr("Export for review"), self._controller.folder
        dialog = choose_new(self._window, title, folder, name, filters)
        dialog.fileSelected.connect(lambda name: self.write(Path(name)))

    def write(self, destination: Path) -> None:
        headings = (
            self.tr("No."),
            self.tr("Source"),
            self.tr("Translation"),
            self.tr("Status"),
            self.tr("Comments"),
        )
        self._service.write(destination, headings, self._model.status_names())

    def take_in(self) -> None:
        if self._controller.session is None:
            return
        file, filters = QFileDialog.FileMode.ExistingFile, [self.tr("Word documents (*.docx)")]
        title = self.tr("Take in a review")
        dialog = choose_existing(self._window, title, self._controller.folder, file, filters)
        dialog.fileSelected.connect(self._read)

    def _read(self, name: str) -> None:
        self.announced.emit(self.tr("Reading the review…"))
        self._service.read(Path(name))

    def _show(self, path: Path, changes: list[ReviewChange]) -> None:
        if not changes:
            self.announced.emit(self.tr("{0} holds no changes.").format(path.name))
            return
        dialog = ReviewDialog(path.name, changes, self._theme, self._window)
        dialog.agreed.connect(self._take)
        dialog.open()

    def _take(self, changes: tuple[ReviewChange, ...]) -> None:
        one, many = self.tr("1 segment changed by the review"), self.tr("{0} segments changed by the review")

        def tell(count: int) -> None:
            self.announced.emit(one if count == 1 else many.format(count))

        self._service.take(changes, self.tr("Review"), tell)
