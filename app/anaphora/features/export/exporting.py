"""Writes translations of the open project off the window's thread."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.drafts import Proposals
from anaphora.core.project import DocumentInfo
from anaphora.project.current import CurrentProject
from anaphora.project.exporting.writing import export_all, snapshot, write_export


class Exporting(QObject):
    """What cannot be written is reported by the project.

    Signals:
        exported: the path that was written.
        exported_all: the ExportReport.
    """

    exported = Signal(Path)
    exported_all = Signal(object)

    def __init__(self, controller: CurrentProject) -> None:
        super().__init__()
        self._controller = controller

    def export(
        self,
        destination: Path,
        document: DocumentInfo | None = None,
        names_language: bool = True,
        proposals: Proposals = Proposals.SOURCE,
    ) -> None:
        store, session = self._controller.store, self._controller.session
        if store is not None and session is not None:
            chosen, segments = document or self._controller.documents[0], snapshot(session.document)
            self._controller.run(
                lambda: write_export(store, chosen, segments, destination, names_language, proposals),
                self.exported.emit,
                self._title,
                must_finish=True,
            )

    def export_all(
        self, folder: Path, names_language: bool = True, proposals: Proposals = Proposals.SOURCE
    ) -> None:
        store, session = self._controller.store, self._controller.session
        if store is not None and session is not None:
            segments, documents = snapshot(session.document), self._controller.documents
            self._controller.run(
                lambda: export_all(store, documents, segments, folder, names_language, proposals=proposals),
                self.exported_all.emit,
                self._title,
                must_finish=True,
            )

    @property
    def _title(self) -> str:
        return self.tr("The translation cannot be exported")
