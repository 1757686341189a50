"""Opening documents and projects, reopening a project after a change, and the list of recent documents."""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.long_work import LongWork
from anaphora.core.project import ProjectInUseError
from anaphora.project.changes import Change, change_project
from anaphora.project.current import CurrentProject
from anaphora.project.document.following import ProjectSettings
from anaphora.project.opening import LoadedProject, open_paths
from anaphora.project.saving import BRIEF_SECONDS, LEAVING_SECONDS
from anaphora.system.files import locked_file, replacing
from anaphora.system.locations import data_folder, with_home

log = logging.getLogger(__name__)

_LOCK_TIMEOUT = 0.5
"""Seconds to wait while another window writes the list of recent files."""
_RECHECK_MS = 20


class RecentFiles:
    """Recently opened documents, newest first, in a small JSON file. A damaged file counts as empty."""

    def __init__(self, file: Path | None = None, limit: int = 10) -> None:
        self._file = file or data_folder() / "recent.json"
        self._limit = limit

    def paths(self) -> tuple[Path, ...]:
        """The files, newest first. Missing files stay listed, because their drive may be connected again."""
        return tuple(map(Path, self._names()))

    def add(self, path: Path) -> None:
        name = str(path.absolute())
        with contextlib.suppress(OSError, UnicodeError), locked_file(self._file, _LOCK_TIMEOUT):
            others = [known for known in self._names() if os.path.normcase(known) != os.path.normcase(name)]
            with replacing(self._file, durable=False) as unfinished:
                names = [name, *others][: self._limit]
                unfinished.write_text(json.dumps(names, ensure_ascii=False), "utf-8")

    def _names(self) -> list[str]:
        try:
            entries = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return []
        if not isinstance(entries, list):
            return []
        return [entry for entry in entries if isinstance(entry, str)][: self._limit]


