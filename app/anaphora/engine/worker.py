"""The thread that loads the engine and runs its jobs; only one such thread works at a time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from anaphora.core.errors import AnaphoraError
from anaphora.engine.job_queue import REST_SECONDS, Fate, JobQueue, Shortages
from anaphora.engine.jobs import (
    CloseJob,
    CorrectJob,
    CountDraftJob,
    DraftJob,
    EngineContext,
    Job,
    MemoryChange,
    OpenJob,
    PackJob,
    RememberJob,
    Request,
    ResegmentJob,
    SteerJob,
    TermsOf,
    Urgency,
    open_job,
    source_segment,
)
from anaphora.system.messages import describe_error
from anaphora_nmt.errors import AnaphoraNmtError, Cancelled, UnknownSegmentError, is_shortage_of_memory
from anaphora_nmt.types import Repeats, SearchOptions, SourceTerm, Suggestion
from anaphora_text.freed_memory import release_memory
from anaphora_text.word_forms import prepare as prepare_word_forms

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

log = logging.getLogger(__name__)

PROGRESS_SECONDS = 0.05
"""Minimum time between progress signals; a signal for every segment would block the window."""
Loader = Callable[[], Any]
"""A function that loads and returns a `Translator`, or a substitute in tests."""
DraftOf = Callable[[EngineContext, str, str], tuple[Suggestion, tuple[SourceTerm, ...]]]
"""A function that drafts a segment in the engine's thread, given the ids of the document and the segment. It
returns the draft and the dictionary words that the draft had to use."""


def draft_without_hints(
    context: EngineContext, document: str, segment: str
) -> tuple[Suggestion, tuple[SourceTerm, ...]]:
    terms = context.terms(segment)
    return context.translator.translate(document, segment, context.options, context.stop, terms), ()


def default_loader(folder: Path, device: str = "auto", threads: int | None = None) -> Loader:
    def load() -> Translator:
        from anaphora_nmt.api import Translator

        return Translator.load(folder, device=device, threads=threads)

    return load


@dataclass(frozen=True, slots=True)
class Drafted:
    """A finished draft. `hints` are the dictionary words that it had to use."""

    job: DraftJob
    suggestion: Suggestion
    seconds: float
    hints: tuple[SourceTerm, ...] = ()


class EngineWorker(QObject):
    """Owns the engine's thread. Its methods queue jobs, whose results arrive later as signals.

    Signals:
        loaded: the `info` of the loaded model.
        opened: the id of a document.
        restoring: (done, total) while a reopened document's memory is rebuilt.
        drafted: a `Drafted`.
        draft_failed: (DraftJob, message).
        memory_changed: (RememberJob, MemoryVersion, source phrases whose corrections changed).
        corrected: (id of a document, all of its corrections), when the corrections may have changed.
        draft_counted: a finished CountDraftJob.
        steered: a finished SteerJob, PackJob or CorrectJob.
        failed: the message of a failed job other than a draft, or the notice that drafts now use the CPU.
        short_of_memory: True when jobs begin to wait for the computer's memory, False when they continue.
    """

    loaded = Signal(object)
    load_failed = Signal(str)
    opened = Signal(str)
    restoring = Signal(int, int)
    drafted = Signal(object)
    draft_failed = Signal(object, str)
    memory_changed = Signal(object, object, object)
    corrected = Signal(str, object)
    draft_counted = Signal(object)
    steered = Signal(object)
    failed = Signal(str)
    short_of_memory = Signal(bool)
    _answered = Signal(object, object)
    """(receiver, answer), emitted in the engine's thread."""

    def __init__(
        self,
        loader: Loader,
        options: SearchOptions = SearchOptions(),
        terms: TermsOf = lambda segment: (),
        parent: QObject | None = None,
        draft: DraftOf = draft_without_hints,
    ) -> None:
        super().__init__(parent)
        self.queue = JobQueue()
        self._context = EngineContext(options, terms, self.queue.should_stop)
        self._draft_of = draft
        self._loader = loader
        self._loaded_by: Loader | None = None
        self._device = ""
        self._loading = False
        self._shortages = Shortages()
        self._thread = self._make_thread()
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def set_terms(self, terms: TermsOf) -> None:
        """Set the function that returns a segment's terms; call this before `start`."""
        self._context.terms = terms

    def set_draft_function(self, draft: DraftOf) -> None:
        """Set the function that drafts; call this before `start`."""
        self._draft_of = draft

    def ask(self, *requests: Request) -> None:
        self.queue.put(*requests)

    def ask_only(self, urgency: Urgency, requests: Sequence[Request]) -> None:
        """Replace all requests of a rank; see `JobQueue.put_only`."""
        self.queue.put_only(urgency, requests)

    def set_repeats(self, repeats: Repeats) -> None:
        """Set the condition under which drafts repeat a confirmed segment, from the next draft on."""
        self._context.options = replace(self._context.options, repeats=repeats)

    def start(self) -> None:
        self._loading = True
        self._thread.start()

    def set_loader(self, loader: Loader) -> None:
        """Use another model from the next job on; `loaded` or `load_failed` is emitted before that job. The
        new model knows no documents, so the caller must put an OpenJob again."""
        self._loader = loader

    def stop(self, seconds: float = 2.0) -> bool:
        """Close the queue and wait up to `seconds` for the thread to end; True if it has ended. While a model
        is being loaded, the thread cannot be interrupted, and the result is False at once."""
        self.queue.close()
        if self._loading:
            return False
        end = time.monotonic() + seconds
        while (thread := self._thread).is_alive() and (left := end - time.monotonic()) > 0:
            thread.join(left)  # meanwhile, a new thread may have replaced this one in `_thread`
        return not self._thread.is_alive()

    def _make_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name="anaphora-engine", daemon=True)

    def _run(self) -> None:
        """Run jobs until the queue is closed. If the computer's memory runs out, a new thread continues."""
        while not self._work() and not self.queue.closed:
            self._context.plain_drafts.clear()
            release_memory()
            if self._shortages.is_lasting:
                self.queue.rest(REST_SECONDS)
            successor = self._make_thread()
            try:
                successor.start()
            except RuntimeError:
                log.warning("there is no memory for another thread, so this one tries again")
            else:
                self._thread = successor
                return

    def _work(self) -> bool:
        """Run jobs; True if the queue was closed, False if the computer's memory ran out."""
        while self._ensure_loaded():
            job = self.queue.take()
            if job is None:
                return True
            if self._loader is not self._loaded_by:
                self.queue.put_back(job)  # for the new model
            elif self._context.loaded is not None and not self._perform_safely(job):
                return False
        return False

    def _ensure_loaded(self) -> bool:
        """Load the current loader's model; False if the computer's memory ran out."""
        loader = self._loader
        if self._loaded_by is loader:
            return True
        if self._context.loaded is not None:
            self._context.loaded = None  # two models may need too much memory
            self._context.plain_drafts.clear()
            release_memory()
        self._loading = True
        try:
            self._context.loaded = loader()
            prepare_word_forms()
            self._device = self._context.translator.info.device
            self._emit(self.loaded, self._context.translator.info)
        except (AnaphoraNmtError, AnaphoraError) as problem:
            self._emit(self.load_failed, describe_error(problem))
        except BaseException as problem:  # see _perform_safely
            if is_shortage_of_memory(problem):
                log.warning("there was no memory for the model", exc_info=not self._shortages.is_lasting)
                self._shortages.begin()
                self._emit(self.short_of_memory, True)
                return False
            log.exception("the engine did not load")
            self._emit(self.load_failed, f"{type(problem).__name__}: {problem}")
        finally:
            self._loading = False
        self._loaded_by = loader
        self._end_shortage()
        return True

    def _perform_safely(self, job: Job) -> bool:
        """Run a job and report its errors; False if the computer's memory ran out."""
        try:
            self._perform(self._context.translator, job)
        except Cancelled:
            self.queue.put_back(job)
        except AnaphoraNmtError as problem:
            self._report(job, describe_error(problem))
        except BaseException as problem:  # also a library's SystemExit or Rust panic
            if is_shortage_of_memory(problem):
                is_known = self._shortages.is_lasting
                log.warning("there was no memory for %s", type(job).__name__, exc_info=not is_known)
                self._handle_shortage(job)
                return False
            log.exception("the engine failed at %s", type(job).__name__)
            self._report(job, self._unexpected_message(job))
        else:
            self._shortages.note_success(job)
            self._end_shortage()
            self._note_device(self._context.translator)
        return True

    def _end_shortage(self) -> None:
        if self._shortages.end():
            self._emit(self.short_of_memory, False)

    def _note_device(self, translator: Translator) -> None:
        before, self._device = self._device, translator.info.device
        if before != self._device:
            self._emit(
                self.failed,
                self.tr("The GPU is out of memory. Drafts are now made on the CPU, which is slower."),
            )

    def _handle_shortage(self, job: Job) -> None:
        match self._shortages.decide(job):
            case Fate.RETRY:
                self.queue.put_back(job)
            case Fate.RETRY_LATER:
                self.queue.put_back(job, at_end=job.urgency is not Urgency.MEMORY)
                self._emit(self.short_of_memory, True)
            case Fate.DROP:
                advice = self.tr(
                    "This computer is out of memory. Close other programs or documents and try again."
                )
                self._report(job, advice)

    def _unexpected_message(self, job: Job) -> str:
        if isinstance(job, DraftJob):
            return self.tr(
                "This segment could not be drafted because of an unexpected error. Try “Translate "
                "this segment again”. For details, see Help ▸ Report a problem…."
            )
        return self.tr(
            "The translation engine could not finish a task because of an unexpected error. Try again. For "
            "details, see Help ▸ Report a problem…."
        )

    def _report(self, job: Job, message: str) -> None:
        if isinstance(job, DraftJob):
            self._emit(self.draft_failed, job, message)
        else:
            self._emit(self.failed, message)
        if isinstance(job, Request) and job.fail is not None:
            self._emit(self._answered, job.fail, message)

    def _perform(self, translator: Translator, job: Job) -> None:
        if isinstance(job, MemoryChange) and not isinstance(job, CountDraftJob):
            self._context.plain_drafts.clear()
        match job:
            case OpenJob():
                self._open(translator, job)
            case ResegmentJob():
                self._resegment(translator, job)
            case CloseJob():
                translator.close_document(job.document)
                self._context.hints.clear()  # one document is open at a time
                self._shortages.clear_failures()
            case RememberJob():
                self._remember(translator, job)
            case CorrectJob():
                corrections = translator.correct(job.document, job.removed, job.added)
                self._emit(self.corrected, job.document, corrections)
            case CountDraftJob():
                translator.count_draft(job.document, job.segment, job.counts)
                self._emit(self.draft_counted, job)
            case DraftJob():
                self._draft(job)
            case SteerJob():
                translator.steer(job.document, job.rules)
            case PackJob():
                translator.bring_in(job.document, job.packs, self.queue.should_stop)
            case Request():
                job.run(self._context, partial(self._emit, self._answered, job.receive))
        if isinstance(job, SteerJob | PackJob | CorrectJob):
            self._emit(self.steered, job)

    def _open(self, translator: Translator, job: OpenJob) -> None:
        translator.open_document(job.document, [*map(source_segment, job.segments)])
        if job.targets:
            last = 0.0

            def report(done: int, total: int) -> None:
                nonlocal last
                now = time.monotonic()
                if done >= total or now - last >= PROGRESS_SECONDS:
                    last = now
                    self._emit(self.restoring, done, total)

            translator.restore(job.document, job.targets, cancel=self.queue.should_stop, progress=report)
        self._emit(self.opened, job.document)

    def _resegment(self, translator: Translator, job: ResegmentJob) -> None:
        opened = open_job(job.document, job.segments, job.pair)
        sources = [*map(source_segment, job.segments)]
        try:
            kept = translator.resegment_document(job.document, sources, job.kept_ids())
        except UnknownSegmentError:
            # The engine's document differs from the window's, so send the whole document.
            translator.open_document(job.document, sources)
            kept = frozenset()
        self._emit(self.corrected, job.document, translator.corrections(job.document))
        if lost := [target for target in opened.targets if target[0] not in kept]:
            translator.restore(job.document, lost)

    def _remember(self, translator: Translator, job: RememberJob) -> None:
        before = translator.corrections(job.document)
        if job.target is None:
            version = translator.forget(job.document, job.segment)
        else:
            version = translator.remember(job.document, job.segment, job.target, job.draft)
        after = translator.corrections(job.document)
        if after != before:
            self._emit(self.corrected, job.document, after)
        phrases = frozenset(each.source for each in {*before} ^ {*after})
        self._emit(self.memory_changed, job, version, phrases)

    def _draft(self, job: DraftJob) -> None:
        context, started = self._context, time.perf_counter()
        terms = context.terms(job.segment)
        suggestion, hints = self._draft_of(context, job.document, job.segment)
        if context.terms(job.segment) != terms:
            raise Cancelled("the terms have changed")  # the job goes back into the queue
        context.hints[job.document, job.segment] = hints
        self._emit(self.drafted, Drafted(job, suggestion, time.perf_counter() - started, hints))

    def _deliver(self, receive: Callable[[object], None], answer: object) -> None:
        """Call a receiver, unless it is a method of a deleted part of the window."""
        owner = getattr(receive.func if isinstance(receive, partial) else receive, "__self__", None)
        if not isinstance(owner, QObject) or isValid(owner):
            receive(answer)

    def _emit(self, signal: object, *values: object) -> None:
        """Emit a signal, unless Qt's objects have been destroyed at the end of the program."""
        try:
            signal.emit(*values)  # type: ignore[attr-defined]
        except RuntimeError:
            log.debug("the receiver of a signal is gone")
