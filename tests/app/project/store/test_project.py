"""The project file: saved data stays; damaged files are reported and not changed."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import ProjectError
from anaphora.core.segment import SegmentState, Status
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.schema import APPLICATION_ID, VERSION
from anaphora.system.files import OPEN_FILES

EMPTY = SegmentState()


def change(segment: str, text: str, status: Status = Status.CONFIRMED) -> ChangeSet:
    return ChangeSet((Edit(f"1/{segment}", EMPTY, SegmentState(text, status)),))


def test_a_new_project_contains_the_document(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    document = store.load_document()
    assert [segment.source for segment in document] == [segment.source for segment in source.segments]
    assert store.original() == source.data
    (info,) = store.documents()
    assert (info.name, info.format, info.sha256, info.size) == (
        "说明.txt",
        "txt",
        source.sha256,
        len(source.data),
    )
    assert {segment.document for segment in document} == {info.id} == {"1"}
    assert store.name == "说明.txt"
    store.close()


def test_saved_data_is_there_after_reopening(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    store = ProjectStore.create(path, source)
    store.save(change("s3", "Third.", Status.CONFIRMED))
    store.save(change("s4", "Fourth.", Status.DRAFT))
    store.set_setting("row", "3")
    store.set_setting("row", "4")
    store.close()
    store.close()
    again = ProjectStore.open(path)
    document = again.load_document()
    assert document.get("1/s3").state == SegmentState("Third.", Status.CONFIRMED)
    assert document.get("1/s4").state == SegmentState("Fourth.", Status.DRAFT)
    assert document.get("1/s5").state == EMPTY
    assert again.setting("row") == "4"
    assert again.setting("unknown", "default") == "default"
    again.close()


def test_a_change_set_is_saved_completely_or_not_at_all(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    good, bad = change("s1", "One."), change("nowhere", "Lost.")
    with pytest.raises(ProjectError, match="nowhere"):
        store.save(ChangeSet(good.edits + bad.edits))
    assert store.load_document().get("1/s1").state == EMPTY
    store.save(good)
    assert store.load_document().get("1/s1").target == "One."
    store.close()
    with pytest.raises(ProjectError, match="closed"):
        store.save(good)


def test_an_existing_project_is_not_overwritten(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    with pytest.raises(ProjectError, match="already exists"):
        ProjectStore.create(path, source)
    store = ProjectStore.open(path)
    assert len(store.load_document()) == 20
    store.close()


def test_creating_fails_clearly_and_leaves_nothing(
    tmp_path: Path, source: SourceDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(ProjectError, match="Permission denied"):
        ProjectStore.create(tmp_path / "a.anaphora", source)
    assert list(tmp_path.iterdir()) == []


def test_a_newer_project_is_refused_and_left_alone(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(ProjectError, match="newer version"):
        ProjectStore.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["garbage", "empty", "truncated", "overwritten", "other database"])
def test_a_damaged_project_is_refused_and_left_alone(
    tmp_path: Path, source: SourceDocument, damage: str
) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    whole = path.read_bytes()
    broken = {
        "garbage": b"no database at all",
        "empty": b"",
        "truncated": whole[: len(whole) // 2],
        "overwritten": whole[:4096] + b"\xff" * (len(whole) - 4096),
        "other database": whole[:68] + b"\x00\x00\x00\x00" + whole[72:],
    }[damage]
    path.write_bytes(broken)
    with pytest.raises(ProjectError) as caught:
        ProjectStore.open(path)
    assert caught.value.advice
    assert path.read_bytes() == broken


def test_a_missing_project_is_marked_as_missing(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="does not exist"):
        ProjectStore.open(tmp_path / "none.anaphora")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_second_process_gets_a_clear_error(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    store = ProjectStore.create(path, source)
    script = (
        "import sys; from pathlib import Path\n"
        "from anaphora.core.errors import ProjectError\n"
        "from anaphora.project.store.project import ProjectStore\n"
        "try: ProjectStore.open(Path(sys.argv[1]))\n"
        "except ProjectError as error: print(error)\n"
    )
    command = [sys.executable, "-c", script, str(path)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "open in another window on this computer since" in result.stdout
    store.save(change("s1", "Still writing."))
    store.close()
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert result.stdout == ""


def test_the_header_marks_a_project(tmp_path: Path, source: SourceDocument) -> None:
    ProjectStore.create(tmp_path / "a.anaphora", source).close()
    header = (tmp_path / "a.anaphora").read_bytes()[:100]
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID


def test_settings_that_belong_together_are_kept_together(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    store = ProjectStore.create(path, source)
    store.set_settings({"model": "one", "languages": "zh, en"})
    with pytest.raises(ProjectError):
        store.set_settings({"model": "two", "languages": "\ud800"})  # sqlite cannot store this value
    store.close()
    again = ProjectStore.open(path)
    assert (again.setting("model"), again.setting("languages")) == ("one", "zh, en")
    again.close()
    # killed between the two: sqlite's log holds neither
    code = (
        "import os, sys, pathlib\n"
        "from anaphora.project.store import project, queries\n"
        "write = queries.upsert_setting\n"
        "def half(connection, key, value):\n"
        "    if key == 'languages': os._exit(9)\n"
        "    write(connection, key, value)\n"
        "queries.upsert_setting = half\n"
        "store = project.ProjectStore.open(pathlib.Path(sys.argv[1]))\n"
        "store.set_settings({'model': 'two', 'languages': 'en, zh'})\n"
    )
    assert subprocess.run([sys.executable, "-c", code, str(path)], check=False).returncode == 9
    last = ProjectStore.open(path)
    assert (last.setting("model"), last.setting("languages")) == ("one", "zh, en")
    last.close()


def test_an_unclosed_store_does_not_block_other_files(tmp_path: Path, source: SourceDocument) -> None:
    """A new file may get the inode number of a deleted file."""
    store = ProjectStore.create(tmp_path / "left.anaphora", source)
    path = store.path
    assert path in OPEN_FILES
    del store
    gc.collect()
    assert path not in OPEN_FILES
    again = ProjectStore.open(path)
    again.close()
    again.close()
    assert path not in OPEN_FILES
    with pytest.raises(ProjectError):
        again.load_document()


def test_settings_have_defaults_and_change_no_work(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    assert store.setting("none") == "" and store.setting("none", "0") == "0"
    store.set_setting("empty", "")
    assert store.setting("empty", "0") == "" == store.settings()["empty"]
    before = store.changes
    first = store.load_document().at(0)
    store.save(ChangeSet((Edit(first.id, first.state, SegmentState("A.", Status.EDITED)),)))
    assert store.changes > before
    assert store.shapes("9") == {}
    store.close()


def test_replaced_text_leaves_no_trace_in_the_file(tmp_path: Path, source: SourceDocument) -> None:
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    store.set_setting("packs", "the name of a client")
    store.set_setting("packs", "nothing")
    store.close()
    assert b"the name of a client" not in store.path.read_bytes()
