"""Autosave: every change is written to the project file immediately, in a separate thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QObject, Signal

from anaphora.core.edits import CommentChange
from anaphora.core.errors import AnaphoraError
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import Change, ProjectStore
from anaphora.system.messages import describe_error

log = logging.getLogger(__name__)

Unwritten = tuple[tuple[Change, ...], dict[str, str]]
"""Unwritten changes in order, and unwritten values of settings by name."""
RETRY_SECONDS = 5.0
_MAX_RELEASE_SECONDS = 60.0
"""Maximum seconds that the thread waits for each of the events `others` of `Autosave.close`."""


class Autosave(QObject):
    """Writes the changes of a session to the project, in order; changes that were written survive a crash.

    The changes of a large step (`session.LargeSteps`) are written when the step has ended.

    Signals:
        saved: the changes and settings that were waiting have been written.
        failed: a sentence with the reason.
    """

    saved = Signal()
    failed = Signal(str)
    closed = Signal()

    def __init__(self, session: DocumentSession, store: ProjectStore) -> None:
        super().__init__()
        self._store = store
        self._changed = threading.Condition()
        self._waiting: list[Change] = []
        self._step_changes: list[Change] | None = None
        self._settings: dict[str, str] = {}
        self._storing = threading.Lock()
        self._tries = self._failed_try = 0
        self._is_urgent = False
        self._problem = ""
        self._is_closing = False
        self._has_given_up = False
        self._release_events: Sequence[threading.Event] = ()
        session.applied.connect(self.enqueue)
        session.resegmented.connect(self.enqueue)
        session.step_begun.connect(self._begin_step)
        session.step_ended.connect(self._end_step)
        self._thread = threading.Thread(target=self._run, name="anaphora-autosave", daemon=True)
        self._thread.start()

    @property
    def is_clean(self) -> bool:
        """True if all changes, also those of a running step, and all settings are written."""
        with self._changed:
            return self._is_idle and not self._step_changes

    @property
    def has_unsaved(self) -> bool:
        """True if changes or settings wait to be written; the changes of a running step do not count."""
        with self._changed:
            return not self._is_idle

    @property
    def is_in_step(self) -> bool:
        with self._changed:
            return self._step_changes is not None

    @property
    def unwritten(self) -> Unwritten:
        """The changes and settings that wait to be written, except the changes of a running step."""
        with self._changed:
            return tuple(self._waiting), dict(self._settings)

    @contextmanager
    def paused(self) -> Iterator[Unwritten]:
        """Pause writing; yields the changes that are not in the file, except those of a running step."""
        with self._storing:
            yield self.unwritten

    @property
    def problem(self) -> str:
        """The reason for the last failure; "" once all waiting changes and settings are written."""
        with self._changed:
            return self._problem

    @property
    def _is_idle(self) -> bool:
        return not self._waiting and not self._settings

    def enqueue(self, change: Change) -> None:
        with self._changed:
            waiting = self._waiting if self._step_changes is None else self._step_changes
            waiting.append(change)
            self._changed.notify_all()

    def save_setting(self, key: str, value: str) -> None:
        with self._changed:
            self._settings[key] = value
            self._changed.notify_all()

    def flush(self, seconds: float) -> bool:
        """Wait until everything except a running step is on the disk; returns `is_clean`.

        After an earlier failure, writing is tried again immediately. A new failure ends the wait.
        """
        self.wait_written(self.urge(), seconds)
        return self.is_clean

    def urge(self) -> int:
        """Try to write immediately; returns the number of tries so far, for `wait_written`."""
        with self._changed:
            self._is_urgent = True
            self._changed.notify_all()
            return self._tries

    def wait_written(self, tries: int, seconds: float) -> bool:
        """Wait until all is written, or a try with a number above `tries` fails; False if time runs out."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_idle or self._failed_try > tries, seconds)

    def close(self, seconds: float = 5.0, others: Sequence[threading.Event] = ()) -> bool:
        """Write the remaining changes, close the project and end the thread.

        Args:
            others: events that are set once other threads no longer use the file.
        Returns:
            True if everything is on the disk and the project is closed.
        """
        with self._changed:
            self._is_closing, self._release_events = True, others
            self._changed.notify_all()
        return self.wait_closed(seconds) and self.is_clean

    def wait_closed(self, seconds: float) -> bool:
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _begin_step(self) -> None:
        with self._changed:
            self._step_changes = []

    def _end_step(self, is_complete: bool) -> None:
        with self._changed:
            changes = self._step_changes or ()
            self._waiting += (each for each in changes if is_complete or isinstance(each, CommentChange))
            self._step_changes = None
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            while self._wait_for_work():
                self._write()
            for event in self._release_events:
                event.wait(_MAX_RELEASE_SECONDS)
        finally:
            self._store.close()
            self._emit(self.closed)

    def _wait_for_work(self) -> bool:
        with self._changed:
            self._changed.wait_for(lambda: self._is_closing or not self._is_idle)
            if self._has_given_up or self._is_idle:
                return False
            self._is_urgent = False
            self._tries += 1
            return True

    def _write(self) -> None:
        try:
            with self._storing:
                changes, settings = self.unwritten
                if changes:
                    self._store.save(*changes)
                    self._remove(len(changes), {})
                if settings:
                    self._store.set_settings(settings)
                    self._remove(0, settings)
        except AnaphoraError as problem:
            self._fail(describe_error(problem))
        except BaseException as problem:
            log.exception("autosave failed")
            self._fail(f"{type(problem).__name__}: {problem}")
        else:
            self._emit(self.saved)

    def _remove(self, changes: int, settings: dict[str, str]) -> None:
        with self._changed:
            del self._waiting[:changes]
            self._settings = dict(self._settings.items() - settings.items())
            if self._is_idle:
                self._problem = ""
            self._changed.notify_all()

    def _fail(self, message: str) -> None:
        self._emit(self.failed, message)
        with self._changed:
            self._failed_try, self._problem = self._tries, message
            self._changed.notify_all()
            if self._is_closing:
                # Do not try again: the window has reported that the last changes are not saved.
                self._has_given_up = True
                return
            if not self._is_urgent:
                self._changed.wait(RETRY_SECONDS)

    def _emit(self, signal: object, *values: object) -> None:
        try:
            signal.emit(*values)  # type: ignore[attr-defined]
        except RuntimeError:
            log.debug("a signal was not emitted, because Qt has deleted the autosave")
