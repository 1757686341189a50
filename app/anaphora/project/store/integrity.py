"""Checks of a project's pages, its indexes and the checksums of its rows."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from pathlib import Path

from anaphora.core.segment import Segment
from anaphora.project.store import queries, records
from anaphora.project.store.checked_tables import MOST_SETTING, at_most, check_tables, seconds_for, within
from anaphora.project.store.files import connect, is_damage
from anaphora.project.store.schema import check_statements

log = logging.getLogger(__name__)


def check_structure(connection: sqlite3.Connection) -> None:
    """Check the pages and the indexes of segments; a wrong index would find another segment's row.

    Raises:
        sqlite3.DatabaseError: the file is damaged; ForeignTablesError.
        sqlite3.DataError: a setting is longer than can be loaded.
    """
    check_statements(connection)
    with at_most(connection, MOST_SETTING):
        # Later look-ups by key read a value completely, so its length is checked here.
        for _ in connection.execute("SELECT key, value FROM settings"):
            pass
    for check in ("quick_check(1)", "integrity_check(segments)"):
        found = connection.execute(f"PRAGMA {check}").fetchone()
        if found is None or found[0] != "ok":
            raise sqlite3.DatabaseError(str(found and found[0]))


def sound_segments(connection: sqlite3.Connection) -> list[Segment]:
    """All segments, after a check of all rows by their checksums.

    Raises:
        ValueError, KeyError, TypeError, sqlite3.DatabaseError: a row is damaged.
    """
    if not queries.select_documents(connection):
        raise sqlite3.DatabaseError("the original documents are missing")
    queries.check_originals(connection)
    queries.check_shapes(connection)
    records.check_records(connection)
    check_tables(connection)
    return queries.select_segments(connection)


def is_sound(path: Path) -> bool:
    """Check a closed project, without writing to it or to its log.

    Raises:
        sqlite3.Error, OSError: the project is open elsewhere, or the disk fails.
    """
    try:
        with closing(connect(path, "ro")) as connection, within(connection, seconds_for(path)):
            check_structure(connection)
            sound_segments(connection)
    except (ValueError, KeyError, TypeError, sqlite3.Error) as error:
        if isinstance(error, sqlite3.Error) and not is_damage(error):
            raise
        log.warning("%s is damaged: %s", path, error)
        return False
    return True
