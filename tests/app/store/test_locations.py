"""Where autosaved projects go, and the list of recent files."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.store.locations import RecentFiles, autosave_path, data_folder


def test_the_data_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("ANAPHORA_DATA")
    assert "anaphora" in str(data_folder())


def test_each_path_and_content_has_its_project(tmp_path: Path) -> None:
    one = autosave_path(Path("/a/手册 1.docx"), "00", tmp_path)
    assert one == autosave_path(Path("/a/手册 1.docx"), "00", tmp_path)
    assert (
        one.parent == tmp_path / "projects" and one.suffix == ".anaphora" and one.name.startswith("手册_1-")
    )
    assert one != autosave_path(Path("/b/手册 1.docx"), "00", tmp_path)
    assert one != autosave_path(Path("/a/手册 1.docx"), "01", tmp_path)


def test_recent_files_are_newest_first_without_doubles(tmp_path: Path) -> None:
    recent = RecentFiles(tmp_path / "sub" / "recent.json", limit=3)
    assert recent.paths() == ()
    for name in ("a", "b", "c", "a", "d"):
        recent.add(tmp_path / name)
    assert recent.paths() == (tmp_path / "d", tmp_path / "a", tmp_path / "c")
    recent.remove(tmp_path / "a")
    assert RecentFiles(tmp_path / "sub" / "recent.json").paths() == (tmp_path / "d", tmp_path / "c")
    assert [entry.name for entry in (tmp_path / "sub").iterdir()] == ["recent.json"]


@pytest.mark.parametrize("content", [b"", b"{", b'{"a": 1}', b"\xff\xfe\xff", b"[1, 2]"])
def test_a_damaged_list_is_an_empty_list(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "recent.json"
    file.write_bytes(content)
    recent = RecentFiles(file)
    assert recent.paths() == ()
    recent.add(tmp_path / "x")
    assert recent.paths() == (tmp_path / "x",)


def test_a_list_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    recent = RecentFiles(tmp_path / "file" / "recent.json")
    recent.add(tmp_path / "x")
    assert recent.paths() == ()
