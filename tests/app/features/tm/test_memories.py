"""The memories of an open project store confirmed segments; undo removes them, a crash loses none."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from anaphora.core.language_pair import LanguagePair
from anaphora.core.matching import Query, TaggedText, Unit
from anaphora.core.segment import Status
from anaphora.features.tm.memories import PROJECT, SHARED, Memories, TranslationMemories
from anaphora.project.document.editing import Editing
from anaphora.project.document.session import DocumentSession
from anaphora.project.opening import LoadedProject, open_paths
from anaphora.project.store.units.file import MemoryFile, TranslationMemoryError
from anaphora.project.store.units.table import TranslationMemory


class Desk:
    """An open project with its memories."""

    def __init__(self, opened: LoadedProject, service: TranslationMemories, qtbot) -> None:
        self.opened, self.service, self.qtbot = opened, service, qtbot
        self.session = DocumentSession("k", opened.document)
        self.editing = Editing(self.session)
        service.open(self.session, opened.store, {info.id: info.name for info in opened.documents})
        qtbot.waitUntil(lambda: service.memories is not None, timeout=30000)

    def id(self, row: int) -> str:
        return self.session.document.at(row).id

    def confirm(self, row: int, text: str) -> None:
        self.editing.type_text(self.id(row), text)
        self.editing.confirm(self.id(row))

    def targets(self, name: str = PROJECT) -> list[str]:
        memories = self.service.memories
        assert memories is not None
        return sorted(
            unit.target for memory in memories.all() if memory.name == name for unit in memory.units()
        )

    def wait_for(self, *targets: str) -> None:
        self.qtbot.waitUntil(lambda: self.targets() == self.targets(SHARED) == sorted(targets))

    def close(self) -> None:
        self.service.close()
        assert all(end.wait(30) for end in self.service.release_events())
        self.opened.store.close()


@pytest.fixture
def service(qtbot, tmp_path: Path) -> Iterator[TranslationMemories]:
    made = TranslationMemories(tmp_path / "shared.sqlite")
    yield made
    made.finish()


def test_confirming_undoing_and_editing_update_the_memory(service, qtbot, document: Path) -> None:
    desk = Desk(open_paths([document]), service, qtbot)
    desk.confirm(0, "The ledger.")
    desk.confirm(1, "Each node.")
    desk.wait_for("The ledger.", "Each node.")
    desk.editing.undo()
    desk.wait_for("The ledger.")
    desk.editing.redo()
    desk.wait_for("The ledger.", "Each node.")
    desk.editing.type_text(desk.id(0), "The book")
    desk.wait_for("Each node.")
    desk.editing.undo()
    desk.wait_for("The ledger.", "Each node.")
    (unit,) = [unit for unit in service.memories.project.units() if unit.target == "The ledger."]
    assert (unit.origin, unit.previous) == (document.name, "")
    assert unit.following == desk.session.document.at(1).source and unit.author and unit.created > 0
    desk.close()


def test_matches_come_from_both_memories_but_not_from_the_segment_itself(
    service, qtbot, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("打开文件。\n打开文件夹。\n打开文件。\n", "utf-8")
    desk = Desk(open_paths([path]), service, qtbot)
    service.memories.shared.add([Unit("打开文件", "Open file", origin="old.tmx")])
    desk.confirm(0, "Open the file.")
    qtbot.waitUntil(lambda: desk.targets() == ["Open the file."])
    qtbot.waitUntil(lambda: len(desk.targets(SHARED)) == 2)

    def ask(row: int) -> list[tuple[int, str, str]]:
        with qtbot.waitSignal(service.found, timeout=30000) as signal:
            service.ask(desk.id(row))
        segment_id, matches = signal.args
        assert segment_id == desk.id(row)
        return [(match.percent, match.target, match.memory) for match in matches]

    assert ask(2) == [(100, "Open the file.", PROJECT), (80, "Open file", SHARED)]
    assert ask(0) == [(80, "Open file", SHARED)]
    assert ask(1)[0] == (83, "Open the file.", PROJECT)
    with qtbot.waitSignal(service.searched, timeout=30000) as signal:
        service.search("open")
    assert [hit.unit.target for hit in signal.args[1].hits] == ["Open file"], "segments are in the document"
    desk.close()


def test_another_project_finds_confirmed_segments(service, qtbot, tmp_path: Path) -> None:
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text("打开文件。\n", "utf-8")
    two.write_text("打开文件。\n", "utf-8")
    desk = Desk(open_paths([one]), service, qtbot)
    desk.confirm(0, "Open the file.")
    desk.wait_for("Open the file.")
    desk.close()
    other = Desk(open_paths([two]), service, qtbot)
    assert other.targets() == []
    with qtbot.waitSignal(service.found, timeout=30000) as signal:
        service.ask(other.id(0))
    (match,) = signal.args[1]
    assert (match.percent, match.memory, match.unit.origin) == (100, SHARED, "one.txt")
    other.close()


def test_opening_adds_units_that_a_killed_program_lost(service, qtbot, document: Path) -> None:
    from anaphora.core.edits import ChangeSet, Edit
    from anaphora.core.segment import SegmentState

    opened = open_paths([document])
    first, second = opened.document.at(0), opened.document.at(1)
    opened.store.save(
        ChangeSet((Edit(first.id, first.state, SegmentState("The ledger.", Status.CONFIRMED)),))
    )
    # An undone confirmation whose unit was not removed.
    memory = TranslationMemory(PROJECT, opened.store)
    memory.update([Unit(second.source, "Old", key=second.id), Unit("别处", "elsewhere", key="9/9")])
    opened.store.close()
    desk = Desk(open_paths([document]), service, qtbot)
    qtbot.waitUntil(lambda: desk.targets() == ["The ledger.", "elsewhere"])
    qtbot.waitUntil(lambda: desk.targets(SHARED) == ["The ledger."])
    desk.close()


def test_closing_writes_everything(service, qtbot, document: Path, tmp_path: Path) -> None:
    desk = Desk(open_paths([document]), service, qtbot)
    for row in range(10):
        desk.confirm(row, f"T{row}")
    desk.close()
    store = open_paths([document]).store
    assert len(TranslationMemory(PROJECT, store)) == 10
    store.close()
    file = MemoryFile.open(tmp_path / "shared.sqlite")
    assert len(TranslationMemory(SHARED, file)) == 10
    file.close()


def test_the_shared_memory_can_be_disabled(service, qtbot, document: Path, tmp_path: Path) -> None:
    service.use_shared(False)
    desk = Desk(open_paths([document]), service, qtbot)
    desk.confirm(0, "The ledger.")
    qtbot.waitUntil(lambda: desk.targets() == ["The ledger."])
    assert service.memories.shared is None and not (tmp_path / "shared.sqlite").exists()
    service.use_shared(True)
    qtbot.waitUntil(
        lambda: service.memories is not None and service.memories.shared is not None, timeout=30000
    )
    desk.wait_for("The ledger.")
    desk.close()


def test_the_shared_memory_can_be_disabled_during_opening(service, qtbot, document: Path) -> None:
    opened = open_paths([document])
    seen: list[bool] = []
    service.changed.connect(lambda: seen.append(service.memories.shared is None))
    session = DocumentSession("k", opened.document)
    service.open(session, opened.store, {})
    time.sleep(0.5)  # they are open, but the signal is still queued
    service.use_shared(False)
    qtbot.waitUntil(lambda: service.memories is not None and bool(seen), timeout=30000)
    qtbot.wait(100)
    assert seen and all(seen), "the memories of the first opening are outdated"
    service.close()
    opened.store.close()


def test_a_damaged_shared_memory_is_reported(qtbot, document: Path, tmp_path: Path) -> None:
    (tmp_path / "shared.sqlite").write_bytes(b"no database " * 100)
    service = TranslationMemories(tmp_path / "shared.sqlite")
    with qtbot.waitSignal(service.failed, timeout=30000) as signal:
        desk = Desk(open_paths([document]), service, qtbot)
    assert "shared.sqlite" in signal.args[0]
    desk.confirm(0, "The ledger.")
    qtbot.waitUntil(lambda: desk.targets() == ["The ledger."])
    desk.close()
    service.finish()


def test_projects_in_several_languages_share_a_memory(service, qtbot, document: Path, tmp_path: Path) -> None:
    desk = Desk(open_paths([document]), service, qtbot)
    desk.confirm(0, "Das Hauptbuch.")
    desk.wait_for("Das Hauptbuch.")

    def labels(name: str) -> list[tuple[str, str]]:
        found = [memory for memory in service.memories.all() if memory.name == name]
        return [unit.languages for memory in found for unit in memory.units()]

    assert labels(PROJECT) == labels(SHARED) == [("zh", "en")]
    # the user sets the real target language: its units are in that language too
    desk.session.pair = LanguagePair("zh", "de")
    service.follow_languages()
    qtbot.waitUntil(lambda: labels(PROJECT) == labels(SHARED) == [("zh", "de")], timeout=10000)
    desk.close()
    copy = tmp_path / "copy.zh.txt"
    copy.write_bytes(document.read_bytes())
    other = Desk(open_paths([copy]), service, qtbot)
    read: list[tuple[tuple[str, str], ...]] = []
    service.read.connect(read.append)
    for pair, targets in ((LanguagePair("zh", "de"), ["Das Hauptbuch."]), (LanguagePair("zh", "fr"), [])):
        other.session.pair = pair
        with qtbot.waitSignal(service.found, timeout=10000) as found:
            service.ask(other.id(0))
        assert [match.target for match in found.args[1]] == targets
        service.read_for_engine()
        qtbot.waitUntil(lambda: bool(read) and [said for _, said in read[-1]] == targets, timeout=10000)  # noqa: B023
    other.close()


def test_a_failed_write_does_not_replace_newer_units(service, qtbot, document: Path, monkeypatch) -> None:
    desk = Desk(open_paths([document]), service, qtbot)
    qtbot.waitUntil(lambda: not service.writing, timeout=30000)
    goes_on, update = threading.Event(), service.memories.update
    calls: list[list[str]] = []

    def fail_once(put: list[Unit], remove: list[str]) -> None:
        calls.append([unit.target for unit in put])
        if len(calls) == 1:
            goes_on.wait(20)
            raise TranslationMemoryError("The memory is busy.", "Try again.")
        update(put, remove)

    monkeypatch.setattr(service.memories, "update", fail_once)
    desk.confirm(0, "Old.")
    qtbot.waitUntil(lambda: len(calls) == 1, timeout=30000)
    desk.confirm(0, "New.")
    qtbot.wait(20)
    with qtbot.waitSignal(service.failed, timeout=30000):
        goes_on.set()
    desk.wait_for("New.")
    desk.confirm(1, "Each node.")
    desk.wait_for("New.", "Each node.")
    desk.close()


@pytest.fixture
def both(tmp_path: Path) -> Iterator[Memories]:
    """A project's own memory and the shared one, each in its file."""
    files = [MemoryFile.open(tmp_path / name) for name in ("project.sqlite", "common.sqlite")]
    yield Memories(TranslationMemory(PROJECT, files[0]), TranslationMemory(SHARED, files[1]), "p/")
    for file in files:
        file.close()


