"""Tasks off the window's thread: requests of the user never wait for other work."""

from __future__ import annotations

import threading
import time
import weakref
from functools import partial

from pytestqt.qtbot import QtBot

from anaphora.system.background import BackgroundTasks


def test_work_without_a_waiting_user_does_not_delay_requests(qtbot: QtBot) -> None:
    tasks, free = BackgroundTasks(), threading.Event()
    results: list[object] = []

    def fail(error: Exception) -> None:
        raise error

    def wait(number: int) -> int:
        free.wait(20)
        return number

    for number in range(4):
        tasks.start(partial(wait, number), results.append, fail, awaited=False)
    tasks.start(lambda: "asked for", results.append, fail)
    try:
        qtbot.waitUntil(lambda: results == ["asked for"], timeout=30000)
    finally:
        free.set()
    assert tasks.finish(5000)
    qtbot.waitUntil(lambda: results[1:] == [0, 1, 2, 3], timeout=30000)


def test_a_task_is_freed_before_its_result_arrives(qtbot: QtBot) -> None:
    class Held:
        """The object of a task, as a session or a store."""

        def work(self) -> Held:
            return self

        def answer(self, result: object) -> None:
            answered.append(id(result))

    answered: list[int] = []
    tasks, held = BackgroundTasks(), []
    for _ in range(200):
        each = Held()
        held.append(weakref.ref(each))
        tasks.start(each.work, each.answer, each.answer, must_finish=True)
    del each
    qtbot.waitUntil(lambda: len(answered) == 200, timeout=30000)
    assert tasks.finish(5000) and not tasks.is_busy
    assert [reference() for reference in held if reference() is not None] == []


def test_a_library_that_ends_the_program_only_ends_its_task(qtbot: QtBot) -> None:
    def leave() -> None:
        raise SystemExit(1)

    errors: list[Exception] = []
    tasks = BackgroundTasks()
    tasks.start(leave, errors.append, errors.append, must_finish=True)
    qtbot.waitUntil(lambda: [str(each) for each in errors] == ["SystemExit: 1"], timeout=30000)
    assert not tasks.is_busy and not tasks.writing


def test_only_writing_tasks_are_waited_for_at_the_end(qtbot: QtBot) -> None:
    tasks, free, written = BackgroundTasks(), threading.Event(), threading.Event()
    results: list[object] = []
    tasks.start(partial(free.wait, 20), results.append, results.append)
    assert tasks.is_busy and not tasks.writing
    begun = time.monotonic()
    tasks.finish_writing()
    assert not tasks.finish(30), "the other task is still running"
    assert time.monotonic() - begun < 5

    def write() -> None:
        time.sleep(0.1)
        written.set()

    tasks.start(write, results.append, results.append, must_finish=True)
    assert tasks.writing
    tasks.finish_writing()
    assert written.is_set() and not tasks.writing
    free.set()
    assert tasks.finish(20000)
    qtbot.waitUntil(lambda: len(results) == 2 and not tasks.is_busy, timeout=30000)
