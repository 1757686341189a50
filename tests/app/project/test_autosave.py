"""Autosave: the order of changes, batches, and failures of the disk."""

from __future__ import annotations

import threading
import time
from typing import cast

from anaphora.core.document import Document
from anaphora.core.edits import ChangeSet, Comment, CommentChange
from anaphora.core.errors import ProjectError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project.document import autosave as module
from anaphora.project.document.autosave import Autosave
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import ProjectStore


class FakeStore:
    """Records what is saved; can be slow or broken."""

    def __init__(self) -> None:
        self.saved: list[ChangeSet] = []
        self.transactions = self.tries = 0
        self.settings: dict[str, str] = {}
        self.gate = threading.Event()
        self.gate.set()
        self.broken = False
        self.closed = False

    def save(self, *changes: ChangeSet) -> None:
        self.tries += 1
        self.gate.wait(5)
        if self.broken:
            raise ProjectError("The disk is full.", "Free some space.")
        self.transactions += 1
        self.saved += changes

    def set_settings(self, values: dict[str, str]) -> None:
        self.settings |= values

    def close(self) -> None:
        self.closed = True


def session() -> DocumentSession:
    return DocumentSession("d", Document("d", [Segment("a", "甲"), Segment("b", "乙")]))


def state(text: str) -> SegmentState:
    return SegmentState(text, Status.EDITED)


def test_closing_writes_everything(qtbot):
    store, opened = FakeStore(), session()
    saving = Autosave(opened, cast(ProjectStore, store))
    store.gate.clear()
    for number in range(50):
        opened.set_states({"a": state(str(number))})
    saving.save_setting("row", "3")
    assert not saving.is_clean
    store.gate.set()
    assert saving.close()
    assert store.closed and store.settings == {"row": "3"}
    assert store.saved[-1].edits[-1].after == state("49")
    assert store.transactions <= 2, "waiting changes are written together"


def test_a_full_disk_is_reported_and_retried(qtbot, monkeypatch):
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.05)
    store, opened = FakeStore(), session()
    store.broken = True
    saving = Autosave(opened, cast(ProjectStore, store))
    with qtbot.waitSignal(saving.failed, timeout=30000) as failure:
        opened.set_states({"a": state("1")})
    assert "disk is full" in failure.args[0]
    assert not saving.is_clean
    store.broken = False
    qtbot.waitUntil(lambda: saving.is_clean, timeout=30000)
    assert store.saved[-1].edits[0].after == state("1")
    assert saving.close()


def test_flushing_retries_at_once(qtbot, monkeypatch):
    monkeypatch.setattr(module, "RETRY_SECONDS", 1000.0)
    store, opened = FakeStore(), session()
    saving = Autosave(opened, cast(ProjectStore, store))
    store.broken = True
    opened.set_states({"a": state("typed")})
    assert not saving.flush(60) and saving.has_unsaved and "disk is full" in saving.problem
    tries = store.tries
    assert not saving.flush(60) and tries < store.tries <= tries + 1
    time.sleep(0.05)
    assert store.tries <= tries + 1, "without a waiting user, it is not retried at once"
    store.broken = False
    assert saving.flush(60) and not saving.has_unsaved and not saving.problem
    assert saving.close()


def test_a_running_write_is_not_saved_yet(qtbot):
    store, opened = FakeStore(), session()
    saving = Autosave(opened, cast(ProjectStore, store))
    store.gate.clear()
    opened.set_states({"a": state("typed")})
    qtbot.waitUntil(lambda: store.tries == 1, timeout=30000)
    assert saving.has_unsaved and not saving.is_clean
    store.gate.set()
    assert saving.close() and not saving.has_unsaved


def test_a_large_step_is_written_as_a_whole(qtbot):
    store, opened = FakeStore(), session()
    saving = Autosave(opened, cast(ProjectStore, store))
    opened.set_states({"a": state("before")})
    assert saving.flush(5)
    opened.step_begun.emit()
    opened.set_states({"a": state("1")})
    saving.enqueue(CommentChange(Comment("c", "a", "me", "", "Why?")))
    opened.set_states({"b": state("2")})
    saving.save_setting("row", "3")
    assert not saving.flush(0.2), "the running step is not on the disk"
    qtbot.waitUntil(lambda: store.settings == {"row": "3"}, timeout=30000)
    assert store.transactions == 1
    opened.step_ended.emit(True)
    assert saving.close()
    assert store.transactions == 2 and len(store.saved) == 4


def test_a_cancelled_step_is_not_written(qtbot):
    store, opened = FakeStore(), session()
    saving = Autosave(opened, cast(ProjectStore, store))
    opened.step_begun.emit()
    opened.set_states({"a": state("1")})
    opened.step_ended.emit(False)
    opened.set_states({"b": state("2")})
    assert saving.close()
    assert [edit.segment for changes in store.saved for edit in changes.edits] == ["b"]


def test_a_comment_made_during_a_cancelled_step_is_written(qtbot):
    store, opened = FakeStore(), session()
    saving = Autosave(opened, cast(ProjectStore, store))
    comment = CommentChange(Comment("c", "a", "me", "", "Why?"))
    opened.step_begun.emit()
    opened.set_states({"a": state("1")})
    saving.enqueue(comment)
    opened.step_ended.emit(False)
    assert saving.close()
    assert store.saved == [comment]


def test_an_unresponsive_disk_does_not_block_the_end_of_the_program(qtbot):
    """Python waits for all threads except daemons."""
    store, followed = FakeStore(), session()
    before = set(threading.enumerate())
    autosave = Autosave(followed, cast("ProjectStore", store))
    store.gate.clear()
    followed.set_states({"a": state("typed")})
    assert not autosave.close(0.05)
    assert all(thread.daemon for thread in set(threading.enumerate()) - before)
    store.gate.set()
    assert autosave.wait_closed(30) and autosave.is_clean


def test_nothing_is_written_while_writing_is_paused(qtbot):
    store, opened = FakeStore(), session()
    saving = Autosave(opened, cast(ProjectStore, store))
    with saving.paused() as (changes, settings):
        assert not changes and not settings
        opened.set_states({"a": state("meanwhile")})
        saving.save_setting("row", "3")
        time.sleep(0.1)
        assert store.tries == 0
        (change,), kept = saving.unwritten
        assert change.edits[0].after == state("meanwhile") and kept == {"row": "3"}
    assert saving.close() and saving.unwritten == ((), {})
    assert store.saved == [change] and store.settings == {"row": "3"}
