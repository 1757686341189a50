"""Backups: making, listing, pruning and opening them."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import ProjectError
from anaphora.core.project import Backup
from anaphora.core.segment import SegmentState, Status
from anaphora.project.changes import copy_to_data_folder
from anaphora.project.saving import back_up_changed
from anaphora.project.store.backups import changes_in, list_backups, new_backup_path, prune
from anaphora.project.store.project import CHANGES_SETTING, ProjectStore


def confirm(store: ProjectStore, number: int) -> None:
    state = SegmentState(f"Sentence {number}.", Status.CONFIRMED)
    store.save(ChangeSet((Edit(f"1/s{number}", SegmentState(), state),)))


def test_only_changed_work_is_backed_up(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    assert not back_up_changed(store), "nothing has changed yet"
    confirm(store, 1)
    assert back_up_changed(store)
    assert not back_up_changed(store)
    store.set_setting("window/row", "1/s1")
    assert not back_up_changed(store)
    confirm(store, 2)
    assert back_up_changed(store)
    newest, oldest = list_backups(store.path)
    assert (newest.segments, newest.confirmed, newest.documents) == (20, 2, ("说明.txt",))
    assert oldest.confirmed == 1 and newest.size > 0
    store.close()


def test_a_backup_opens_as_a_copy(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    confirm(store, 1)
    back_up_changed(store)
    confirm(store, 2)
    (backup,) = list_backups(store.path)
    copies = [ProjectStore.open(copy_to_data_folder(backup.path, "a 2026-01-01 10.00")) for _ in range(2)]
    for copy in copies:
        assert copy.load_document().get("1/s1").status is Status.CONFIRMED
        assert copy.load_document().get("1/s2").status is Status.NOT_STARTED
        copy.close()
    assert len({copy.path for copy in copies}) == 2
    assert store.load_document().get("1/s2").status is Status.CONFIRMED
    store.close()


def test_damaged_backups_are_listed_as_such(tmp_path: Path) -> None:
    path = new_backup_path(tmp_path / "a.anaphora", datetime.now())
    path.parent.mkdir(parents=True)
    path.write_bytes(b"broken")
    (path.parent / "a note.anaphora").write_bytes(b"no backup")
    (backup,) = list_backups(tmp_path / "a.anaphora")
    assert backup.segments is None


def test_a_clock_that_is_set_back_removes_no_newer_backup(tmp_path: Path, source: SourceDocument) -> None:
    evening = [datetime(2026, 3, 20, 23, minute) for minute in range(15)]
    noon = [datetime(2026, 3, 20, 12, minute) for minute in range(3)]
    clock = SimpleNamespace(now=evening[0])
    ProjectStore.create(tmp_path / "a.anaphora", source).close()
    store = ProjectStore.open(tmp_path / "a.anaphora", lambda: clock.now)
    for number, clock.now in enumerate(evening + noon):
        confirm(store, number)
        assert back_up_changed(store)
        assert not back_up_changed(store), "the newest backup is complete"
        newest = list_backups(store.path)[0]
        assert (newest.confirmed, newest.made) == (number + 1, clock.now)
    store.close()


def test_an_unfinished_backup_is_removed_later(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    folder = new_backup_path(store.path, datetime.now()).parent
    folder.mkdir(parents=True)
    old, new = folder / ".a.anaphora.0123456789ab.part", folder / ".a.anaphora.0123456789ac.part"
    other = folder / ".a.part"
    for path in (old, new, other):
        path.write_bytes(b"half")
        os.utime(path, (0, 0) if path != new else None)
    confirm(store, 1)
    assert back_up_changed(store)
    assert not old.exists() and new.exists() and other.exists()
    store.close()


def test_the_last_ten_and_one_a_day_for_two_weeks_are_kept(tmp_path: Path) -> None:
    now = datetime(2026, 3, 20, 12, 0, 0)
    backups = []
    for day in range(30):
        for hour in range(3):
            made = now - timedelta(days=day, hours=hour)
            path = tmp_path / f"{made:%Y-%m-%dT%H-%M-%S}.anaphora"
            path.write_bytes(b"x")
            backups.append(Backup(path, made, 1))
    labelled = Backup(tmp_path / "kept.anaphora", now - timedelta(days=400), 1, "schema-1")
    labelled.path.write_bytes(b"x")
    backups = sorted([*backups, labelled], key=lambda backup: backup.made, reverse=True)
    removed = prune(backups, now)
    kept = [backup for backup in backups if backup.path.exists()]
    assert set(removed) | {backup.path for backup in kept} == {backup.path for backup in backups}
    assert kept[:10] == backups[:10]
    assert labelled in kept
    days = [backup.made.date() for backup in kept[10:] if not backup.label]
    assert len(days) == len(set(days))
    two_weeks = {(now - timedelta(days=day)).date() for day in range(14)}
    assert {backup.made.date() for backup in kept} >= two_weeks
    assert len(kept) <= 10 + 15 + 1


def test_a_copy_is_one_file_and_a_path_that_is_not_a_folder_is_reported(
    tmp_path: Path, source: SourceDocument
) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    confirm(store, 1)
    back_up_changed(store)
    (backup,) = list_backups(store.path)
    assert [path.name for path in backup.path.parent.iterdir()] == [backup.path.name]
    assert changes_in(backup.path, CHANGES_SETTING) == 1 and changes_in(backup.path, "none") == 0
    assert changes_in(tmp_path / "none", CHANGES_SETTING) == -1
    (tmp_path / "broken").write_bytes(b"broken" * 200)
    assert changes_in(tmp_path / "broken", CHANGES_SETTING) == -1
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ProjectError):
        store.copy_to(tmp_path / "file" / "b.anaphora")
    store.close()
