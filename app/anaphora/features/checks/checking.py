"""The service that checks segments when they change and stores the remarks about them."""

from __future__ import annotations

import logging
import re
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QTimer, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.features.checks.dismissals import Dismissals
from anaphora.features.checks.quality import check_others, check_terms_of, remarks_on
from anaphora.features.checks.quality_document import Inventions
from anaphora.features.checks.registry import CHECKS
from anaphora.features.checks.segment.check import Remark
from anaphora.features.spelling.service import SpellingService
from anaphora.features.terms.usage import TermUse, is_translated
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.system.background import BackgroundTasks
from anaphora_text.punctuation import CLOSING, COLONS, SEMICOLONS, SENTENCE_ENDS, WIDE_SENTENCE_ENDS, one_of

log = logging.getLogger(__name__)

COMPARE_MS = 700
"""Minimum milliseconds between a change and the comparison of all segments."""
PAUSE_MS = 900
"""Milliseconds without typing until a translation counts as complete, unless it lacks its final mark."""
_IMMEDIATE_MESSAGES = frozenset(each.message for each in CHECKS if each.is_immediate)
_ENDING_MARKS = SENTENCE_ENDS + WIDE_SENTENCE_ENDS + COLONS + SEMICOLONS + "…"
_ENDING = re.compile(rf"{one_of(_ENDING_MARKS)}{one_of(CLOSING)}*\s*$")
_COMPARE_FACTOR = 10
"""Minimum pause before a comparison of all segments, as a multiple of the last comparison's duration."""
COUNT_MS = 50
"""Milliseconds between a change and the signal `CheckingService.counted`."""
MAX_TURN_SECONDS = 0.015
"""Maximum processor time in seconds that checks use in one turn of the event loop."""
_YIELD_SECONDS = 0.0003
"""Pause in seconds after each spell-checked text, so that the window's thread can run."""
MAX_DIRECT_LENGTH = 3_000
"""Maximum number of characters in a source and its target that are checked in the window's thread."""


