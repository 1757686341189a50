"""Projects of every earlier schema open with all their work, and are backed up before they are changed."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from anaphora.core.errors import ProjectError
from anaphora.core.segment import SegmentState, Status
from anaphora.export.writing import snapshot, write_export
from anaphora.projects.opening import open_paths
from anaphora.store import project as project_module
from anaphora.store.backups import list_backups
from anaphora.store.project import ProjectStore
from anaphora.store.schema import VERSION
from anaphora.term_base.base import TermBase
from anaphora.term_base.entries import Entry, TargetTerm
from anaphora.translation_memory.memory import TranslationMemory
from anaphora.translation_memory.units import Unit

GOLDEN = Path(__file__).parents[2] / "golden" / "projects"
TARGETS = {
    "Ledger": Status.CONFIRMED,
    "Every node keeps a copy of the {1}ledger{/1}.": Status.CONFIRMED,
    "Transactions are verified before they are written.": Status.EDITED,
    "We need to update the cache.": Status.CONFIRMED,
    "The cache keeps the world state.": Status.DRAFT,
}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the project that the first schema's code wrote."""
    return Path(shutil.copy(GOLDEN / "schema-1.anaphora", tmp_path / "guide.anaphora"))


def test_the_second_schema_opens_with_all_its_work_and_gets_a_memory(tmp_path: Path) -> None:
    path = Path(shutil.copy(GOLDEN / "schema-2.anaphora", tmp_path / "guide.anaphora"))
    opened = open_paths([path])
    assert {s.target: s.status for s in opened.document if s.target} == TARGETS
    assert opened.document.at(1).tags and opened.document.at(1).block
    memory = TranslationMemory("project", opened.store)
    assert len(memory) == 0
    memory.add([Unit("账本", "ledger")])
    opened.store.close()
    store = ProjectStore.open(path)
    assert [unit.target for unit in TranslationMemory("project", store).units()] == ["ledger"]
    store.close()


def test_the_third_schema_opens_with_its_memory_and_gets_a_term_base(tmp_path: Path) -> None:
    path = Path(shutil.copy(GOLDEN / "schema-3.anaphora", tmp_path / "guide.anaphora"))
    opened = open_paths([path])
    assert {s.target: s.status for s in opened.document if s.target} == TARGETS
    assert [unit.target for unit in TranslationMemory("project", opened.store).units()] == ["ledger"]
    TermBase("project", opened.store).put(Entry("账本", (TargetTerm("ledger"),)))
    opened.store.close()
    store = ProjectStore.open(path)
    assert [entry.source for entry in TermBase("project", store).entries()] == ["账本"]
    store.close()


@pytest.mark.parametrize("version", range(1, VERSION))
def test_a_crash_after_the_migration_leaves_a_project_that_opens(tmp_path: Path, version: int) -> None:
    """The new tables are in the log only; the file's first bytes name the old version."""
    store = open_paths(
        [Path(shutil.copy(GOLDEN / f"schema-{version}.anaphora", tmp_path / "a.anaphora"))]
    ).store
    crashed = tmp_path / "b.anaphora"
    for suffix in ("", "-wal"):
        shutil.copy(f"{store.path}{suffix}", f"{crashed}{suffix}")
    store.close()
    opened = open_paths([crashed])
    assert {s.target: s.status for s in opened.document if s.target} == TARGETS
    opened.store.close()


def test_every_earlier_schema_has_a_project_in_the_tests() -> None:
    assert {path.name for path in GOLDEN.glob("*.anaphora")} >= {
        f"schema-{version}.anaphora" for version in range(1, VERSION)
    }


def test_the_first_schema_opens_with_all_its_work_and_exports(old: Path, tmp_path: Path) -> None:
    opened = open_paths([old])
    document, (info,) = opened.document, opened.documents
    assert (info.id, info.name, info.path) == ("1", "guide.zh.md", "/home/translator/work/guide.zh.md")
    assert {s.target: s.status for s in document if s.target} == TARGETS
    assert len(document) == 7 and document.at(5).state == SegmentState()
    assert all(segment.id.startswith("1/") for segment in document)
    assert all(segment.block for segment in document), "blocks were read from the original"
    assert document.at(1).block == document.at(2).block != document.at(3).block
    assert document.at(1).tags
    assert opened.store.setting("window/row") == "3"
    out = write_export(opened.store, info, snapshot(document), tmp_path / "out.md")
    opened.store.close()
    text = out.read_text("utf-8")
    assert "# Ledger" in text and "**ledger**" in text and "区块按顺序排列。" in text


def test_the_project_is_backed_up_before_it_is_migrated(old: Path) -> None:
    before = old.read_bytes()
    ProjectStore.open(old).close()
    (backup,) = list_backups(old)
    assert (backup.label, backup.segments, backup.confirmed) == ("schema-1", 7, 3)
    assert backup.documents == ("guide.zh.md",)
    with sqlite3.connect(backup.path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (1,)
        rows = connection.execute("SELECT * FROM segments").fetchall()
    connection.close()
    with sqlite3.connect(GOLDEN / "schema-1.anaphora") as connection:
        assert connection.execute("SELECT * FROM segments").fetchall() == rows
    connection.close()
    assert old.read_bytes() != before
    ProjectStore.open(old).close()
    assert len(list_backups(old)) == 1, "a project of this version needs no such backup"


def test_without_a_backup_the_old_project_is_left_as_it_is(
    old: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_folder.parent.mkdir(exist_ok=True)
    data_folder.write_text("a file in the way of the folder")
    with pytest.raises(ProjectError, match="could not be backed up"):
        ProjectStore.open(old)
    data_folder.unlink()
    assert dict(_segments(old)) == dict(_segments(GOLDEN / "schema-1.anaphora"))


def test_a_migration_that_fails_changes_nothing(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(connection: sqlite3.Connection, version: int) -> None:
        from anaphora.store.schema import MIGRATIONS, migrate

        broken = {1: lambda c: (MIGRATIONS[1](c), c.execute("no statement"))}
        migrate(connection, version, broken, VERSION)  # type: ignore[arg-type]

    monkeypatch.setattr(project_module, "migrate", fail)
    with pytest.raises(ProjectError):
        ProjectStore.open(old)
    monkeypatch.undo()
    assert dict(_segments(old)) == dict(_segments(GOLDEN / "schema-1.anaphora"))
    store = ProjectStore.open(old)
    assert len(store.load_document()) == 7
    store.close()


def _segments(path: Path) -> list[tuple[str, str]]:
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (1,)
    rows = connection.execute("SELECT id, target FROM segments").fetchall()
    connection.close()
    return rows
