"""Writes translations of the open project in the background."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from anaphora.core.drafts import Proposals
from anaphora.core.project import DocumentInfo
from anaphora.project.current import CurrentProject
from anaphora.project.exporting.writing import export_all, snapshot, write_export

T = TypeVar("T")


class Exporting(QObject):
    """Exports documents of the open project. The project reports errors to the user.

    Signals:
        exported_all: the ExportReport.
    """

    exported = Signal(Path)
    exported_all = Signal(object)

    def __init__(self, current_project: CurrentProject) -> None:
        super().__init__()
        self._project = current_project

    def export(
        self,
        destination: Path,
        document: DocumentInfo | None = None,
        names_language: bool = True,
        proposals: Proposals = Proposals.SOURCE,
    ) -> None:
        """Export `document`, by default the first one; emits `exported`. For options, see `write_export`."""
        if (project := self._project.project) is not None:
            exported_document, segments = document or project.documents[0], snapshot(project.session.document)
            args = project.store, exported_document, segments, destination, names_language, proposals
            self._write(partial(write_export, *args), self.exported.emit)

    def export_all(
        self, folder: Path, names_language: bool = True, proposals: Proposals = Proposals.SOURCE
    ) -> None:
        if (project := self._project.project) is not None:
            documents, segments = project.documents, snapshot(project.session.document)
            args = project.store, documents, segments, folder, names_language, proposals
            self._write(partial(export_all, *args), self.exported_all.emit)

    def _write(self, work: Callable[[], T], report: Callable[[T], None]) -> None:
        self._project.run(work, report, self.tr("The translation cannot be exported"), must_finish=True)
