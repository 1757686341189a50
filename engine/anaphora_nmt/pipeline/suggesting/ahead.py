"""Preparations for the next segments' drafts on other cores during a draft."""

from __future__ import annotations

import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, replace

from anaphora_nmt.errors import Cancel, Cancelled
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.native.library import cancelled_by, native_library
from anaphora_nmt.pipeline.opened.document import OpenDocument
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.types import SearchOptions

log = logging.getLogger(__name__)
_MOST_HELPERS = 3
"""Threads that work on the segments after: of more, most would wait for the one that drafts."""
_LONGEST = 2_000
"""Characters of a segment that is worked on ahead: preparing a longer one would hold up the one before it,
and hardly anything of it is kept."""
_LONGEST_WAIT = 0.03
"""Seconds that a draft waits for its sentence: where other programs are quicker, it goes on by itself."""
_ASKED_EACH = 0.005
"""Seconds between two questions whether a draft that waits for its sentence is still wanted."""


@dataclass
class _Begun:
    """A segment that is worked on ahead; `changes`: the document's, when it was last looked at."""

    source: PreparedLine
    changes: int
    stop: threading.Event
    done: Future[None]

    def end(self) -> None:
        self.stop.set()
        self.done.cancel()


def helpers_beside(threads: int) -> int:
    """How many of so many compute threads work ahead: none without the native library, which does without
    Python's lock."""
    return min(threads - 1, _MOST_HELPERS) if native_library() is not None else 0


class Ahead:
    """Works on the segments after the one that is being drafted.

    Most of what a draft takes does not depend on what the segments before it have written: its source is
    encoded, and a hypothesis with the same beginning has the same steps. So it is drafted here with the
    current memory, and the drafter keeps the steps; the draft itself is made on request, bit
    for bit.
    """

    def __init__(self, drafter: Drafter, helpers: int) -> None:
        self._drafter, self._helpers = drafter, helpers
        self._pool: ThreadPoolExecutor | None = None
        self._begun: dict[tuple[OpenDocument, int], _Begun] = {}

    def begin(self, opened: OpenDocument, index: int, options: SearchOptions, cancel: Cancel | None) -> None:
        """Begin with the segments after one that is to be drafted now, and wait for it if it is begun."""
        following = opened.drafted_behind(index, 2 * self._helpers, _LONGEST)
        wanted = {(opened, place) for place in (index, *following)}
        for key in self._begun.keys() - wanted:
            self._begun.pop(key).end()
        memory = opened.memory.before(index)
        for place in following:
            self._submit(opened, place, memory, options)
        self._wait(self._begun.pop((opened, index), None), cancel)

    def end(self) -> None:
        """Cancel all work: it ends within milliseconds."""
        for each in self._begun.values():
            each.end()
        self._begun.clear()

    def _submit(
        self, opened: OpenDocument, place: int, memory: MemorySnapshot, options: SearchOptions
    ) -> None:
        known = self._begun.get((opened, place))
        if known is not None and known.changes == opened.changes:
            return
        source = opened.source(place)
        if known is not None and known.source == source:
            known.changes = opened.changes
            return
        if known is not None:
            known.stop.set()
        if self._pool is None:  # forked processes have their own threads
            self._pool = ThreadPoolExecutor(self._helpers, "anaphora-ahead")
        stop = threading.Event()
        done = self._pool.submit(_prepare, self._drafter, source, memory, options, stop.is_set)
        self._begun[opened, place] = _Begun(source, opened.changes, stop, done)

    def _wait(self, begun: _Begun | None, cancel: Cancel | None) -> None:
        if begun is None or begun.done.cancel():  # it was not begun with, and is as quick without help
            return
        end = time.monotonic() + _LONGEST_WAIT
        while not wait([begun.done], _ASKED_EACH).done:
            if cancel is not None and cancel():
                begun.stop.set()
                raise Cancelled("translation was cancelled")
            if time.monotonic() > end:
                begun.stop.set()  # what it has found so far is kept
                return


def _prepare(
    drafter: Drafter, source: PreparedLine, memory: MemorySnapshot, options: SearchOptions, is_over: Cancel
) -> None:
    """Draft a source, and decode the draft, to fill the drafter's caches, also with half a draft."""
    try:
        with suppress(Cancelled), cancelled_by(is_over):
            (draft,) = drafter.draft([source], [memory], replace(options, n_best=1), is_over)
            drafter.decode([source], [prepare_target(draft.text, source.line.strings, drafter.target)])
    except Exception:
        # Any error returns in the draft itself, which reports it.
        log.info("a segment could not be worked on ahead", exc_info=True)
