"""What can be read of a project that is not opened, as a new project.

The file is read by the tables that its version of the app has made, whatever the file itself says of them: a
copy gets these statements in the place of its own, so that no constraint or view of a stranger's is run. Rows
count whose checksums are right; before there were checksums, those that make sense.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from anaphora.core import draft_report
from anaphora.core.notes import unpack
from anaphora.core.segment import Status
from anaphora.core.transaction import transaction
from anaphora.core.untrusted import MOST_TEXT, read_json
from anaphora.store import records
from anaphora.store.checksums import row_checksum, state_checksum
from anaphora.store.files import connect
from anaphora.store.known_tables import ForeignTablesError, known_statements, known_version, make_tables
from anaphora.store.limits import seconds_for, within
from anaphora.store.queries import has_column
from anaphora.store.salvage import readable_rows
from anaphora.store.schema import APPLICATION_ID, CHECKED_VERSION, RECORDS_VERSION, VERSION

_MOST_OBJECTS = 10_000
"""Rows of the schema that are looked through for the tables."""
_TEXTS = frozenset(
    (
        "name",
        "path",
        "format",
        "encoding",
        "sha256",
        "segmentation",
        "joints",
        "language",
        "choices",
        "block",
        "source",
        "target",
    )
) | {"notes", "tags", "given", "report"}
_NUMBERS = frozenset(("position", "size", "modified", "status", "reader"))
Row = dict[str, Any]


def give_known_tables(copy: Path) -> int:
    """Give a copy of a project the tables that the app makes, unless it has them; returns their version.

    Raises:
        sqlite3.Error: its schema cannot be read, or not be changed.
    """
    with closing(connect(copy, "rw")) as connection, within(connection, seconds_for(copy)):
        with contextlib.suppress(ForeignTablesError):
            return known_version(connection)
        # With it, statements that sqlite cannot read keep nothing from being changed.
        connection.execute("PRAGMA writable_schema = ON")
        version = min(max(int(connection.execute("PRAGMA user_version").fetchone()[0]), 1), VERSION)
        tables = {
            name: statement
            for name, (kind, _, statement) in known_statements()[version][0].items()
            if kind == "table"
        }
        places = _places(connection, tables)
        with transaction(connection):
            connection.execute("DELETE FROM sqlite_master")
            connection.executemany(
                "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)",
                [("table", name, name, page, tables[name]) for name, page in places.items()],
            )
        # The statements are read anew by who opens the file.
        schema = connection.execute("PRAGMA schema_version").fetchone()[0]
        connection.execute(f"PRAGMA schema_version = {schema + 1}")
    return version


def _places(connection: sqlite3.Connection, tables: Mapping[str, str]) -> dict[str, int]:
    """The first pages of tables by their names; one that is not there is looked for under other names."""
    selected = "SELECT name, rootpage, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0 LIMIT ?"
    rows = connection.execute(selected, (_MOST_OBJECTS,)).fetchall()
    places = {name: page for name, page, _ in rows if name in tables}
    columns = {_columns(sql): page for name, page, sql in rows if name not in tables}
    for name, statement in tables.items():
        if name not in places and (page := columns.get(_columns(statement))):
            places[name] = page
    return places


def _columns(statement: object) -> str:
    """What a table's statement says behind its name."""
    return " ".join(str(statement).partition("(")[2].split())


def write_readable(source: sqlite3.Connection, version: int, path: Path) -> None:
    """Write the documents, segments, comments and history that can be read into a new file of a version.

    Args:
        source: a copy with known tables.
    Raises:
        sqlite3.Error: it cannot be written.
    """
    with closing(connect(path, "rwc")) as made:
        make_tables(made, version)
        made.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        made.execute(f"PRAGMA user_version = {version}")
        made.execute("BEGIN")
        if version == 1:
            for table in ("original", "segments"):
                _insert(made, table, (row for row in _rows(source, made, table) if _makes_sense(row)))
        else:
            documents = _write_documents(source, made, version)
            _insert(made, "segments", _segments(source, made, version, documents))
        if version >= RECORDS_VERSION:
            for table in records.NAMES:
                records.add_records(made, table, records.readable_records(source, table))
        made.execute("COMMIT")


