"""Keeps the warnings of each segment up to date."""

from __future__ import annotations

import logging
import re
import time
from collections import deque
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.remarks import Remark
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import MARK
from anaphora.services.background import BackgroundTasks
from anaphora.services.dismissals import Dismissals
from anaphora.services.quality import (
    EMPTY,
    NO_QUESTION,
    SHORT,
    UNBALANCED,
    check_others,
    check_segment,
    check_terms_of,
    remark_of_engine,
)
from anaphora.services.quality_document import Inventions
from anaphora.services.session import DocumentSession, SessionFollower
from anaphora.services.spelling import SpellingError
from anaphora.services.spelling_service import SpellingService
from anaphora.term_base.usage import TermUse

log = logging.getLogger(__name__)

COMPARE_MS = 700
"""How long nothing changes before segments are compared with each other."""
_BREATH = 0.0003
"""Seconds between two texts whose words are looked up, in which the window's thread has the interpreter."""
PAUSE_MS = 900
"""How long no letter is typed behind an ending mark before a translation is taken for a whole one."""
_OF_THE_WHOLE = frozenset({SHORT, EMPTY, NO_QUESTION, UNBALANCED})
"""What can be said of a translation only when nothing more of it is to come."""
_ENDED = re.compile(r"""[.!?…:;。！？：；][\"'”’»)\]）」』》]*\s*$""")
AT_ONCE = 100
"""Segments checked between two events: about 15 ms."""


