"""Reading the remaining rows of a damaged table."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from anaphora.project.store.files import connect
from anaphora.project.store.rescue import readable_keyed_rows, readable_rows

PAGE = 4096
ROWS = 2000


@pytest.fixture
def made(tmp_path: Path) -> Path:
    path = tmp_path / "a.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE words (number INTEGER UNIQUE, word TEXT)")
    connection.executemany("INSERT INTO words VALUES (?, ?)", [(n, f"word {n} " * 9) for n in range(ROWS)])
    connection.commit()
    connection.close()
    return path


def read(path: Path) -> tuple[list[tuple[object, ...]], int]:
    """The readable rows, and the number of statements."""
    said: list[str] = []
    connection = connect(path, "ro")
    connection.set_trace_callback(said.append)
    rows = readable_rows(connection, "words", "word")
    connection.close()
    return rows, len(said)


def leaf_with(data: bytes, text: str) -> int:
    return data.index(text.encode()) // PAGE * PAGE


def overwrite(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place : place + PAGE] = b"\xff" * PAGE
    path.write_bytes(data)


def test_damaged_pages_hide_only_their_own_rows(made: Path) -> None:
    sound = made.read_bytes()
    for number in (500, 1500):
        overwrite(made, leaf_with(sound, f"word {number} word {number} "))
    rows, statements = read(made)
    numbers = [int(str(row[0]).split()[1]) for row in rows]
    assert ROWS - 200 < len(numbers) < ROWS and numbers == sorted(set(numbers))
    assert {0, 1000, ROWS - 1} <= {*numbers} and not {500, 1500} & {*numbers}
    assert statements < 400


def test_a_damaged_last_page_costs_only_its_own_rows(made: Path) -> None:
    """Without the table's last number, its index gives it."""
    overwrite(made, leaf_with(made.read_bytes(), f"word {ROWS - 1} word {ROWS - 1} "))
    rows, statements = read(made)
    assert ROWS - 100 < len(rows) < ROWS and statements < 200


def test_a_table_without_its_first_page_is_skipped_at_once(made: Path) -> None:
    connection = sqlite3.connect(made)
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'words'").fetchone()[0]
    connection.close()
    overwrite(made, (root - 1) * PAGE)
    rows, statements = read(made)
    assert rows == [] and statements < 10


def test_a_missing_table_has_no_rows(made: Path) -> None:
    connection = connect(made, "ro")
    assert readable_rows(connection, "nothing", "word") == []
    connection.close()


def test_requested_keys_are_found_between_damaged_pages(
    tmp_path: Path,
) -> None:
    path = tmp_path / "b.sqlite"
    connection = sqlite3.connect(path)
    connection.execute(
        "CREATE TABLE words (key TEXT, place INTEGER, word TEXT, PRIMARY KEY (key, place)) WITHOUT ROWID"
    )
    rows = [(f"key {n:04}", part, f"word {n} {part} " * 9) for n in range(ROWS // 2) for part in range(2)]
    connection.executemany("INSERT INTO words VALUES (?, ?, ?)", rows)
    connection.commit()
    connection.close()

    def read(*asked: str) -> list[tuple[object, ...]]:
        connection = connect(path, "ro")
        found = readable_keyed_rows(connection, "words", "key, place, word", ("key", "place"), asked)
        connection.close()
        return found

    assert read() == rows
    sound = path.read_bytes()
    for number in (250, 750):
        overwrite(path, leaf_with(sound, f"word {number} 0 word {number} 0 "))
    edges = read()
    keys = {str(row[0]) for row in edges}
    assert {"key 0000", "key 0999"} <= keys and not {"key 0250", "key 0500", "key 0750"} & keys
    found = read("key 0000", "key 0250", "key 0500", "none")
    assert sorted(set(found) - set(edges)) == [row for row in rows if row[0] == "key 0500"]
    assert len(found) == len(set(found)) and set(found) <= set(rows)
