"""Drafts a document: sends the jobs to the engine in order, and applies finished drafts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from PySide6.QtCore import QTimer, Signal

from anaphora.core.drafts import (
    is_drafted,
    is_its_own_translation,
    may_be_redrafted,
    needs_draft,
    own_translation,
    proposal_of,
    redrafted_state,
)
from anaphora.core.edits import ChangeSet, Edit, OfferedDraft, Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import MARK
from anaphora.engine.jobs import (
    CloseJob,
    CorrectJob,
    CountDraftJob,
    DraftJob,
    PackJob,
    RememberJob,
    ResegmentJob,
    SteerJob,
    Urgency,
    open_job,
)
from anaphora.engine.worker import Drafted, EngineWorker
from anaphora.features.dictionary.hinted_drafts import report_of
from anaphora.features.drafting.current_drafts import CurrentDrafts, DraftingPace, cost_of
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.repetitions import RepetitionChoice
from anaphora.project.document.session import DocumentSession

MemoryJob = PackJob | SteerJob | CorrectJob
MAX_FIRST = 30
"""Maximum number of segments that are drafted first: the current one and those after it."""
LEARNED_MS = 50
"""Minimum time in milliseconds between two `learned` signals."""


@dataclass(frozen=True, slots=True)
class DraftProgress:
    """Progress of drafting.

    Attributes:
        done: number of segments with a target or a proposal (see `core.drafts`).
        seconds_left: None if unknown or if no drafts are waiting.
        proposed: number of segments with a proposal.
        left_out: number of empty segments without text in the source language, which are not drafted.
    """

    done: int
    total: int
    seconds_left: float | None = None
    active: bool = False
    paused: bool = False
    left_out: int = 0
    proposed: int = 0


class DraftingService(SessionFollower):
    """Drafts the segments of a session, and sends the session's changes to the engine's memory.

    Attributes:
        lookahead: maximum number of following drafts that are redone after each confirmation.

    Signals:
        progressed: DraftProgress.
        suggested: (segment id, SegmentState of a draft that the user requested).
        warned: (segment id, texts of warnings).
        learned: the memory of confirmed text has changed.
        draft_replaced: id of a segment whose draft the engine's memory has replaced, removed or restored.
        renewing: all unedited drafts are about to be redone by another model.
    """

    progressed = Signal(object)
    suggested = Signal(str, object)
    warned = Signal(str, object)
    learned = Signal()
    draft_replaced = Signal(str)
    renewing = Signal()

    def __init__(self, worker: EngineWorker, lookahead: int = 10) -> None:
        super().__init__()
        self.lookahead = lookahead
        self._worker = worker
        self._pace = DraftingPace()
        self._done = self._proposed = self._left_out = 0
        self._current_segment = ""
        self._planned: dict[str, int] = {}
        self._drafted_ids: set[str] = set()
        self._memory_changes: list[tuple[MemoryJob, Callable[[], Iterable[str]]]] = []
        self._renewal_ids: set[str] = set()
        self._drafts = CurrentDrafts()
        self._edited_drafts: dict[str, str] = {}
        self._available = True
        self._is_renewal_wanted = self._is_renewal_loaded = False
        self._progress_timer = QTimer(self, singleShot=True, interval=100)
        self._progress_timer.timeout.connect(self._emit_changed_progress)
        self._learned_timer = QTimer(self, singleShot=True, interval=LEARNED_MS)
        self._learned_timer.timeout.connect(self.learned)
        self._last_progress: DraftProgress | None = None
        worker.load_failed.connect(self._stop_drafting)
        worker.loaded.connect(self._resume)
        worker.drafted.connect(self._receive_draft)
        worker.draft_failed.connect(self._report_failure)
        worker.memory_changed.connect(self._redraft_following)
        worker.steered.connect(self._redraft_affected)
        worker.draft_counted.connect(lambda job: self.draft_replaced.emit(job.segment))

    def follow(self, project: OpenProject) -> None:
        self.open(project.session, paused=project.pair.has_foreign_targets)

    def open(self, session: DocumentSession, paused: bool = False) -> None:
        """Rebuild a session's memory and draft unstarted segments. If `paused`, drafts wait for the user."""
        self.close()
        self._attach(session)
        self._worker.queue.set_paused(paused)
        waiting = self._copy_untranslatable(session)
        opened = open_job(session.key, tuple(session.document), session.pair)
        self._drafts.begin(opened.targets)
        self._worker.queue.put(opened)
        self._done, self._proposed, self._left_out = len(session.document) - len(waiting), 0, 0
        for segment in waiting:
            self._update_counts(session, segment.source, segment.state, 1)
        self._draft(waiting)
        self._renew()

    def close(self) -> None:
        session = self._detach()
        if session is None:
            return
        self._worker.queue.clear()
        self._worker.queue.put(CloseJob(session.key))
        self._planned.clear()
        self._drafted_ids.clear()
        self._memory_changes.clear()
        self._renewal_ids.clear()
        self._edited_drafts.clear()

    def follow_languages(self) -> None:
        """Clear unedited copies of the source, and draft unstarted segments for the new languages."""
        if (session := self._session) is None:
            return
        session.set_states(
            {
                segment.id: SegmentState()
                for segment in session.document
                if may_be_redrafted(segment, session.pair) and segment.target == segment.source
            }
        )
        self.open(session)

    def renew_drafts(self) -> None:
        """As soon as the new model is loaded, redo the drafts that the user has not edited."""
        self._is_renewal_wanted, self._is_renewal_loaded = True, False

    def _renew(self) -> None:
        session = self._session
        if session is not None and self._is_renewal_wanted and self._is_renewal_loaded:
            self._is_renewal_wanted = self._is_renewal_loaded = False
            self.renewing.emit()
            ids = [each.id for each in session.document if may_be_redrafted(each, session.pair)]
            self._renewal_ids = {*ids}
            self.redraft(ids)

    def _draft(self, segments: Iterable[Segment]) -> None:
        session = self._session
        if session is None or not self._available:
            return
        jobs = [
            DraftJob(session.key, segment.id, session.revision(segment.id))
            for segment in segments
            if needs_draft(segment, session.pair) and segment.id not in self._planned
        ]
        self._planned |= {job.segment: cost_of(session.document.get(job.segment).source) for job in jobs}
        self._worker.queue.put(*jobs)
        self._emit_progress()

    def translate_again(self, segment_id: str) -> None:
        """If an engine is available, draft a segment now; emits `suggested`, or `warned` if that fails."""
        if (session := self._session) is not None and self._available:
            if not session.pair.needs_translation(session.document.get(segment_id).source):
                warning = self.tr("This segment contains no text in the model's source language.")
                self.warned.emit(segment_id, (warning,))
                return
            job = DraftJob(session.key, segment_id, session.revision(segment_id), Urgency.PROMPT, True)
            self._worker.queue.put(job)
            self._progress_timer.start()

    def redraft(self, segment_ids: Sequence[str]) -> None:
        """Redo the unedited drafts among these segments, for instance because a term was added."""
        session = self._session
        if session is None or not self._available:
            return
        segments = [session.document.get(each) for each in segment_ids if session.document.has(each)]
        self._worker.queue.put(
            *(
                DraftJob(session.key, segment.id, session.revision(segment.id), Urgency.FOLLOW_UP)
                for segment in segments
                if may_be_redrafted(segment, session.pair)
            )
        )
        self._progress_timer.start()

    def change_memory(self, job: MemoryJob, affected: Callable[[], Iterable[str]]) -> None:
        """Change the engine's memory, then redo the affected drafts.

        Args:
            affected: returns the ids of the affected drafts, in order. It is called after the change, when
                all drafts with the earlier memory have arrived.
        """
        self._memory_changes.append((job, affected))
        self._worker.queue.put(job)

    def drafted_segments(self) -> list[str]:
        """Ids of the segments drafted since the document was opened."""
        session = self._session
        return [] if session is None else [each for each in self._drafted_ids if session.document.has(each)]

    def _redraft_affected(self, finished: MemoryJob) -> None:
        for affected in [affected for job, affected in self._memory_changes if job is finished]:
            self.redraft(tuple(affected()))
        self._memory_changes = [each for each in self._memory_changes if each[0] is not finished]

    def set_current(self, segment_id: str) -> None:
        """Draft the current segment and those after it first.

        After a confirmation, a usable draft of the current segment is not replaced by a proposal.
        """
        self._current_segment = segment_id
        session = self._session
        if session is None or not self._planned or not session.document.has(segment_id):
            return
        row = session.document.row(segment_id)
        last = min(row + MAX_FIRST, len(session.document))
        self._worker.queue.begin_at([session.document.at(each).id for each in range(row, last)])

    def choose_repetitions(self, choice: RepetitionChoice) -> None:
        self._worker.set_repeats(choice.reach)

    def set_paused(self, paused: bool) -> None:
        self._worker.queue.set_paused(paused)
        self._emit_progress()

    @property
    def paused(self) -> bool:
        return self._worker.queue.paused

    @property
    def progress(self) -> DraftProgress:
        session = self._session
        if session is None:
            return DraftProgress(0, 0)
        left = self._pace.seconds_left(sum(self._planned.values()))
        active = self._available and (bool(self._planned) or self._worker.queue.has_drafts())
        total = len(session.document)
        return DraftProgress(self._done, total, left, active, self.paused, self._left_out, self._proposed)

    @staticmethod
    def _copy_untranslatable(session: DocumentSession) -> list[Segment]:
        """Use the sources that need no translation as drafts; returns the other unstarted segments."""
        waiting = [segment for segment in session.document if segment.state.status is Status.NOT_STARTED]
        copied = {
            segment.id: SegmentState(own_translation(segment.source, session.pair), Status.DRAFT)
            for segment in waiting
            if is_its_own_translation(segment, session.pair)
        }
        session.set_states(copied)
        return [segment for segment in waiting if segment.id not in copied]

    def _follow(self, changes: ChangeSet) -> None:
        session = self._session
        if session is None:
            return
        jobs: list[RememberJob | CountDraftJob] = []
        drafted_ids: set[str] = set()
        for edit in (each for each in changes.edits if not each.is_approval):
            old, new = edit.before.status, edit.after.status
            if is_drafted(edit.after) and edit.segment in self._planned:
                drafted_ids.add(edit.segment)
            source = session.document.get(edit.segment).source
            self._update_counts(session, source, edit.before, -1)
            self._update_counts(session, source, edit.after, 1)
            self._note_edited(edit)
            if new is Status.CONFIRMED and session.pair.fits(source, edit.after.target):
                draft = self._edited_drafts.get(edit.segment)
                jobs.append(RememberJob(session.key, edit.segment, edit.after.target, draft))
            elif old is Status.CONFIRMED and session.pair.fits(source, edit.before.target):
                jobs.append(RememberJob(session.key, edit.segment, None))
            jobs += self._inclusion_jobs(session, edit.segment)
        if drafted_ids:
            for segment_id in drafted_ids:
                self._planned.pop(segment_id, None)
            self._worker.queue.discard_drafts(drafted_ids)
        remembered = [each for each in jobs if isinstance(each, RememberJob)]
        # In one call, because each call of `put` may wait for the engine's thread.
        self._worker.queue.put(*jobs, *(self._next_draft(session, remembered[-1]) if remembered else ()))
        if reset_ids := [
            each.segment for each in changes.edits if is_drafted(each.before) > is_drafted(each.after)
        ]:
            self._draft(map(session.document.get, reset_ids))
        self._progress_timer.start()

    def _update_counts(self, session: DocumentSession, source: str, state: SegmentState, sign: int) -> None:
        self._done += sign * is_drafted(state)
        self._proposed += sign * bool(proposal_of(state))
        if state.status is Status.NOT_STARTED and not session.pair.needs_translation(source):
            self._left_out += sign

    def _next_draft(self, session: DocumentSession, job: RememberJob) -> Iterator[DraftJob]:
        """A job for the draft that the user probably reaches next, or no job, see `_following_drafts`."""
        for segment in islice(self._following_drafts(session, job.segment), 1):
            yield _redraft_job(session, segment.id, job, Urgency.PROMPT)

    def _following_drafts(self, session: DocumentSession, segment_id: str) -> Iterator[Segment]:
        row = session.document.row(segment_id) + 1
        last = min(row + 4 * self.lookahead, len(session.document))
        for each in range(row, last):
            if may_be_redrafted(session.document.at(each), session.pair):
                yield session.document.at(each)

    def _note_edited(self, edit: Edit) -> None:
        """Store the draft that the user begins to edit; the engine compares it with the confirmed text."""
        draft = edit.before.target if edit.before.status is Status.DRAFT else proposal_of(edit.before)
        if draft and not edit.before.target and len(edit.after.target.split()) > 1:
            draft = edit.after.target  # a suggestion was inserted
        if draft and edit.after.status in (Status.EDITED, Status.CONFIRMED):
            self._edited_drafts[edit.segment] = draft
        elif edit.after.status in (Status.DRAFT, Status.NOT_STARTED):
            self._edited_drafts.pop(edit.segment, None)

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        """Send the new segments and their targets to the engine, and draft those without a target."""
        session = self._session
        if session is None:
            return
        for sign, segments in ((-1, change.before), (1, change.after)):
            for segment in segments:
                self._update_counts(session, segment.source, segment.state, sign)
        removed_ids = frozenset(segment.id for segment in change.before)
        for segment_id in removed_ids:
            self._planned.pop(segment_id, None)
        self._worker.queue.discard_drafts(removed_ids)
        segments, new_ids = tuple(session.document), renamed_segments(change)
        self._drafts.move(segments, removed_ids, new_ids, session.pair.fits)
        new = frozenset(segment.id for segment in change.after)
        job = ResegmentJob(session.key, segments, session.pair, new, tuple(new_ids.items()))
        self._worker.queue.put(job)
        jobs = [
            DraftJob(session.key, segment.id, session.revision(segment.id), Urgency.PROMPT)
            for segment in change.after
            if needs_draft(segment, session.pair) and self._available
        ]
        self._worker.queue.put(*jobs)
        self._progress_timer.start()

    def _receive_draft(self, result: Drafted) -> None:
        job, session = result.job, self._session
        self._progress_timer.start()
        if session is None or job.document != session.key or not session.document.has(job.segment):
            return
        self._pace.add(session.document.get(job.segment).source, result.seconds)
        quality = result.suggestion.quality
        counts = quality is None or not quality.unusable
        if self._drafts.add(job.segment, result.suggestion.text, counts):
            self.draft_replaced.emit(job.segment)
        self._use_draft(session, result)
        self._worker.queue.put(*self._inclusion_jobs(session, job.segment))

    def _use_draft(self, session: DocumentSession, result: Drafted) -> None:
        job, segment = result.job, session.document.get(result.job.segment)
        if job.urgency is Urgency.BATCH:
            self._planned.pop(job.segment, None)
        if session.revision(job.segment) != job.revision:
            return
        is_renewal, is_current = job.segment in self._renewal_ids, job.segment == self._current_segment
        self._renewal_ids.discard(job.segment)
        suggestion = result.suggestion
        report = report_of(suggestion, result.hints)
        state = redrafted_state(segment, suggestion.text, report, bool(suggestion.corrections))
        if job.requested:
            # Show even a poor draft, because the user requested it.
            self.suggested.emit(job.segment, SegmentState(suggestion.text, Status.DRAFT, report))
        elif segment.status in (Status.NOT_STARTED, Status.DRAFT):
            if job.cause and not job.is_revoked and is_current and _is_worse(segment, state):
                return  # keep a usable draft that the user is reading
            offered = session.offer_for(job.segment)
            if offered is None or offered.text != suggestion.withheld:
                session.withdraw(job.segment)
            session.set_states({job.segment: state}, is_renewal)
            self._drafted_ids.add(job.segment)
            if suggestion.withheld and job.cause and session.offer_for(job.segment) is None:
                # The withheld draft is probably not better than the current one: let the user decide.
                session.offer(_offered(job, suggestion.text, suggestion.withheld))

    def _inclusion_jobs(self, session: DocumentSession, segment_id: str) -> list[CountDraftJob]:
        counts = self._drafts.update(session.document.get(segment_id))
        return [] if counts is None else [CountDraftJob(session.key, segment_id, counts)]

    def _stop_drafting(self) -> None:
        self._available = False
        self._planned.clear()
        self._emit_progress()

    def _resume(self) -> None:
        if not self._available:
            self._available = True
            self._draft(self._session.document if self._session is not None else ())
        self._is_renewal_loaded = True
        self._renew()

    def _report_failure(self, job: DraftJob, message: str) -> None:
        self._planned.pop(job.segment, None)
        if self._session is not None and self._session.document.has(job.segment):
            self.warned.emit(job.segment, (message,))
        self._progress_timer.start()

    def _redraft_following(self, job: RememberJob, _: object, phrases: frozenset[str]) -> None:
        """Redo the next `lookahead` unedited drafts, and all whose sources contain one of `phrases`."""
        session = self._session
        if session is None or job.document != session.key:
            return
        if not self._learned_timer.isActive():
            self._learned_timer.start()
        if not session.document.has(job.segment):
            return
        following = [each.id for each in islice(self._following_drafts(session, job.segment), self.lookahead)]
        row = session.document.row(job.segment) + 1
        containing = self.drafts_containing(phrases, row)
        # The first draft was requested together with the confirmation.
        redrafted = [each for each in dict.fromkeys((*following, *containing)) if each not in following[:1]]
        self._worker.queue.put(*(_redraft_job(session, each, job, Urgency.FOLLOW_UP) for each in redrafted))
        self._progress_timer.start()

    def drafts_containing(self, phrases: Collection[str], row: int = 0) -> Iterator[str]:
        """Ids of the unedited drafts whose sources contain a phrase; those from `row` on come first."""
        if (session := self._session) is None or not phrases:
            return
        segments = tuple(session.document)
        for segment in (*segments[row:], *segments[:row]):
            source = segment.source
            if "{" in source:
                source = MARK.sub("", source)
            if any(phrase in source for phrase in phrases) and may_be_redrafted(segment, session.pair):
                yield segment.id

    def _emit_progress(self) -> None:
        self._last_progress = self.progress
        self.progressed.emit(self._last_progress)

    def _emit_changed_progress(self) -> None:
        if self.progress != self._last_progress:
            self._emit_progress()


def _redraft_job(session: DocumentSession, segment_id: str, job: RememberJob, urgency: Urgency) -> DraftJob:
    revision, is_revoked = session.revision(segment_id), job.target is None
    return DraftJob(session.key, segment_id, revision, urgency, cause=job.segment, is_revoked=is_revoked)


def _offered(job: DraftJob, current: str, text: str) -> OfferedDraft:
    return OfferedDraft(job.segment, current, text, job.cause, job.is_revoked)


def _is_worse(segment: Segment, state: SegmentState) -> bool:
    """True if a segment has a usable draft that a new state would replace by a proposal."""
    return segment.status is Status.DRAFT and bool(segment.target.strip()) and bool(proposal_of(state))


def renamed_segments(change: Resegmentation) -> dict[str, str]:
    """The new ids, by old ids, of the unchanged segments that follow the joined or split ones."""
    same = {}
    for old, new in zip(reversed(change.before), reversed(change.after), strict=False):
        if (old.source, old.state) != (new.source, new.state):
            break
        same[old.id] = new.id
    return same
