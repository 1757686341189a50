"""The SQL statements for a project's documents, segments and settings."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from anaphora.core import draft_report
from anaphora.core.document import SourceDocument
from anaphora.core.draft_report import DraftReport
from anaphora.core.edits import Edit, Resegmentation
from anaphora.core.long_work import check_cancelled
from anaphora.core.notes import Note, pack, unpack
from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import ReadingChoices
from anaphora.core.segment import Segment, SegmentState, Span, Status, id_in_project
from anaphora.core.untrusted import MAX_TEXT_BYTES, read_json
from anaphora.project.store import records
from anaphora.project.store.checked_tables import (
    MAX_CELL,
    MAX_SETTING,
    load_rows,
    row_checksum,
    state_checksum,
    value_limit,
)
from anaphora.project.store.transfer import Transfer

_INSERT = (
    "INSERT INTO segments (id, document, position, block, source, target, status, notes, tags, given, "
    "report, text_checksum, state_checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_APPROVED = 5
"""The stored status of confirmed segments that are approved."""
_DOCUMENT_COLUMNS = "id, position, name, path, format, encoding, sha256, size, modified, language, choices"
_SELECT_MALFORMED = "SELECT 1 FROM segments WHERE " + " OR ".join(
    f"typeof({column}) <> 'text'" for column in ("id", "source", "target", "block", "given")
)


def insert_document(connection: sqlite3.Connection, source: SourceDocument, number: int | None = None) -> str:
    """Store a document after the existing ones, by default with a new id; returns the id."""
    cursor = connection.execute(
        "INSERT INTO documents (id, position, name, path, format, encoding, sha256, size, modified, "
        "language, choices, checksum) "
        "VALUES (?, (SELECT coalesce(max(position) + 1, 0) FROM documents), ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)",
        (number, *_document_row(source)),
    )
    document = str(cursor.lastrowid)
    update_document_checksums(connection, document)
    connection.execute("INSERT INTO originals (document, data) VALUES (?, ?)", (document, source.data))
    _insert_segments(connection, document, source.segments)
    _insert_shapes(connection, document, source.shapes)
    return document


def replace_document(connection: sqlite3.Connection, document: str, transfer: Transfer) -> None:
    """Replace a document and its segments by a newer version, to which comments and history are moved."""
    source = transfer.document
    connection.execute(
        "UPDATE documents SET name = ?, path = ?, format = ?, encoding = ?, sha256 = ?, size = ?, "
        "modified = ?, language = ?, choices = ? WHERE id = ?",
        (*_document_row(source), document),
    )
    update_document_checksums(connection, document)
    selected = "SELECT id, source FROM segments WHERE document = ?"
    old = dict(connection.execute(selected, (document,)).fetchall())
    connection.execute("UPDATE originals SET data = ? WHERE document = ?", (source.data, document))
    for table in ("segments", "blocks"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))
    _insert_segments(connection, document, source.segments)
    _insert_shapes(connection, document, source.shapes)
    new = [replace(segment, id=id_in_project(document, segment.id)) for segment in source.segments]
    moved = {id_in_project(document, a): id_in_project(document, b) for a, b in transfer.new_ids.items()}
    records.move_after_replacement(connection, old, new, moved)


def delete_document(connection: sqlite3.Connection, document: str) -> None:
    for table in ("segments", "blocks", "originals"):
        connection.execute(f"DELETE FROM {table} WHERE document = ?", (document,))
    records.delete_records(connection, document)
    connection.execute("DELETE FROM documents WHERE id = ?", (document,))


def update_document_checksums(connection: sqlite3.Connection, *documents: str) -> None:
    selected = f"SELECT {_DOCUMENT_COLUMNS} FROM documents WHERE id = ?"
    for document in documents:
        row = connection.execute(selected, (document,)).fetchone()
        connection.execute("UPDATE documents SET checksum = ? WHERE id = ?", (row_checksum(*row), document))


def select_documents(connection: sqlite3.Connection) -> tuple[DocumentInfo, ...]:
    """All documents in order; raises sqlite3.DatabaseError for a damaged row."""
    selected = f"SELECT checksum, {_DOCUMENT_COLUMNS} FROM documents ORDER BY position"
    with value_limit(connection, MAX_CELL):
        rows = load_rows(connection.execute(selected))
    for checksum, *values in rows:
        if checksum != row_checksum(*values):
            raise sqlite3.DatabaseError(f"the description of document {values[0]} is damaged")
    found = tuple(replace(DocumentInfo(str(row[1]), *row[3:11]), choices=_choices(row[11])) for row in rows)
    for info in found:
        texts = info.name, info.path, info.format, info.encoding, info.sha256, info.language
        if not all(isinstance(text, str) for text in texts) or not isinstance(info.modified, int):
            raise sqlite3.DatabaseError(f"the description of document {info.id} is invalid")
    return found


def _choices(stored: object) -> ReadingChoices:
    try:
        return ReadingChoices.from_text(str(stored))
    except ValueError as error:
        raise sqlite3.DatabaseError("the reading choices of a document are invalid") from error


def select_original(connection: sqlite3.Connection, document: str) -> bytes | None:
    row = connection.execute("SELECT data FROM originals WHERE document = ?", (document,)).fetchone()
    return None if row is None else bytes(row[0])


def select_segments(connection: sqlite3.Connection) -> list[Segment]:
    """All segments, in the order of the documents; raises ValueError, KeyError or TypeError if damaged."""
    if connection.execute(_SELECT_MALFORMED).fetchone():
        raise ValueError("a segment is not text")
    selected = (
        "SELECT s.id, s.source, s.target, s.status, s.block, s.document, s.notes, s.tags, s.given, "
        "s.report, s.position, s.text_checksum, s.state_checksum "
        "FROM documents AS d JOIN segments AS s ON s.document = d.id ORDER BY d.position, s.position"
    )
    with value_limit(connection, MAX_CELL):
        rows = load_rows(connection.execute(selected))
    _check_segments(connection, rows)
    return [
        Segment(
            row[0],
            row[1],
            read_state(row[2], row[3], draft_report.unpack(row[9], row[1], row[2])),
            *read_place(row[4]),
            str(row[5]),
            *read_notes_and_tags(row[6], row[7]),
            row[8],
        )
        for row in rows
    ]


def read_state(target: str, stored: int, report: DraftReport | None = None) -> SegmentState:
    """The state of a segment with a stored target and status; raises ValueError for an unknown status."""
    approved = stored == _APPROVED
    return SegmentState(target, Status.CONFIRMED if approved else Status(stored), report, approved)


def _stored_state(state: SegmentState) -> tuple[str, int, str]:
    status = _APPROVED if state.approved else int(state.status)
    return state.target, status, draft_report.pack(state.report)


def read_place(stored: str) -> tuple[str, Span | None]:
    """A segment's block and span, from "start-end address"; "- address" for a segment without a span."""
    span, _, address = stored.partition(" ")
    if span in ("", "-"):
        return address, None
    start, _, end = span.partition("-")
    return address, (int(start), int(end))


