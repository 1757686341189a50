"""Only the app's own tables are opened; those of the first version for good."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from anaphora.core.segment import Status
from anaphora.export.writing import snapshot, write_export
from anaphora.projects.opening import open_project
from anaphora.store.integrity import is_sound
from anaphora.store.schema import ForeignTablesError, check_statements
from anaphora.term_base.base import TermBase
from anaphora.translation_memory.memory import TranslationMemory

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
    """A copy of the project that the first version's code wrote."""
    return Path(shutil.copy(GOLDEN / "version-1.anaphora", tmp_path / "guide.anaphora"))


def check_work(path: Path, out: Path) -> None:
    """Everything is in the project that was in the golden one, and it can be exported."""
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
def test_one_statement_more_or_less_is_another_program_s(old: Path, statement: str) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute(statement)
        with pytest.raises(ForeignTablesError):
            check_statements(connection)
    assert not is_sound(old)
