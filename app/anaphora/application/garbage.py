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
RESTS_AWAY = 30
"""After so many rests without a key nobody sits there: everything may be searched, for 0.1 to 0.3 s."""
MOST_LEFT = 300_000
"""Objects that closed projects may leave before all are searched at the next rest: tens of MB."""
LONG_S = 0.03
"""What survived a search that took longer is left out of the next ones."""


class RestingCollector(QObject):
    """Has Python search its old objects for cyclic garbage while the translator rests, not within a key.

    An engine and a document make half a million of them, and a search stops every thread for 0.3 s;
    Python begins one wherever an object is made, in a key or in a draft. What was there at the beginning and
    when a project was opened, and what has survived a search, is frozen, so that the next searches take a
    moment. A closed project goes without a search, as its parts do not keep each other; what may be left of
    it among what is frozen is looked for once nobody has struck a key for a minute, or at the next rest
    if that is much. What a closed project held goes back to the system behind the next search.
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
        self._is_resting, self._is_away, self._is_filling, self._is_opening = True, False, False, False
        self._is_closed, self._is_left, self._is_much_left = False, False, False
        self._fewest: int | None = None
        gc.freeze()
        self._rest = QTimer(self, singleShot=True, interval=rest_ms)
        self._rest.timeout.connect(self._begin_rest)
        self._away = QTimer(self, singleShot=True, interval=RESTS_AWAY * rest_ms)
        self._away.timeout.connect(self._begin_away)
        self._away.start()
        self._tick = QTimer(self, interval=look_ms)
        self._tick.timeout.connect(self._look)
        self._tick.start()

    def put_off(self, *_: object) -> None:
        """Somebody works: no search for the next two seconds."""
        self._is_resting = self._is_away = False
        self._rest.start()
        self._away.start()

    def follow_opening(self, path: object) -> None:
        """What is being opened, None for nothing: it will be left out, and is not searched before."""
        self.put_off()
        self._is_opening = path is not None

    def leave_out(self, *_: object) -> None:
        """A project was opened: what is there lives as long as it, so no search has to go through it.

        Nor through what is made of it in the first moments: findings of each segment, and what is counted.
        """
        self._is_filling = True
        gc.freeze()

    def follow_closing(self, *_: object) -> None:
        """A project was closed: what is left of it is looked for when nobody is there, or if it is much."""
        self.put_off()
        self._is_closed = self._is_left = True
        self._is_filling = False
        # Its session goes within this turn.
        QTimer.singleShot(0, self, self._count_left)

    def stop(self) -> None:
        """Leave the search to Python again."""
        self._tick.stop()
        self._rest.stop()
        self._away.stop()
        gc.unfreeze()
        young, middle, _ = gc.get_threshold()
        gc.set_threshold(young, middle, self._old)

    def _begin_rest(self) -> None:
        self._is_resting = True

    def _begin_away(self) -> None:
        self._is_away = True

    def _count_left(self) -> None:
        frozen = gc.get_freeze_count()
        self._fewest = frozen if self._fewest is None else min(self._fewest, frozen)
        self._is_much_left = frozen - self._fewest > MOST_LEFT

    def _look(self) -> None:
        made = gc.get_count()[2]
        is_at_rest = self._is_resting and not self._is_opening
        if is_at_rest and self._is_left and (self._is_away or self._is_much_left):
            self._is_left = self._is_much_left = self._is_filling = False
            gc.unfreeze()
            self._search()
        elif made > OVERDUE or (made >= DUE and is_at_rest):
            if self._is_filling:
                self._is_filling = False
                gc.freeze()
            else:
                self._search()

    def _search(self) -> None:
        begun = time.thread_time()
        gc.collect()
        if self._is_closed:
            self._is_closed = False
            # For 0.1 s of 1.5 GB in small pieces: the window's thread goes on meanwhile.
            threading.Thread(target=give_back, name="anaphora-give-back", daemon=True).start()
        if time.thread_time() - begun > LONG_S:
            gc.freeze()
