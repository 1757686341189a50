"""Full, read-only and removed disks, on a small real file system (needs permission to mount one)."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from disks import fill, mount, small_disk

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import ExportError, ProjectError
from anaphora.core.project import ProjectGoneError, ReadOnlyProjectError
from anaphora.core.segment import SegmentState, Status
from anaphora.project.changes import copy_to_data_folder
from anaphora.project.document import autosave as autosave_module
from anaphora.project.document.autosave import Autosave
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.project import ProjectStore
from anaphora.system.files import write_atomically


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 600 KiB."""
    with small_disk(tmp_path / "disk", "600k") as place:
        yield place


def confirm(store: ProjectStore, number: int, text: str = "Done.") -> None:
    before = store.load_document().get(f"1/s{number}").state
    store.save(ChangeSet((Edit(f"1/s{number}", before, SegmentState(text, Status.CONFIRMED)),)))


def test_a_full_disk_is_reported_and_nothing_saved_is_lost(disk: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(disk / "a.anaphora", source)
    confirm(store, 1)
    ballast = fill(disk)
    with pytest.raises(ProjectError, match="Free some space") as caught:
        for number in range(2, 20):
            confirm(store, number, "long " * 4000)
    assert "a.anaphora" in caught.value.message
    saved = [segment.id for segment in store.load_document() if segment.status is Status.CONFIRMED]
    with pytest.raises(ProjectError):
        store.copy_to(disk / "copy.anaphora")
    assert not (disk / "copy.anaphora").exists()
    ballast.unlink()
    confirm(store, 19)
    store.close()
    again = ProjectStore.open(disk / "a.anaphora")
    found = {segment.id for segment in again.load_document() if segment.status is Status.CONFIRMED}
    assert found == {*saved, "1/s19"}
    again.close()
    assert sorted(path.name for path in disk.iterdir()) == ["a.anaphora"]


def test_opening_after_a_crash_reports_a_full_disk(disk: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(disk / "a.anaphora", source)
    confirm(store, 1)
    left = disk / "left"
    left.mkdir()
    for path in disk.glob("a.anaphora*"):
        shutil.copy(path, left)
    store.close()
    ballast = fill(disk)
    with pytest.raises(ProjectError, match="Free some space") as caught:
        ProjectStore.open(left / "a.anaphora")
    assert "could not be opened: the disk is full" in caught.value.message
    ballast.unlink()
    again = ProjectStore.open(left / "a.anaphora")
    assert again.load_document().get("1/s1").target == "Done."
    again.close()


def test_saving_continues_when_there_is_space_again(
    qtbot, disk: Path, source: SourceDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave_module, "RETRY_SECONDS", 0.05)
    store = ProjectStore.create(disk / "a.anaphora", source)
    session = DocumentSession("a", store.load_document())
    saving = Autosave(session, store)
    ballast = fill(disk)
    long = SegmentState("long " * 30_000, Status.CONFIRMED)
    with qtbot.waitSignal(saving.failed, timeout=30000) as failure:
        session.set_states({"1/s1": long})
    assert "Free some space" in failure.args[0]
    session.set_states({"1/s2": SegmentState("Second.", Status.CONFIRMED)})
    assert not saving.flush(0.2)
    ballast.unlink()
    assert saving.flush(10)
    assert saving.close()
    again = ProjectStore.open(disk / "a.anaphora")
    assert again.load_document().get("1/s1").state == long
    assert again.load_document().get("1/s2").target == "Second."
    again.close()


def test_closing_on_a_full_disk_reports_that_not_all_is_saved(
    qtbot, disk: Path, source: SourceDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave_module, "RETRY_SECONDS", 0.05)
    store = ProjectStore.create(disk / "a.anaphora", source)
    session = DocumentSession("a", store.load_document())
    saving = Autosave(session, store)
    fill(disk)
    session.set_states({"1/s1": SegmentState("long " * 30_000, Status.CONFIRMED)})
    assert not saving.close()


def test_a_project_is_created_completely_or_not_at_all(disk: Path, source: SourceDocument) -> None:
    fill(disk)
    with pytest.raises(ProjectError):
        ProjectStore.create(disk / "a.anaphora", source)
    assert sorted(path.name for path in disk.iterdir()) == ["ballast"]


def test_an_export_to_a_full_disk_leaves_the_old_file(disk: Path) -> None:
    target = disk / "out.txt"
    target.write_bytes(b"old")
    fill(disk)
    with pytest.raises(ExportError, match="disk is full"):
        write_atomically(b"x" * 100_000, target)
    assert target.read_bytes() == b"old"
    assert sorted(path.name for path in disk.iterdir()) == ["ballast", "out.txt"]


@pytest.mark.parametrize("crashed", [False, True])
def test_a_read_only_project_can_be_opened_as_a_copy(
    disk: Path, source: SourceDocument, crashed: bool
) -> None:
    path = disk / "a.anaphora"
    store = ProjectStore.create(path, source)
    confirm(store, 1)
    if crashed:
        # Like after a crash: the last change is only in the log.
        copies = {name: (disk / name).read_bytes() for name in ("a.anaphora", "a.anaphora-wal")}
        store.close()
        for name, data in copies.items():
            (disk / name).write_bytes(data)
    store.close()
    assert mount("-o", "remount,ro", str(disk))
    with pytest.raises(ReadOnlyProjectError, match="cannot be changed"):
        ProjectStore.open(path)
    copy = ProjectStore.open(copy_to_data_folder(path, "a"))
    assert copy.load_document().get("1/s1").status is Status.CONFIRMED
    confirm(copy, 2)
    copy.close()


def test_a_removed_drive_is_noticed(disk: Path, source: SourceDocument, tmp_path: Path) -> None:
    store = ProjectStore.create(disk / "a.anaphora", source)
    confirm(store, 1)
    subprocess.run(["umount", "-l", str(disk)], check=True)
    with pytest.raises(ProjectGoneError, match="drive was removed"):
        confirm(store, 2)
    with pytest.raises(ProjectError):
        ProjectStore.open(disk / "a.anaphora")
    store.close()
