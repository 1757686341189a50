"""Opening, closing, saving and exporting; what is open lives here."""

from __future__ import annotations

import logging
import os.path
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from anaphora.core.direction import Pair, pair_of
from anaphora.core.errors import AnaphoraError
from anaphora.core.long_work import CancelledError, LongWork
from anaphora.core.project import DamagedProjectError, DocumentInfo, ProjectInUseError, ReadOnlyProjectError
from anaphora.core.records import PastState
from anaphora.core.segment import document_id
from anaphora.project.autosave import Autosave
from anaphora.project.backups import BackupService
from anaphora.project.changes import change_project
from anaphora.project.document.comments import CommentService
from anaphora.project.document.editing import Editing
from anaphora.project.document.following import Follower, Kept, KeptSetting, OpenProject, UsingFile, Writing
from anaphora.project.document.progress import ProgressService
from anaphora.project.document.repetitions import RepetitionChoice, Repetitions
from anaphora.project.document.resegmentation import ResegmentationService
from anaphora.project.document.session import DocumentSession
from anaphora.project.importing.external_changes import WorkElsewhereError
from anaphora.project.models import ModelService
from anaphora.project.opening import (
    MODEL,
    PROJECT_SUFFIX,
    ROW_SETTING,
    SAID_LANGUAGES,
    OpenedProject,
    open_paths,
)
from anaphora.project.recent_files import RecentFiles
from anaphora.project.rereading import are_in_another_language, read_in
from anaphora.project.saving import BRIEF_SECONDS, LEAVING_SECONDS, LONG_SECONDS, Saving
from anaphora.project.store.project import ProjectStore
from anaphora.system.background import BackgroundTasks
from anaphora.system.file_names import with_home
from anaphora.system.locations import project_name
from anaphora.system.messages import localise_message

log = logging.getLogger(__name__)

_WRITING_MS = 20
T = TypeVar("T")


