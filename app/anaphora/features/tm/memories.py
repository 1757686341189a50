"""The translation memories of an open project: they store confirmed segments and find matches."""

from __future__ import annotations

import itertools
import threading
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QTimer, Signal

from anaphora.core.document import Document
from anaphora.core.edits import ChangeSet, Resegmentation, user_name
from anaphora.core.errors import AnaphoraError
from anaphora.core.language_pair import CHINESE_TO_ENGLISH, LanguagePair
from anaphora.core.matching import Match, Query, Unit, best_matches, pairs_to_read
from anaphora.core.segment import Segment, Status
from anaphora.features.tm.memory_concordance import MemoryConcordance, search_memory
from anaphora.project.document.following import OpenProject, SessionFollower
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.units.confirmed import Maker, is_remembered, query_of, unit_of
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import MAX_MATCHES, TranslationMemory
from anaphora.system.background import BackgroundTasks
from anaphora.system.messages import describe_error

T = TypeVar("T")
PROJECT = "project"
SHARED = "shared"
"""The names of the two memories."""
_PROJECT_SETTING = "memory/project"
"""Name of the setting with the project's id in the shared memory."""
_BATCH_SIZE = 200
"""Maximum number of units per transaction when the memories are updated after a project was opened."""
_PAUSE_SECONDS = 0.02
"""Pause in seconds between two transactions, so that the window's thread can run."""


class Memories:
    """The memory in the project file and, if enabled and readable, the shared one. Safe for any thread.

    Attributes:
        prefix: prefix of this project's keys in the shared memory.
    """

    def __init__(self, project: TranslationMemory, shared: TranslationMemory | None, prefix: str) -> None:
        self.project = project
        self.shared = shared
        self.prefix = prefix

    def all(self) -> tuple[TranslationMemory, ...]:
        return (self.project,) if self.shared is None else (self.project, self.shared)

    def with_prefixes(self) -> tuple[tuple[TranslationMemory, str], ...]:
        """Each memory with the prefix that this project's keys have in that memory."""
        return tuple((memory, self.prefix if memory is self.shared else "") for memory in self.all())

    def segment_of(self, unit: Unit, memory: str) -> str:
        """Id of the project's segment from which a unit comes, or "". `memory`: name of the unit's memory."""
        is_shared = self.shared is not None and memory == self.shared.name
        is_of_project = not is_shared or unit.key.startswith(self.prefix)
        return unit.key.removeprefix(self.prefix if is_shared else "") if is_of_project else ""

    def has_other_context(self, match: Match, document: Document, segment_id: str) -> bool:
        """True if a match is from a segment of the document whose contexts are not those of `segment_id`."""
        key = self.segment_of(match.unit, match.memory)
        return document.has(key) and document.get(key).contexts != document.get(segment_id).contexts

    def find(self, query: Query, limit: int = MAX_MATCHES) -> tuple[Match, ...]:
        """The best matches for a query; of equally good matches, those of the project's memory come first."""
        found: list[Match] = []
        for memory, prefix in self.with_prefixes():
            found += memory.find(replace(query, key=prefix + query.key), limit)
        return best_matches(found, limit)

    def search(self, text: str, limit: int = 100, languages: LanguagePair | None = None) -> MemoryConcordance:
        """The units in all memories that contain a text, without duplicates; see `search_memory`."""
        found = [search_memory(memory, text, limit, languages) for memory in self.all()]
        hits = {(hit.unit.source, hit.unit.target): hit for each in reversed(found) for hit in each.hits}
        total = sum(each.total for each in found) - sum(len(each.hits) for each in found) + len(hits)
        ordered = sorted(hits.values(), key=lambda hit: hit.unit.changed, reverse=True)
        return MemoryConcordance(total, tuple(ordered[:limit]))

    def update(self, put: Iterable[Unit], remove: Iterable[str]) -> None:
        """In all memories, store the units `put` and remove the units of the segments with ids `remove`."""
        put, remove = list(put), list(remove)
        for memory, prefix in self.with_prefixes():
            memory.update(
                [replace(unit, key=prefix + unit.key) for unit in put], [prefix + key for key in remove]
            )


