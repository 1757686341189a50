"""The open project and the features that follow it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.edits import PastState
from anaphora.core.errors import AnaphoraError
from anaphora.project.document.autosave import Autosave
from anaphora.project.document.comments import CommentService
from anaphora.project.document.editing import Editing
from anaphora.project.document.following import Follower, OpenProject, ProjectSetting, UsingFile, Writing
from anaphora.project.document.progress import ProgressService
from anaphora.project.document.repetitions import RepetitionChoice, Repetitions
from anaphora.project.document.resegmentation import ResegmentationService
from anaphora.project.document.session import DocumentSession
from anaphora.project.opening import LoadedProject
from anaphora.project.saving import BRIEF_SECONDS, LONG_SECONDS, BackupService, Saving
from anaphora.project.store.project import ProjectStore
from anaphora.system.background import BackgroundTasks
from anaphora.system.locations import folder_for_dialog
from anaphora.system.messages import localise_message

T = TypeVar("T")


class CurrentProject(QObject):
    """The open project, which features follow.

    Attributes:
        tasks: the pool that runs work off the window's thread; only services use this pool.
        repetitions: the user's choice about repetitions.

    Signals:
        begun: the OpenProject, before it is shown.
        opened: number of the row to show first; the session is ready.
        shown: the OpenProject, in a later turn of the event loop than `opened`.
        loaded: after `shown`, the LoadedProject, which may contain messages for the user.
        closing, closed: the project is about to be closed, or has been closed.
        model_changed: another model makes the drafts from now on.
        languages_changed: the model or the languages have changed; work that depends on them starts again.
        pair_changed: `OpenProject.pair` has been determined again, after `languages_changed`.
        failed: (title, message, advice) for the user.
    """

    begun = Signal(object)
    opened = Signal(int)
    shown = Signal(object)
    loaded = Signal(object)
    closing = Signal()
    closed = Signal()
    model_changed = Signal()
    languages_changed = Signal()
    pair_changed = Signal()
    failed = Signal(str, str, str)

    def __init__(self, tasks: BackgroundTasks) -> None:
        super().__init__()
        self.project: OpenProject | None = None
        self.tasks = tasks
        self.repetitions = RepetitionChoice()
        self._followers: list[Follower] = []
        self.progress = ProgressService(tasks, self)
        self.resegmentation = ResegmentationService(tasks, self)
        self.comments = CommentService(self)
        self.saving = Saving(self)
        report = partial(self.report, self.tr("No backup could be made"))
        self.follow(BackupService(tasks, report, self), before_shown=True)  # before any edits
        self.follow(self.comments, before_shown=True)
        self.follow(self.progress)
        self.follow(self.resegmentation)

    def follow(self, feature: Follower, before_shown: bool = False) -> None:
        """Let a feature follow the open project. Features are notified in the order of these calls.

        Args:
            before_shown: True to notify the feature before the document is shown, because the window shows
                the feature's data together with the document.
        """
        (self.begun if before_shown else self.shown).connect(feature.follow)
        self.closing.connect(feature.close)
        self._followers.append(feature)

    @property
    def settings(self) -> tuple[ProjectSetting[Any], ...]:
        return tuple(setting for each in self._followers for setting in each.project_settings)

    @property
    def session(self) -> DocumentSession | None:
        return self.project.session if self.project is not None else None

    @property
    def editing(self) -> Editing | None:
        return self.project.editing if self.project is not None else None

    @property
    def store(self) -> ProjectStore | None:
        return self.project.store if self.project is not None else None

    @property
    def path(self) -> Path | None:
        return self.project.path if self.project is not None else None

    @property
    def writing(self) -> bool:
        return any(each.writing for each in (self.tasks, *self._followers) if isinstance(each, Writing))

    def folder(self) -> Path:
        """The folder that was opened or that contains the open document; by default, the documents folder.

        This method reads the disk, which may be slow, so do not call it in the window's thread.
        """
        return folder_for_dialog(*((path, path.parent) if (path := self.path) else ()))

    def switch_to(self, opened: LoadedProject) -> None:
        self.close(BRIEF_SECONDS)
        session = DocumentSession(str(opened.store.path), opened.document, self)
        repetitions = Repetitions(session, self.tasks, self.repetitions, session)
        self.project = project = OpenProject(
            opened.path,
            opened.store,
            session,
            Editing(session, session, repetitions),
            repetitions,
            Autosave(session, opened.store),
            opened.documents,
            opened.pair,
            opened.watched,
            opened.undecided,
            opened.settings,
            opened.comments,
        )
        self.saving.follow(project)
        self.begun.emit(project)
        self.opened.emit(opened.first_row)
        # The rest follows in a later turn of the event loop, because it takes long with many segments.
        QTimer.singleShot(0, self, lambda: self._announce_shown(project, opened))

    def _announce_shown(self, project: OpenProject, opened: LoadedProject) -> None:
        if self.project is project:
            self.shown.emit(project)
            self.loaded.emit(opened)

    def close(self, seconds: float = LONG_SECONDS) -> bool:
        """Save everything and close the project.

        Args:
            seconds: maximum time to wait for the disk; after that time, writing continues in the background.
        Returns:
            True if everything is on the disk.
        """
        if (project := self.project) is None:
            return True
        self.closing.emit()
        project.editing.close()
        file_users = [each for each in (self.tasks, *self._followers) if isinstance(each, UsingFile)]
        is_clean = self.saving.leave(seconds, [end for each in file_users for end in each.release_events()])
        self.project = None
        self.closed.emit()
        project.session.deleteLater()
        return is_clean

    def flush(self, seconds: float) -> bool:
        """See `Autosave.flush`; True if no project is open."""
        return self.project is None or self.project.autosave.flush(seconds)

    def read_history(self, segment_id: str, receive: Callable[[tuple[PastState, ...]], None]) -> None:
        """Read a segment's earlier texts off the window's thread; a failure is not reported."""
        if (store := self.store) is not None:
            self.tasks.start(lambda: store.history(segment_id), receive, lambda _: None)

    def run(
        self, work: Callable[[], T], receive: Callable[[T], None], title: str, must_finish: bool = False
    ) -> None:
        """Do work off the window's thread (see `BackgroundTasks`); a failure is reported under `title`."""
        self.tasks.start(work, receive, partial(self.report, title), must_finish)

    def report(self, title: str, error: Exception) -> None:
        if isinstance(error, AnaphoraError):
            self.failed.emit(title, localise_message(error.message), localise_message(error.advice))
        else:
            self.failed.emit(title, f"{type(error).__name__}: {error}", self.tr("Nothing was changed."))
