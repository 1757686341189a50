"""Looks up exact matches for segments automatically, and all matches and terms for pre-translation."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.drafts import is_unstarted, is_written, match_of
from anaphora.core.edits import ChangeSet
from anaphora.core.language_pair import LanguagePair
from anaphora.core.long_work import LongWork, Step
from anaphora.core.matching import EXACT, Match, Query
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.features.terms.service import TermService
from anaphora.features.tm.memories import Memories, TranslationMemories
from anaphora.project.document.following import OpenProject, ProjectSetting, SessionFollower, read_texts
from anaphora.project.document.repetitions import RepetitionChoice
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.units.confirmed import query_of
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import Repeats

_OPEN_STATUSES = (Status.NOT_STARTED, Status.DRAFT)


@dataclass(frozen=True, slots=True)
class FoundText:
    """A text that can be filled in as the target of a segment.

    Attributes:
        before: the segment's state at the time of the look-up.
        percent: the similarity of the sources (see `Match`); 100 for a term.
    """

    segment_id: str
    before: SegmentState
    text: str
    percent: int
    is_term: bool = False

    @property
    def report(self) -> DraftReport | None:
        return None if self.is_term else DraftReport(match=self.percent)


class PretranslationService(QObject):
    """Looks up texts for all segments that may be filled (`may_be_filled`); does not change the document.

    Signals:
        progressed: progress in per mille.
        found: tuple of FoundText, in the order of the document.
        failed: the exception.
    """

    progressed = Signal(int)
    found = Signal(object)
    failed = Signal(object)

    def __init__(
        self, memory: TranslationMemories, terms: TermService, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._memory = memory
        self._terms = terms
        self._tasks = BackgroundTasks(self, threads=1)
        self._work = LongWork()
        memory.closing.connect(self.cancel)
        memory.add_tasks(self._tasks)

    def look_up(self, session: DocumentSession) -> bool:
        """Look up the segments; emits `found` or `failed` unless cancelled. False if no memory is open."""
        self.cancel()
        memories = self._memory.memories
        if memories is None:
            return False
        self._work = work = LongWork(self.progressed.emit)
        segments, terms, pair = list(session.document), _translations(self._terms), session.pair

        def search() -> tuple[FoundText, ...]:
            return tuple(_look_up(segments, pair, memories, terms, work.step))

        def receive(found: tuple[FoundText, ...]) -> None:
            if not work.is_cancelled:
                self.found.emit(found)

        def fail(error: Exception) -> None:
            if not work.is_cancelled:
                self.failed.emit(error)

        self._tasks.start(search, receive, fail)
        return True

    def cancel(self) -> None:
        self._work.cancel()


def may_be_filled(segment: Segment) -> bool:
    """True for an unstarted segment or a draft, unless its text comes from the file or from a person."""
    return segment.status in _OPEN_STATUSES and not is_written(segment)


def _translations(service: TermService) -> dict[str, str]:
    """The first allowed translation of each term that has one; the project's term base takes precedence."""
    terms = service.terms
    entries = [each for base in terms.entries.values() for each in base] if terms is not None else []
    return {entry.source: entry.allowed[0] for entry in reversed(entries) if entry.allowed}


def _look_up(
    segments: Sequence[Segment], pair: LanguagePair, memories: Memories, terms: Mapping[str, str], step: Step
) -> Iterator[FoundText]:
    """Texts for segments that may be filled. Exact matches are preferred to terms, terms to fuzzy matches."""
    document = Document("", segments)
    rows = [row for row, segment in enumerate(segments) if may_be_filled(segment) and segment.source.strip()]
    for number, row in enumerate(rows):
        step(number / len(rows))
        segment = segments[row]
        found = memories.find(query_of(document, row, pair))
        match = next((m for m in found if not memories.has_other_context(m, document, segment.id)), None)
        term = terms.get(segment.source.strip(), "")
        if term and (match is None or match.percent < EXACT):
            yield FoundText(segment.id, segment.state, term, EXACT, is_term=True)
        elif match is not None:
            yield FoundText(segment.id, segment.state, match.target, match.percent)


DECLINED = ProjectSetting("matches/declined", read_texts)
"""Setting with the ids of the segments from which the user has removed a filled-in match."""


class FillingService(SessionFollower):
    """Looks up exact matches when the memories have been opened or updated; does not change the document.

    Signals:
        found: tuple of FoundText, in the order of the document.
    """

    found = Signal(object)

    project_settings = (DECLINED,)

    def __init__(self, memory: TranslationMemories, enabled: bool = True) -> None:
        super().__init__()
        self._memory = memory
        self._enabled = enabled
        self._choice = RepetitionChoice()
        self._declined: set[str] = set()
        self._stop = threading.Event()
        self._tasks = BackgroundTasks(self, threads=1)
        memory.add_tasks(self._tasks)
        memory.closing.connect(self._cancel)
        memory.caught_up.connect(self.search)

    def follow(self, project: OpenProject) -> None:
        self.close()
        if project.pair.has_foreign_targets:
            return  # the targets in the file are not in the language of the matches
        super().follow(project)
        self._choice = project.repetitions.choice
        self._declined = {*filter(project.session.document.has, project.settings.of(DECLINED))}

    def close(self) -> None:
        self._cancel()
        super().close()

    def set_enabled(self, enabled: bool) -> None:
        self._enabled = enabled
        self.search()

    def search(self) -> None:
        """Look up the unstarted segments, if the service is enabled; emits `found` if there are matches."""
        self._cancel()
        session, memories = self._session, self._memory.memories
        if session is None or memories is None or not self._enabled:
            return
        self._stop = stop = threading.Event()
        document = Document("", list(session.document))
        reach, declined = self._choice.reach, frozenset(self._declined)

        def found_texts() -> Iterator[FoundText]:
            for row, segment in enumerate(document):
                if stop.is_set():
                    return
                if segment.id not in declined and is_unstarted(segment, session.pair):
                    match = _best_match(memories, document, query_of(document, row, session.pair), reach)
                    if match is not None:
                        yield FoundText(segment.id, segment.state, match.target, match.percent)

        def receive(found: tuple[FoundText, ...]) -> None:
            if found and not stop.is_set():
                self.found.emit(found)

        self._tasks.start(lambda: tuple(found_texts()), receive, self._fail)

    def _cancel(self) -> None:
        self._stop.set()

    def _follow(self, changes: ChangeSet) -> None:
        filled = {edit.segment for edit in changes.edits if match_of(edit.after)}
        of_filled = (edit for edit in changes.edits if match_of(edit.before))
        removed = {edit.segment for edit in of_filled if edit.after.status in _OPEN_STATUSES}
        if not filled and not removed:
            return
        declined = (self._declined | removed) - filled
        if declined != self._declined:
            self._declined = declined
            self._save_setting(DECLINED.name, json.dumps(sorted(declined)))


def _best_match(memories: Memories, document: Document, query: Query, reach: Repeats) -> Match | None:
    """The best exact match that `reach` allows; of equally good ones, that of the project's memory."""
    best_matches = []
    for memory, prefix in memories.with_prefixes():
        for match in memory.find(replace(query, key=prefix + query.key), lowest=EXACT):
            key = match.unit.key.removeprefix(prefix)
            if memories.has_other_context(match, document, query.key):
                continue
            is_restricted = bool(key) and document.has(key) and reach is not Repeats.ALL
            is_allowed = reach is Repeats.SAME_BEFORE and match.unit.previous == query.previous
            if match.target.strip() and (not is_restricted or is_allowed):
                best_matches.append(match)
                break
    return max(best_matches, key=lambda match: match.percent, default=None)