class CheckingService(SessionFollower):
    """Checks targets as they change; what the engine said of a draft holds as long as its text stands.

    Signals:
        checked: (segment id, warnings).
    """

    checked = Signal(str, object)

    def __init__(
        self,
        tasks: BackgroundTasks,
        dismissals: Dismissals | None = None,
        spelling: SpellingService | None = None,
        parent: QObject | None = None,
    ) -> None:
        """With `spelling`, invented words are looked for, too."""
        super().__init__(parent)
        self._tasks = tasks
        self._spelling = spelling
        self._invented: dict[tuple[str, str], tuple[str, ...]] = {}
        if spelling is not None:
            spelling.changed.connect(self._forget_words)
        self._dismissals = dismissals or Dismissals(self)
        self._dismissals.changed.connect(self._check_again)
        self._said: dict[str, tuple[Remark, ...]] = {}
        self._notices: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._terms: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._others: dict[str, tuple[str, ...]] = {}
        self._running = False
        self._compare = QTimer(self, singleShot=True, interval=COMPARE_MS)
        self._compare.timeout.connect(self._compare_all)
        self._typed = ""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(lambda: self._check_again(self._typed))
        self._waiting: deque[str] = deque()
        self._tick = QTimer(self, interval=0)
        self._tick.timeout.connect(self._check_some)

    def open(self, session: DocumentSession) -> None:
        """Follow a session."""
        self.close()
        self._attach(session)
        self._check_later(segment.id for segment in session.document)

    def close(self) -> None:
        """Stop following."""
        self._detach()
        self._notices.clear()
        self._terms.clear()
        self._others.clear()
        self._invented = {}
        self._said.clear()
        self._typed = ""
        self._pause.stop()
        self._waiting.clear()
        self._tick.stop()
        self._compare.stop()

    def follow_typing(self, segment_id: str) -> None:
        """A letter was typed: that the translation is too short, for one, is not said while it grows."""
        self._typed = segment_id
        self._pause.start()

    def end_typing(self, *_: object) -> None:
        """The segment was left: what it lacks is said now."""
        left, self._typed = self._typed, ""
        self._pause.stop()
        self._check_again(left)

    def add_warnings(self, segment_id: str, warnings: tuple[str, ...]) -> None:
        """Keep what happened to a segment, such as a draft that failed, as long as it stands as it is."""
        if self._session is not None and self._session.document.has(segment_id):
            segment = self._session.document.get(segment_id)
            self._notices[segment_id] = segment.target, warnings
            self._check(segment)

    def judge_terms(self, judged: Mapping[str, tuple[str, tuple[TermUse, ...]]]) -> None:
        """Keep what segments make of their terms, as long as their targets stand.

        Args:
            judged: by segment id the target that was looked at, and its terms.
        """
        session = self._session
        if session is None:
            return
        for segment_id, (target, uses) in judged.items():
            if session.document.has(segment_id):
                segment = session.document.get(segment_id)
                was = self._terms.get(segment_id, ("", ()))
                said = check_terms_of(segment, uses, _localised) if segment.target == target else ()
                self._terms[segment_id] = target, said
                if said or was[1]:
                    self._check(segment)

    def _follow(self, changes: ChangeSet) -> None:
        self._check_later(changes.segments)

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self._dismissals.carry_over(change.before, change.after)
        self._check_later(segment.id for segment in change.after)

    def _check_later(self, segment_ids: Iterable[str]) -> None:
        self._waiting.extend(segment_ids)
        self._tick.start()
        self._compare.start()

    def _compare_all(self) -> None:
        """Check the segments against each other in a thread, and again if they have changed meanwhile."""
        session = self._session
        if session is None or self._running:
            return  # when the comparison that runs ends, another one starts if there is need of it
        segments, pair = tuple(session.document), session.pair
        self._running = True

        def left() -> bool:
            return self._session is not session

        def end() -> None:
            self._running = False
            if left() and self._session is not None:
                self._compare.start()

        def take(found: dict[str, tuple[str, ...]]) -> None:
            end()
            if not left():
                self._take_others(session, segments, found)

        def fail(error: Exception) -> None:
            end()
            log.error("segments could not be compared", exc_info=error)

        inventions = self._inventions()
        self._tasks.start(
            lambda: check_others(segments, _localised, left, inventions, pair), take, fail, awaited=False
        )

    def _inventions(self) -> Inventions | None:
        """What tells invented words, and keeps what it has told: texts are compared again and again."""
        tell, told = self._spelling.inventions() if self._spelling is not None else None, self._invented
        if tell is None:
            return None

        def remembered(segment: Segment) -> tuple[str, ...]:
            texts = segment.source, segment.target
            if texts not in told:
                told[texts] = tell(segment)
                time.sleep(_BREATH)
            return told[texts]

        def unless_it_fails(segment: Segment) -> tuple[str, ...]:
            # The spelling of the segment at hand fails, too, and tells the user.
            try:
                return () if failed else remembered(segment)
            except SpellingError as problem:
                failed.append(problem)
                log.error("invented words are not looked for", exc_info=problem)
                return ()

        failed: list[SpellingError] = []
        return unless_it_fails

    def _forget_words(self) -> None:
        """Other words are right now."""
        self._invented = {}
        if self._session is not None:
            self._compare.start()

    def _take_others(
        self, session: DocumentSession, segments: Sequence[Segment], found: dict[str, tuple[str, ...]]
    ) -> None:
        old, self._others = self._others, found
        for segment_id in old.keys() | found.keys():
            if old.get(segment_id) != found.get(segment_id) and session.document.has(segment_id):
                self._check(session.document.get(segment_id))
        if segments != tuple(session.document):
            self._compare.start()

    def _check_some(self) -> None:
        session = self._session
        for _ in range(min(AT_ONCE, len(self._waiting))):
            segment_id = self._waiting.popleft()
            if session is not None and session.document.has(segment_id):
                self._check(session.document.get(segment_id))
        if not self._waiting:
            self._tick.stop()

    def _check(self, segment: Segment) -> None:
        target, notices = self._notices.get(segment.id, ("", ()))
        found = check_segment(segment, _localised, self.languages)
        report = segment.state.report
        engine = tuple(map(remark_of_engine, report.warnings)) if report is not None else ()
        notices = notices if target == segment.target else ()
        judged, terms = self._terms.get(segment.id, ("", ()))
        said = terms if judged == segment.target else ()
        others = self._others.get(segment.id, ())
        kept = (Remark.of(each).said(_localised) for each in (*others, *said, *engine, *notices))
        if self._grows(segment):
            found = tuple(each for each in found if each.template not in _OF_THE_WHOLE)
        every = tuple(dict.fromkeys((*found, *kept)))
        self._said[segment.id] = every
        shown = tuple(each for each in every if not self._dismissals.holds(segment.id, each.key))
        self.checked.emit(segment.id, shown)

    def _grows(self, segment: Segment) -> bool:
        """Whether a segment is being typed: neither left, confirmed nor at rest behind an ending mark."""
        if segment.id != self._typed or segment.status is Status.CONFIRMED:
            return False
        return self._pause.isActive() or not _ENDED.search(MARK.sub("", segment.target))

    @property
    def languages(self) -> LanguagePair:
        """The open project's."""
        return CHINESE_TO_ENGLISH if self._session is None else self._session.pair

    def remarks(self) -> list[tuple[str, Remark, bool]]:
        """(segment id, remark, whether it is dismissed) of the document, in its order."""
        if self._session is None:
            return []
        return [
            (segment.id, each, self._dismissals.holds(segment.id, each.key))
            for segment in self._session.document
            if segment.status is not Status.LOCKED
            for each in self._said.get(segment.id, ())
        ]

    def said_of(self, segment_id: str) -> tuple[Segment | None, tuple[Remark, ...]]:
        """A segment, and all that the checks say of it; None for what the document does not hold."""
        if self._session is None or not self._session.document.has(segment_id):
            return None, ()
        return self._session.document.get(segment_id), self._said.get(segment_id, ())

    def dismiss(self, segment_id: str, key: str, dismissed: bool = True) -> None:
        """Say no more of a remark, or say it again; `checked` follows."""
        (self._dismissals.dismiss if dismissed else self._dismissals.bring_back)(segment_id, key)

    def say_again(self) -> None:
        """Say everything in the language of now; `checked` follows."""
        if self._session is not None:
            self._check_later(segment.id for segment in self._session.document)

    def _check_again(self, segment_id: str) -> None:
        if self._session is not None and self._session.document.has(segment_id):
            self._check(self._session.document.get(segment_id))


def _localised(text: str) -> str:
    return QCoreApplication.translate("Quality", text)
