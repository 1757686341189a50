"""Where autosaved projects go."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.store.locations import autosave_path, data_folder


def test_the_data_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path))
    assert data_folder() == tmp_path
    monkeypatch.delenv("ANAPHORA_DATA")
    assert "anaphora" in str(data_folder())


def test_each_path_and_content_has_its_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path))
    one = autosave_path(Path("/a/手册 1.docx"), "00")
    assert one == autosave_path(Path("/a/手册 1.docx"), "00")
    assert (
        one.parent == tmp_path / "projects" and one.suffix == ".anaphora" and one.name.startswith("手册_1-")
    )
    assert one != autosave_path(Path("/b/手册 1.docx"), "00")
    assert one != autosave_path(Path("/a/手册 1.docx"), "01")
