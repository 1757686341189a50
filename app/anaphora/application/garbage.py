"""Searching for cyclic garbage when nobody waits for the window."""

from __future__ import annotations

import gc
import threading
import time

from PySide6.QtCore import QObject, QTimer

from anaphora_text.freed_memory import give_back

NEVER = 1_000_000_000
"""So many collections of young objects before Python searches old ones by itself."""
DUE, OVERDUE = 10, 300
"""Collections of young objects after which old ones are searched at rest, and after which at once."""
REST_MS = 2000
LONG_S = 0.03
"""What survived a search that took longer is left out of the next ones."""


class RestingCollector(QObject):
    """Has Python search its old objects for cyclic garbage while the translator rests, not within a key.

    With an engine and a document there are half a million of them, and a search stops every thread for 0.3 s;
    Python begins one wherever an object is made, in a key or in a draft. What was there when a project was
    opened, and what has survived a search, is frozen, so that the next searches take a moment, until a
    project is closed and its objects may be garbage: what it held goes back to the system behind the next
    search.
    """

    def __init__(self, parent: QObject | None = None, rest_ms: int = REST_MS, look_ms: int = REST_MS) -> None:
        """
        Args:
            rest_ms: so long after the last key the translator rests.
            look_ms: so often it is looked at whether a search is due.
        """
        super().__init__(parent)
        young, middle, self._old = gc.get_threshold()
        gc.set_threshold(young, middle, NEVER)
        self._is_resting, self._is_closed, self._is_filling, self._is_opening = True, False, False, False
        self._rest = QTimer(self, singleShot=True, interval=rest_ms)
        self._rest.timeout.connect(self._begin_rest)
        self._tick = QTimer(self, interval=look_ms)
        self._tick.timeout.connect(self._look)
        self._tick.start()

    def put_off(self, *_: object) -> None:
        """Somebody works: no search for the next two seconds."""
        self._is_resting = False
        self._rest.start()

    def follow_opening(self, path: object) -> None:
        """What is being opened, None for nothing: it will be left out, and is not searched before.

        Unless another project was closed: there is garbage then, and less of all else than afterwards.
        """
        self._is_opening = path is not None

    def leave_out(self, *_: object) -> None:
        """A project was opened: what is there lives as long as it, so no search has to go through it.

        Nor through what is made of it in the first moments: findings of each segment, and what is counted.

        Right behind another project it is not left out, as that one's garbage is among it.
        """
        self._is_filling = not self._is_closed
        if self._is_filling:
            gc.freeze()

    def thaw(self) -> None:
        """A project was closed: everything is searched once more."""
        self._is_closed, self._is_filling = True, False
        gc.unfreeze()

    def stop(self) -> None:
        """Leave the search to Python again."""
        self._tick.stop()
        self._rest.stop()
        gc.unfreeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, self._old)

    def _begin_rest(self) -> None:
        self._is_resting = True

    def _look(self) -> None:
        made = gc.get_count()[2]
        is_at_rest = self._is_resting and (self._is_closed or not self._is_opening)
        if made > OVERDUE or (made >= DUE and is_at_rest):
            if self._is_filling:
                self._is_filling = False
                gc.freeze()
                return
            begun = time.thread_time()
            gc.collect()
            if self._is_closed:
                self._is_closed = False
                # For 0.1 s of 1.5 GB in small pieces: the window's thread goes on meanwhile.
                threading.Thread(target=give_back, name="anaphora-give-back", daemon=True).start()
            if time.thread_time() - begun > LONG_S:
                gc.freeze()
