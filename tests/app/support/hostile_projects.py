"""Hostile projects: valid sqlite files with correct checksums.

`KINDS` has, by name, functions that turn an ordinary project into a hostile one.
"""

from __future__ import annotations

import random
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

from anaphora.core.segment import SegmentState, Status
from anaphora.formats.registry import read_bytes
from anaphora.project.store import queries
from anaphora.project.store.checked_tables import maintain_checksums, row_checksum
from anaphora.project.store.project import ProjectStore

SENTENCES = ("账本保存每个交易。", "每个节点读取账本。", "我们需要更新缓存。", "缓存保存世界状态。")
CONFIRMED = "The ledger keeps each transaction."
"""The target of the first segment, which is confirmed."""

Craft = Callable[[sqlite3.Connection, random.Random], None]


def ordinary(path: Path, original: Path) -> Path:
    """A project of four segments: the first is confirmed, the others are drafts."""
    source = read_bytes("\n".join(SENTENCES).encode(), original.name, original)
    segments = tuple(
        segment.with_state(SegmentState(CONFIRMED if n == 0 else f"Draft {n}.", _status(n)))
        for n, segment in enumerate(source.segments)
    )
    ProjectStore.create(path, replace(source, segments=segments)).close()
    return path


def craft(path: Path, original: Path, *kinds: str, chance: random.Random | None = None) -> Path:
    """Make a project of one or several kinds.

    Args:
        original: the document's file.
        chance: varies sizes; None: the most harmful sizes.
    """
    ordinary(path, original)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        maintain_checksums(connection)
        for kind in kinds:
            KINDS[kind](connection, chance or _Most())
    return path


class _Most(random.Random):
    """Always returns the maximum."""

    def randint(self, a: int, b: int) -> int:
        return b


def _status(number: int) -> Status:
    return Status.DRAFT if number else Status.CONFIRMED


def _change_table(connection: sqlite3.Connection, table: str, change: Callable[[str], str]) -> None:
    """Recreate a table with another statement but the same column names."""
    statement = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall()
    indexes = connection.execute(
        "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL", (table,)
    ).fetchall()
    changed = change(statement)
    connection.execute(f"DROP TABLE {table}")
    connection.execute(changed)
    given = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    places = [columns.index(name) for name in given]
    connection.executemany(
        f"INSERT INTO {table} ({', '.join(given)}) VALUES ({', '.join('?' * len(given))})",
        [[row[place] for place in places] for row in rows],
    )
    for (index,) in indexes:
        connection.execute(index)


def _with_constraint(constraint: str) -> Callable[[str], str]:
    return lambda statement: f"{statement.rstrip().removesuffix(')').rstrip()}, {constraint})"


def _instead(connection: sqlite3.Connection, table: str, view: str) -> None:
    connection.execute(f"ALTER TABLE {table} RENAME TO {table}_0")
    connection.execute(f"CREATE VIEW {table} AS {view}")


_ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT t.* FROM {0}_0 AS t, r"


def _setting(key: str, value: Callable[[int], str], most: int = 200_000) -> Craft:
    def change(connection: sqlite3.Connection, chance: random.Random) -> None:
        text = value(chance.randint(1, most))
        connection.execute(
            "INSERT OR REPLACE INTO settings (key, value, checksum) VALUES (?, ?, ?)",
            (key, text, row_checksum(key, text)),
        )

    return change


def _deep(size: int) -> str:
    return "[" * size


def _unpacking(connection: sqlite3.Connection, chance: random.Random) -> None:
    """A text of 400 MB in the history, compressed to 400 KB."""
    _past_text(connection, _packed(chance.randint(1, 24)))


@cache
def _packed(blocks: int) -> bytes:
    packer = zlib.compressobj(1)
    return b"".join(packer.compress(b"x" * 2**24) for _ in range(blocks)) + packer.flush()


def _many_unpackings(connection: sqlite3.Connection, chance: random.Random) -> None:
    """Texts in the history that are each within the limit, but 2 GB in total."""
    packed = zlib.compress(b"x" * (4 * 2**20), 9)
    for _ in range(chance.randint(1, 500)):
        _past_text(connection, packed)


def _past_text(connection: sqlite3.Connection, packed: bytes) -> None:
    segment = connection.execute("SELECT id FROM segments WHERE position = 0").fetchone()[0]
    values = (segment, "2026-01-01T00:00:00+00:00", "someone", int(Status.CONFIRMED), packed)
    connection.execute(
        "INSERT INTO history (segment, moment, author, status, target, checksum) VALUES (?, ?, ?, ?, ?, ?)",
        (*values, row_checksum(*values)),
    )


