"""The thread in which the engine loads and works: one at a time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from anaphora.application.messages import describe_error
from anaphora.core.errors import AnaphoraError
from anaphora.core.influence import needs_comparison
from anaphora.core.word_forms import prepare as prepare_word_forms
from anaphora.drafting.hinted_drafts import beside_terms, draft_with_words
from anaphora.engine.jobs import (
    AlignJob,
    CloseJob,
    CompleteJob,
    DraftJob,
    ExplainJob,
    Job,
    JobQueue,
    MarkJob,
    OpenJob,
    PackJob,
    PreviewJob,
    RememberJob,
    ResegmentJob,
    RewriteJob,
    SourceJob,
    StandJob,
    SteerJob,
    SuggestJob,
    Urgency,
)
from anaphora.engine.plain_drafts import PlainDrafts
from anaphora.engine.shortages import REST_SECONDS, Fate, Shortages
from anaphora.engine.translator import TranslatorLike
from anaphora_nmt.errors import AnaphoraNmtError, Cancelled, UnknownSegmentError, is_shortage_of_memory
from anaphora_nmt.types import (
    Explanation,
    Repeats,
    SearchOptions,
    SourceTerm,
    Suggestion,
    WhatIf,
)
from anaphora_text.freed_memory import give_back

log = logging.getLogger(__name__)

COMPLETED_PIECES = (5, 16)
"""Pieces of a completion that are written at most: of what is shown first, and of all of it."""
_CHANGES_MEMORY = OpenJob | ResegmentJob | CloseJob | RememberJob | SteerJob | PackJob
Loader = Callable[[], TranslatorLike]
TermsOf = Callable[[str], Sequence[SourceTerm]]
"""The terms of a segment, by its id; called in the engine's thread."""
LackingIn = Callable[[str, str], Sequence[SourceTerm]]
"""Words of a segment, by its id, that a draft of it lacks; called in the engine's thread."""


def default_loader(folder: Path, device: str = "auto", threads: int | None = None) -> Loader:
    """A loader of the real engine; its import, which takes seconds, happens when it is called."""

    def load() -> TranslatorLike:
        from anaphora_nmt.api import Translator

        return Translator.load(folder, device=device, threads=threads)

    return load


@dataclass(frozen=True, slots=True)
class Drafted:
    """A finished draft.

    Attributes:
        job: what asked for it.
        seconds: that it took.
        lent: words that the dictionary has lent it.
    """

    job: DraftJob
    suggestion: Suggestion
    seconds: float
    lent: tuple[SourceTerm, ...] = ()