def read_notes_and_tags(notes: str, tags: str) -> tuple[tuple[Note, ...], tuple[tuple[str, str], ...]]:
    """A segment's notes and tags, from JSON; raises TypeError or ValueError for invalid ones."""
    return (
        unpack(read_json(notes, MAX_TEXT_BYTES)) if notes else (),
        tuple((str(mark), str(label)) for mark, label in read_json(tags, MAX_TEXT_BYTES)) if tags else (),
    )


def _stored_place(segment: Segment) -> str:
    start, end = segment.span or ("", "")
    return f"{start}-{end} {segment.block}" if segment.block else ""


def select_shapes(connection: sqlite3.Connection, document: str) -> dict[str, str]:
    rows = connection.execute("SELECT address, shape FROM blocks WHERE document = ?", (document,))
    return {str(address): str(shape) for address, shape in rows}


def check_shapes(connection: sqlite3.Connection) -> None:
    """Check the shapes of blocks by their checksums; raises ValueError for a damaged shape."""
    with value_limit(connection, MAX_CELL):
        for row in connection.execute("SELECT document, address, shape, checksum FROM blocks"):
            if row[3] != row_checksum(*row[:3]):
                raise ValueError(f"the block {row[1]} is damaged")


def _check_segments(connection: sqlite3.Connection, rows: Sequence[Sequence[Any]]) -> None:
    """Check the rows of `select_segments`; raises ValueError for a damaged or missing row."""
    next_position: Counter[int] = Counter()
    for row in rows:
        identifier, source, target, status, block, document, notes, tags, given, report, *numbers = row
        position, text_checksum, checksum_of_state = numbers
        if position != next_position[document]:
            raise ValueError(f"segment {identifier} is in the wrong position")
        next_position[document] += 1
        if text_checksum != row_checksum(identifier, document, block, source, notes, tags, given):
            raise ValueError(f"the text of segment {identifier} is damaged")
        if checksum_of_state != state_checksum(identifier, target, status, report):
            raise ValueError(f"the translation of segment {identifier} is damaged")
    if connection.execute("SELECT count(*) FROM segments").fetchone()[0] != len(rows):
        raise ValueError("there are segments without a document")


