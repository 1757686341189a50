"""Only the app's own tables are opened; migrations update those of every released version."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.errors import ProjectError
from anaphora.core.segment import Status
from anaphora.project.exporting.writing import snapshot, write_export
from anaphora.project.opening import open_project
from anaphora.project.store import schema
from anaphora.project.store.backups import is_sound, list_backups
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.schema import ForeignTablesError, check_statements
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.table import TranslationMemory

GOLDEN = Path(__file__).parents[3] / "golden" / "projects"
TARGETS = {
    "Ledger": Status.CONFIRMED,
    "Every node keeps a copy of the {1}ledger{/1}.": Status.CONFIRMED,
    "Transactions are verified before they are written.": Status.EDITED,
    "We need to update the cache.": Status.CONFIRMED,
    "The cache keeps the world state.": Status.DRAFT,
}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A copy of the project written by the first version's code."""
    return Path(shutil.copy(GOLDEN / "version-1.anaphora", tmp_path / "guide.anaphora"))


def add_moods(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE comments ADD COLUMN mood TEXT NOT NULL DEFAULT ''")
    connection.execute("CREATE TABLE moods (name TEXT PRIMARY KEY)")


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """A later version of the app, with changed tables."""
    monkeypatch.setattr(schema, "VERSION", 2)
    monkeypatch.setattr(schema, "MIGRATIONS", {1: add_moods})


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return check_statements(connection)


def check_work(path: Path, out: Path) -> None:
    """Check that the project contains everything from the golden one and can be exported."""
    opened = open_project(path)
    assert opened.restoration is None
    assert {s.target: s.status for s in opened.document if s.target} == TARGETS
    (comment,) = opened.comments
    assert comment.text == "Verified or checked?" and opened.store.history(comment.segment)
    assert [unit.target for unit in TranslationMemory("project", opened.store).units()] == ["ledger"]
    assert [entry.source for entry in TermBase("project", opened.store).entries()] == ["账本"]
    write_export(opened.store, opened.documents[0], snapshot(opened.document), out)
    opened.store.close()
    assert "**ledger**" in out.read_text("utf-8")


def test_a_project_of_the_first_version_opens_with_all_its_work(old: Path, tmp_path: Path) -> None:
    assert is_sound(old)
    check_work(old, tmp_path / "out.md")
    assert version_of(old) == schema.VERSION


def test_a_project_of_the_previous_version_is_backed_up_and_migrated(
    old: Path, tmp_path: Path, next_version: None
) -> None:
    check_work(old, tmp_path / "out.md")
    assert version_of(old) == 2 and is_sound(old)
    (backup,) = list_backups(old)
    assert (backup.label, backup.segments, backup.confirmed) == ("schema-1", 7, 3)
    assert version_of(backup.path) == 1
    ProjectStore.open(old).close()
    assert len(list_backups(old)) == 1, "a project of this version needs no backup"


def test_new_projects_have_the_same_tables_as_migrated_ones(
    tmp_path: Path, source: SourceDocument, next_version: None
) -> None:
    ProjectStore.create(tmp_path / "a.anaphora", source).close()
    assert version_of(tmp_path / "a.anaphora") == 2


def test_a_crash_after_the_migration_leaves_a_project_that_opens(
    old: Path, tmp_path: Path, next_version: None
) -> None:
    """The new tables are only in the log; the file's header still has the old version."""
    store = ProjectStore.open(old)
    crashed = tmp_path / "crashed.anaphora"
    for suffix in ("", "-wal"):
        shutil.copy(f"{old}{suffix}", f"{crashed}{suffix}")
    store.close()
    check_work(crashed, tmp_path / "out.md")


def test_without_a_backup_the_old_project_is_not_changed(
    old: Path, data_folder: Path, next_version: None
) -> None:
    data_folder.parent.mkdir(exist_ok=True)
    data_folder.write_text("a file in the way of the folder")
    with pytest.raises(ProjectError, match="could not be backed up"):
        ProjectStore.open(old)
    data_folder.unlink()
    assert version_of(old) == 1


def test_a_failed_migration_changes_nothing(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(connection: sqlite3.Connection) -> None:
        add_moods(connection)
        connection.execute("no statement")

    with monkeypatch.context() as broken:
        broken.setattr(schema, "VERSION", 2)
        broken.setattr(schema, "MIGRATIONS", {1: fail})
        with pytest.raises(ProjectError):
            ProjectStore.open(old)
    assert version_of(old) == 1
    check_work(old, tmp_path / "out.md")


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE segments ADD COLUMN more TEXT AS (target) VIRTUAL",
        "CREATE INDEX more ON segments (target)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER UPDATE ON segments BEGIN SELECT 1; END",
        "DROP INDEX segments_in_order",
        "DROP TABLE comments",
        "ALTER TABLE history RENAME COLUMN author TO writer",
    ],
)
def test_added_or_missing_statements_are_refused(old: Path, statement: str) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute(statement)
        with pytest.raises(ForeignTablesError):
            check_statements(connection)
    assert not is_sound(old)