class TranslationMemories(SessionFollower):
    """Adds a session's confirmed segments to the memories, and removes those that the user unconfirms.

    Opening a project also brings the memories up to date, for example after a crash.

    Signals:
        found: (segment id, tuple of Match) for the last requested segment.
        searched: (text, MemoryConcordance) for the last requested text.
        changed: the content of the memories may have changed.
        caught_up: the memories are open and contain the project's confirmed segments.
        read: tuple of (source, target), the matches from outside the document that the engine will use.
        closing: the memories are about to be closed; running work must stop.
    """

    found = Signal(str, object)
    searched = Signal(str, object)
    changed = Signal()
    caught_up = Signal()
    read = Signal(object)
    closing = Signal()

    def __init__(self, shared: Path, use_shared: bool = True) -> None:
        """`shared` is the file of the shared memory, which is created when first needed."""
        super().__init__()
        self._shared_path = shared
        self._shared: MemoryFile | None = None
        self._use_shared = use_shared
        self._writes = BackgroundTasks(self, threads=1)
        self._queries = BackgroundTasks(self, threads=1)
        self._reads = BackgroundTasks(self, threads=1)
        self._own_tasks = self._writes, self._queries, self._reads
        self._other_tasks: list[BackgroundTasks] = []
        self._store: ProjectStore | None = None
        self._origins: dict[str, str] = {}
        self._memories: Memories | None = None
        self._changed: dict[str, Unit | None] = {}
        self._closing = threading.Event()
        self._ticket_numbers = itertools.count()
        self._tickets: dict[str, int] = {}
        self._write_timer = QTimer(self, singleShot=True, interval=0)
        self._write_timer.timeout.connect(self._write_changes)

    @property
    def memories(self) -> Memories | None:
        return self._memories

    @property
    def store(self) -> ProjectStore | None:
        return self._store

    @property
    def writing(self) -> bool:
        """True while data waits to be written, or an import or export is running."""
        return self._writes.writing or any(tasks.writing for tasks in self._other_tasks)

    def add_tasks(self, tasks: BackgroundTasks) -> None:
        """Make `writing` and `release_events` cover further tasks that use the memories."""
        self._other_tasks.append(tasks)

    def use_shared(self, wanted: bool) -> None:
        if wanted == self._use_shared:
            return
        self._use_shared = wanted
        if self._session is not None and self._store is not None:
            self.open(self._session, self._store, self._origins)

    def follow(self, project: OpenProject) -> None:
        self.open(project.session, project.store, project.names)

    def open(self, session: DocumentSession, store: ProjectStore, origins: Mapping[str, str]) -> None:
        """Follow a session, and open its memories in the background; `origins`: names of documents by id."""
        self.close()
        self._attach(session)
        self._store, self._origins = store, dict(origins)
        self._closing = closing = threading.Event()

        def receive(opened: tuple[Memories, str]) -> None:
            # Ignore the result if the memories have been opened again meanwhile.
            if closing is self._closing:
                self._set_memories(session, opened)

        self._writes.start(lambda: self._open_memories(store), receive, self._fail)

    def follow_languages(self) -> None:
        """Update the units and matches after a change of the session's languages."""
        session, memories = self._session, self._memories
        if session is not None and memories is not None:
            self._set_memories(session, (memories, ""))

    def close(self) -> None:
        """Detach from the session; pending changes are still written."""
        if self._detach() is None:
            return
        self.closing.emit()
        self._write_timer.stop()
        self._closing.set()
        self._write_changes()
        self._memories = self._store = None
        self._changed = {}
        self._tickets.clear()

    def release_events(self) -> Sequence[threading.Event]:
        """Events that are set when the current tasks no longer use the project file."""
        return [tasks.finished_event() for tasks in (*self._own_tasks, *self._other_tasks)]

    def finish(self) -> None:
        self.close()
        for tasks in self._own_tasks:
            tasks.finish()
        if self._shared is not None:
            self._shared.close()

    def ask(self, segment_id: str) -> None:
        """Look up a segment; emits `found`, unless another segment is requested meanwhile."""
        session = self._session
        self._tickets.pop("found", None)
        if session is None or not session.document.has(segment_id):
            return
        query = query_of(session.document, session.document.row(segment_id), session.pair)
        self._query("found", lambda memories: memories.find(query), partial(self.found.emit, segment_id))

    def read_for_engine(self) -> None:
        """Find matches from outside the document for its segments; emits `read`."""
        session, memories, closing = self._session, self._memories, self._closing
        if session is None or memories is None:
            return
        segments, pair = list(session.document), session.pair
        known = frozenset(segment.id for segment in segments)

        def is_known(match: Match) -> bool:
            return memories.segment_of(match.unit, match.memory) in known

        def work() -> tuple[tuple[str, str], ...]:
            document = Document("", segments)
            rows = (row for row, segment in enumerate(segments) if pair.needs_translation(segment.source))
            queries = (query_of(document, row, pair) for row in rows)
            return pairs_to_read(memories.find, queries, is_known, closing.is_set)

        self._read("read", work, self.read.emit)

    def _read(self, name: str, work: Callable[[], T], receive: Callable[[T], object]) -> None:
        """Read in the background; `receive` gets the result unless a later request has the same name."""
        self._tickets[name] = ticket = next(self._ticket_numbers)

        def receive_latest(result: T) -> None:
            if ticket == self._tickets.get(name):
                receive(result)

        self._reads.start(work, receive_latest, self._fail)

    def survey(self, work: Callable[[Callable[[int], int]], T], receive: Callable[[T], object]) -> None:
        """Run `work` in the background once the memories are open or have failed to open.

        Args:
            work: gets a function that returns the percentage of the best match for a row of the document: 0
                without a match, -1 if the memories are not open or are being closed.
            receive: gets the result of `work`, unless another survey is requested meanwhile.
        """
        session, closing, pair = self._session, self._closing, self.languages
        document = Document("", list(session.document) if session is not None else [])
        self._tickets["survey"] = ticket = next(self._ticket_numbers)

        def start_reading(_: None) -> None:
            memories = self._memories

            def percent(row: int) -> int:
                if memories is None or closing.is_set():
                    return -1
                found = memories.find(query_of(document, row, pair))
                used = (m for m in found if not memories.has_other_context(m, document, document.at(row).id))
                return max((match.percent for match in used), default=0)

            if ticket == self._tickets.get("survey"):
                self._read("survey", lambda: work(percent), receive)

        self._writes.start(lambda: None, start_reading, self._fail)

    def search(self, text: str) -> None:
        """Look up uses of a text; emits `searched`, unless another text is requested meanwhile."""
        languages = self.languages
        self._query(
            "searched",
            lambda memories: memories.search(text, languages=languages),
            lambda found: self.searched.emit(text, self._without_segments(found)),
        )

    def _without_segments(self, found: MemoryConcordance) -> MemoryConcordance:
        """Leave out units from the document's segments, because the panel finds them in the document."""
        session, memories = self._session, self._memories
        if session is None or memories is None:
            return found
        hits = tuple(
            hit for hit in found.hits if not session.document.has(memories.segment_of(hit.unit, hit.memory))
        )
        return replace(found, total=found.total - len(found.hits) + len(hits), hits=hits)

    def _query(self, name: str, ask: Callable[[Memories], object], receive: Callable[..., object]) -> None:
        """Query the memories in the background; `receive` gets the answer to the last query of each name."""
        self._tickets[name] = ticket = next(self._ticket_numbers)
        if (memories := self._memories) is None:
            return

        def receive_latest(answer: object) -> None:
            if ticket == self._tickets.get(name):
                receive(answer)

        # Outdated requests are skipped.
        self._queries.start(
            lambda: ask(memories) if ticket == self._tickets.get(name) else None, receive_latest, self._fail
        )

    def _open_memories(self, store: ProjectStore) -> tuple[Memories, str]:
        """A project's memories, and an error message if the shared one cannot be opened ("" if it can)."""
        name = store.setting(_PROJECT_SETTING)
        if not name:
            name = uuid.uuid4().hex
            store.set_setting(_PROJECT_SETTING, name)
        shared, problem = None, ""
        if self._use_shared:
            try:
                self._shared = self._shared or MemoryFile.open(self._shared_path)
                shared = TranslationMemory(SHARED, self._shared)
            except AnaphoraError as error:
                problem = describe_error(error)
        return Memories(TranslationMemory(PROJECT, store), shared, f"{name}/"), problem

    def _set_memories(self, session: DocumentSession, opened: tuple[Memories, str]) -> None:
        if session is not self._session:
            return
        memories, problem = opened
        self._memories = memories
        if problem:
            self.failed.emit(problem)
        segments, maker, closing = list(session.document), self._maker(), self._closing

        def receive(is_changed: bool) -> None:
            self._finish_write(is_changed)
            if memories is self._memories:
                self.caught_up.emit()

        self._writes.start(lambda: _catch_up(memories, segments, maker, closing), receive, self._fail)
        self.changed.emit()
        self.read_for_engine()

    def _finish_write(self, is_changed: bool) -> None:
        if self._changed:
            self._write_changes()
        if is_changed:
            self.changed.emit()

    def _follow(self, changes: ChangeSet) -> None:
        self._record_units(
            [
                edit.segment
                for edit in changes.edits
                if Status.CONFIRMED in (edit.before.status, edit.after.status) and not edit.is_approval
            ]
        )
        if self._changed:
            self._write_timer.start()

    def _follow_resegmentation(self, change: Resegmentation) -> None:
        self._record_units([segment.id for segment in (*change.before, *change.after)])
        self._write_timer.start()

    def _record_units(self, segment_ids: Sequence[str]) -> None:
        """Record the current units of segments for the next write."""
        session = self._session
        if session is None or not segment_ids:  # `_maker` is too slow for each keystroke
            return
        document, maker = session.document, self._maker()
        for segment_id in segment_ids:
            segment = document.find(segment_id)
            self._changed[segment_id] = (
                unit_of(document, document.row(segment_id), maker, segment_id)
                if segment is not None and is_remembered(segment)
                else None
            )

    def _write_changes(self) -> None:
        memories, changed = self._memories, self._changed
        if memories is None or not changed:
            # Segments that are confirmed before the memories are open stay in `_changed` until then.
            return
        self._changed = {}
        put = [unit for unit in changed.values() if unit is not None]
        remove = [key for key, unit in changed.items() if unit is None]

        def write() -> bool:
            memories.update(put, remove)
            return True

        def fail(error: Exception) -> None:
            if memories is self._memories:
                self._record_units([*changed])
            self._fail(error)

        self._writes.start(write, self._finish_write, fail, must_finish=True)

    @property
    def languages(self) -> LanguagePair:
        return CHINESE_TO_ENGLISH if self._session is None else self._session.pair

    def _maker(self) -> Maker:
        return Maker(user_name(), int(time.time()), self._origins, self.languages)


def _catch_up(memories: Memories, segments: list[Segment], maker: Maker, closing: threading.Event) -> bool:
    """Bring the memories up to date with the project's confirmed segments; True if they were outdated.

    Units of segments that no longer exist stay in the memories, because a person has confirmed them.
    """
    document = Document("", segments)
    stored = [(memory.texts_by_key(prefix), prefix) for memory, prefix in memories.with_prefixes()]
    put, remove = [], []
    for row, segment in enumerate(segments):
        known = [keys.get(prefix + segment.id) for keys, prefix in stored]
        if is_remembered(segment):
            unit = unit_of(document, row, maker, segment.id)
            current = unit.source, unit.target, *unit.languages
            if any(texts != current for texts in known):
                put.append(unit)
        elif any(known):
            remove.append(segment.id)
    for start in range(0, max(len(put), len(remove)), _BATCH_SIZE):
        if closing.is_set():
            break
        memories.update(put[start : start + _BATCH_SIZE], remove[start : start + _BATCH_SIZE])
        time.sleep(_PAUSE_SECONDS)
    return bool(put or remove)
