"""Operations on whole projects: their documents, external changes to the files, copies and backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.core.project import Backup, DocumentInfo
from anaphora.project.changes import (
    add_documents,
    copy_to_data_folder,
    remove_document,
    save_as,
    set_aside,
    update_from_files,
)
from anaphora.project.current import CurrentProject
from anaphora.project.document.autosave import Unwritten
from anaphora.project.importing.external_changes import ChangedOriginal, changed_originals, keep_stored
from anaphora.project.opener import Opener
from anaphora.project.rescuing import RescuedProject, rescue
from anaphora.project.store.backups import list_backups
from anaphora.project.store.own_originals import remember
from anaphora.system.locations import MAX_NAME_IN_COPY, project_path


class ProjectOperations(QObject):
    """Starts operations on projects; they run off the window's thread.

    Signals:
        backups_listed: the Backups of the project, newest first.
        changed_externally: a tuple of ChangedOriginals.
        announced: a sentence for the user.
        watching_decided: the user's decision whether files may be watched has been stored.
    """

    backups_listed = Signal(object)
    changed_externally = Signal(object)
    announced = Signal(str)
    watching_decided = Signal()

    def __init__(self, current: CurrentProject, opener: Opener, parent: QObject) -> None:
        super().__init__(parent)
        self._current, self._opener = current, opener
        self._is_checking = False

    def add(self, paths: Sequence[Path]) -> None:
        self._opener.reopen(partial(add_documents, paths))

    def remove(self, document: str) -> None:
        self._opener.reopen(partial(remove_document, document))

    def update(self, changed: Sequence[ChangedOriginal]) -> None:
        self._opener.reopen(partial(update_from_files, changed))

    def keep(self, changed: Sequence[ChangedOriginal], then: Callable[[], None] = lambda: None) -> None:
        """Keep the stored versions of changed documents; once this is stored, `then` is called."""
        if (store := self._current.store) is not None:
            title = self.tr("The project cannot be saved")
            self._current.run(lambda: keep_stored(store, changed), lambda _: then(), title)

    def decide_watching(self, documents: Sequence[DocumentInfo], may_watch: bool) -> None:
        """Store whether the documents' files may be watched; `watching_decided` follows."""
        project = self._current.project

        def receive(_: object) -> None:
            if project is None or self._current.project is not project:
                return
            ids = frozenset(document.id for document in documents)
            project.undecided = tuple(each for each in project.undecided if each.id not in ids)
            if may_watch:
                project.watched |= ids
                self.check_external_changes()
            self.watching_decided.emit()

        self._current.run(
            lambda: remember(documents, may_watch), receive, self.tr("The project cannot be saved")
        )

    def check_external_changes(self) -> None:
        """Check whether the documents' files have changed; `changed_externally` follows if so."""
        project = self._current.project
        if project is None or self._is_checking:
            return
        self._is_checking = True
        store, documents = project.store, project.documents

        def receive(changed: tuple[ChangedOriginal, ...]) -> None:
            self._is_checking = False
            if changed and self._current.project is project:
                self.changed_externally.emit(changed)

        def fail(_: Exception) -> None:
            # Report no error: the project was closed, or its drive is gone and saving will report that.
            self._is_checking = False

        self._current.tasks.start(lambda: changed_originals(store, documents), receive, fail)

    def save_as(self, destination: Path) -> None:
        """Copy the project to another file, and open the copy in its place.

        If the project changes before the copy is open, it is copied again.
        """
        if (project := self._current.project) is None:
            return
        store, autosave = project.store, project.autosave

        def work() -> tuple[Path, Unwritten, int]:
            # `unwritten` does not include terms and memory units, which other threads write.
            writes = store.writes
            return *save_as(store, destination, autosave.paused()), writes

        def receive(copied: tuple[Path, Unwritten, int]) -> None:
            copy, *copied_state = copied

            def is_complete() -> bool:
                return not autosave.is_in_step and [autosave.unwritten, store.writes] == copied_state

            def then(is_open: bool) -> None:
                if is_open:
                    self.announced.emit(self.tr("The project is now saved in {0}.").format(copy))
                else:
                    self.save_as(copy)

            if self._current.project is project:
                self._opener.hand_over(copy, is_complete, then)

        self._current.run(work, receive, self.tr("The project cannot be saved"), True)

    @property
    def is_outside_data_folder(self) -> bool:
        store = self._current.store
        return store is not None and store.path.parent != project_path("").parent

    def save_in_data_folder(self) -> None:
        if (project := self._current.project) is not None:
            self.save_as(project_path(project.title))

    def open_backup(self, backup: Backup) -> None:
        self.open_copy(backup.path, f"{backup.project[:MAX_NAME_IN_COPY]} {backup.made:%Y-%m-%d %H-%M}")

    def open_copy(self, project: Path, name: str = "") -> None:
        """Copy a project to the data folder, by default under its own name, and open the copy."""
        self._current.run(
            lambda: copy_to_data_folder(project, name or project.stem),
            self._opener.open,
            self.tr("The project cannot be copied"),
        )

    def start_over(self, path: Path, damaged: Path) -> None:
        """Rename a damaged project, and open its document at `path` as a new project."""
        self._current.run(
            lambda: set_aside(damaged),
            lambda _: self._opener.open(path),
            self.tr("The project cannot be changed now"),
        )

    def rescue(self, damaged: Path) -> None:
        def receive(rescued: RescuedProject) -> None:
            self._opener.open(rescued.project)
            self.announced.emit(
                self.tr("Saved as a new project. Segments: {0}, confirmed: {1}.").format(
                    rescued.segments, rescued.confirmed
                )
            )

        self._current.run(
            lambda: rescue(damaged), receive, self.tr("The project cannot be read"), must_finish=True
        )

    def list_backups(self, project: Path | None = None) -> None:
        """List the backups of a project, by default the open one; `backups_listed` follows."""
        store = self._current.store
        path = project or (store.path if store is not None else None)
        if path is not None:
            self._current.run(lambda: list_backups(path), self.backups_listed.emit, self.tr("Backups"))
