"""The tables of comments and of the history of segments, and their SQL statements."""

from __future__ import annotations

import logging
import sqlite3
import zlib
from collections.abc import Iterable, Sequence

from anaphora.core.drafts import match_of
from anaphora.core.edits import MACHINE, Comment, CommentChange, Edit, PastState, Resegmentation
from anaphora.core.segment import Segment, Status
from anaphora.core.untrusted import MAX_TEXT_BYTES, unpack
from anaphora.project.store.checked_tables import MAX_CELL, load_rows, row_checksum, value_limit

log = logging.getLogger(__name__)

MANUAL_STATUSES = (Status.EDITED, Status.CONFIRMED)
TABLES = (
    """
    CREATE TABLE comments (
        id TEXT NOT NULL PRIMARY KEY,
        segment TEXT NOT NULL,
        author TEXT NOT NULL,
        moment TEXT NOT NULL,
        text TEXT NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    """
    CREATE TABLE history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        segment TEXT NOT NULL,
        moment TEXT NOT NULL,
        author TEXT NOT NULL,
        status INTEGER NOT NULL,
        target TEXT NOT NULL,
        checksum INTEGER NOT NULL
    )
    """,
    "CREATE INDEX history_of_segments ON history (segment, id)",
)


COLUMNS = {
    "comments": "id, segment, author, moment, text, checksum",
    "history": "segment, moment, author, status, target, checksum",
}
TABLE_NAMES = tuple(COLUMNS)
_MAX_LOADED = 200 * 2**20
_MIN_COMPRESSED = 1000
_MAX_STATES = 200
"""Maximum number of a segment's past states that are read; the newest are kept."""
_MAX_HISTORY = 4 * MAX_TEXT_BYTES
"""Maximum size in bytes of a segment's past texts that are read; the newest are kept."""


def check_records(connection: sqlite3.Connection) -> None:
    """Check the rows of comments and history by their checksums; raises sqlite3.DatabaseError if damaged."""
    for table, columns in COLUMNS.items():
        with value_limit(connection, MAX_CELL):
            for row in connection.execute(f"SELECT {columns} FROM {table}"):
                if row[-1] != row_checksum(*row[:-1]):
                    raise sqlite3.DatabaseError(f"a row of {table} is damaged")


