"""Whether a project is what was written: its pages, its indexes, and the checksums of its rows."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from anaphora.store import queries, records
from anaphora.store.checked_tables import check_tables
from anaphora.store.files import connect, is_damage
from anaphora.store.known_tables import known_version
from anaphora.store.limits import MOST_SETTING, at_most, seconds_for, within
from anaphora.store.schema import BLOCKS_VERSION, CHECKED_VERSION, RECORDS_VERSION, TABLES_VERSION

log = logging.getLogger(__name__)


def check_structure(connection: sqlite3.Connection) -> None:
    """Check pages, and the indexes by which segments are found: a wrong one leads to another segment's row.

    Raises:
        sqlite3.DatabaseError: they are not sound; ForeignTablesError.
        sqlite3.DataError: a setting is longer than can be loaded.
    """
    check_statements(connection)
    with at_most(connection, MOST_SETTING):
        # Looked up by its key, a value is read as a whole, whatever its length.
        for _ in connection.execute("SELECT key, value FROM settings"):
            pass
    for check in ("quick_check(1)", "integrity_check(segments)"):
        found = connection.execute(f"PRAGMA {check}").fetchone()
        if found is None or found[0] != "ok":
            raise sqlite3.DatabaseError(str(found and found[0]))


def check_statements(connection: sqlite3.Connection) -> int:
    """Check that the tables are those of the version that the project says; returns it.

    Raises:
        ForeignTablesError: the app has made no such tables.
        sqlite3.DatabaseError: they are another version's.
    """
    found = known_version(connection)
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version != found:
        # A flipped bit: to migrate such a project would fail half-way, after a backup of it.
        raise sqlite3.DatabaseError(f"the tables are those of version {found}, not {version}")
    return version


def check_rows(connection: sqlite3.Connection) -> None:
    """Check all rows by the checksums that the project's version has.

    Raises:
        ValueError, KeyError, TypeError, sqlite3.DatabaseError: they are not sound.
    """
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < CHECKED_VERSION:
        return
    if not queries.select_documents(connection):
        raise sqlite3.DatabaseError("the original documents are missing")
    queries.select_segments(connection)
    queries.check_originals(connection)
    if version >= RECORDS_VERSION:
        records.check_records(connection)
    if version >= TABLES_VERSION:
        check_tables(connection)
    if version >= BLOCKS_VERSION:
        queries.check_shapes(connection)


def is_sound(path: Path) -> bool:
    """Check a project that nobody has open, without writing to it or to its log.

    Raises:
        sqlite3.Error, OSError: it cannot be told: it is open elsewhere, or the disk fails.
    """
    connection = connect(path, "ro")
    try:
        with within(connection, seconds_for(path)):
            check_structure(connection)
            check_rows(connection)
    except (ValueError, KeyError, TypeError) as error:
        log.warning("%s is damaged: %s", path, error)
        return False
    except sqlite3.Error as error:
        if is_damage(error):
            log.warning("%s is damaged: %s", path, error)
            return False
        raise
    finally:
        connection.close()
    return True