def test_keys_of_a_project_are_distinguished_in_the_shared_memory(both: Memories) -> None:
    assert both.shared is not None
    both.update([Unit("账本", "ledger", key="1"), Unit("缓存", "cache", key="2")], [])
    assert {*both.project.texts_by_key()} == {"1", "2"} and {*both.shared.texts_by_key()} == {"p/1", "p/2"}
    both.shared.add([Unit("账本", "book", key="q/1")])
    query = Query(TaggedText("账本", ()), None, None, "1")
    assert [(match.target, match.memory) for match in both.find(query)] == [("book", SHARED)]
    both.update([], ["1"])
    assert {*both.project.texts_by_key()} == {"2"} and {*both.shared.texts_by_key()} == {"p/2", "q/1"}
    alone = Memories(both.project, None, "p/")
    assert alone.all() == (both.project,) and alone.with_prefixes() == ((both.project, ""),)


def test_units_in_both_memories_count_once(both: Memories) -> None:
    assert both.shared is not None
    same = Unit("打开账本", "Open the ledger", changed=2)
    both.project.add([same, Unit("关闭账本", "Close the ledger", changed=1)])
    both.shared.add([same, Unit("读取账本", "Read the ledger", changed=3)])
    found = both.search("账本")
    assert [hit.unit.target for hit in found.hits] == [
        "Read the ledger",
        "Open the ledger",
        "Close the ledger",
    ]
    assert found.total == 3
    few = both.search("账本", limit=1)
    assert len(few.hits) == 1 and few.total >= 2
    assert both.search("节点").total == 0