def _notes(connection: sqlite3.Connection, chance: random.Random) -> None:
    row = connection.execute(
        "SELECT id, document, block, source, tags, given FROM segments WHERE position = 0"
    ).fetchone()
    notes = _deep(chance.randint(1, 200_000))
    checksum = row_checksum(*row[:4], notes, *row[4:])
    connection.execute(
        "UPDATE segments SET notes = ?, text_checksum = ? WHERE id = ?", (notes, checksum, row[0])
    )


def _statement(template: str, most: int = 1) -> Craft:
    def change(connection: sqlite3.Connection, chance: random.Random) -> None:
        connection.execute(template.replace("%N", str(chance.randint(1, most))))

    return change


def _constraint(table: str, template: str, most: int = 1) -> Craft:
    def change(connection: sqlite3.Connection, chance: random.Random) -> None:
        constraint = template.replace("%N", str(chance.randint(1, most)))
        _change_table(connection, table, _with_constraint(constraint))

    return change


def _generated_target(connection: sqlite3.Connection, chance: random.Random) -> None:
    size = chance.randint(1, 250_000_000)
    column = f"target TEXT GENERATED ALWAYS AS (printf('%.*c', {size}, 'x')) VIRTUAL"
    # Recreating the table would generate the text for each row.
    connection.execute("ALTER TABLE segments DROP COLUMN target")
    connection.execute(f"ALTER TABLE segments ADD COLUMN {column}")


def _slow_check(connection: sqlite3.Connection, chance: random.Random) -> None:
    pattern = "%a" * chance.randint(1, 12) + "%b"
    text = "replace(hex(zeroblob(20000)), '00', 'a')"
    _change_table(connection, "segments", _with_constraint(f"CHECK ({text} NOT LIKE '{pattern}')"))


def _large_setting(connection: sqlite3.Connection, chance: random.Random) -> None:
    size = chance.randint(1, 70_000_000)
    connection.execute("INSERT INTO settings (key, value, checksum) VALUES ('x', zeroblob(?), 0)", (size,))


def _many_tables(connection: sqlite3.Connection, chance: random.Random) -> None:
    connection.execute("BEGIN")
    for number in range(chance.randint(1, 2_000)):
        connection.execute(f"CREATE TABLE t{number} (a, b, c, d, e, f, g, h)")
    connection.execute("COMMIT")


def _virtual(connection: sqlite3.Connection, chance: random.Random) -> None:
    connection.execute("ALTER TABLE comments RENAME TO comments_0")
    connection.execute(
        "CREATE VIRTUAL TABLE comments USING fts5(id, segment, author, moment, text, checksum)"
    )


def _set_path(path: str) -> Craft:
    def change(connection: sqlite3.Connection, chance: random.Random) -> None:
        connection.execute("UPDATE documents SET path = ?", (path,))
        queries.update_document_checksums(connection, "1")

    return change


KINDS: dict[str, Craft] = {
    "unpacking": _unpacking,
    "many unpackings": _many_unpackings,
    "deep packs": _setting("memory/packs", _deep),
    "deep rules": _setting("memory/rules", _deep),
    "deep model": _setting("model", _deep),
    "deep languages": _setting("languages", _deep),
    "deep dismissals": _setting("checks/dismissed", _deep),
    "deep import notes": _setting("import/notes", _deep),
    "many lists": _setting("memory/packs", lambda n: "[" + "[]," * (20 * n) + "[]]"),
    "long row": _setting("window/row", lambda n: "9" * n),
    "deep notes": _notes,
    "endless segments": lambda c, _: _instead(c, "segments", _ENDLESS.format("segments")),
    "endless documents": lambda c, _: _instead(c, "documents", _ENDLESS.format("documents")),
    "rows that replace others": _constraint("segments", "UNIQUE (target) ON CONFLICT REPLACE"),
    "slow check": _slow_check,
    "generated column": _statement(
        "ALTER TABLE segments ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(zeroblob(%N))) VIRTUAL",
        400_000_000,
    ),
    "generated target": _generated_target,
    "virtual table": _virtual,
    "many tables": _many_tables,
    "large setting": _large_setting,
    "a path": _set_path("/etc/passwd"),
    "a share": _set_path(r"\\192.0.2.7\share\file.txt"),
}
