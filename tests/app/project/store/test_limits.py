"""Reading a project is bounded in time, in bytes per value, and in memory."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.project import DamagedProjectError
from anaphora.project.store import project as project_module
from anaphora.project.store.backups import check_structure
from anaphora.project.store.checked_tables import MAX_SETTING, TOO_MUCH, is_interrupted, load_rows, time_limit
from anaphora.project.store.files import connect, damage_error
from anaphora.project.store.project import ProjectStore

ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"


@pytest.fixture
def path(tmp_path: Path, source: SourceDocument) -> Path:
    ProjectStore.create(tmp_path / "a.anaphora", source).close()
    return tmp_path / "a.anaphora"


def test_an_endless_statement_is_interrupted(path: Path) -> None:
    with closing(connect(path, "ro")) as connection:
        begun = time.process_time()
        with pytest.raises(sqlite3.OperationalError) as cut, time_limit(connection, 0.2):
            connection.execute(ENDLESS).fetchone()
        assert is_interrupted(cut.value) and time.process_time() - begun < 1
        with pytest.raises(sqlite3.OperationalError), time_limit(connection, 60, lambda: True):
            connection.execute(ENDLESS).fetchone()
        assert connection.execute("SELECT count(*) FROM segments").fetchone() == (20,), "no limit later"


def test_a_project_that_takes_too_long_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        rows = ((f"x{number}", "{}" * 100) for number in range(20_000))
        connection.executemany("INSERT INTO settings (key, value) VALUES (?, ?)", rows)
    monkeypatch.setattr(project_module, "seconds_for", lambda path: -1.0)
    with pytest.raises(DamagedProjectError, match="took too long"):
        ProjectStore.open(path)


def test_a_setting_too_long_is_refused_before_it_is_looked_up(path: Path) -> None:
    """To find a row by its key, sqlite reads values completely, even long ones."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO settings (key, value) VALUES ('x', zeroblob(?))", (MAX_SETTING + 1,))
    asked: list[str] = []
    with closing(connect(path, "rw")) as connection, pytest.raises(sqlite3.DataError):
        connection.set_trace_callback(asked.append)
        check_structure(connection)
    assert asked and not any("key =" in each or "_check" in each for each in asked)
    with pytest.raises(DamagedProjectError, match="too large to load"):
        ProjectStore.open(path)


def test_the_size_of_loaded_rows_is_bounded() -> None:
    assert load_rows([("a", 1)] * 10) == [("a", 1)] * 10
    with pytest.raises(ValueError, match=TOO_MUCH) as refused:
        load_rows((("x" * 1000,) for _ in range(10**9)), 10**6)
    assert "too large to load" in damage_error(Path("a.anaphora"), refused.value).message


def test_the_schema_is_not_trusted(path: Path) -> None:
    with closing(connect(path, "ro")) as connection:
        assert connection.execute("PRAGMA trusted_schema").fetchone() == (0,)
        assert connection.execute("PRAGMA cell_size_check").fetchone() == (1,)
