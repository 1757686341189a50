"""Tasks off the window's thread: what somebody waits for never stands behind the rest."""

from __future__ import annotations

import threading
from functools import partial

from pytestqt.qtbot import QtBot

from anaphora.services.background import BackgroundTasks


def test_what_nobody_waits_for_holds_up_nothing_that_was_asked_for(qtbot: QtBot) -> None:
    tasks, free = BackgroundTasks(), threading.Event()
    answers: list[object] = []

    def fail(error: Exception) -> None:
        raise error

    def wait(number: int) -> int:
        free.wait(20)
        return number

    for number in range(4):
        tasks.start(partial(wait, number), answers.append, fail, awaited=False)
    tasks.start(lambda: "asked for", answers.append, fail)
    try:
        qtbot.waitUntil(lambda: answers == ["asked for"], timeout=30000)
    finally:
        free.set()
    assert tasks.finish(5000)
    qtbot.waitUntil(lambda: answers[1:] == [0, 1, 2, 3], timeout=30000)
