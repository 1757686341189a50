"""The list of recent files."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.project.opener import RecentFiles


def test_recent_files_are_newest_first_without_doubles(tmp_path: Path) -> None:
    recent = RecentFiles(tmp_path / "sub" / "recent.json", limit=3)
    assert recent.paths() == ()
    for name in ("a", "b", "c", "a", "d"):
        recent.add(tmp_path / name)
    assert recent.paths() == (tmp_path / "d", tmp_path / "a", tmp_path / "c")
    assert RecentFiles(tmp_path / "sub" / "recent.json").paths() == recent.paths()
    assert [entry.name for entry in (tmp_path / "sub").iterdir()] == ["recent.json"]


@pytest.mark.parametrize("content", [b"", b"{", b'{"a": 1}', b"\xff\xfe\xff", b"[1, 2]"])
def test_a_damaged_list_counts_as_empty(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "recent.json"
    file.write_bytes(content)
    recent = RecentFiles(file)
    assert recent.paths() == ()
    recent.add(tmp_path / "x")
    assert recent.paths() == (tmp_path / "x",)


def test_a_list_that_cannot_be_written_is_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recent = RecentFiles(tmp_path / "file" / "recent.json")
    recent.add(tmp_path / "x")
    assert recent.paths() == ()
