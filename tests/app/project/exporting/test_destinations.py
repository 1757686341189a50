"""An export replaces no file of the project, under any name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from anaphora.core.errors import ExportError, ProjectError
from anaphora.project.changes import save_as
from anaphora.project.exporting.writing import check_destination, export_all, snapshot, write_export
from anaphora.project.opening import LoadedProject, open_paths
from anaphora.system.locations import shared_memory_path


@pytest.fixture
def opened(tmp_path: Path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(f"账本{name}保存每个交易。\n", "utf-8")
    opened = open_paths([folder])
    project, _ = save_as(opened.store, tmp_path / "mine.anaphora")
    opened.store.close()
    opened = open_paths([project])
    yield opened
    opened.store.close()


def linked(place: Path, file: Path) -> Path:
    os.link(file, place)
    return place


def pointed(place: Path, file: Path) -> Path:
    place.symlink_to(file)
    return place


def files(opened: LoadedProject) -> list[Path]:
    backup = opened.store.back_up()
    memory = shared_memory_path()
    memory.write_bytes(b"a memory")
    originals = [Path(info.path) for info in opened.documents]
    project = opened.store.path
    return [*originals, project, project.with_name(f"{project.name}-wal"), backup, memory]


def test_no_file_of_the_project_is_replaced_under_any_name(opened: LoadedProject, tmp_path: Path) -> None:
    states = snapshot(opened.document)
    for number, file in enumerate(files(opened)):
        before = file.read_bytes()
        roundabout = file.parent / "." / ".." / file.parent.name / file.name
        for name in (
            file,
            roundabout,
            linked(tmp_path / f"{number}.txt", file),
            pointed(tmp_path / f"{number}-link.txt", file),
        ):
            with pytest.raises(ExportError) as refused:
                write_export(opened.store, opened.documents[0], states, name)
            assert name.name in refused.value.message and refused.value.advice
        assert file.read_bytes() == before


def test_other_projects_and_app_files_are_not_replaced(opened: LoadedProject, tmp_path: Path) -> None:
    other = tmp_path / "other.anaphora"
    other.write_bytes(b"another one")
    for place in (other, shared_memory_path().with_name("new.txt"), tmp_path / "mine.anaphora-shm"):
        with pytest.raises(ExportError):
            check_destination(opened.store, place)
    check_destination(opened.store, tmp_path / "texts" / "a.en.txt")
    ordinary = tmp_path / "old.txt"
    ordinary.write_text("an earlier export")
    check_destination(opened.store, ordinary)
    check_destination(opened.store, linked(tmp_path / "its other name.txt", ordinary))


def test_exporting_all_documents_does_not_replace_originals(opened: LoadedProject, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    before = {path: path.read_bytes() for path in folder.iterdir()}
    report = export_all(opened.store, opened.documents, snapshot(opened.document), folder)
    assert len(report.failed) == 2 and all("is the original" in reason for _, reason in report.failed)
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_documents_with_the_same_safe_name_do_not_replace_each_other(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name in ("a:b.txt", "a_b.txt"):
        (folder / name).write_text(f"账本{name}保存每个交易。\n", "utf-8")
    opened = open_paths([folder])
    report = export_all(opened.store, opened.documents, snapshot(opened.document), tmp_path / "out")
    opened.store.close()
    assert len(report.written) == 1 and len(report.failed) == 1
    assert "just written" in report.failed[0][1]


def test_a_name_too_long_for_a_log_is_refused_before_writing(opened: LoadedProject, tmp_path: Path) -> None:
    with pytest.raises(ProjectError):
        save_as(opened.store, tmp_path / ("x" * 240 + ".anaphora"))
    longest = tmp_path / ("x" * 231 + ".anaphora")
    open_paths([save_as(opened.store, longest)[0]]).store.close()
