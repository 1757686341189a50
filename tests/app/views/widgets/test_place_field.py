"""The place of what is written is looked at in a thread that nobody waits for."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from anaphora.views.widgets.place_field import PlaceField


def test_a_place_that_does_not_answer_holds_nobody_up_and_the_newest_answer_counts(qtbot) -> None:
    go_on = threading.Event()
    asked: list[tuple[str, bool]] = []
    answers: list[str] = []

    def look(place: Path) -> str:
        asked.append((place.name, threading.current_thread() is threading.main_thread()))
        if place.name == "slow":
            go_on.wait(60)
        return place.name

    begun = time.monotonic()
    field = PlaceField(Path("/somewhere/slow"), True, look)
    field.looked.connect(answers.append)
    qtbot.waitUntil(lambda: asked == [("slow", False)], timeout=30000)
    field.line.setText("quick")
    qtbot.waitUntil(lambda: answers == ["quick"], timeout=30000)
    go_on.set()
    taken: list[str] = []
    field.look_again(taken.append)
    qtbot.waitUntil(lambda: taken == ["quick"], timeout=30000)
    assert answers == ["quick"], "the answer about another place is no answer"
    assert time.monotonic() - begun < 50

    go_on.clear()
    field.line.setText("slow")
    qtbot.waitUntil(lambda: len(asked) == 4, timeout=30000)
    field.deleteLater()
    qtbot.wait(1)  # a field that waited for its thread would hang here for a minute
    assert time.monotonic() - begun < 50
    go_on.set()