def _write_documents(source: sqlite3.Connection, made: sqlite3.Connection, version: int) -> set[int]:
    """Write the documents whose originals can be read; returns their numbers."""
    written: set[int] = set()
    for row in _rows(source, made, "documents"):
        checked = {name: value for name, value in row.items() if name != "checksum"}
        is_sound = row["checksum"] == row_checksum(*checked.values()) if "checksum" in row else True
        data = _original(source, row["id"])
        if data is None or hashlib.sha256(data).hexdigest() != row["sha256"]:
            continue
        if is_sound and _makes_sense(row):
            if "reader" in row:  # the shapes of its blocks are read anew
                row["reader"] = 0
                row["checksum"] = row_checksum(*(row[name] for name in checked))
            _insert(made, "documents", iter([row]))
            _insert(made, "originals", iter([{"document": row["id"], "data": data}]))
            written.add(row["id"])
    return written


def _original(source: sqlite3.Connection, document: object) -> bytes | None:
    with contextlib.suppress(sqlite3.Error):
        row = source.execute("SELECT data FROM originals WHERE document = ?", (document,)).fetchone()
        return row[0] if row is not None and isinstance(row[0], bytes) else None
    return None


def _segments(
    source: sqlite3.Connection, made: sqlite3.Connection, version: int, documents: set[int]
) -> Iterator[Row]:
    """The segments of these documents, in places without gaps."""
    rows = [
        row
        for row in _rows(source, made, "segments")
        if row["document"] in documents and _makes_sense(row) and isinstance(row["position"], int)
    ]
    place: Counter[int] = Counter()
    for row in sorted(rows, key=lambda row: (row["document"], row["position"])):
        if version >= CHECKED_VERSION and not _is_written(row):
            continue
        _mend(row, version)
        row["position"] = place[row["document"]]
        place[row["document"]] += 1
        yield row


def _is_written(row: Row) -> bool:
    """Whether the text is as it was written; a target that is not is left out."""
    if row["text_checksum"] != _text_checksum(row):
        return False
    if row["state_checksum"] != _state_checksum(row):
        row["target"], row["status"] = "", int(Status.NOT_STARTED)
    return True


def _mend(row: Row, version: int) -> None:
    """Leave out what is right by its checksum and makes no sense: notes, tags, a draft's report, a status."""
    try:
        unpack(read_json(row["notes"] or "[]", MOST_TEXT))
        [(str(mark), str(label)) for mark, label in read_json(row["tags"] or "[]", MOST_TEXT)]
    except (TypeError, ValueError):
        row["notes"] = row["tags"] = ""
    try:
        draft_report.unpack(row.get("report", ""), row["source"], row["target"])
    except ValueError:
        row["report"] = ""
    if row["status"] not in [int(status) for status in Status]:
        row["status"] = int(Status.EDITED if row["target"] else Status.NOT_STARTED)
    if version >= CHECKED_VERSION:
        row["text_checksum"], row["state_checksum"] = _text_checksum(row), _state_checksum(row)


def _text_checksum(row: Row) -> int:
    names = ("id", "document", "block", "source", "notes", "tags", "given")
    return row_checksum(*(row[name] for name in names))


def _state_checksum(row: Row) -> int:
    return state_checksum(row["id"], row["target"], row["status"], row.get("report", ""))


def _makes_sense(row: Row) -> bool:
    """Whether texts are texts, and numbers numbers."""
    return all(
        isinstance(value, str) if name in _TEXTS else isinstance(value, int) or name not in _NUMBERS
        for name, value in row.items()
    )


def _rows(source: sqlite3.Connection, made: sqlite3.Connection, table: str) -> Iterator[Row]:
    """The rows of a table that can be read, by the names of its columns."""
    columns = [str(row[1]) for row in made.execute(f"PRAGMA table_info({table})")]
    if not has_column(source, table, columns[0]):
        return
    for row in readable_rows(source, table, ", ".join(columns)):
        yield dict(zip(columns, row, strict=True))


def _insert(made: sqlite3.Connection, table: str, rows: Iterator[Row]) -> None:
    for row in rows:
        marks = ", ".join("?" * len(row))
        values: Sequence[Any] = [*row.values()]
        made.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(row)}) VALUES ({marks})", values)