def check_originals(connection: sqlite3.Connection) -> None:
    """Check the originals by their checksums; raises ValueError for a damaged or missing original."""
    rows = connection.execute(
        "SELECT d.sha256, o.data FROM documents AS d LEFT JOIN originals AS o ON o.document = d.id"
    )
    for sha256, data in rows:
        if not isinstance(data, bytes) or hashlib.sha256(data).hexdigest() != sha256:
            raise ValueError("an original document is damaged")


def update_states(connection: sqlite3.Connection, edits: Iterable[Edit]) -> Sequence[str]:
    """Store the `after` states; returns the ids of unknown segments."""
    unknown = []
    for edit in edits:
        state = _stored_state(edit.after)
        cursor = connection.execute(
            "UPDATE segments SET target = ?, status = ?, report = ?, state_checksum = ? WHERE id = ?",
            (*state, state_checksum(edit.segment, *state), edit.segment),
        )
        if cursor.rowcount == 0:
            unknown.append(edit.segment)
    return unknown


def replace_segments(connection: sqlite3.Connection, change: Resegmentation) -> bool:
    """Replace `change.before` with `change.after`; False if the old segments are not adjacent."""
    marks = ", ".join("?" * len(change.before))
    found = connection.execute(
        f"SELECT id, position FROM segments WHERE document = ? AND id IN ({marks}) ORDER BY position",
        (change.document, *(segment.id for segment in change.before)),
    ).fetchall()
    if not found or [row[0] for row in found] != [segment.id for segment in change.before]:
        return False
    first, last = found[0][1], found[-1][1]
    if last - first + 1 != len(found):
        return False
    connection.execute(
        "DELETE FROM segments WHERE document = ? AND position BETWEEN ? AND ?", (change.document, first, last)
    )
    connection.execute(
        "UPDATE segments SET position = position + ? WHERE document = ? AND position > ?",
        (len(change.after) - len(change.before), change.document, last),
    )
    rows = _segment_rows(change.document, change.after, first, has_project_ids=True)
    connection.executemany(_INSERT, rows)
    return True


def count_statuses(connection: sqlite3.Connection) -> dict[Status, int]:
    counts: Counter[Status] = Counter()
    for status, count in connection.execute("SELECT status, count(*) FROM segments GROUP BY status"):
        counts[read_state("", status).status] += count
    return counts


def select_setting(connection: sqlite3.Connection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM settings WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def select_settings(connection: sqlite3.Connection) -> dict[str, str]:
    with value_limit(connection, MAX_SETTING):
        rows = load_rows(connection.execute("SELECT key, value FROM settings"))
    return {str(key): str(value) for key, value in rows}


def upsert_setting(connection: sqlite3.Connection, key: str, value: str) -> None:
    connection.execute(
        "INSERT INTO settings (key, value) VALUES (?, ?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def _document_row(source: SourceDocument) -> tuple[str | int, ...]:
    return (
        _storable(source.name),
        _storable(str(source.path or "")),
        source.format,
        source.encoding,
        source.sha256,
        len(source.data),
        source.modified,
        source.language,
        source.choices.to_text(),
    )


def _storable(name: str) -> str:
    """Replace undecodable bytes in a name or path by "?". A changed path no longer leads to the file."""
    return name.encode("utf-8", "replace").decode()


def _insert_segments(connection: sqlite3.Connection, document: str, segments: Sequence[Segment]) -> None:
    connection.executemany(_INSERT, _segment_rows(document, segments, 0))


def _insert_shapes(connection: sqlite3.Connection, document: str, shapes: Mapping[str, str]) -> None:
    number = int(document)
    connection.executemany(
        "INSERT INTO blocks (document, address, shape, checksum) VALUES (?, ?, ?, ?)",
        ((number, address, shape, row_checksum(number, address, shape)) for address, shape in shapes.items()),
    )


def _segment_rows(
    document: str, segments: Sequence[Segment], first: int, has_project_ids: bool = False
) -> Iterator[tuple[str | int, ...]]:
    for position, segment in enumerate(segments, first):
        check_cancelled()
        identifier = segment.id if has_project_ids else id_in_project(document, segment.id)
        state = _stored_state(segment.state)
        description, place = _description(segment), _stored_place(segment)
        yield (
            identifier,
            int(document),
            position,
            place,
            segment.source,
            *state[:2],
            *description,
            state[2],
            row_checksum(identifier, int(document), place, segment.source, *description),
            state_checksum(identifier, *state),
        )


def _description(segment: Segment) -> tuple[str, str, str]:
    notes = json.dumps(pack(segment.notes), ensure_ascii=False) if segment.notes else ""
    tags = json.dumps(segment.tags, ensure_ascii=False) if segment.tags else ""
    return notes, tags, segment.file_target