class CurrentProject(QObject):
    """Holds the open project with its session, history, autosave and backups; features follow it.

    Attributes:
        session: the segments of all its documents; None while nothing is open.
        looked_at: ids of those whose files may be looked at (`project/store/own_originals.py`).
        tasks: what runs off the window's thread; only services put anything there.
        path: what the user opened: a document, a folder, or the project file.
        pair: what the project goes from and to, as its model and its texts say.
        reopening: whether `closed` is only the first half of a change of the open project.

    Signals:
        opening: the path of what is being read; None when that is over.
        opening_progressed: per mille of it.
        begun: the OpenProject, before it is shown.
        opened: row to begin at, once the session stands and what the window shows is known.
        shown: the OpenProject, behind `opened`.
        repetitions_chosen: the RepetitionChoice from now on.
        failed: (title, message, advice) for the user.
        left_out: (name, why) of files that did not become documents.
        changed_externally: the ChangedOriginals found.
        worked_on_elsewhere: the WorkElsewhereError of what the user wants to open.
        read_only: (project, error): it cannot be written, a copy of it could.
        damaged: (what the user wanted to open, DamagedProjectError).
        restored: the Restoration of a damaged project that has been opened from a backup.
    """

    opening = Signal(object)
    opening_progressed = Signal(int)
    begun = Signal(object)
    opened = Signal(int)
    shown = Signal(object)
    closing = Signal()
    closed = Signal()
    model_changed = Signal()
    languages_changed = Signal()
    repetitions_chosen = Signal(object)
    failed = Signal(str, str, str)
    notes = Signal(object)
    left_out = Signal(object)
    changed_externally = Signal(object)
    worked_on_elsewhere = Signal(object)
    read_only = Signal(Path, object)
    damaged = Signal(Path, object)
    restored = Signal(object)
    pair_changed = Signal()

    def __init__(
        self,
        tasks: BackgroundTasks,
        models: ModelService,
        recent: RecentFiles,
    ) -> None:
        super().__init__()
        self.session: DocumentSession | None = None
        self.editing: Editing | None = None
        self.documents: tuple[DocumentInfo, ...] = ()
        self.looked_at: frozenset[str] = frozenset()
        self.undecided: tuple[DocumentInfo, ...] = ()
        self.store: ProjectStore | None = None
        self.path: Path | None = None
        self.pair = Pair()
        self.reopening = False
        self.tasks = tasks
        self._settings: list[KeptSetting[Any]] = []
        self._writers: list[Writing] = [tasks, models]
        self._using: list[UsingFile] = []
        self._models = models
        models.switched.connect(self._follow_model)
        models.refitted.connect(self._follow_model)
        self._repetitions: Repetitions | None = None
        self._repetition_choice = RepetitionChoice()
        self._recent = recent
        self.progress = ProgressService(tasks, self)
        self.resegmentation = ResegmentationService(tasks, self)
        self.comments = CommentService(self)
        self._backups = BackupService(tasks, self._report_no_backup, self)
        self.saving = Saving(self)
        self._autosave: Autosave | None = None
        self._wanted: Path | None = None
        self._opening: LongWork | None = None

    def follow(self, feature: Follower, before_shown: bool = False) -> None:
        """Let a feature follow the project that is open, in the order of these calls.

        Args:
            before_shown: the window shows what it knows; the others come once the document is to be seen.
        """
        (self.begun if before_shown else self.shown).connect(feature.follow)
        self.closing.connect(feature.close)
        self._settings += feature.keeps
        if isinstance(feature, Writing):
            self._writers.append(feature)
        if isinstance(feature, UsingFile):
            self._using.append(feature)

    def folder(self) -> Path:
        """The folder of what the user opened; the home folder where there is none, or not any more.

        Asks the disk, which may take long: not for the window's thread.
        """
        if (path := self.path) is None:
            return Path.home()
        return next(filter(os.path.isdir, (path, path.parent)), Path.home())

    @property
    def title(self) -> str:
        """What is open, for a reader: the document, and the project's name where it has one of its own."""
        name = self.session.document.name if self.session is not None else ""
        project = project_name(self.store.path) if self.store is not None else ""
        return f"{name} · {project}" if project and project not in (name, Path(name).stem) else name

    def end_jobs_with(self, window: QObject) -> None:
        """No answer comes any more to a window that has ended."""
        self.tasks.setParent(window)

    def open(self, path: Path) -> None:
        """Open a document, a project or a folder instead of what is open; `opened` or `failed` follows."""
        self.open_several((path,))

    def open_several(self, paths: Sequence[Path], goes_on: bool | None = None) -> None:
        """Open several documents as one project; one path is opened as what it is: see `open_paths`."""
        paths = [with_home(path).absolute() for path in paths]
        if self._busy() or (len(paths) == 1 and paths[0] == self.path):
            return
        self._opening = work = LongWork(self.opening_progressed.emit)

        def read() -> OpenedProject:
            self.saving.finish(LEAVING_SECONDS, lambda: work.step(0.0))
            opened = open_paths(paths, work.step, goes_on)
            if work.is_cancelled:
                opened.store.close()
                raise CancelledError
            return opened

        def take(opened: OpenedProject) -> None:
            if work.is_cancelled:
                self.tasks.start(opened.store.close, lambda _: None, self._leave_cancelled)
            else:
                self._leave_for(opened, work)

        def refuse(error: Exception) -> None:
            if not work.is_cancelled:
                self._refuse(error)

        self._start(paths[0] if len(paths) == 1 else paths[0].parent, read, take, refuse)

    @property
    def can_cancel_opening(self) -> bool:
        """Whether something is being opened that can be given up: not the open project after a change."""
        return self._opening is not None and self._wanted is not None

    def cancel_opening(self) -> None:
        """Give up what is being opened: what is open stays, and the file is let go as soon as may be."""
        if self._opening is not None and self._wanted is not None:
            self._opening.cancel()
            self._opening = self._wanted = None
            self.opening.emit(None)

    def reopen(self, work: Callable[[Path, Path], OpenedProject]) -> None:
        """Close the project, let `work` change it and open it again; `opened` or `failed` follows.

        Args:
            work: gets the project file and what the user had opened; runs off the window's thread.
        """
        store, path, autosave = self.store, self.path, self._autosave
        if store is None or path is None or autosave is None or self._busy():
            return

        def go_on(problem: str | None) -> None:
            if problem is None or self.store is not store or self._wanted is not None:
                return
            if problem or not autosave.clean:
                reason = problem or self.tr("The last changes have not been saved yet.")
                self.failed.emit(self.tr("The project cannot be changed now"), reason, self.tr("Try again."))
                return
            self.reopening = True
            self.close(BRIEF_SECONDS)
            self._start(path, lambda: self.saving.once_left(lambda: work(store.path, path)))

        self.saving.settle(go_on)

    def hand_over(self, copy: Path, is_whole: Callable[[], bool], then: Callable[[bool], None]) -> None:
        """Open a copy of the project in its place; `opened` or `failed` follows.

        Args:
            is_whole: whether it holds everything; asked once it has been read, as work goes on until then.
            then: called with whether it was; where it was not, the project stays open.
        """
        store = self.store

        def take(opened: OpenedProject) -> None:
            if self.store is store and is_whole():
                self._take(opened)
                then(True)
                return
            self._wanted = None
            self.opening.emit(None)
            opened.store.close()
            if self.store is store:
                then(False)

        if not self._busy():
            take_written = lambda opened: self._when_written(store, lambda: take(opened))  # noqa: E731
            self._start(copy, lambda: open_paths((copy,)), take_written)

    def _when_written(self, store: ProjectStore | None, go_on: Callable[[], None]) -> None:
        """Terms and memory: what is not in the old project yet would come into that alone."""
        if self.store is store and any(each.writing for each in self._writers):
            QTimer.singleShot(_WRITING_MS, self, lambda: self._when_written(store, go_on))
        else:
            go_on()

    def flush(self, seconds: float) -> bool:
        return self._autosave is None or self._autosave.flush(seconds)

    def close(self, seconds: float = LONG_SECONDS) -> bool:
        """Close the document, everything saved.

        Args:
            seconds: so long the disk is waited for; what takes longer is written in the background.
        Returns:
            whether everything is on the disk.
        """
        if self.session is None:
            return True
        self.closing.emit()
        if self.editing is not None:
            self.editing.close()
        self._backups.close()
        self._models.close()
        self.progress.close()
        self.resegmentation.close()
        self.comments.close()
        clean = self.saving.leave(seconds, [end for each in self._using for end in each.ends_of_use()])
        session, self.session, self.editing = self.session, None, None
        self._repetitions = None
        self.store = self._autosave = self.path = None
        self.documents, self.undecided, self.looked_at = (), (), frozenset()
        self.closed.emit()
        session.deleteLater()
        return clean

    def choose_repetitions(self, choice: RepetitionChoice) -> None:
        self._repetition_choice = choice
        self.repetitions_chosen.emit(choice)
        if self._repetitions is not None:
            self._repetitions.choice = choice

    def keep_row(self, row: int) -> None:
        """Keep the current segment with the project: its row changes when documents come and go."""
        if self.session is not None:
            self.keep_setting(ROW_SETTING, self.session.document.at(row).id)

    def keep_setting(self, key: str, value: str) -> None:
        if self._autosave is not None:
            self._autosave.keep_setting(key, value)

    @property
    def autosave(self) -> Autosave | None:
        return self._autosave

    def document_of(self, segment_id: str) -> DocumentInfo | None:
        """The document that a segment belongs to; the first one for an unknown segment."""
        wanted = document_id(segment_id)
        found = (document for document in self.documents if document.id == wanted)
        return next(found, self.documents[0] if self.documents else None)

    def read_history(self, segment_id: str, take: Callable[[tuple[PastState, ...]], None]) -> None:
        """Look up the texts that a segment had; where that fails, saving says why."""
        if (store := self.store) is not None:
            self.tasks.start(lambda: store.history(segment_id), take, lambda _: None)

    def run(
        self,
        work: Callable[[], T],
        take: Callable[[T], object],
        title: str,
        must_finish: bool = False,
        awaited: bool = True,
    ) -> None:
        """Do something off the window's thread; what goes wrong is reported under a title."""
        self.tasks.start(work, take, lambda error: self.report(title, error), must_finish, awaited)

    def report(self, title: str, error: Exception) -> None:
        if isinstance(error, AnaphoraError):
            self.failed.emit(title, localise_message(error.message), localise_message(error.advice))
        else:
            self.failed.emit(title, f"{type(error).__name__}: {error}", self.tr("Nothing has been changed."))

    def _busy(self) -> bool:
        if self._wanted is not None:
            self.failed.emit(
                self.tr("Opening"), self.tr("Another document is being opened."), self.tr("Try again.")
            )
        return self._wanted is not None

    def _start(
        self,
        path: Path,
        work: Callable[[], OpenedProject],
        take: Callable[[OpenedProject], None] | None = None,
        refuse: Callable[[Exception], None] | None = None,
    ) -> None:
        self._wanted = path
        self.opening.emit(path)
        settings = tuple(self._settings)

        def read() -> OpenedProject:
            opened = work()
            return replace(opened, kept=Kept(opened.kept.texts, settings))

        self.tasks.start(read, take or self._take, refuse or self._refuse)

    @staticmethod
    def _leave_cancelled(error: Exception) -> None:
        log.warning("a project that was given up could not be closed: %s", error)

    def _leave_for(self, opened: OpenedProject, work: LongWork) -> None:
        """Another project has been opened: it is shown once everything of this one is on the disk."""

        def go_on(problem: str | None) -> None:
            if problem == "" and not work.is_cancelled:
                self._take(opened)
                return
            self.tasks.start(opened.store.close, lambda _: None, self._leave_cancelled)
            if not work.is_cancelled:
                self._wanted = self._opening = None
                self.opening.emit(None)
            if problem:
                advice = self.tr(
                    "Save the project as another file, or free some space, before you open another one."
                )
                self.failed.emit(self.tr("Your last changes are not saved"), problem, advice)

        self.comments.take_begun()
        self.saving.settle(go_on)

    def _take(self, opened: OpenedProject) -> None:
        self._wanted = self._opening = None
        self.reopening = False
        self.opening.emit(None)
        self.close(BRIEF_SECONDS)
        self.path, self.documents, self.store = opened.path, opened.documents, opened.store
        self.looked_at, self.undecided = opened.looked_at, opened.undecided
        kept = opened.kept
        languages = self._models.open(opened.store, kept.of(MODEL), kept.of(SAID_LANGUAGES))
        self.pair = opened.pair
        self.session = session = DocumentSession(str(opened.store.path), opened.document, self, languages)
        self._repetitions = Repetitions(session, self.tasks, self._repetition_choice, session)
        self.editing = Editing(session, session, self._repetitions)
        self._autosave = autosave = Autosave(session, opened.store)
        self.saving.follow(autosave)
        for changing in (session.applied, session.resegmented):
            changing.connect(lambda _: self.saving.expect())
        self.comments.open(session, opened.comments, autosave.enqueue)
        self._recent.add(opened.path)
        names = {info.id: info.name for info in opened.documents}
        # Drafts in another language than the translations beside them are for somebody to ask for.
        elsewhere = self.pair.elsewhere
        project = OpenProject(session, opened.store, kept, autosave.keep_setting, names, elsewhere)
        self._backups.open(opened.store)  # before anybody works
        self.begun.emit(project)
        self.opened.emit(opened.first_row)
        # In a turn of its own: with thousands of segments each of the two takes its time.
        QTimer.singleShot(0, self, lambda: self._go_on(project, opened))

    def _go_on(self, project: OpenProject, opened: OpenedProject) -> None:
        """The project is to be seen: the rest follows it, unless it has been left meanwhile."""
        if self.session is not project.session:
            return
        self.progress.open(project.session)
        self.resegmentation.open(project.session, opened.store)
        self.shown.emit(project)
        self._report_findings(opened)

    def _follow_model(self, has_other_model: bool = True) -> None:
        """The project has another model: it gets the whole document, and drafts what nobody has touched.

        Documents that were read in another language are read anew before.
        """
        session, languages = self.session, self._models.languages
        if session is None:
            return
        if has_other_model:
            self.model_changed.emit()
        if are_in_another_language(self.documents, languages.source):
            change = partial(read_in, languages.source)
            self.reopen(lambda project, path: change_project(project, path, change))
            return
        session.pair = languages
        self.languages_changed.emit()
        segments = tuple(session.document)

        def take(pair: Pair) -> None:
            if self.session is session and session.pair == languages:
                self.pair = pair
                self.pair_changed.emit()

        self.tasks.start(
            lambda: pair_of(segments, languages),
            take,
            lambda error: self.report(self.tr("Opening"), error),
            awaited=False,
        )

    def _report_findings(self, opened: OpenedProject) -> None:
        if opened.restoration is not None:
            self.restored.emit(opened.restoration)
        if opened.problem is not None:
            self.report(self.tr("The project has not been changed"), opened.problem)
        if opened.notes:
            self.notes.emit(opened.notes)
        if opened.left_out:
            self.left_out.emit(opened.left_out)
        if opened.changed:
            self.changed_externally.emit(opened.changed)

    def _refuse(self, error: Exception) -> None:
        path, self._wanted = self._wanted, None
        self._opening = None
        self.opening.emit(None)
        if self.reopening:
            self.reopening = False
            self.closed.emit()
        if isinstance(error, ProjectInUseError) and error.is_here and self.store is not None:
            return  # It stands in the window.
        if isinstance(error, WorkElsewhereError):
            self.worked_on_elsewhere.emit(error)
            return
        if isinstance(error, ReadOnlyProjectError) and path is not None and path.suffix == PROJECT_SUFFIX:
            self.read_only.emit(path, error)
            return
        if isinstance(error, DamagedProjectError) and path is not None:
            self.damaged.emit(path, error)
            return
        self.report(self.tr("{0} cannot be opened").format(path.name if path else ""), error)

    def _report_no_backup(self, error: Exception) -> None:
        self.report(self.tr("No backup could be made"), error)