class Opener(QObject):
    """Opens one project at a time, off the window's thread. Unless the user cancels, `CurrentProject.opened`,
    `CurrentProject.failed` or `refused` follows.

    Attributes:
        reopening: True while the open project is closed only to be changed and reopened.

    Signals:
        opening: the path that is being read; None when reading has ended.
        progressed: the finished part of the work, per mille.
        refused: (path, error) if the path cannot be opened.
    """

    opening = Signal(object)
    progressed = Signal(int)
    refused = Signal(Path, object)

    def __init__(self, current: CurrentProject, recent: RecentFiles) -> None:
        super().__init__(current)
        self.recent = recent
        self.reopening = False
        self._current = current
        self._opening_path: Path | None = None
        self._work: LongWork | None = None

    def open(self, *chosen: Path, resume: bool | None = None) -> None:
        """Open a document or project, or several documents as one project: see `open_paths`."""
        paths = [with_home(path).absolute() for path in chosen]
        if self._refuse_if_busy() or paths == [self._current.path]:
            return
        saving = self._current.saving
        self._work = work = LongWork(self.progressed.emit)

        def read() -> LoadedProject:
            saving.finish(LEAVING_SECONDS, lambda: work.step(0.0))
            return open_paths(paths, work.step, resume)

        place = paths[0] if len(paths) == 1 else paths[0].parent
        self._start(place, read, lambda opened: self._show_after_saving(opened, work), work)

    @property
    def can_cancel(self) -> bool:
        """True if opening can be cancelled; False while the open project is reopened after a change."""
        return self._work is not None and self._opening_path is not None

    def cancel(self) -> None:
        """Stop opening. The open project stays open, and a new project is closed once it has been read."""
        if self._work is not None and self._opening_path is not None:
            self._work.cancel()
            self._end()

    def reopen(self, change: Change) -> None:
        """Save and close the project, change it off the window's thread and reopen it. If it cannot be saved,
        it stays open and unchanged, and `CurrentProject.failed` follows."""
        current = self._current
        project, saving = current.project, current.saving
        if project is None or self._refuse_if_busy():
            return

        def proceed(problem: str | None) -> None:
            if problem is None or current.project is not project or self._opening_path is not None:
                return
            if problem or not project.autosave.is_clean:
                reason = problem or self.tr("Your last changes are not saved yet.")
                title = self.tr("The project cannot be changed now")
                current.failed.emit(title, reason, self.tr("Try again."))
                return
            self.reopening = True
            current.close(BRIEF_SECONDS)
            work = partial(change_project, project.store.path, project.path, change)
            self._start(project.path, lambda: saving.after_closing(work), self._show)

        saving.settle(proceed)

    def hand_over(self, copy: Path, is_complete: Callable[[], bool], then: Callable[[bool], None]) -> None:
        """Open a copy of the project in its place.

        Args:
            is_complete: called once the copy has been read; False if the project was changed meanwhile.
            then: gets the result of `is_complete`; if that is False, the project stays open. Not called if
                the project was closed meanwhile, or the copy cannot be opened.
        """
        current, project = self._current, self._current.project

        def receive(opened: LoadedProject) -> None:
            if current.project is project and current.writing:
                # Terms and memory units still being written would go to the old project only.
                QTimer.singleShot(_RECHECK_MS, self, lambda: receive(opened))
            elif current.project is project and is_complete():
                self._show(opened)
                then(True)
            else:
                self._end()
                opened.store.close()
                if current.project is project:
                    then(False)

        if not self._refuse_if_busy():
            self._start(copy, lambda: open_paths((copy,)), receive)

    def _refuse_if_busy(self) -> bool:
        if self._opening_path is not None:
            message = self.tr("Another document is opening.")
            self._current.failed.emit(self.tr("Opening"), message, self.tr("Try again."))
        return self._opening_path is not None

    def _start(
        self,
        path: Path,
        work: Callable[[], LoadedProject],
        receive: Callable[[LoadedProject], None],
        cancellable: LongWork | None = None,
    ) -> None:
        self._opening_path = path
        self.opening.emit(path)
        settings = self._current.settings

        def read() -> LoadedProject:
            opened = work()
            return replace(opened, settings=ProjectSettings(opened.settings.texts, settings))

        def proceed(opened: LoadedProject) -> None:
            if cancellable is not None and cancellable.is_cancelled:
                self._close_unused(opened)
            else:
                receive(opened)

        def refuse(error: Exception) -> None:
            if cancellable is None or not cancellable.is_cancelled:
                self._refuse(path, error)

        self._current.tasks.start(read, proceed, refuse)

    def _show_after_saving(self, opened: LoadedProject, work: LongWork) -> None:
        def proceed(problem: str | None) -> None:
            if problem == "" and not work.is_cancelled:
                self._show(opened)
                return
            self._close_unused(opened)
            if not work.is_cancelled:
                self._end()
            if problem:
                advice = self.tr(
                    "Before you open another project, save this one as another file or free some disk space."
                )
                self._current.failed.emit(self.tr("Your last changes are not saved"), problem, advice)

        self._current.comments.add_unfinished()
        self._current.saving.settle(proceed)

    def _close_unused(self, opened: LoadedProject) -> None:
        warn = partial(log.warning, "a project could not be closed after opening was cancelled: %s")
        self._current.tasks.start(opened.store.close, lambda _: None, warn)

    def _show(self, opened: LoadedProject) -> None:
        self.reopening = False
        self._end()
        self.recent.add(opened.path)
        self._current.switch_to(opened)

    def _end(self) -> None:
        self._opening_path = self._work = None
        self.opening.emit(None)

    def _refuse(self, path: Path, error: Exception) -> None:
        self._end()
        if self.reopening:
            self.reopening = False
            self._current.closed.emit()
        is_here = isinstance(error, ProjectInUseError) and error.is_here
        if not is_here or self._current.project is None:  # otherwise the window already shows it
            self.refused.emit(path, error)
