"""Every statement that reads or writes a project's rows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from anaphora.core.edits import Edit
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.source import SourceDocument


def insert_source(connection: sqlite3.Connection, source: SourceDocument) -> None:
    """Store a document as read from its file, nothing translated yet."""
    connection.execute(
        "INSERT INTO original (only, name, path, format, encoding, sha256, data) "
        "VALUES (1, ?, ?, ?, ?, ?, ?)",
        (
            source.name,
            str(source.path or ""),
            source.format,
            source.encoding,
            source.sha256,
            source.data,
        ),
    )
    connection.executemany(
        "INSERT INTO segments (position, id, source, target, status) VALUES (?, ?, ?, ?, ?)",
        (
            (position, segment.id, segment.source, segment.target, int(segment.status))
            for position, segment in enumerate(source.segments)
        ),
    )


def select_info(connection: sqlite3.Connection) -> tuple[str, str, str, str, str]:
    """Name, path, format, encoding and checksum of the original."""
    row: tuple[str, str, str, str, str] | None = connection.execute(
        "SELECT name, path, format, encoding, sha256 FROM original"
    ).fetchone()
    if row is None:
        raise sqlite3.DatabaseError("the original document is missing")
    return row


def select_original(connection: sqlite3.Connection) -> bytes:
    """The original's bytes."""
    return bytes(connection.execute("SELECT data FROM original").fetchone()[0])


def select_segments(connection: sqlite3.Connection) -> list[Segment]:
    """All segments, in document order."""
    rows = connection.execute("SELECT id, source, target, status FROM segments ORDER BY position")
    return [Segment(row[0], row[1], SegmentState(row[2], Status(row[3]))) for row in rows]


def update_states(connection: sqlite3.Connection, edits: Iterable[Edit]) -> Sequence[str]:
    """Store the `after` states; returns ids that the project does not have."""
    unknown = []
    for edit in edits:
        cursor = connection.execute(
            "UPDATE segments SET target = ?, status = ? WHERE id = ?",
            (edit.after.target, int(edit.after.status), edit.segment),
        )
        if cursor.rowcount == 0:
            unknown.append(edit.segment)
    return unknown


def select_setting(connection: sqlite3.Connection, key: str) -> str | None:
    """A setting's value, None where there is none."""
    row = connection.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def upsert_setting(connection: sqlite3.Connection, key: str, value: str) -> None:
    """Store a setting."""
    connection.execute(
        "INSERT INTO settings (key, value) VALUES (?, ?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )
