"""Dialogs to choose files, and the menu of recent files. A slow disk does not block the window."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu

from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment
from anaphora.editor.feature import Desk
from anaphora.editor.widgets.files import choose_existing, choose_new
from anaphora.editor.widgets.sentence import plain_action, plain_tip
from anaphora.features.checks.checking import CheckingService
from anaphora.features.checks.issue_count import IssueCount
from anaphora.features.export.exporting import Exporting
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.formats.registry import (
    can_name_language,
    dialog_filters,
    needs_conversion,
    output_suffixes,
    supported_extensions,
)
from anaphora.project.document.following import OpenProject
from anaphora.project.exporting.writing import summarise
from anaphora.project.importing.external_changes import ChangedOriginal, changed_originals
from anaphora.project.opening import PROJECT_SUFFIX
from anaphora.project.translated_names import default_destination
from anaphora.system.disk_queries import DiskQueries
from anaphora.system.locations import folder_for_dialog, safe_name, safe_path
from anaphora.system.messages import localise_message


class FileChoosers(QObject):
    """File dialogs and the menu of recent files.

    Signals:
        additions_chosen: paths of documents to add to the open project.
        originals_changed: (tuple of ChangedOriginal, function that continues the export).
        segments_requested: the filter (`Shown`) whose link the user has clicked in the export dialog.
    """

    additions_chosen = Signal(object)
    project_file_chosen = Signal(Path)
    originals_changed = Signal(object, object)
    segments_requested = Signal(object)

    def __init__(self, desk: Desk, checking: CheckingService, exporting: Exporting) -> None:
        super().__init__(desk.window)
        self._window, self._project, self._theme = desk.window, desk.project, desk.theme
        self._checking, self._editor = checking, desk.table.editor
        self._opener, self._exporting = desk.opener, exporting
        self._queries = DiskQueries(self)
        self.menu = QMenu(self.tr("Open &recent"), desk.window)
        self.menu.setToolTipsVisible(True)
        self.menu.aboutToShow.connect(self._fill_menu)

    def choose_document(self) -> None:
        dialog = self._choose(self.tr("Open a document"), True)
        dialog.filesSelected.connect(lambda names: self._opener.open(*map(Path, names)))

    def choose_folder(self) -> None:
        title = self.tr("New project from a folder")
        dialog = choose_existing(self._window, title, self._folder, QFileDialog.FileMode.Directory)
        dialog.fileSelected.connect(lambda name: self._opener.open(Path(name)))

    def choose_additions(self) -> None:
        dialog = self._choose(self.tr("Add documents"), False)
        dialog.filesSelected.connect(lambda names: self.additions_chosen.emit(tuple(map(Path, names))))

    def _choose(self, title: str, with_projects: bool) -> QFileDialog:
        files, filters = QFileDialog.FileMode.ExistingFiles, self._filters(with_projects)
        return choose_existing(self._window, title, self._folder, files, filters)

    def choose_project_file(self) -> None:
        session = self._project.session
        if session is None:
            return
        title, name = self.tr("Save project as"), Path(session.document.name).stem + PROJECT_SUFFIX
        filters = [self.tr("Projects (*{0})").format(PROJECT_SUFFIX)]
        dialog = choose_new(self._window, title, self._folder, name, filters)
        dialog.fileSelected.connect(lambda name: self.project_file_chosen.emit(Path(name)))

    def choose_export_folder(self) -> None:
        self._with_destination(
            self.folder_of_translations, self.usual_folder_of_translations(), self._ask_export_folder
        )

    def _ask_export_folder(self, project: OpenProject, proposed: Path) -> None:
        formats = [each.format for each in project.documents]
        document = project.session.document
        dialog = self._open_export_dialog(document.name, list(document), proposed, True, formats)
        dialog.chosen.connect(lambda destination: self._exporting.export_all(destination, *dialog.choices))

    def _with_destination(
        self, find_destination: Callable[[], Path], usual: Path, ask: Callable[[OpenProject, Path], None]
    ) -> None:
        """Find the destination (`usual` if the disk is too slow) and `ask`, unless originals have changed."""
        controller, project = self._project, self._project.project
        if project is None:
            return

        def receive(answer: tuple[Path, tuple[ChangedOriginal, ...]]) -> None:
            proposed, changed = answer
            if controller.project is project and changed:
                self.originals_changed.emit(changed, partial(ask, project, proposed))
            elif controller.project is project:
                ask(project, proposed)

        changed = partial(changed_originals, project.store, project.documents)
        self._queries.ask(lambda: (find_destination(), changed()), receive, (usual, ()))

    def folder_of_translations(self) -> Path:
        """The proposed folder for all translated documents, beside the originals' folder. Reads the disk."""
        folder, language = self._project.folder(), self._language_code
        parent = self._folder_for(folder.parent)
        return parent / f"{folder.name}-{language}" if folder.name else folder / language

    def _filters(self, with_projects: bool) -> list[str]:
        endings = (*supported_extensions(), PROJECT_SUFFIX) if with_projects else supported_extensions()
        patterns = " ".join(f"*{ending}" for ending in endings)
        parts = [self.tr("Documents ({0})").format(patterns)]
        for label, known in dialog_filters():
            parts.append(f"{localise_message(label)} ({' '.join(f'*{ending}' for ending in known)})")
        parts.append(self.tr("All files (*)"))
        return parts

    def usual_folder_of_translations(self) -> Path:
        """The default folder for all translated documents, without reading the disk."""
        session = self._project.session
        name = safe_name(Path(session.document.name).stem) if session is not None else ""
        return Path.home() / (f"{name}-{self._language_code}" if name else self._language_code)

    @property
    def _language_code(self) -> str:
        project = self._project.project
        return (project.pair.of_texts.target_language.code if project is not None else "") or "translated"

    def _folder(self) -> Path:
        """The last used folder. Reads the disk."""
        recent = self._opener.recent.paths()[:1]
        return folder_for_dialog(*recent, *(path.parent for path in recent))

    def choose_destination(self) -> None:
        if (project := self._project.project) is not None:
            document, pair = project.document_of(self._editor.segment_id), project.pair.of_texts
            name = safe_path(document.name).name
            self._with_destination(
                lambda: default_destination(self._place_of(document), pair),
                default_destination(Path.home() / name, pair),
                partial(self._ask_destination, document),
            )

    def _ask_destination(self, document: DocumentInfo, project: OpenProject, proposed: Path) -> None:
        segments = [segment for segment in project.session.document if segment.document == document.id]
        dialog = self._open_export_dialog(document.name, segments, proposed, False, [document.format])
        if needs_conversion(document.name):
            dialog.show_conversion(*output_suffixes(document.name))
        dialog.chosen.connect(lambda place: self._exporting.export(place, document, *dialog.choices))

    def _open_export_dialog(
        self, name: str, segments: Sequence[Segment], proposed: Path, is_folder: bool, formats: Sequence[str]
    ) -> ExportDialog:
        issues = IssueCount(self._checking, [segment.id for segment in segments])
        dialog = ExportDialog(
            name,
            summarise(segments),
            issues,
            proposed,
            is_folder,
            can_name_language(formats),
            self._theme,
            self._window,
        )
        dialog.segments_requested.connect(self.segments_requested)
        dialog.open()
        return dialog

    def _place_of(self, document: DocumentInfo) -> Path:
        """A path with a document's name, in the folder of its original if possible. Reads the disk."""
        folder, project = self._project.folder(), self._project.project
        if project is not None and document.id in project.watched:
            folder = folder_for_dialog(Path(document.path).parent, folder)
        return self._folder_for(folder) / safe_path(document.name).name

    def _folder_for(self, folder: Path) -> Path:
        """The folder if it exists and is writable; otherwise the user's documents or home folder."""
        return folder_for_dialog(*([folder] if os.access(folder, os.W_OK) else ()))

    def _fill_menu(self) -> None:
        self.menu.clear()
        for path in self._opener.recent.paths():
            action = self.menu.addAction(plain_action(path.name))
            action.setToolTip(plain_tip(str(path)))
            action.triggered.connect(lambda _=False, chosen=path: self._opener.open(chosen))
        if self.menu.isEmpty():
            self.menu.addAction(self.tr("No recent documents")).setEnabled(False)
