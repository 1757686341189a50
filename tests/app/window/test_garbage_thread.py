"""The garbage collector frees Qt objects in their own thread."""

from __future__ import annotations

import gc
import threading
import weakref

from PySide6.QtCore import QObject

from anaphora.main import collect_in_this_thread


class Knot(QObject):
    knot: Knot


def test_other_threads_do_not_free_qt_objects(qtbot) -> None:
    owner = QObject()
    freed_in: list[threading.Thread] = []
    allocated: list[list] = []
    gc.enable()
    try:
        collect_in_this_thread(owner)
        knot = Knot()
        knot.knot = knot
        weakref.finalize(knot, lambda: freed_in.append(threading.current_thread()))
        del knot
        thread = threading.Thread(target=lambda: allocated.extend([] for _ in range(100_000)))
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: bool(freed_in), timeout=10000)
    finally:
        gc.disable()
    assert freed_in == [threading.main_thread()]