def add_records(connection: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    """Add rows to a table, except rows that it already contains and rows about unknown segments."""
    columns = COLUMNS[table]
    stored = set(connection.execute(f"SELECT {columns} FROM {table}"))
    known = {segment for (segment,) in connection.execute("SELECT id FROM segments")}
    segment_column = columns.split(", ").index("segment")
    marks = ", ".join("?" * len(columns.split(", ")))
    connection.executemany(
        f"INSERT OR IGNORE INTO {table} ({columns}) VALUES ({marks})",
        [row for row in rows if row not in stored and row[segment_column] in known],
    )


def select_comments(connection: sqlite3.Connection) -> tuple[Comment, ...]:
    """All comments with correct checksums, the oldest first; raises ValueError if they are too large."""
    rows = load_rows(
        connection.execute(f"SELECT {COLUMNS['comments']} FROM comments ORDER BY moment, rowid"), _MAX_LOADED
    )
    return tuple(Comment(*row[:5]) for row in rows if row[5] == row_checksum(*row[:5]))


def change_comment(connection: sqlite3.Connection, change: CommentChange) -> None:
    comment = change.comment
    if change.removed:
        connection.execute("DELETE FROM comments WHERE id = ?", (comment.id,))
        return
    values = (comment.id, comment.segment, comment.author, comment.time, comment.text)
    connection.execute(
        "INSERT OR REPLACE INTO comments (id, segment, author, moment, text, checksum) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (*values, row_checksum(*values)),
    )


def add_history(connection: sqlite3.Connection, edits: Iterable[Edit], author: str, moment: str) -> None:
    """Record the new states of segments that a person has changed, and the drafts that were replaced.

    A new state replaces the last recorded one if both have the same status and author, for example during
    typing; a CONFIRMED state is never replaced. A segment has no history while it has only had drafts. The
    author of a match that was filled in is `MACHINE`, like that of a draft; its status is EDITED.
    """
    for edit in edits:
        before, after = edit.before, edit.after
        is_manual = after.status in MANUAL_STATUSES
        if edit.is_approval or (not is_manual and before.status not in MANUAL_STATUSES):
            continue
        last = _last_state(connection, edit.segment)
        is_draft = bool(before.target) and before.status not in MANUAL_STATUSES
        if is_draft and (last is None or last[3] != _packed(before.target)):
            _insert(connection, edit.segment, PastState(moment, MACHINE, before.status, before.target))
            last = None
        # A draft from the history, or an empty target, comes back only if a person undoes changes.
        is_human = is_manual or not after.target or _is_in_history(connection, edit.segment, after.target)
        is_human = is_human and not match_of(after)
        state = PastState(moment, author if is_human else MACHINE, after.status, after.target)
        if (
            last is not None
            and after.status != Status.CONFIRMED
            and last[1:3] == (after.status, state.author)
        ):
            connection.execute("DELETE FROM history WHERE id = ?", (last[0],))
        _insert(connection, edit.segment, state)


def select_history(connection: sqlite3.Connection, segment: str) -> tuple[PastState, ...]:
    """The last undamaged texts of a segment, the oldest first, up to `_MAX_STATES` and `_MAX_HISTORY`."""
    rows = connection.execute(
        f"SELECT {COLUMNS['history']} FROM history WHERE segment = ? ORDER BY id DESC LIMIT ?",
        (segment, _MAX_STATES),
    )
    states: list[PastState] = []
    remaining = _MAX_HISTORY
    for row in rows:
        stored = row[4]
        try:
            if row[5] != row_checksum(*row[:5]):
                continue
            raw = stored.encode("utf-8", "surrogatepass") if isinstance(stored, str) else unpack(stored)
            state = PastState(str(row[1]), str(row[2]), Status(row[3]), raw.decode("utf-8", "surrogatepass"))
        except (TypeError, ValueError) as error:
            log.warning("a text in the history of %s cannot be read: %s", row[0], error)
            remaining -= len(stored) if isinstance(stored, bytes) else 0
            continue
        remaining -= len(raw)
        if remaining < 0:
            break
        states.append(state)
    return tuple(reversed(states))


def move_after_resegmentation(connection: sqlite3.Connection, change: Resegmentation) -> None:
    """Move the comments on segments that no longer exist to the first new segment of a join or split."""
    remaining = {segment.id for segment in change.after}
    gone = [segment.id for segment in change.before if segment.id not in remaining]
    if gone and change.after:
        _move_comments(connection, {old: change.after[0].id for old in gone})


def move_after_replacement(
    connection: sqlite3.Connection, old: dict[str, str], new: Sequence[Segment], new_ids: dict[str, str]
) -> None:
    """Move comments and history to the matching new segments after a document has been replaced.

    An old segment without a match loses its history. Its comments move to the first new segment with the same
    source or, if there is none, to the first segment. Without new segments, nothing changes.

    Args:
        old: the sources of the old segments by id.
        new: the new segments, with their ids in the project.
        new_ids: ids of matching new segments by old id.
    """
    if not new:
        return
    first_of_source = {segment.source: segment.id for segment in reversed(new)}
    moved = {
        key: new_ids.get(key) or first_of_source.get(source, new[0].id)
        for key, source in old.items()
        if new_ids.get(key) != key
    }
    _move_comments(connection, moved)
    # A new id may have a history from before a join or split, which is removed.
    reused: dict[str, str | None] = {segment.id: None for segment in new if segment.id not in old}
    _move_history(connection, reused | {key: new_ids.get(key) for key in moved})


def delete_records(connection: sqlite3.Connection, document: str) -> None:
    for table in ("comments", "history"):
        connection.execute(
            f"DELETE FROM {table} WHERE substr(segment, 1, ?) = ?", (len(document) + 1, f"{document}/")
        )


def _move_comments(connection: sqlite3.Connection, new_ids: dict[str, str]) -> None:
    if not new_ids:
        return
    rows = connection.execute("SELECT id, segment, author, moment, text FROM comments").fetchall()
    for row in rows:
        if row[1] in new_ids:
            change_comment(connection, CommentChange(Comment(row[0], new_ids[row[1]], *row[2:])))


def _move_history(connection: sqlite3.Connection, new_ids: dict[str, str | None]) -> None:
    if not new_ids:
        return
    rows = connection.execute(f"SELECT id, {COLUMNS['history']} FROM history").fetchall()
    for row in rows:
        if row[1] not in new_ids or row[-1] != row_checksum(*row[1:-1]):
            continue
        if new_id := new_ids[row[1]]:
            connection.execute(
                "UPDATE history SET segment = ?, checksum = ? WHERE id = ?",
                (new_id, row_checksum(new_id, *row[2:-1]), row[0]),
            )
        else:
            connection.execute("DELETE FROM history WHERE id = ?", (row[0],))


def _last_state(connection: sqlite3.Connection, segment: str) -> tuple[int, int, str, str | bytes] | None:
    found: tuple[int, int, str, str | bytes] | None = connection.execute(
        "SELECT id, status, author, target FROM history WHERE segment = ? ORDER BY id DESC LIMIT 1",
        (segment,),
    ).fetchone()
    return found


def _is_in_history(connection: sqlite3.Connection, segment: str, target: str) -> bool:
    found = connection.execute(
        "SELECT 1 FROM history WHERE segment = ? AND target = ? LIMIT 1", (segment, _packed(target))
    )
    return found.fetchone() is not None


def _insert(connection: sqlite3.Connection, segment: str, state: PastState) -> None:
    values = (segment, state.time, state.author, int(state.status), _packed(state.target))
    connection.execute(
        "INSERT INTO history (segment, moment, author, status, target, checksum) VALUES (?, ?, ?, ?, ?, ?)",
        (*values, row_checksum(*values)),
    )


def _packed(text: str) -> str | bytes:
    return text if len(text) < _MIN_COMPRESSED else zlib.compress(text.encode("utf-8", "surrogatepass"))
