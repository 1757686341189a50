"""Every change goes to the project file at once, from a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from anaphora.application.messages import describe_error
from anaphora.core.errors import AnaphoraError
from anaphora.document.session import DocumentSession
from anaphora.store.project import Change, ProjectStore

log = logging.getLogger(__name__)

RETRY_SECONDS = 5.0
_OTHERS_SECONDS = 60.0
"""The project is let go then, whoever still reads it."""


class Autosave(QObject):
    """Writes a session's changes to its project, in order, each batch durably.

    A step that is carried out some segments at a time is written when it has come to its end, all or none.
    """

    saved = Signal()
    failed = Signal(str)
    left = Signal()

    def __init__(self, session: DocumentSession, store: ProjectStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._changed = threading.Condition()
        self._waiting: list[Change] = []
        self._held: list[Change] | None = None
        self._settings: dict[str, str] = {}
        self._kept: dict[str, str] = {}
        self._writing = False
        self._tries = self._failed = 0
        self._is_urgent = False
        self._problem = ""
        self._closed = False
        self._given_up = False
        self._others: Sequence[threading.Event] = ()
        session.applied.connect(self.enqueue)
        session.resegmented.connect(self.enqueue)
        session.step_begun.connect(self._hold)
        session.step_ended.connect(self._let_go)
        self._thread = threading.Thread(target=self._run, name="anaphora-autosave", daemon=True)
        self._thread.start()

    @property
    def clean(self) -> bool:
        with self._changed:
            return self._is_written and not self._held

    @property
    def unsaved(self) -> bool:
        """Whether something waits to be written; a step that is under way does not."""
        with self._changed:
            return not self._is_written

    @property
    def problem(self) -> str:
        with self._changed:
            return self._problem

    @property
    def _is_written(self) -> bool:
        return self._is_idle and not self._writing

    @property
    def _is_idle(self) -> bool:
        return not self._waiting and not self._settings

    def enqueue(self, change: Change) -> None:
        with self._changed:
            waiting = self._waiting if self._held is None else self._held
            waiting.append(change)
            self._changed.notify_all()

    def keep_setting(self, key: str, value: str) -> None:
        with self._changed:
            self._settings[key] = self._kept[key] = value
            self._changed.notify_all()

    @property
    def settings(self) -> dict[str, str]:
        with self._changed:
            return dict(self._kept)

    def flush(self, seconds: float) -> bool:
        """Wait until everything is on the disk but a step that is under way; returns whether all is.

        What could not be written before is tried at once, and a failure ends the waiting.
        """
        self.wait_written(self.urge(), seconds)
        return self.clean

    def urge(self) -> int:
        """Try at once to write what waits; returns how often that was tried before, for `wait_written`."""
        with self._changed:
            self._is_urgent = True
            self._changed.notify_all()
            return self._tries

    def wait_written(self, tries: int, seconds: float) -> bool:
        """Wait until everything is on the disk, or failed once more than `tries`; whether that is so."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_written or self._failed > tries, seconds)

    def close(self, seconds: float = 5.0, others: Sequence[threading.Event] = ()) -> bool:
        """Write what is left and close the project, in the thread that ends by it.

        Returns:
            whether everything is on the disk, and the project closed.
        """
        with self._changed:
            self._closed, self._others = True, others
            self._changed.notify_all()
        return self.wait_left(seconds) and self.clean

    def wait_left(self, seconds: float) -> bool:
        """Wait until the project has been let go, once this has been closed; returns whether it has."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _hold(self) -> None:
        with self._changed:
            self._held = []

    def _let_go(self, is_whole: bool) -> None:
        """A step is over: one that was broken off is not written, as if the program had been killed."""
        with self._changed:
            self._waiting += (self._held or ()) if is_whole else ()
            self._held = None
            self._changed.notify_all()

    def _run(self) -> None:
        try:
            while (work := self._take()) is not None:
                self._write(*work)
            for gone in self._others:
                gone.wait(_OTHERS_SECONDS)
        finally:
            self._store.close()
            self._emit(self.left)

    def _take(self) -> tuple[list[Change], dict[str, str]] | None:
        """What is to be written, once there is something; None: nothing more comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._is_idle)
            if self._given_up or self._is_idle:
                return None
            changes, self._waiting = self._waiting, []
            settings, self._settings = self._settings, {}
            self._writing, self._is_urgent = True, False
            self._tries += 1
        return changes, settings

    def _write(self, changes: list[Change], settings: dict[str, str]) -> None:
        """Write in order; what is written is removed, so that a failure leaves the rest."""
        try:
            if changes:
                self._store.save(*changes)
                changes.clear()
            if settings:
                self._store.set_settings(settings)
        except AnaphoraError as problem:
            self._fail(describe_error(problem), changes, settings)
        except BaseException as problem:
            log.exception("autosave failed")
            self._fail(f"{type(problem).__name__}: {problem}", changes, settings)
        else:
            with self._changed:
                self._writing, self._problem = False, ""
                self._changed.notify_all()
            self._emit(self.saved)

    def _fail(self, message: str, changes: list[Change], settings: dict[str, str]) -> None:
        self._emit(self.failed, message)
        with self._changed:
            self._writing = False
            self._waiting[:0] = changes
            self._settings = settings | self._settings
            self._failed, self._problem = self._tries, message
            self._changed.notify_all()
            if self._closed:
                # The window has told the user that the end of the work is not saved.
                self._given_up = True
                return
            if not self._is_urgent:
                self._changed.wait(RETRY_SECONDS)

    def _emit(self, signal: object, *values: object) -> None:
        try:
            signal.emit(*values)  # type: ignore[attr-defined]
        except RuntimeError:
            log.debug("nobody listens any more")
