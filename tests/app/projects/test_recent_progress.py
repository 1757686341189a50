"""How far recent documents are is read from their projects, which may be open meanwhile."""

from __future__ import annotations

from pathlib import Path

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.segment import SegmentState, Status
from anaphora.projects.opening import open_paths
from anaphora.projects.recent_progress import RecentDocument, look_at


def confirm_first(path: Path) -> None:
    opened = open_paths((path,))
    first = opened.document.at(0)
    opened.store.save(ChangeSet((Edit(first.id, first.state, SegmentState("First.", Status.CONFIRMED)),)))
    opened.store.close()


def test_documents_folders_and_projects_are_counted(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("a.txt", "folder/b.txt", "folder/c.txt"):
        (tmp_path / name).write_text("第一句。\n第二句。\n", "utf-8")
    assert look_at(tmp_path / "a.txt") == RecentDocument(tmp_path / "a.txt"), "no project yet"
    confirm_first(tmp_path / "a.txt")
    confirm_first(tmp_path / "folder")
    assert look_at(tmp_path / "a.txt") == RecentDocument(tmp_path / "a.txt", True, 1, 2)
    assert look_at(tmp_path / "folder") == RecentDocument(tmp_path / "folder", True, 1, 4)


def test_a_file_that_is_gone_or_changed_is_still_counted_by_its_project(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("第一句。\n第二句。\n", "utf-8")
    confirm_first(path)
    path.write_text("第一句。\n第二句。\n第三句。\n", "utf-8")
    assert look_at(path) == RecentDocument(path, True, 1, 2)
    path.unlink()
    assert look_at(path) == RecentDocument(path, False, 1, 2)


def test_an_open_project_is_looked_at_and_not_disturbed(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("第一句。\n第二句。\n", "utf-8")
    confirm_first(path)
    opened = open_paths((path,))
    assert look_at(path).segments == 2
    assert look_at(opened.store.path).confirmed == 1
    opened.store.close()


def test_a_damaged_project_has_no_numbers(tmp_path: Path) -> None:
    project = tmp_path / "x.anaphora"
    project.write_bytes(b"SQLite format 3\x00" + b"\xff" * 3000)
    assert look_at(project) == RecentDocument(project)
