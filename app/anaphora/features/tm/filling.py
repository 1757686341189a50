"""Exact matches of the translation memory for segments that have not been edited."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import Signal

from anaphora.core.document import Document
from anaphora.core.drafts import is_unstarted, match_of
from anaphora.core.edits import ChangeSet
from anaphora.core.matching import EXACT, Match, Query
from anaphora.core.segment import Status
from anaphora.features.tm.memories import Memories, TranslationMemories
from anaphora.features.tm.pretranslation import Found
from anaphora.project.document.following import KeptSetting, OpenProject, SessionFollower, read_texts
from anaphora.project.document.repetitions import RepetitionChoice
from anaphora.project.store.units.confirmed import query_of
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import Repeats

_OPEN = (Status.NOT_STARTED, Status.DRAFT)
DECLINED = KeptSetting("matches/declined", read_texts)
"""Ids of the segments whose match was taken back."""


class FillingService(SessionFollower):
    """Looks up exact matches when the memories have been opened or hold more; changes nothing itself.

    A match that was filled in and taken back is not offered again in this project.

    Signals:
        found: tuple of Found, in the order of the document.
    """

    found = Signal(object)

    keeps = (DECLINED,)

    def __init__(self, memory: TranslationMemories, wanted: bool = True) -> None:
        super().__init__()
        self._memory = memory
        self._wanted = wanted
        self._choice = RepetitionChoice()
        self._declined: set[str] = set()
        self._stop = threading.Event()
        self._tasks = BackgroundTasks(self, threads=1)
        memory.count_in(self._tasks)
        memory.closing.connect(self._cancel)
        memory.caught_up.connect(self.look)

    def follow(self, project: OpenProject) -> None:
        self.close()
        if project.pair.elsewhere:
            return  # what stands there is in another language than matches would be
        super().follow(project)
        self._choice = project.repetitions.choice
        self._declined = {*filter(project.session.document.has, project.kept.of(DECLINED))}

    def close(self) -> None:
        self._cancel()
        super().close()

    def want(self, wanted: bool) -> None:
        self._wanted = wanted
        self.look()

    def look(self) -> None:
        """Look up the segments as they are now; `found` follows if there is anything."""
        self._cancel()
        session, memories = self._session, self._memory.memories
        if session is None or memories is None or not self._wanted:
            return
        self._stop = stop = threading.Event()
        document = Document("", list(session.document))
        reach, declined = self._choice.reach, frozenset(self._declined)

        def look() -> Iterator[Found]:
            """The best exact match of each unstarted segment."""
            for row, segment in enumerate(document):
                if stop.is_set():
                    return
                if segment.id not in declined and is_unstarted(segment, session.pair):
                    match = _best(memories, document, query_of(document, row, session.pair), reach)
                    if match is not None:
                        yield Found(segment.id, segment.state, match.target, match.percent)

        def take(found: tuple[Found, ...]) -> None:
            if found and not stop.is_set():
                self.found.emit(found)

        self._tasks.start(lambda: tuple(look()), take, self._fail)

    def _cancel(self) -> None:
        self._stop.set()

    def _follow(self, changes: ChangeSet) -> None:
        """Note which matches are taken back, or filled in once more."""
        matched = {edit.segment for edit in changes.edits if match_of(edit.after)}
        emptied = {one.segment for one in changes.edits if match_of(one.before) and one.after.status in _OPEN}
        if not matched and not emptied:
            return
        declined = (self._declined | emptied) - matched
        if declined != self._declined:
            self._declined = declined
            self._keep(DECLINED.name, json.dumps(sorted(declined)))


def _best(memories: Memories, document: Document, query: Query, reach: Repeats) -> Match | None:
    """The match in context, or the newest; of equal percentages the project's own.

    Args:
        reach: which segments of the document may have the text of another one that is confirmed.
    """
    firsts = []
    for memory, prefix in memories.with_prefixes():
        for match in memory.find(replace(query, key=prefix + query.key), lowest=EXACT):
            key = match.unit.key.removeprefix(prefix)
            if memories.is_of_other_context(match, document, query.key):
                continue
            is_repetition = bool(key) and document.has(key) and reach is not Repeats.ALL
            is_allowed = reach is Repeats.SAME_BEFORE and match.unit.previous == query.previous
            if match.target.strip() and (not is_repetition or is_allowed):
                firsts.append(match)
                break
    return max(firsts, key=lambda match: match.percent, default=None)
