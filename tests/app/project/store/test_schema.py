"""Only the app's own tables are opened; those of every released version, for good."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from anaphora.core.segment import Status
from anaphora.project.exporting.writing import snapshot, write_export
from anaphora.project.opening import open_project
from anaphora.project.store.integrity import is_sound
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
    """A copy of the project that the first version's code wrote."""
    return Path(shutil.copy(GOLDEN / "version-1.anaphora", tmp_path / "guide.anaphora"))


def test_a_project_of_the_first_version_opens_with_all_its_work(old: Path, tmp_path: Path) -> None:
    assert is_sound(old)
    opened = open_project(old)
    assert opened.restoration is None
    assert {s.target: s.status for s in opened.document if s.target} == TARGETS
    (comment,) = opened.comments
    assert comment.text == "Verified or checked?" and opened.store.history(comment.segment)
    assert [unit.target for unit in TranslationMemory("project", opened.store).units()] == ["ledger"]
    assert [entry.source for entry in TermBase("project", opened.store).entries()] == ["账本"]
    write_export(opened.store, opened.documents[0], snapshot(opened.document), tmp_path / "out.md")
    opened.store.close()
    assert "**ledger**" in (tmp_path / "out.md").read_text("utf-8")


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
