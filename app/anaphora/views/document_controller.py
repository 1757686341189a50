"""Opening, closing and exporting documents; what is open lives here."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.commands.editing import Editing
from anaphora.core.errors import AnaphoraError
from anaphora.services.autosave import Autosave
from anaphora.services.background import BackgroundTasks
from anaphora.services.consistency_worker import ConsistencyService
from anaphora.services.drafting import DraftingService
from anaphora.services.export import snapshot, write_export
from anaphora.services.opening import OpenedDocument, open_document
from anaphora.services.session import DocumentSession
from anaphora.store.locations import RecentFiles
from anaphora.store.project import ProjectStore

ROW_SETTING = "window/row"


class DocumentController(QObject):
    """Holds the open document with its session, history, autosave and engine services.

    Attributes:
        session: None while no document is open.
        editing: the undoable commands on the session.
        original: the file that is being translated.

    Signals:
        opening: the path of a document that is being read; None when that is over.
        opened: row to begin at, once the session stands.
        closed: the document is gone.
        failed: (title, message, advice) for the user.
        notes: plain sentences from the format's reader.
        exported: the path that was written.
        saved: whether the project file holds everything.
        save_failed: why it does not.
    """

    opening = Signal(object)
    opened = Signal(int)
    closed = Signal()
    failed = Signal(str, str, str)
    notes = Signal(object)
    exported = Signal(Path)
    saved = Signal(bool)
    save_failed = Signal(str)

    def __init__(
        self,
        tasks: BackgroundTasks,
        drafting: DraftingService,
        consistency: ConsistencyService,
        recent: RecentFiles,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.session: DocumentSession | None = None
        self.editing: Editing | None = None
        self.original = Path()
        self._tasks = tasks
        self._drafting = drafting
        self._consistency = consistency
        self._recent = recent
        self._store: ProjectStore | None = None
        self._autosave: Autosave | None = None
        self._path: Path | None = None
        self._wanted: Path | None = None
        self.save_problem = ""

    def open(self, path: Path) -> None:
        """Open a document instead of the current one; `opened` or `failed` follows."""
        path = path.expanduser().absolute()
        if self._wanted is not None:
            self.failed.emit(
                self.tr("Opening"), self.tr("Another document is being opened."), self.tr("Try again.")
            )
            return
        if path == self._path:
            return
        self._wanted = path
        self.opening.emit(path)
        self._tasks.start(lambda: open_document(path), self._take, self._refuse)

    def close(self) -> bool:
        """Close the document, everything saved.

        Returns:
            whether everything is on the disk.
        """
        if self.session is None:
            return True
        self._drafting.close()
        self._consistency.close()
        clean = self._autosave.close() if self._autosave is not None else True
        session, self.session, self.editing = self.session, None, None
        self._store = self._autosave = self._path = None
        self.save_problem = ""
        self.closed.emit()
        session.deleteLater()
        return clean

    def keep_row(self, row: int) -> None:
        """Keep the current row with the project."""
        if self._autosave is not None:
            self._autosave.keep_setting(ROW_SETTING, str(row))

    def export(self, destination: Path) -> None:
        """Write the translated document; `exported` or `failed` follows."""
        store, session = self._store, self.session
        if store is None or session is None:
            return
        translations = snapshot(session.document)
        self._tasks.start(
            lambda: write_export(store, translations, destination),
            self.exported.emit,
            self._refuse_export,
            must_finish=True,
        )

    def _take(self, opened: OpenedDocument) -> None:
        self._wanted = None
        self.opening.emit(None)
        self.close()
        self._path, self.original, self._store = opened.path, opened.original, opened.store
        session = DocumentSession(str(opened.store.path), opened.document, self)
        self.session = session
        self.editing = Editing(session, session)
        autosave = Autosave(session, opened.store, session)
        autosave.saved.connect(self._report_saved)
        autosave.failed.connect(self._report_unsaved)
        session.applied.connect(lambda _: self.saved.emit(False))
        self._autosave = autosave
        self._recent.add(opened.path)
        row = opened.store.setting(ROW_SETTING, "0")
        self.opened.emit(int(row) if row.isdecimal() else 0)
        self._drafting.open(session)
        self._consistency.open(session)
        if opened.notes:
            self.notes.emit(opened.notes)

    def _refuse(self, error: Exception) -> None:
        path, self._wanted = self._wanted, None
        self.opening.emit(None)
        name = path.name if path else ""
        self._report(self.tr("{0} cannot be opened").format(name), error)

    def _refuse_export(self, error: Exception) -> None:
        self._report(self.tr("The translation cannot be exported"), error)

    def _report(self, title: str, error: Exception) -> None:
        if isinstance(error, AnaphoraError):
            self.failed.emit(title, error.message, error.advice)
        else:
            self.failed.emit(title, f"{type(error).__name__}: {error}", self.tr("Nothing has been changed."))

    def _report_saved(self) -> None:
        if self._autosave is not None and self._autosave.clean:
            self.save_problem = ""
            self.saved.emit(True)

    def _report_unsaved(self, message: str) -> None:
        first = not self.save_problem
        self.save_problem = message
        if first:
            self.save_failed.emit(message)