class EngineWorker(QObject):
    """Owns the engine's thread. Its methods only queue; results come back as signals.

    Signals:
        loaded: EngineInfo, once a model stands in memory.
        load_failed: a message for the user.
        opened: id of a document whose memory is ready.
        restoring: (done, total) while a reopened document's memory is rebuilt.
        drafted: Drafted.
        draft_failed: (DraftJob, message).
        explained: (Explanation, ticket).
        viewed: (MemoryView, ticket).
        left_out: (log-probability that the word loses without each source word, in nats; ticket).
        suggested: (Suggestion, ticket).
        completed: (Completion, ticket), and the same once more with more words.
        rewritten: (RewriteJob, text), "" where it could not be done.
        aligned: Explanation, without influences but those of the stretches that were asked for.
        marked: Explanation of a draft in view, compared with the draft without memory where a word stands
            there because of the memory.
        memory_changed: (RememberJob, MemoryVersion).
        stood: StandJob: the draft counts now, or no longer.
        steered: SteerJob or PackJob: what it says is in force.
        previewed: (tuple of Suggestion, ticket).
        failed: a message about a job that went wrong.
        short: whether the computer's memory is used up, so that jobs wait.
    """

    loaded = Signal(object)
    load_failed = Signal(str)
    opened = Signal(str)
    restoring = Signal(int, int)
    drafted = Signal(object)
    draft_failed = Signal(object, str)
    explained = Signal(object, int)
    viewed = Signal(object, int)
    left_out = Signal(object, int)
    suggested = Signal(object, int)
    completed = Signal(object, int)
    rewritten = Signal(object, str)
    aligned = Signal(object)
    marked = Signal(object)
    memory_changed = Signal(object, object)
    stood = Signal(object)
    steered = Signal(object)
    previewed = Signal(object, int)
    failed = Signal(str)
    short = Signal(bool)

    def __init__(
        self,
        loader: Loader,
        options: SearchOptions = SearchOptions(),
        terms: TermsOf = lambda segment: (),
        parent: QObject | None = None,
        lacking: LackingIn = lambda segment, draft: (),
    ) -> None:
        super().__init__(parent)
        self._terms = terms
        self._lacking = lacking
        self._lent: dict[tuple[str, str], tuple[SourceTerm, ...]] = {}
        self.queue = JobQueue()
        self._loader = loader
        self._translator: TranslatorLike | None = None
        self._loaded_by: Loader | None = None
        self._computes_on = ""
        self._options = options
        self._loading = False
        self._plain = PlainDrafts()
        self._shortages = Shortages()
        self._thread = self._make_thread()

    def explain(self, document: str, segment: str, target: str, ticket: int) -> None:
        """Ask for an explanation of a target, or for the memory view alone if it is empty; the latest counts.

        Args:
            ticket: comes back with `explained` or `viewed`.
        """
        self.queue.put(ExplainJob(document, segment, target, ticket))

    def leave_out_source(self, document: str, segment: str, target: str, word: int, ticket: int) -> None:
        """Ask what each source word did for one word of a target; the latest request counts.

        Args:
            word: its number, as of `Explanation.tokens`.
            ticket: comes back with `left_out`.
        """
        self.queue.put(SourceJob(document, segment, target, word, ticket))

    def suggest(self, document: str, segment: str, ticket: int) -> None:
        """Ask for several translations of a segment; the latest request counts.

        Args:
            ticket: comes back with `suggested`.
        """
        self.queue.put(SuggestJob(document, segment, ticket))

    def complete(self, document: str, segment: str, typed: str, ticket: int) -> None:
        """Ask how a translation goes on that is being typed; the latest request counts.

        Args:
            ticket: comes back with `completed`.
        """
        self.queue.put(CompleteJob(document, segment, typed, ticket))

    def repeat(self, repeats: Repeats) -> None:
        """Which drafts are the repetition of a confirmed segment, from the next one on."""
        self._options = replace(self._options, repeats=repeats)

    def start(self) -> None:
        """Begin to load the model."""
        self._loading = True
        self._thread.start()

    def use(self, loader: Loader) -> None:
        """Work with another model from the next job on; `loaded` or `load_failed` follows then.

        Documents that are open have to be opened again.
        """
        self._loader = loader

    def stop(self, seconds: float = 2.0) -> bool:
        """Ask the thread to end and wait for it.

        Returns:
            whether it has ended; a model that is being loaded cannot be interrupted, nor is it waited for.
        """
        self.queue.close()
        if self._loading:
            return False
        end = time.monotonic() + seconds
        while (thread := self._thread).is_alive() and (left := end - time.monotonic()) > 0:
            thread.join(left)  # another one may have taken its place
        return not self._thread.is_alive()

    def _make_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name="anaphora-engine", daemon=True)

    def _run(self) -> None:
        """Load and work until the queue is closed; after a shortage of memory in another thread."""
        while not self._work() and not self.queue.closed:
            self._plain.clear()
            give_back()
            if self._shortages.lasting:
                self.queue.rest(REST_SECONDS)
            successor = self._make_thread()
            try:
                successor.start()
            except RuntimeError:
                log.warning("there is no memory for another thread: this one tries again")
            else:
                self._thread = successor
                return

    def _work(self) -> bool:
        """Load and work.

        Returns:
            whether the queue is closed; else memory was lacking, and this thread is of no more use.
        """
        while self._is_loaded():
            job = self.queue.take()
            if job is None:
                return True
            if self._loader is not self._loaded_by:
                self.queue.put_back(job)  # for the other model
            elif self._translator is not None and not self._perform_safely(self._translator, job):
                return False
        return False

    def _is_loaded(self) -> bool:
        """Load the model that is wanted, unless it is.

        Returns:
            False: there was no memory for it.
        """
        loader = self._loader
        if self._loaded_by is loader:
            return True
        if self._translator is not None:
            self._translator = None  # two models may be too much for the memory
            self._plain.clear()
            give_back()
        self._loading = True
        try:
            self._translator = loader()
            prepare_word_forms()
            self._computes_on = self._translator.info.device
            self._emit(self.loaded, self._translator.info)
        except (AnaphoraNmtError, AnaphoraError) as problem:
            self._emit(self.load_failed, describe_error(problem))
        except Exception as problem:
            if is_shortage_of_memory(problem):
                log.warning("there was no memory for the model", exc_info=not self._shortages.lasting)
                self._shortages.begin()
                self._emit(self.short, True)
                return False
            log.exception("the engine did not load")
            self._emit(self.load_failed, f"{type(problem).__name__}: {problem}")
        finally:
            self._loading = False
        self._loaded_by = loader
        self._note_memory()
        return True

    def _perform_safely(self, translator: TranslatorLike, job: Job) -> bool:
        """Do a job.

        Returns:
            False: memory was lacking, and this thread is of no more use.
        """
        try:
            self._perform(translator, job)
        except Cancelled:
            self.queue.put_back(job)
        except AnaphoraNmtError as problem:
            self._report(job, describe_error(problem))
        except Exception as problem:
            if is_shortage_of_memory(problem):
                known = self._shortages.lasting
                log.warning("there was no memory for %s", type(job).__name__, exc_info=not known)
                self._take_back(job)
                return False
            log.exception("the engine failed at %s", type(job).__name__)
            self._report(job, self._unexpected(job))
        else:
            self._shortages.note_success(job)
            self._note_memory()
            self._note_device(translator)
        return True

    def _note_memory(self) -> None:
        """There is memory, again or still."""
        if self._shortages.end():
            self._emit(self.short, False)

    def _note_device(self, translator: TranslatorLike) -> None:
        """Say so where the engine has left the graphics card."""
        before, self._computes_on = self._computes_on, translator.info.device
        if before != self._computes_on:
            self._emit(
                self.failed,
                self.tr(
                    "The memory of the graphics card is used up: drafts are made on the processor now, and "
                    "take longer."
                ),
            )

    def _take_back(self, job: Job) -> None:
        """There was no memory for a job."""
        match self._shortages.fate_of(job):
            case Fate.AGAIN:
                self.queue.put_back(job)
            case Fate.LATER:
                self.queue.put_back(job, last=job.urgency is not Urgency.MEMORY)
                self._emit(self.short, True)
            case Fate.GIVEN_UP:
                advice = self.tr(
                    "The memory of this computer did not suffice for this. Close other programs or "
                    "documents, then try again."
                )
                self._report(job, advice)

    def _unexpected(self, job: Job) -> str:
        if isinstance(job, DraftJob):
            return self.tr(
                "The draft of this segment failed, and it should not have. Try again with “Translate this "
                "segment again”; Help ▸ Report a problem… shows what happened."
            )
        return self.tr(
            "The engine failed, and it should not have. Try again; Help ▸ Report a problem… shows what "
            "happened."
        )

    def _report(self, job: Job, message: str) -> None:
        """Say that a job failed."""
        if isinstance(job, DraftJob):
            self._emit(self.draft_failed, job, message)
        else:
            self._emit(self.failed, message)
        if isinstance(job, RewriteJob):
            self._emit(self.rewritten, job, "")

    def _perform(self, translator: TranslatorLike, job: Job) -> None:
        if isinstance(job, _CHANGES_MEMORY):
            self._plain.clear()
        match job:
            case OpenJob():
                self._open(translator, job)
            case ResegmentJob():
                self._resegmentation(translator, job)
            case CloseJob():
                translator.close_document(job.document)
                self._lent.clear()  # one document is open at a time
                self._shortages.forget()
            case RememberJob(target=None):
                version = translator.forget(job.document, job.segment)
                self._emit(self.memory_changed, job, version)
            case RememberJob():
                version = translator.remember(job.document, job.segment, job.target or "")
                self._emit(self.memory_changed, job, version)
            case StandJob():
                translator.count_draft(job.document, job.segment, job.stands)
                self._emit(self.stood, job)
            case DraftJob():
                self._draft(translator, job)
            case SteerJob():
                translator.steer(job.document, job.rules)
                self._emit(self.steered, job)
            case PackJob():
                translator.bring_in(job.document, job.packs, self.queue.should_stop)
                self._emit(self.steered, job)
            case PreviewJob():
                self._preview(translator, job)
            case ExplainJob():
                self._explain(translator, job)
            case SourceJob():
                stop = self.queue.should_stop
                found = translator.source_influences(job.document, job.segment, job.target, job.word, stop)
                self._emit(self.left_out, found, job.ticket)
            case SuggestJob():
                self._suggest(translator, job)
            case CompleteJob():
                self._complete(translator, job)
            case MarkJob():
                self._mark(translator, job)
            case RewriteJob():
                self._rewrite(translator, job)
            case AlignJob():
                self._align(translator, job)

    def _open(self, translator: TranslatorLike, job: OpenJob) -> None:
        translator.open_document(job.document, job.segments)
        if job.targets:
            translator.restore(
                job.document,
                job.targets,
                cancel=self.queue.should_stop,
                progress=lambda done, total: self._emit(self.restoring, done, total),
            )
        self._emit(self.opened, job.document)

    def _resegmentation(self, translator: TranslatorLike, job: ResegmentJob) -> None:
        """Restoring only what is new takes too little time to be interrupted."""
        try:
            kept = translator.resegment_document(job.document, job.segments, dict(job.moved))
        except UnknownSegmentError:
            # The engine knows the document otherwise than the window: it gets all of it.
            translator.open_document(job.document, job.segments)
            kept = frozenset()
        if lost := [target for target in job.targets if target[0] not in kept]:
            translator.restore(job.document, lost)

    def _draft(self, translator: TranslatorLike, job: DraftJob) -> None:
        begin, terms = time.perf_counter(), self._terms(job.segment)
        suggestion, lent = draft_with_words(
            translator,
            job.document,
            job.segment,
            self._options,
            self.queue.should_stop,
            terms,
            lambda draft: self._lacking(job.segment, draft),
        )
        if self._terms(job.segment) != terms:
            raise Cancelled("the terms have changed meanwhile")  # it is made again
        self._lent[job.document, job.segment] = lent
        self._emit(self.drafted, Drafted(job, suggestion, time.perf_counter() - begin, lent))

    def _all_terms(
        self, document: str, segment: str, terms: Sequence[SourceTerm] | None = None
    ) -> tuple[SourceTerm, ...]:
        """A segment's terms, or others, and the words of the dictionary that its last draft was held to."""
        held = tuple(self._terms(segment) if terms is None else terms)
        return (*held, *beside_terms(self._lent.get((document, segment), ()), held))

    def _explain(self, translator: TranslatorLike, job: ExplainJob) -> None:
        if not job.target.strip():
            self._emit(self.viewed, translator.memory(job.document, job.segment), job.ticket)
            return
        explanation = self._explanation(translator, job, influence=True)
        if needs_comparison(explanation):
            terms = self._all_terms(job.document, job.segment)
            plain = self._plain.known(job.document, job.segment, job.target, terms)
            explanation = replace(explanation, draft_without_memory=plain)
        self._emit(self.explained, explanation, job.ticket)

    def _mark(self, translator: TranslatorLike, job: MarkJob) -> None:
        explanation = self._explanation(translator, job, influence=True)
        if needs_comparison(explanation):
            terms, stop = self._all_terms(job.document, job.segment), self.queue.should_stop

            def make() -> str:
                options, asked = self._without_memory(), {job.segment: terms}
                found = translator.preview(job.document, (job.segment,), WhatIf(), options, stop, asked)
                return found[0].text

            plain = self._plain.ask(job.document, job.segment, job.target, terms, make)
            explanation = replace(explanation, draft_without_memory=plain)
        self._emit(self.marked, explanation)

    def _without_memory(self) -> SearchOptions:
        return replace(self._options, memories=None)

    def _explanation(
        self, translator: TranslatorLike, job: ExplainJob | MarkJob | AlignJob, influence: bool
    ) -> Explanation:
        """With the options of the drafts: what a draft was made without did nothing for it."""
        stop = self.queue.should_stop
        return translator.explain(job.document, job.segment, job.target, influence, stop, self._options)

    def _align(self, translator: TranslatorLike, job: AlignJob) -> None:
        explanation = self._explanation(translator, job, influence=False)
        stop = self.queue.should_stop
        found = translator.stretch_influences(job.document, job.segment, job.target, job.stretches, stop)
        self._emit(self.aligned, replace(explanation, stretches=found))

    def _preview(self, translator: TranslatorLike, job: PreviewJob) -> None:
        options = self._without_memory() if job.without_memory else self._options
        terms = {segment: self._all_terms(job.document, segment) for segment in job.segments}
        stop = self.queue.should_stop
        found = translator.preview(job.document, job.segments, job.question, options, stop, terms)
        self._emit(self.previewed, found, job.ticket)

    def _suggest(self, translator: TranslatorLike, job: SuggestJob) -> None:
        """Asked of the memory as it is, and without a trace in it."""
        options = replace(self._options, n_best=self._options.beam_size)
        terms = {job.segment: self._terms(job.segment)}
        stop = self.queue.should_stop
        found = translator.preview(job.document, (job.segment,), WhatIf(), options, stop, terms)
        self._emit(self.suggested, found[0], job.ticket)

    def _complete(self, translator: TranslatorLike, job: CompleteJob) -> None:
        """First a few words, then more: the engine keeps its steps, so that nothing is computed twice."""
        terms = self._terms(job.segment)
        for most in COMPLETED_PIECES:
            found = translator.complete(
                job.document, job.segment, job.typed, most, self._options, self.queue.should_stop, terms
            )
            self._emit(self.completed, found, job.ticket)
            if found.ended:
                return

    def _rewrite(self, translator: TranslatorLike, job: RewriteJob) -> None:
        terms = {job.segment: self._all_terms(job.document, job.segment, job.terms)}
        stop = self.queue.should_stop
        found = translator.preview(job.document, (job.segment,), WhatIf(), self._options, stop, terms)
        self._emit(self.rewritten, job, found[0].text)

    def _emit(self, signal: object, *values: object) -> None:
        """Emit, unless the window has been destroyed in the meantime."""
        try:
            signal.emit(*values)  # type: ignore[attr-defined]
        except RuntimeError:
            log.debug("nobody listens any more")
