"""Opening documents: import notes, and projects with earlier work."""

from __future__ import annotations

import dataclasses
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.errors import ProjectError
from anaphora.core.project import DamagedProjectError, ForeignFileError
from anaphora.project import opening
from anaphora.project.importing import collecting as reading
from anaphora.project.importing.collecting import read_document
from anaphora.project.opening import (
    ROW_SETTING,
    open_paths,
    open_project,
)
from anaphora.project.store.backups import new_backup_path
from anaphora.project.store.project import ProjectStore


def test_the_notes_of_the_import_are_shown_at_every_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("账本。\n缓存。\n", "utf-8")

    def read_less(path: Path, name: str = "", **more: Any) -> SourceDocument:
        source = reading.read_document(path, name, **more)
        return dataclasses.replace(source, segments=source.segments[:1], notes=("Please compare.",))

    monkeypatch.setattr(opening, "read_document", read_less)
    first = open_paths([file])
    first.store.close()
    assert len(first.notes) == 1 and "Please compare" in first.notes[0]

    def fail(*_: object) -> SourceDocument:
        raise AssertionError("a document with a project is read from the project")

    monkeypatch.setattr(opening, "read_document", fail)
    again = open_paths([file])
    again.store.close()
    assert again.notes == first.notes and len(again.document) == 1


def test_a_folder_is_one_project_and_new_files_in_it_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    (folder / "a.txt").write_text("账本。\n缓存。\n", "utf-8")
    (folder / "b.txt").write_text("节点。\n", "utf-8")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    first = open_paths([folder])
    assert [document.name for document in first.documents] == ["a.txt", "b.txt"] and first.left_out == ()
    assert first.notes == ("Files of other types skipped: 1.",)
    assert first.path == folder
    first.store.close()
    (folder / "c.txt").write_text("记录。\n", "utf-8")
    again = open_paths([folder])
    assert len(again.document) == 3 and again.path == folder
    assert [name for name, _ in again.left_out] == ["c.txt"]
    again.store.close()
    (folder / "a.txt").rename(folder / "old.txt")
    (folder / "a.txt").write_text("新的账本。\n", "utf-8")
    changed = open_paths([folder])
    assert changed.documents == again.documents, "a copy of the earlier text is not the document"
    assert [each.document.name for each in changed.changed] == ["a.txt"]
    assert [name for name, _ in changed.left_out] == ["c.txt", "old.txt"]
    changed.store.close()


def test_several_files_are_one_project_beside_its_file(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.txt", "b.txt")]
    for file in files:
        file.write_text("账本。\n", "utf-8")
    first = open_paths(files)
    assert len(first.document) == 2 and first.path == first.store.path
    first.store.close()
    again = open_paths(list(reversed(files)))
    assert again.path == first.path and again.left_out == () and len(again.document) == 2
    again.store.close()


def test_a_folder_without_documents_reports_five_reasons(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    with pytest.raises(ProjectError, match=r"“all” contains no document.*folder with documents") as empty:
        open_paths([folder])
    assert ".docx" not in str(empty.value)
    for number in range(6):
        (folder / f"{number}.docx").write_bytes(b"no package")
    with pytest.raises(ProjectError) as damaged:
        open_paths([folder])
    assert [f"{number}.docx: " in str(damaged.value) for number in range(6)] == [True] * 5 + [False]


@pytest.mark.parametrize(("kept", "row"), [("", 0), ("id", 2), ("gone", 0), ("9" * 5000, 0)])
def test_a_project_opens_at_the_last_segment(tmp_path: Path, kept: str, row: int) -> None:
    file = tmp_path / "a.txt"
    file.write_text("账本。\n缓存。\n记录。\n", "utf-8")
    first = open_paths([file])
    assert first.first_row == 0
    if kept:
        first.store.set_setting(ROW_SETTING, first.document.at(2).id if kept == "id" else kept)
    first.store.close()
    again = open_paths([file])
    assert again.first_row == row
    again.store.close()


def test_a_foreign_project_watches_a_file_only_after_the_user_chose_it(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    file, project = folder / "a.txt", tmp_path / "a.anaphora"
    file.write_text("账本。\n", "utf-8")
    ProjectStore.create(project, read_document(file)).close()

    def watched(chosen: Path | None) -> bool:
        opened = open_project(project, chosen)
        opened.store.close()
        assert bool(opened.watched) is not bool(opened.undecided)
        return bool(opened.watched)

    for other in (None, tmp_path / "b.txt", tmp_path / "other", file / "x"):
        assert not watched(other)
    assert watched(file) and watched(None), "the choice is remembered"


def test_choosing_a_folder_chooses_its_files(tmp_path: Path) -> None:
    file, project = tmp_path / "all" / "in" / "a.txt", tmp_path / "a.anaphora"
    file.parent.mkdir(parents=True)
    file.write_text("账本。\n", "utf-8")
    ProjectStore.create(project, read_document(file)).close()
    opened = open_project(project, tmp_path / "all")
    opened.store.close()
    assert opened.watched == {"1"} and opened.undecided == ()


def test_a_damaged_project_reports_only_truly_missing_backups(
    tmp_path: Path,
) -> None:
    project = tmp_path / "a.anaphora"
    with closing(sqlite3.connect(project)) as other:
        other.execute("CREATE TABLE notes (text)")
    with pytest.raises(ForeignFileError):
        open_paths([project])
    file = tmp_path / "a.txt"
    file.write_text("账本。\n", "utf-8")
    project.unlink()
    ProjectStore.create(project, read_document(file)).close()
    data = project.read_bytes()
    project.write_bytes(data[:4096] + b"x" * (len(data) - 4096))
    with pytest.raises(DamagedProjectError) as alone:
        open_paths([project])
    backup = new_backup_path(project, datetime(2026, 3, 20))
    backup.parent.mkdir(parents=True)
    backup.write_bytes(b"damaged, too")
    with pytest.raises(DamagedProjectError) as beside:
        open_paths([project])
    assert alone.value.advice != beside.value.advice


def test_a_new_document_is_read_before_its_project_is_created(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("账本。\n", "utf-8")
    for path in (file, tmp_path):
        steps: list[float] = []
        open_paths([path], steps.append).store.close()
        assert steps == sorted(steps) and steps[0] < 0.1 and steps[-1] == 0.8
