"""Declares review files: export, and import of the reviewer's changes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from anaphora.editor.actions.entries import Action
from anaphora.editor.feature import Desk, Feature
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.editor.widgets.sentence import short_path
from anaphora.features.review.changes import ReviewChange
from anaphora.features.review.files import SUFFIX
from anaphora.features.review.service import ReviewService
from anaphora.features.review.view.dialog import ReviewDialog


class Review(Feature):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.service = ReviewService(desk.project)
        self.service.written.connect(self._report_written)
        self.service.compared.connect(self._show)

    def entries(self) -> Iterable[Action]:
        yield Action("review_out", self.tr("Export for re&view…"), self.choose_export, "document:review:10")
        yield Action("review_in", self.tr("&Import a review…"), self.choose_import, "document:review:20")

    def _report_written(self, path: Path) -> None:
        self.announced.emit(self.tr("Exported for review: {0}").format(short_path(path)))

    def choose_export(self) -> None:
        session = self.desk.project.session
        if session is None:
            return
        name = f"{Path(session.document.name).stem}.review{SUFFIX}"
        filters = [self.tr("Word documents (*.docx)")]
        title, folder = self.tr("Export for review"), self.desk.project.folder
        dialog = choose_new(self.desk.window, title, folder, name, filters)
        dialog.fileSelected.connect(lambda name: self.write(Path(name)))

    def write(self, destination: Path) -> None:
        headings = (
            self.tr("No."),
            self.tr("Source"),
            self.tr("Translation"),
            self.tr("Status"),
            self.tr("Comments"),
        )
        self.service.write(destination, headings, self.desk.model.status_names())

    def choose_import(self) -> None:
        if self.desk.project.session is None:
            return
        file, filters = QFileDialog.FileMode.ExistingFile, [self.tr("Word documents (*.docx)")]
        title = self.tr("Import a review")
        dialog = choose_existing(self.desk.window, title, self.desk.project.folder, file, filters)
        dialog.fileSelected.connect(self._read)

    def _read(self, name: str) -> None:
        self.announced.emit(self.tr("Reading the review…"))
        self.service.read(Path(name))

    def _show(self, path: Path, changes: list[ReviewChange]) -> None:
        if not changes:
            self.announced.emit(self.tr("{0} contains no changes.").format(path.name))
            return
        dialog = ReviewDialog(path.name, changes, self.desk.theme, self.desk.window)
        dialog.agreed.connect(self._apply)
        dialog.open()

    def _apply(self, changes: tuple[ReviewChange, ...]) -> None:
        one, many = self.tr("1 segment changed by the review"), self.tr("{0} segments changed by the review")

        def report(count: int) -> None:
            self.announced.emit(one if count == 1 else many.format(count))

        self.service.apply(changes, self.tr("Review"), report)
