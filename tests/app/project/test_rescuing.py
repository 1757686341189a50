"""Rescuing the readable parts of projects that cannot be opened."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import ProjectError
from anaphora.core.project import DamagedProjectError
from anaphora.core.segment import SegmentState, Status
from anaphora.project.exporting.writing import snapshot, write_export
from anaphora.project.opening import LoadedProject, open_paths, open_project
from anaphora.project.rescuing import rescue
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.summary import read_summary
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.table import TranslationMemory

GOLDEN = Path(__file__).parents[2] / "golden" / "projects"
TEXT = "".join(f"第{number}句在这里。\n" for number in range(300))


def rescued(path: Path) -> LoadedProject:
    before = path.read_bytes()
    found = rescue(path)
    assert path.read_bytes() == before
    opened = open_project(found.project)
    assert found.segments == len(opened.document)
    return opened


@pytest.mark.parametrize("name", ["early-1", "early-9"])
def test_a_project_from_before_the_first_release_is_rescued(name: str, tmp_path: Path) -> None:
    path = Path(shutil.copy(GOLDEN / f"{name}.anaphora", tmp_path / "guide.anaphora"))
    with pytest.raises(DamagedProjectError, match="before the first release") as refused:
        open_paths([path])
    assert "as a new project" in refused.value.advice and not refused.value.has_backups
    assert read_summary(path) is None
    opened = rescued(path)
    (info,) = opened.documents
    assert (info.name, info.path) == ("guide.zh.md", "/home/translator/work/guide.zh.md")
    targets = [(segment.target, segment.status) for segment in opened.document if segment.target]
    assert targets == [
        ("Ledger", Status.CONFIRMED),
        ("Every node keeps a copy of the {1}ledger{/1}.", Status.CONFIRMED),
        ("Transactions are verified before they are written.", Status.EDITED),
        ("We need to update the cache.", Status.CONFIRMED),
        ("The cache keeps the world state.", Status.DRAFT),
    ]
    assert all(segment.block and segment.span for segment in opened.document)
    if name == "early-9":
        (comment,) = opened.comments
        assert comment.text == "Verified or checked?"
        assert opened.document.get(comment.segment).target.startswith("Transactions")
        assert [unit.target for unit in TranslationMemory("project", opened.store).units()] == ["ledger"]
        assert [entry.source for entry in TermBase("project", opened.store).entries()] == ["账本"]
    out = write_export(opened.store, info, snapshot(opened.document), tmp_path / "out.md")
    opened.store.close()
    assert "**ledger**" in out.read_text("utf-8") and "区块按顺序排列。" in out.read_text("utf-8")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A project of many pages in which every segment is confirmed."""
    (tmp_path / "a.txt").write_text(TEXT, "utf-8")
    store = open_paths([tmp_path / "a.txt"]).store
    edits = [
        Edit(each.id, each.state, SegmentState(f"Sentence {row} is here. " * 4, Status.CONFIRMED))
        for row, each in enumerate(store.load_document())
    ]
    store.save(ChangeSet(tuple(edits)))
    store.close()
    return Path(shutil.copy(store.path, tmp_path / "large.anaphora"))


def test_damaged_pages_lose_only_their_own_translations(large: Path) -> None:
    data = bytearray(large.read_bytes())
    page = data.index(b"Sentence 150 is here.") // 4096 * 4096
    data[page : page + 4096] = b"\xff" * 4096
    large.write_bytes(data)
    opened = rescued(large)
    assert [segment.source for segment in opened.document] == TEXT.split()
    done = [row for row, each in enumerate(opened.document) if each.status is Status.CONFIRMED]
    assert 250 < len(done) < 300 and 150 not in done
    assert all(opened.document.at(row).target.startswith(f"Sentence {row} ") for row in done)
    opened.store.close()


def test_translations_of_lost_segments_go_into_the_memory(large: Path) -> None:
    """An earlier version may have segmented a text differently."""
    with closing(sqlite3.connect(large)) as connection, connection:
        for column in ("text_checksum", "state_checksum"):
            connection.execute(f"ALTER TABLE segments DROP COLUMN {column}")
        connection.execute("UPDATE segments SET block = '', source = '第七句' WHERE source = '第7句在这里。'")
    opened = rescued(large)
    assert opened.document.at(7).target == "" and opened.document.at(8).target.startswith("Sentence 8")
    (unit,) = TranslationMemory("project", opened.store).units()
    assert unit.source == "第七句" and unit.target.startswith("Sentence 7")
    opened.store.close()


def test_an_unreadable_document_keeps_its_segments(large: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise ProjectError("No program converts it.")

    monkeypatch.setattr("anaphora.project.rereading.read_bytes", refuse)
    opened = rescued(large)
    assert [each.status for each in opened.document] == [Status.CONFIRMED] * 300
    opened.store.close()


def test_a_file_without_readable_data_makes_no_project(large: Path, data_folder: Path) -> None:
    known = set(data_folder.rglob("*.anaphora"))
    for data in (b"nothing", large.read_bytes()[:5000], large.read_bytes()[:100] + bytes(9000)):
        large.write_bytes(data)
        with pytest.raises(ProjectError, match="can be read"):
            rescue(large)
    assert set(data_folder.rglob("*.anaphora")) == known


def test_a_project_that_is_open_is_not_rescued(large: Path) -> None:
    store = ProjectStore.open(large)
    with pytest.raises(ProjectError, match="open in this window"):
        rescue(large)
    store.close()
