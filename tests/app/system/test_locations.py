"""Paths of autosaved projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.system.locations import (
    autosave_path,
    backup_folder,
    backup_subject,
    data_folder,
    project_name,
    project_path,
)


def test_the_data_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("ANAPHORA_DATA")
    assert "anaphora" in str(data_folder())


def test_each_path_and_content_has_its_own_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path))
    one = autosave_path(Path("/a/手册 1.docx"), "00")
    assert one == autosave_path(Path("/a/手册 1.docx"), "00")
    assert (
        one.parent == tmp_path / "projects" and one.suffix == ".anaphora" and one.name.startswith("手册_1-")
    )
    assert one != autosave_path(Path("/b/手册 1.docx"), "00")
    assert one != autosave_path(Path("/a/手册 1.docx"), "01")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def test_a_new_project_gets_a_free_name(data: Path) -> None:
    names = []
    for name in ("All of it", "All of it", "All of it", "年度报告", "x" * 50, "..", ""):
        path = project_path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        assert path.parent == data / "projects"
        names.append(path.name)
    assert names[:4] == [
        "All_of_it.anaphora",
        "All_of_it-2.anaphora",
        "All_of_it-3.anaphora",
        "年度报告.anaphora",
    ]
    assert names[4] == "x" * 40 + ".anaphora" and len(set(names)) == 7


def test_only_a_named_project_has_a_title(data: Path) -> None:
    assert project_name(Path("/x/Report.anaphora")) == "Report"
    kept = autosave_path(Path("/a/Report.docx"), "00")
    assert project_name(kept) == ""
    assert backup_subject(backup_folder(kept) / "2026.anaphora") == "Report"
    assert backup_subject(backup_folder(Path("/x/Report.anaphora")) / "2026.anaphora") == "Report"
    assert backup_folder(Path("/x/Report.anaphora")) != backup_folder(Path("/y/Report.anaphora"))