class CheckingService(SessionFollower):
    """Checks segments as they change.

    Signals:
        checked: (segment id, remarks to show and then the warnings of `add_warnings`), after each check.
        counted: the segments with issues, or `is_complete`, may have changed.
    """

    checked = Signal(str, object)
    counted = Signal()

    def __init__(
        self,
        tasks: BackgroundTasks,
        spelling: SpellingService | None = None,
        awaits_terms: bool = False,
    ) -> None:
        """`spelling` finds invented words; `awaits_terms` is True if `set_term_uses` will be called."""
        super().__init__()
        self._tasks = tasks
        self._spelling = spelling
        self._invented: dict[tuple[str, str], tuple[str, ...]] = {}
        if spelling is not None:
            spelling.changed.connect(self._follow_dictionaries)
        self.dismissals = Dismissals(self)
        self.dismissals.changed.connect(self._check_again)
        self._remarks: dict[str, tuple[Remark, ...]] = {}
        self._flagged: set[str] = set()
        self._awaits_terms = awaits_terms
        self._awaiting_terms: set[str] = set()
        self._warnings: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._terms: dict[str, tuple[str, tuple[Remark, ...]]] = {}
        self._comparison_remarks: dict[str, tuple[Remark, ...]] = {}
        self._is_comparing = False
        self._in_background: dict[str, Segment] = {}
        self._compare_timer = QTimer(self, singleShot=True, interval=COMPARE_MS)
        self._compare_timer.timeout.connect(self._compare_all)
        self._compare_seconds = 0.0
        self._count_timer = QTimer(self, singleShot=True, interval=COUNT_MS)
        self._count_timer.timeout.connect(self.counted)
        self._typed_id = ""
        self._pause_timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause_timer.timeout.connect(lambda: self._check_again(self._typed_id))
        self._waiting_ids: deque[str] = deque()
        self._tick_timer = QTimer(self, interval=0)
        self._tick_timer.timeout.connect(self._check_some)

    def follow(self, project: OpenProject) -> None:
        self.open(project.session)

    def open(self, session: DocumentSession) -> None:
        self.close()
        self._attach(session)
        self._waiting_ids.extend(segment.id for segment in session.document)
        self._tick_timer.start()
        self.await_terms()
        self._compare_soon()

    def close(self) -> None:
        self._detach()
        self._warnings.clear()
        self._terms.clear()
        self._comparison_remarks.clear()
        self._invented = {}
        self._remarks.clear()
        self._in_background.clear()
        self._flagged.clear()
        self._awaiting_terms.clear()
        self._typed_id = ""
        self._pause_timer.stop()
        self._waiting_ids.clear()
        self._tick_timer.stop()
        self._compare_timer.stop()

    def follow_typing(self, segment_id: str) -> None:
        """Hide most remarks about an unconfirmed translation while the user types it."""
        self._typed_id = segment_id
        self._pause_timer.start()

    def end_typing(self, *_: object) -> None:
        """Show all remarks about the segment in which the user has typed."""
        typed, self._typed_id = self._typed_id, ""
        self._pause_timer.stop()
        self._check_again(typed)

    def add_warnings(self, segment_id: str, warnings: tuple[str, ...]) -> None:
        """Show warnings, such as those of a failed draft, until the target changes; replace earlier ones."""
        if self._session is not None and self._session.document.has(segment_id):
            segment = self._session.document.get(segment_id)
            self._warnings[segment_id] = segment.target, warnings
            self._check(segment)

    def await_terms(self) -> None:
        """If `awaits_terms`, count checks as incomplete until `set_term_uses` covers every translation."""
        if self._session is not None and self._awaits_terms:
            self._awaiting_terms.update(each.id for each in self._session.document if is_translated(each))
            self._count_soon()

    def stop_awaiting_terms(self) -> None:
        """Count checks as complete without the uses of terms, because the term bases cannot be read."""
        self._awaiting_terms.clear()
        self._count_soon()

    def set_term_uses(self, checked: Mapping[str, tuple[str, tuple[TermUse, ...]]]) -> None:
        """Make remarks from {segment id: (checked target, uses of terms)}; ignore uses in old targets."""
        session = self._session
        if session is None:
            return
        for segment_id, (target, uses) in checked.items():
            if session.document.has(segment_id):
                segment = session.document.get(segment_id)
                if segment.target == target:
                    self._awaiting_terms.discard(segment_id)
                _, old = self._terms.get(segment_id, ("", ()))
                is_current = bool(uses) and segment.target == target
                remarks = check_terms_of(segment, uses, _localised) if is_current else ()
                self._terms[segment_id] = target, remarks
                if remarks or old:
                    self._check(segment)
        self._count_soon()

    def _follow(self, changes: ChangeSet) -> None:
        self._check_later(changes.segments)

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self.dismissals.carry_over(change.before, change.after)
        for segment_id in {segment.id for segment in change.before} - {
            segment.id for segment in change.after
        }:
            self._flagged.discard(segment_id)
            self._awaiting_terms.discard(segment_id)
        self._check_later(segment.id for segment in change.after)

    def _check_later(self, segment_ids: Iterable[str]) -> None:
        requested = list(segment_ids)
        self._waiting_ids.extend(requested)
        self._tick_timer.start()
        self._await_terms_of(requested)
        self._compare_soon()

    def _await_terms_of(self, segment_ids: Iterable[str]) -> None:
        session = self._session
        if session is None or not self._awaits_terms:
            return
        for segment in map(session.document.get, filter(session.document.has, segment_ids)):
            is_due = is_translated(segment) and self._terms.get(segment.id, ("", ()))[0] != segment.target
            (self._awaiting_terms.add if is_due else self._awaiting_terms.discard)(segment.id)

    def _compare_soon(self) -> None:
        if not self._compare_timer.isActive():
            self._compare_timer.start(max(COMPARE_MS, round(1000 * _COMPARE_FACTOR * self._compare_seconds)))
        self._count_soon()

    def _compare_all(self) -> None:
        """Compare all segments in the background, and compare them again if they have changed meanwhile."""
        session = self._session
        if session is None or self._is_comparing:
            return  # when the running comparison ends, it starts another one if necessary
        if self._pause_timer.isActive():  # the user is typing
            self._compare_timer.start()
            return
        segments, pair, started = tuple(session.document), session.pair, time.monotonic()
        self._is_comparing = True

        def is_closed() -> bool:
            return self._session is not session

        def end() -> None:
            self._is_comparing, self._compare_seconds = False, time.monotonic() - started
            if is_closed() and self._session is not None:
                self._compare_soon()
            self._count_soon()

        def receive(found: dict[str, tuple[Remark, ...]]) -> None:
            end()
            if not is_closed():
                self._store_comparison(session, segments, found)

        def fail(error: Exception) -> None:
            end()
            log.error("segments could not be compared", exc_info=error)

        find = self._invention_finder()
        self._tasks.start(
            lambda: check_others(segments, _localised, is_closed, find, pair), receive, fail, awaited=False
        )

    def _invention_finder(self) -> Inventions | None:
        """A caching, thread-safe function that finds a text's invented words; None without dictionaries."""
        find, cache = self._spelling.inventions() if self._spelling is not None else None, self._invented
        if find is None:
            return None

        def find_cached(segment: Segment) -> tuple[str, ...]:
            texts = segment.source, segment.target
            if texts not in cache:
                cache[texts] = find(segment)
                time.sleep(_YIELD_SECONDS)
            return cache[texts]

        return find_cached

    def _follow_dictionaries(self) -> None:
        self._invented = {}
        if self._session is not None:
            self._compare_soon()

    def _store_comparison(
        self, session: DocumentSession, segments: Sequence[Segment], found: dict[str, tuple[Remark, ...]]
    ) -> None:
        old, self._comparison_remarks = self._comparison_remarks, found
        for segment_id in old.keys() | found.keys():
            if old.get(segment_id) != found.get(segment_id) and session.document.has(segment_id):
                self._check(session.document.get(segment_id))
        if segments != tuple(session.document):
            self._compare_soon()

    def _check_some(self) -> None:
        session, end = self._session, time.thread_time() + MAX_TURN_SECONDS
        while self._waiting_ids and time.thread_time() < end:
            segment_id = self._waiting_ids.popleft()
            if session is not None and session.document.has(segment_id):
                self._check(session.document.get(segment_id))
        if not self._waiting_ids:
            self._tick_timer.stop()
            self._count_soon()

    def _check(self, segment: Segment) -> None:
        target, terms = self._terms.get(segment.id, ("", ()))
        terms = terms if target == segment.target else ()
        others = self._comparison_remarks.get(segment.id, ())
        if len(segment.source) + len(segment.target) > MAX_DIRECT_LENGTH:
            self._check_long(segment, others, terms)
        else:
            self._set_remarks(segment, remarks_on(segment, others, terms, _localised, self.pair))

    def _check_long(self, segment: Segment, others: tuple[Remark, ...], terms: tuple[Remark, ...]) -> None:
        """Check a long segment in the background, and check it again if it has changed meanwhile."""
        session, pair = self._session, self.pair
        is_running = segment.id in self._in_background
        self._in_background[segment.id] = segment
        if is_running or session is None:
            return

        def receive(remarks: tuple[Remark, ...]) -> None:
            if self._session is not session:
                return
            last = self._in_background.pop(segment.id)
            if last is segment and session.document.has(segment.id):
                self._set_remarks(segment, remarks)
            else:
                self._check_again(segment.id)
            self._count_soon()

        def fail(error: Exception) -> None:
            self._in_background.pop(segment.id, None)
            log.error("a long segment could not be checked", exc_info=error)

        self._tasks.start(
            lambda: remarks_on(segment, others, terms, _localised, pair), receive, fail, awaited=False
        )

    def _set_remarks(self, segment: Segment, remarks: tuple[Remark, ...]) -> None:
        if self._is_being_typed(segment):
            remarks = tuple(each for each in remarks if each.template in _IMMEDIATE_MESSAGES)
        self._remarks[segment.id] = remarks
        shown = tuple(each for each in remarks if not self.dismissals.is_dismissed(segment.id, each.key))
        if bool(shown) is not (segment.id in self._flagged):
            (self._flagged.add if shown else self._flagged.discard)(segment.id)
            self._count_soon()
        target, warnings = self._warnings.get(segment.id, ("", ()))
        self.checked.emit(segment.id, (*shown, *warnings) if target == segment.target else shown)

    def _is_being_typed(self, segment: Segment) -> bool:
        """True if the user types in this unconfirmed segment, or paused before typing its final mark."""
        if segment.id != self._typed_id or segment.status is Status.CONFIRMED:
            return False
        source, target = (_ENDING.search(MARK.sub("", text)) for text in (segment.source, segment.target))
        return self._pause_timer.isActive() or bool(source and not target)

    @property
    def pair(self) -> LanguagePair:
        return CHINESE_TO_ENGLISH if self._session is None else self._session.pair

    @property
    def is_computing(self) -> bool:
        """True while checks run or wait for their turn or for terms; a planned comparison does not count."""
        return bool(self._waiting_ids or self._is_comparing or self._in_background or self._awaiting_terms)

    @property
    def is_complete(self) -> bool:
        """True if a project is open and all its current texts are checked, so that the counts are final."""
        return self._session is not None and not (self.is_computing or self._compare_timer.isActive())

    def has_issue(self, segment_id: str) -> bool:
        return segment_id in self._flagged

    @property
    def issue_count(self) -> int:
        return len(self._flagged)

    def _count_soon(self) -> None:
        if not self._count_timer.isActive():
            self._count_timer.start()

    def remarks(self) -> list[tuple[str, Remark, bool]]:
        """Tuples (segment id, remark, True if dismissed), in document order."""
        if self._session is None:
            return []
        return [
            (segment.id, each, self.dismissals.is_dismissed(segment.id, each.key))
            for segment in self._session.document
            for each in self._remarks.get(segment.id, ())
        ]

    def remarks_of(self, segment_id: str) -> tuple[Segment | None, tuple[Remark, ...]]:
        """A segment and all remarks about it, dismissed or not; None and () for an unknown id."""
        if self._session is None or not self._session.document.has(segment_id):
            return None, ()
        return self._session.document.get(segment_id), self._remarks.get(segment_id, ())

    def dismiss(self, segment_id: str, key: str, dismissed: bool = True) -> None:
        """Dismiss a remark, or restore it if `dismissed` is False; emits `checked` if anything changed."""
        (self.dismissals.dismiss if dismissed else self.dismissals.restore)(segment_id, key)

    def check_all_again(self) -> None:
        """Check all segments again, for example after a change of languages; emits `checked` for each."""
        if self._session is not None:
            self._check_later(segment.id for segment in self._session.document)

    def _check_again(self, segment_id: str) -> None:
        if self._session is not None and self._session.document.has(segment_id):
            self._check(self._session.document.get(segment_id))


def _localised(text: str) -> str:
    return QCoreApplication.translate("Quality", text)
