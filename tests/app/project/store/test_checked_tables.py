"""Checksums of a project's memory, terms and settings find damaged rows; the other rows are restored."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.matching import Unit
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.project.opening import open_project
from anaphora.project.saving import back_up_changed
from anaphora.project.store.backups import is_sound, list_backups
from anaphora.project.store.checked_tables import CHECKED_TABLES, check_tables
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.schema import VERSION
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.table import TranslationMemory

MADE = datetime(2026, 3, 20, 14, 32)


@pytest.fixture
def project(tmp_path: Path, source: SourceDocument) -> Path:
    """A project with four rows in each table; its backup has the first two."""
    path = tmp_path / "work" / "a.anaphora"
    ProjectStore.create(path, source).close()
    store = ProjectStore.open(path, lambda: MADE)
    for numbers in (range(2), range(2, 4)):
        TranslationMemory("project", store).add([Unit(f"第{n}句", f"unit number {n}") for n in numbers])
        TermBase("project", store).add(
            [TermEntry(f"术语{n}", (TargetTerm(f"term number {n}"),)) for n in numbers]
        )
        for number in numbers:
            store.set_setting(f"of/{number}", f"setting number {number}")
        if numbers.start == 0:
            assert back_up_changed(store)
    store.close()
    return path


def held(store: ProjectStore) -> set[str]:
    """All texts of units, terms and settings."""
    units = {unit.target for unit in TranslationMemory("project", store).units()}
    terms = {target.text for entry in TermBase("project", store).entries() for target in entry.targets}
    return units | terms | {value for key, value in store.settings().items() if key.startswith("of/")}


EVERYTHING = {f"{kind} number {n}" for kind in ("unit", "term", "setting") for n in range(4)}


def flip(project: Path, text: str) -> None:
    """Flip a bit in the last letter of a text, wherever it occurs in the file."""
    data = project.read_bytes()
    broken = text[:-1] + chr(ord(text[-1]) ^ 1)
    assert text.encode() in data
    project.write_bytes(data.replace(text.encode(), broken.encode()))


@pytest.mark.parametrize(
    ("text", "table"), [("unit", "memory_units"), ("term", "term_targets"), ("setting", "settings")]
)
@pytest.mark.parametrize("number", [1, 3])
def test_a_flipped_bit_is_named_and_no_sound_row_is_lost(
    project: Path, text: str, table: str, number: int, caplog: pytest.LogCaptureFixture
) -> None:
    flip(project, f"{text} number {number}")
    with sqlite3.connect(project) as connection, pytest.raises(sqlite3.DatabaseError, match=table):
        check_tables(connection)
    connection.close()
    assert not is_sound(project)
    opened = open_project(project)
    found = opened.restoration
    assert f"of {table} is damaged" in caplog.text
    assert found is not None and found.made == MADE and found.kept.exists()
    # The backup's data is complete; later data is read from the damaged file, except the row itself.
    assert held(opened.store) == EVERYTHING - ({f"{text} number 3"} if number == 3 else set())
    opened.store.close()
    assert is_sound(project)


def test_a_flipped_bit_in_a_term_itself_is_found(project: Path) -> None:
    flip(project, "术语3")
    opened = open_project(project)
    assert opened.restoration is not None
    assert {entry.source for entry in TermBase("project", opened.store).entries()} == {
        f"术语{n}" for n in range(3)
    }
    opened.store.close()


def test_terms_changed_after_the_backup_are_restored(project: Path) -> None:
    store = ProjectStore.open(project)
    terms = TermBase("project", store)
    first = terms.entries()[0]
    now = terms.put(TermEntry("术语甲", (TargetTerm("newer", Usage.FORBIDDEN),), "why", "law", id=first.id))
    store.set_setting("of/0", "newer")
    store.close()
    flip(project, "unit number 0")
    opened = open_project(project)
    assert TermBase("project", opened.store).entries()[0] == now
    assert opened.store.setting("of/0") == "newer"
    opened.store.close()


def _import_and_fail(memory: TranslationMemory) -> None:
    with pytest.raises(KeyboardInterrupt), memory.importing() as add:
        add([Unit("四", "four")])
        raise KeyboardInterrupt


def _import(memory: TranslationMemory) -> None:
    with memory.importing() as add:
        add([Unit("四", "four"), Unit("五", "five", ("{1}",), previous="四")])


@pytest.mark.parametrize(
    "work",
    [
        lambda store: _import(TranslationMemory("project", store)),
        lambda store: _import_and_fail(TranslationMemory("project", store)),
        lambda store: TranslationMemory("project", store).update([Unit("一", "one", key="1/a")], ["1/b"]),
        lambda store: TermBase("project", store).replace_all(TermBase("project", store).entries()[1:]),
        lambda store: TermBase("project", store).remove([1]),
        lambda store: store.set_setting("of/0", "another"),
    ],
)
def test_all_written_rows_have_correct_checksums(project: Path, work: Callable[[ProjectStore], None]) -> None:
    store = ProjectStore.open(project)
    TranslationMemory("project", store).update([Unit("二", "two", key="1/a"), Unit("三", "three", key="1/b")])
    work(store)
    store.close()
    with sqlite3.connect(project) as connection:
        check_tables(connection)
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").fetchone()
        for table in CHECKED_TABLES:
            assert connection.execute(f"SELECT count(*) FROM {table.name} WHERE checksum = 0").fetchone() == (
                0,
            )
    connection.close()
    assert is_sound(project)


def test_a_flipped_bit_in_the_version_number_is_found(project: Path) -> None:
    sound = project.read_bytes()
    assert sound[60:64] == VERSION.to_bytes(4, "big")
    project.write_bytes(sound[:60] + bytes(4) + sound[64:])
    opened = open_project(project)
    assert opened.restoration is not None and held(opened.store) == EVERYTHING
    opened.store.close()
    assert len(list_backups(project)) == 1
