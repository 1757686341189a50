"""What can be read of a project that is not opened, as a new project.

It may be damaged, of an early version, or a stranger's. Only known columns that are stored are
read (`salvage`). Rows count whose checksums are right; of tables without checksums, those that make sense.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from anaphora.core import draft_report
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.source import SourceDocument
from anaphora.store import records
from anaphora.store.checked_tables import follow_changes, row_checksum, state_checksum
from anaphora.store.files import connect
from anaphora.store.queries import insert_document, read_described, read_place
from anaphora.store.salvage import readable_records, readable_rows, stored_columns
from anaphora.store.schema import create_tables

_DOCUMENT = {
    "id": int, "name": str, "path": str, "format": str, "encoding": str, "sha256": str, "modified": int,
    "language": str, "choices": str,
}  # fmt: skip
_TEXT = {
    "id": str, "document": int, "block": str, "source": str, "notes": str, "tags": str, "given": str
}  # fmt: skip
_SEGMENT = _TEXT | {
    "position": int, "target": str, "status": int, "report": str, "text_checksum": int, "state_checksum": int
}  # fmt: skip
_ONLY = 1
"""The document of a project of the very first version, which had one, in a table `original`."""
Row = dict[str, Any]


def write_readable(source: sqlite3.Connection, path: Path) -> None:
    """Write the documents, segments, comments and history that can be read into a new file.

    Raises:
        sqlite3.Error: it cannot be written, or the copy's schema cannot be read.
        ValueError: there is no document in it.
    """
    # With it, a statement that sqlite cannot read hides its own table only.
    source.execute("PRAGMA writable_schema = ON")
    with closing(connect(path, "rwc")) as made:
        made.execute("BEGIN")
        create_tables(made)
        follow_changes(made)
        segments: dict[str, list[Segment]] = defaultdict(list)
        for segment in readable_segments(source):
            own = segment.id.removeprefix(f"{segment.document}/")
            segments[segment.document].append(replace(segment, id=own))
        for number, document in _documents(source):
            insert_document(made, replace(document, segments=tuple(segments[str(number)])), number)
        if made.execute("SELECT 1 FROM documents").fetchone() is None:
            raise ValueError("there is no document that can be read")
        for table in records.NAMES:
            records.add_records(made, table, readable_records(source, table))
        made.execute("COMMIT")


def _documents(source: sqlite3.Connection) -> Iterator[tuple[int, SourceDocument]]:
    """The documents whose originals can be read, with their numbers."""
    found = set()
    for row in [*_rows(source, "documents", _DOCUMENT), *_rows(source, "original", _DOCUMENT)]:
        number = row.get("id", _ONLY)
        data = _original(source, number)
        if number in found or data is None or hashlib.sha256(data).hexdigest() != row.get("sha256"):
            continue
        with contextlib.suppress(KeyError, ValueError):
            document = SourceDocument(
                row["name"],
                Path(row["path"]) if row["path"] else None,
                row["format"],
                row["encoding"],
                data,
                (),
                modified=row.get("modified", 0),
                language=row.get("language", ""),
                choices=ReadingChoices.from_text(row["choices"]) if "choices" in row else AS_SUGGESTED,
            )
            found.add(number)
            yield number, document


def _original(source: sqlite3.Connection, number: int) -> bytes | None:
    for table, condition in (("originals", f"WHERE document = {number}"), ("original", "")):
        if "data" in stored_columns(source, table):
            with contextlib.suppress(sqlite3.Error):
                row = source.execute(f"SELECT data FROM {table} {condition}").fetchone()
                return row[0] if row is not None and isinstance(row[0], bytes) else None
    return None


def readable_segments(source: sqlite3.Connection) -> list[Segment]:
    """The segments whose texts can be read, in order; those whose states cannot are not started."""
    found: dict[str, Segment] = {}
    for row in sorted(_rows(source, "segments", _SEGMENT), key=lambda row: row.get("position", 0)):
        text = row_checksum(*(row[name] for name in _TEXT if name in row))
        if row.get("text_checksum", text) == text:
            with contextlib.suppress(KeyError):
                found.setdefault(row["id"], _segment(row))
    return [*found.values()]


def _segment(row: Row) -> Segment:
    """A segment; what is right by its checksum and makes no sense is left out."""
    document = str(row.get("document", _ONLY))
    segment = Segment(row["id"], row["source"], document=document, given=row.get("given", ""))
    with contextlib.suppress(TypeError, ValueError):
        block, span = read_place(row.get("block", ""))
        notes, tags = read_described(row.get("notes", ""), row.get("tags", ""))
        segment = replace(segment, block=block, span=span, notes=notes, tags=tags)
    target, report = row["target"], row.get("report", "")
    checksum = state_checksum(row["id"], target, row["status"], report)
    with contextlib.suppress(ValueError):
        if row.get("state_checksum", checksum) == checksum:
            segment = segment.with_state(SegmentState(target, Status(row["status"])))
            known = draft_report.unpack(report, row["source"], target)
            segment = segment.with_state(replace(segment.state, report=known))
    return segment


def _rows(source: sqlite3.Connection, table: str, columns: Mapping[str, type]) -> Iterator[Row]:
    """The rows that can be read and make sense, by those of the columns that the table has."""
    there = stored_columns(source, table)
    names = [name for name in columns if name in there]
    for values in readable_rows(source, table, ", ".join(names)) if names else ():
        row = dict(zip(names, values, strict=True))
        if all(isinstance(value, columns[name]) for name, value in row.items()):
            yield row
