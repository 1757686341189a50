"""Closed documents and windows are freed, also after long work."""

from __future__ import annotations

import gc
import os
import sys
import weakref
from functools import partial
from pathlib import Path

import pytest
from ended_windows import end_windows
from PySide6.QtCore import QCoreApplication, QEvent

from anaphora.core.document import Document
from anaphora.features.drafting.feature import Drafting
from anaphora.system.garbage import gc_paused
from anaphora_text.freed_memory import release_memory

DOCUMENTS = 100


def resident() -> float:
    """Resident memory in MiB after freeing memory."""
    gc.collect()
    release_memory()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def are_drafted(document: Document) -> bool:
    return all(segment.target for segment in document)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads what Linux says of the process")
@pytest.mark.slow
def test_a_hundred_documents_do_not_leak_memory(qtbot, make_window, tmp_path) -> None:
    """Each is opened, drafted, confirmed and closed."""
    window = make_window()
    controller = window.controller
    kept: list[weakref.ref] = []

    def open_and_close(path: Path) -> None:
        with qtbot.waitSignal(controller.opened, timeout=30000):
            window.opener.open(path)
        kept.extend((weakref.ref(controller.session), weakref.ref(controller.store)))
        segments = [segment.id for segment in controller.session.document]
        qtbot.waitUntil(partial(are_drafted, controller.session.document), timeout=30000)
        for segment in segments:
            for length in (1, 9, 23):
                controller.editing.type_text(segment, "A ledger keeps records."[:length])
            assert controller.editing.confirm(segment)
        with qtbot.waitSignal(controller.closed, timeout=30000):
            assert controller.close()

    early = 0.0
    for number in range(DOCUMENTS):
        path = tmp_path / f"{number}.zh.txt"
        path.write_text(f"账本保存第{number}个交易。\n节点读取缓存。\n", "utf-8")
        open_and_close(path)
        if number == 9:
            early = resident()
    grown = resident() - early
    assert grown < 9, f"{grown:.0f} MiB were kept"
    assert sum(each() is not None for each in kept) <= 2, "at most one session and one store"


def test_a_closed_project_is_freed_without_garbage_collection(qtbot, make_window, document) -> None:
    """The tasks for terms and alignments must not form reference cycles."""
    window = make_window(path=document)
    controller = window.controller
    qtbot.waitUntil(partial(are_drafted, controller.session.document), timeout=30000)
    for segment in [each.id for each in controller.session.document]:
        controller.editing.type_text(segment, "A ledger keeps records.")
        assert controller.editing.confirm(segment)
    qtbot.waitUntil(lambda: not controller.tasks.is_busy and controller.flush(20), timeout=30000)
    kept = [weakref.ref(controller.session), weakref.ref(controller.session.document)]
    with gc_paused():
        controller.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        qtbot.waitUntil(lambda: not any(each() for each in kept), timeout=10000)


def test_a_closed_window_is_freed(qtbot, make_window, windows, document) -> None:
    window = make_window(path=document)
    seen = [
        weakref.ref(each) for each in (window, window.table, window.desk.worker, window.of(Drafting).service)
    ]
    segments = window.session.document
    qtbot.waitUntil(partial(are_drafted, segments), timeout=30000)
    del window, segments
    end_windows(qtbot, windows)
    gc.collect()
    assert not any(each() is not None for each in seen)
