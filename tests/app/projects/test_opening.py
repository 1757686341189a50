"""Opening a document: what is said about its import, and that a known one is not read again."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from anaphora.core.counting import WordCount
from anaphora.core.installed_model import MODEL_SETTING, ChosenModel
from anaphora.core.source import SourceDocument
from anaphora.projects import opening
from anaphora.projects.opening import open_paths
from anaphora.reading import documents as reading
from anaphora.reading.documents import read_document


def test_the_notes_of_the_import_are_told_at_every_opening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("账本。\n缓存。\n", "utf-8")

    def read_less(path: Path, name: str = "", **more: Any) -> SourceDocument:
        source = reading.read_document(path, name, **more)
        return dataclasses.replace(source, segments=source.segments[:1], counted=WordCount(4, 0))

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


@pytest.mark.parametrize("kept", ["[" * 200_000, "{", "[1]"])
def test_a_choice_of_a_model_that_cannot_be_read_is_told_until_there_is_one(
    tmp_path: Path, kept: str
) -> None:
    file = tmp_path / "a.txt"
    file.write_text("账本。\n", "utf-8")
    first = open_paths([file])
    first.store.set_setting(MODEL_SETTING, kept)
    first.store.close()
    for _ in range(2):
        again = open_paths([file])
        (note,) = again.notes
        assert note.startswith("Which model this project uses cannot be read") and len(again.document) == 1
        again.store.close()
    again = open_paths([file])
    again.store.set_setting(MODEL_SETTING, ChosenModel("m", "M").to_text())
    again.store.close()
    chosen = open_paths([file])
    chosen.store.close()
    assert chosen.notes == ()


def test_a_file_remembers_when_it_was_changed(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("账本。\n", "utf-8")
    assert read_document(file).modified == file.stat().st_mtime_ns
    assert read_document(file, "b/c.txt").name == "b/c.txt"
