"""Preparation of the next segments' drafts on other cores while a segment is drafted."""

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
_MAX_HELPERS = 3
"""Maximum number of helper threads; more would mostly wait for the drafting thread."""
_MAX_CHARACTERS = 2_000
"""Maximum number of characters of a segment to prepare; longer segments would delay the current draft, and
hardly any of their steps would be cached."""
_MAX_WAIT = 0.03
"""Maximum time in seconds that a draft waits for its preparation to finish."""
_POLL_INTERVAL = 0.005
"""Time in seconds between two checks for cancellation while waiting."""


@dataclass
class _Preparation:
    """The preparation of a segment; `changes` is `OpenDocument.changes` at the last check of its source."""

    source: PreparedLine
    changes: int
    stop: threading.Event
    done: Future[None]

    def end(self) -> None:
        self.stop.set()
        self.done.cancel()


def count_helpers(threads: int) -> int:
    """The number of helpers among `threads` compute threads; 0 without the native library, because torch
    does not release Python's lock."""
    return min(threads - 1, _MAX_HELPERS) if native_library() is not None else 0


class Preparer:
    """Prepares the segments after the one that is being drafted.

    The next segments are drafted with the current memory, and the drafter caches the steps. The requested
    draft is still searched from its beginning, with cached steps where possible, and equals a draft without
    preparation bit for bit.
    """

    def __init__(self, drafter: Drafter, helpers: int) -> None:
        self._drafter, self._helpers = drafter, helpers
        self._pool: ThreadPoolExecutor | None = None
        self._prepared: dict[tuple[OpenDocument, int], _Preparation] = {}

    def begin(self, opened: OpenDocument, index: int, options: SearchOptions, cancel: Cancel | None) -> None:
        """Start preparing the next segments, then wait briefly for the current segment's preparation."""
        following = opened.next_to_draft(index, 2 * self._helpers, _MAX_CHARACTERS)
        wanted = {(opened, place) for place in (index, *following)}
        for key in self._prepared.keys() - wanted:
            self._prepared.pop(key).end()
        memory = opened.memory.before(index)
        for place in following:
            self._submit(opened, place, memory, options)
        self._wait(self._prepared.pop((opened, index), None), cancel)

    def end(self) -> None:
        """Cancel all preparations; they stop within milliseconds."""
        for each in self._prepared.values():
            each.end()
        self._prepared.clear()

    def _submit(
        self, opened: OpenDocument, place: int, memory: MemorySnapshot, options: SearchOptions
    ) -> None:
        known = self._prepared.get((opened, place))
        if known is not None and known.changes == opened.changes:
            return
        source = opened.source(place)
        if known is not None and known.source == source:
            known.changes = opened.changes
            return
        if known is not None:
            known.stop.set()
        if self._pool is None:  # not in the constructor: a forked process needs its own threads
            self._pool = ThreadPoolExecutor(self._helpers, "anaphora-ahead")
        stop = threading.Event()
        done = self._pool.submit(_prepare, self._drafter, source, memory, options, stop.is_set)
        self._prepared[opened, place] = _Preparation(source, opened.changes, stop, done)

    def _wait(self, preparation: _Preparation | None, cancel: Cancel | None) -> None:
        if preparation is None or preparation.done.cancel():  # nothing is computed yet
            return
        end = time.monotonic() + _MAX_WAIT
        while not wait([preparation.done], _POLL_INTERVAL).done:
            if cancel is not None and cancel():
                preparation.stop.set()
                raise Cancelled("translation was cancelled")
            if time.monotonic() > end:
                preparation.stop.set()  # steps computed so far stay cached
                return


def _prepare(
    drafter: Drafter, source: PreparedLine, memory: MemorySnapshot, options: SearchOptions, is_stopped: Cancel
) -> None:
    """Fill the drafter's caches by drafting a source and decoding the draft; it may be stopped early."""
    try:
        with suppress(Cancelled), cancelled_by(is_stopped):
            (draft,) = drafter.draft([source], [memory], replace(options, n_best=1), is_stopped)
            drafter.decode([source], [prepare_target(draft.text, source.line.strings, drafter.target)])
    except Exception:
        # The same error will occur in the draft itself, which reports it.
        log.info("a segment could not be prepared", exc_info=True)
