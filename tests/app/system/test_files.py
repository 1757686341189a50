"""Files are written as a whole or not at all."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from anaphora.core.errors import ExportError
from anaphora.system import files
from anaphora.system.files import remove_unfinished, write_atomically


def test_a_file_is_replaced_without_leftovers(tmp_path: Path) -> None:
    target = tmp_path / "b.txt"
    target.write_text("old")
    target.chmod(0o640)
    write_atomically(b"new", target)
    write_atomically(b"other", tmp_path / "c.txt")
    assert target.read_bytes() == b"new" and (tmp_path / "c.txt").read_bytes() == b"other"
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["b.txt", "c.txt"]


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (errno.EACCES, "can write"),
        (errno.EROFS, "read-only"),
        (errno.ENOSPC, "disk is full"),
        (errno.EIO, "another folder"),
    ],
)
@pytest.mark.parametrize("step", ["replace", "fsync"])
def test_a_failing_export_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, advice: str, step: str
) -> None:
    target = tmp_path / "b.txt"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(files.os, step, fail)
    with pytest.raises(ExportError) as caught:
        write_atomically(b"new", target)
    assert advice in caught.value.advice and "b.txt" in caught.value.message
    assert target.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.txt"]


def test_impossible_destinations_are_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    for destination, advice in (
        (tmp_path / "file" / "b.txt", "not a folder"),
        (tmp_path / "none" / "b.txt", "does not exist"),
        (tmp_path / "folder", "another file name"),
        (tmp_path / ("x" * 300), "shorter"),
    ):
        with pytest.raises(ExportError) as caught:
            write_atomically(b"new", destination)
        assert advice in caught.value.advice


def test_only_old_leftovers_are_removed_despite_a_wrong_clock(tmp_path: Path) -> None:
    """Another process may still be writing the newer files."""
    hours = {"old": -48, "recent": -0.2, "coming": 0.2, "far": 48}
    for name, ago in hours.items():
        path = tmp_path / f".{name}.txt.{'0123456789ab'}.part"
        path.touch()
        os.utime(path, (time.time() + ago * 3600,) * 2)
    foreign = [".old.txt.part", ".old.txt.0123456789xy.part", "old.txt"]
    for name in foreign:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    kept = {*foreign, *(f".{name}.txt.0123456789ab.part" for name in hours)}
    remove_unfinished(tmp_path, "far.txt")
    assert {path.name for path in tmp_path.iterdir()} == kept - {".far.txt.0123456789ab.part"}
    remove_unfinished(tmp_path)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*foreign, ".recent.txt.0123456789ab.part", ".coming.txt.0123456789ab.part"}


@pytest.mark.skipif(os.name != "posix", reason="only these systems can")
def test_the_new_name_is_synced_like_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    sync = os.fsync

    def seen(handle: int) -> None:
        synced.append(os.path.realpath(f"/proc/self/fd/{handle}"))
        sync(handle)

    monkeypatch.setattr(files.os, "fsync", seen)
    write_atomically(b"new", tmp_path / "b.txt")
    unfinished, folder = synced
    assert Path(unfinished).parent == Path(folder) == tmp_path.resolve() and "b.txt" in unfinished
