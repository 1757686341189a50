"""Foreign and damaged project files are opened completely, or refused and not changed."""

from __future__ import annotations

import os
import random
import sqlite3
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import ProjectError
from anaphora.core.project import DamagedProjectError
from anaphora.core.segment import SegmentState, Status
from anaphora.project.opening import open_project
from anaphora.project.store.checked_tables import maintain_checksums
from anaphora.project.store.project import ProjectStore


@pytest.fixture
def project(tmp_path: Path, source: SourceDocument) -> Path:
    """A project with one confirmed segment."""
    path = tmp_path / "a.anaphora"
    store = ProjectStore.create(path, source)
    confirm(store, 1)
    store.close()
    return path


def confirm(store: ProjectStore, number: int) -> None:
    before = store.load_document().get(f"1/s{number}").state
    store.save(ChangeSet((Edit(f"1/s{number}", before, SegmentState("Done.", Status.CONFIRMED)),)))


def opened(path: Path) -> list[Status] | None:
    """The statuses of all segments; None if the project is refused."""
    try:
        found = open_project(path)
    except ProjectError as error:
        assert error.message and error.advice
        return None
    statuses = [segment.status for segment in found.document]
    found.store.close()
    return statuses


def test_flipped_and_overwritten_bytes_are_refused_or_harmless(project: Path) -> None:
    whole, chance = project.read_bytes(), random.Random(3)
    refused = 0
    for number in range(60):
        broken = bytearray(whole)
        start = chance.randrange(len(broken) if number % 3 else 4096)
        end = min(len(broken), start + chance.choice((1, 1, 16, 4096)))
        broken[start:end] = bytes(byte ^ chance.randrange(1, 256) for byte in broken[start:end])
        project.write_bytes(broken)
        refused += opened(project) is None
        for left in project.parent.glob("a.anaphora-*"):
            left.unlink()
    assert refused > 10


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.95])
def test_a_log_that_is_cut_off_keeps_what_was_saved_before(project: Path, share: float) -> None:
    store = ProjectStore.open(project)
    confirm(store, 2)
    confirm(store, 3)
    log = project.with_name("a.anaphora-wal")
    kept = {path: path.read_bytes() for path in (project, log)}
    store.close()
    project.write_bytes(kept[project])
    log.write_bytes(kept[log][: int(len(kept[log]) * share)])
    statuses = opened(project)
    assert statuses is not None and statuses[1] is Status.CONFIRMED


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE segments SET status = 77",
        "UPDATE segments SET status = 'x'",
        "UPDATE segments SET source = x'ff00ff'",
        "UPDATE segments SET notes = '{'",
        "UPDATE segments SET tags = '[1]'",
        "UPDATE documents SET name = x'00ff'",
        "DELETE FROM documents",
        "DROP TABLE segments",
        "CREATE TRIGGER t AFTER UPDATE ON segments BEGIN DELETE FROM segments; END",
        "CREATE VIEW v AS SELECT * FROM segments",
    ],
)
def test_invalid_values_that_sqlite_accepts_are_refused(project: Path, statement: str) -> None:
    with sqlite3.connect(project) as connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(DamagedProjectError, match="was not changed"):
        open_project(project)


def test_unreadable_notes_do_not_prevent_opening(project: Path) -> None:
    with sqlite3.connect(project) as connection:
        maintain_checksums(connection)
        connection.execute("INSERT OR REPLACE INTO settings (key, value) VALUES ('import/notes', '{')")
        connection.execute("UPDATE settings SET value = '5' WHERE key LIKE '%notes%'")
    connection.close()
    statuses = opened(project)
    assert statuses is not None and statuses[1] is Status.CONFIRMED


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_a_project(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.anaphora")
    with pytest.raises(ProjectError, match="not a file"):
        ProjectStore.open(tmp_path / "a.anaphora")
