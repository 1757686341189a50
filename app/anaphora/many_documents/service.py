"""Runs `anaphora translate` over the documents of the open project, in processes of its own."""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, QProcess, QProcessEnvironment, QTimer, Signal

from anaphora.application.background import BackgroundTasks
from anaphora.application.languages import Language
from anaphora.application.messages import describe_error
from anaphora.command_line.arguments import CANCELLED
from anaphora.command_line.batch.outcome import Outcome
from anaphora.core.errors import AnaphoraError
from anaphora.core.long_work import CancelledError
from anaphora.core.untrusted import read_json
from anaphora.document.session import DocumentSession
from anaphora.many_documents.preparing import REPORT, Given, Prepared, prepare
from anaphora.matches.service import MemoryService
from anaphora.memory.packs import PackService
from anaphora.models.service import ModelService
from anaphora.projects.controller import DocumentController
from anaphora.terms.service import TermService

_STOP_MS = 5000
"""A cancelled run ends within a moment; after this it is made to."""


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is.

    Attributes:
        done, documents: how many documents are done, of those that were not before.
        words: of these, as `Outcome.words`.
        share: of the work, between 0 and 1.
        seconds_left: an estimate.
    """

    done: int
    documents: int
    words: int
    share: float
    seconds_left: float


@dataclass(frozen=True, slots=True)
class RunReport:
    """What came of a run.

    Attributes:
        folder: holds the translations.
        outcomes: of all documents, by name; those of an earlier run, too.
        kept: how many of them were done before.
        left_out: names of documents that are read by choices of the project, or share their name.
    """

    folder: Path
    outcomes: tuple[Outcome, ...]
    kept: int
    left_out: tuple[str, ...]


class TranslateAllService(QObject):
    """One run at a time. It reads copies: the project can be worked on, and left, meanwhile.

    Signals:
        began: a run has been asked for.
        progressed: a RunProgress.
        ended: a RunReport.
        cancelled: it was given up; what is done stays in the folder.
        failed: a plain sentence.
    """

    began = Signal()
    progressed = Signal(object)
    ended = Signal(object)
    cancelled = Signal()
    failed = Signal(str)

    def __init__(
        self,
        controller: DocumentController,
        memory: MemoryService,
        terms: TermService,
        packs: PackService,
        models: ModelService,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._controller = controller
        self._memory, self._terms, self._packs, self._models = memory, terms, packs, models
        self._tasks = BackgroundTasks(self, threads=1)
        self._process: QProcess | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._out = Path()
        self._left_out: tuple[str, ...] = ()
        self._said = ""
        self._is_given_up = False
        controller.closing.connect(self._let_go)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.finish)

    @property
    def is_busy(self) -> bool:
        """Whether a run is under way."""
        return self._folder is not None

    @property
    def session(self) -> DocumentSession | None:
        """The session of the open project."""
        return self._controller.session

    @property
    def count(self) -> int:
        """How many documents the open project has; 0 while none is open."""
        return len(self._controller.documents) if self.session is not None else 0

    @property
    def fits(self) -> bool:
        """Whether the project's model translates between the project's languages."""
        return self._models.fits

    def run(self, out: Path, device: str, language: Language, projects: bool) -> bool:
        """Translate all documents into a folder; `ended`, `cancelled` or `failed` follows.

        Args:
            device: as `anaphora translate` takes it.
            language: of what is said about single documents; not SYSTEM.
            projects: whether a project is written beside each translation.
        Returns:
            whether it has begun: not while another one is under way, or without an open project.
        """
        store, memories, terms = self._controller.store, self._memory.memories, self._terms.terms
        if store is None or self.is_busy:
            return False
        entries = [] if terms is None else [each for some in terms.entries.values() for each in some]
        given = Given(
            store,
            tuple(self._controller.documents),
            memories.project if memories is not None else None,
            tuple(entries),
            self._packs.with_corrections(),
            self._models.languages,
            self._models.in_use,
        )
        self._folder = held = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._out, self._said, self._is_given_up = out, "", False
        wishes = ["-o", str(out), "--resume", "--device", device, "--progress", "json"]
        wishes += ["--language", "zh" if language is Language.CHINESE else "en"]
        wishes += ["--projects"] if projects else []
        version = QCoreApplication.applicationVersion() or "unknown"
        self.began.emit()
        self._tasks.start(
            lambda: prepare(given, Path(held.name), version, lambda: self._is_given_up),
            lambda prepared: self._start(prepared, wishes),
            self._give_up,
        )
        return True

    def cancel(self) -> None:
        """Give it up: what is done stays, whole files only."""
        self._is_given_up = True
        process = self._process
        if process is not None:
            process.terminate()
            QTimer.singleShot(_STOP_MS, process, process.kill)

    def _let_go(self) -> None:
        """The project is about to be closed: documents that have not been read yet will not be.

        Nobody waits for the document that is being looked at: the next one finds the project closed.
        """
        if self.is_busy and self._process is None:
            self._is_given_up = True

    def finish(self) -> None:
        """Leave no process, at the end of the program."""
        if self._process is not None:
            self._process.terminate()
            if not self._process.waitForFinished(_STOP_MS):
                self._process.kill()
                self._process.waitForFinished(_STOP_MS)

    def _start(self, prepared: Prepared, wishes: list[str]) -> None:
        if self._is_given_up:
            self._clear()
            self.cancelled.emit()
            return
        self._left_out = prepared.left_out
        self._process = process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONUTF8", "1")
        process.setProcessEnvironment(environment)
        process.setReadChannel(QProcess.ProcessChannel.StandardError)
        process.setStandardOutputFile(QProcess.nullDevice())
        process.readyReadStandardError.connect(self._read)
        process.finished.connect(self._end)
        process.errorOccurred.connect(self._fail_to_start)
        is_frozen = getattr(sys, "frozen", False)
        command = ["translate"] if is_frozen else ["-m", "anaphora.main", "translate"]
        process.start(sys.executable, [*command, *prepared.arguments, *wishes])

    def _read(self) -> None:
        process = self._process
        while process is not None and process.canReadLine():
            line = bytes(process.readLine().data()).decode("utf-8", "replace").strip()
            if line.startswith("{"):
                self._tell(line)
            elif line:
                self._said = line

    def _tell(self, line: str) -> None:
        try:
            told = read_json(line)
            progress = RunProgress(
                told["done"], told["documents"], told["words"], told["share"], told["left"]
            )
        except (ValueError, KeyError, TypeError):
            self._said = line  # it is no progress: a document's name may begin so
            return
        self.progressed.emit(progress)

    def _fail_to_start(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            reason = self._process.errorString()
            self._clear()
            self.failed.emit(self.tr("The translation could not be started: {0}").format(reason))

    def _end(self, status: int, _: QProcess.ExitStatus) -> None:
        self._read()
        folder = self._folder
        report = Path(folder.name) / REPORT if folder is not None else Path()
        if self._is_given_up or status == CANCELLED:
            self._clear()
            self.cancelled.emit()
            return
        self._tasks.start(lambda: _outcomes(report), self._take, self._give_up)

    def _take(self, found: tuple[tuple[Outcome, ...], int] | None) -> None:
        said, out, left_out = self._said, self._out, self._left_out
        self._clear()
        if found is None:
            unknown = self.tr("The program that translates ended unexpectedly.")
            self.failed.emit(said.removeprefix("anaphora: ") or unknown)
            return
        self.ended.emit(RunReport(out, found[0], found[1], left_out))

    def _give_up(self, error: Exception) -> None:
        self._clear()
        if isinstance(error, CancelledError):
            self.cancelled.emit()
            return
        if not isinstance(error, AnaphoraError):
            raise error
        self.failed.emit(describe_error(error))

    def _clear(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
        folder, self._folder = self._folder, None
        if folder is not None:
            self._tasks.start(folder.cleanup, lambda _: None, self._give_up)


def _outcomes(report: Path) -> tuple[tuple[Outcome, ...], int] | None:
    """What the command's report says, and how many documents were done before; None: it wrote none."""
    try:
        said: dict[str, Any] = json.loads(report.read_text("utf-8"))
    except FileNotFoundError:
        return None
    return tuple(map(Outcome.from_plain, said["documents"])), said["total"]["kept_from_before"]
