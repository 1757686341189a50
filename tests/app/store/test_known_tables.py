"""Only tables that a version of the app has made are opened."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from anaphora.core.source import SourceDocument
from anaphora.store.integrity import is_sound
from anaphora.store.known_tables import ForeignTablesError, known_statements, known_version, make_tables
from anaphora.store.project import ProjectStore
from anaphora.store.schema import VERSION

GOLDEN = Path(__file__).parents[2] / "golden" / "projects"


@pytest.mark.parametrize("version", range(1, VERSION))
def test_the_tables_of_every_earlier_version_are_known(tmp_path: Path, version: int) -> None:
    path = Path(shutil.copy(GOLDEN / f"schema-{version}.anaphora", tmp_path / "a.anaphora"))
    with closing(sqlite3.connect(path)) as connection:
        assert known_version(connection) == version
    assert is_sound(path)
    ProjectStore.open(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert known_version(connection) == VERSION


def test_those_of_a_new_project_and_of_every_step_to_it_are_known(
    tmp_path: Path, source: SourceDocument
) -> None:
    ProjectStore.create(tmp_path / "a.anaphora", source).close()
    with closing(sqlite3.connect(tmp_path / "a.anaphora")) as connection:
        assert known_version(connection) == VERSION
    assert set(known_statements()) == set(range(1, VERSION + 1))
    for version in known_statements():
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
            make_tables(connection, version)
            assert known_version(connection) == version


@pytest.mark.parametrize(
    "statement",
    [
        "ALTER TABLE segments ADD COLUMN more TEXT",
        "ALTER TABLE segments ADD COLUMN more TEXT AS (target) VIRTUAL",
        "CREATE INDEX more ON segments (target)",
        "CREATE TABLE more (a)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER UPDATE ON segments BEGIN SELECT 1; END",
        "DROP INDEX segments_in_order",
        "DROP TABLE comments",
        "ALTER TABLE history RENAME TO histories",
        "ALTER TABLE history RENAME COLUMN author TO writer",
        "ANALYZE",
    ],
)
def test_one_statement_more_or_less_is_another_program_s(
    tmp_path: Path, source: SourceDocument, statement: str
) -> None:
    ProjectStore.create(tmp_path / "a.anaphora", source).close()
    with closing(sqlite3.connect(tmp_path / "a.anaphora", isolation_level=None)) as connection:
        connection.execute(statement)
        with pytest.raises(ForeignTablesError):
            known_version(connection)
    assert not is_sound(tmp_path / "a.anaphora")
