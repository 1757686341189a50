"""Reading a summary or the data of a project without opening it for work."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import Message, ProjectError
from anaphora.core.installed_model import LANGUAGES_SETTING, MODEL_SETTING, languages_of
from anaphora.core.language_pair import LanguagePair
from anaphora.core.project import DocumentInfo, ReadOnlyProjectError
from anaphora.core.segment import Segment, Status
from anaphora.core.term_entries import TermEntry
from anaphora.project.store import queries, schema
from anaphora.project.store.checked_tables import Cancelled, seconds_for, time_limit
from anaphora.project.store.files import check_header, connect, damage_error, has_log, open_error
from anaphora.project.store.lock import ProjectLock
from anaphora.project.store.schema import check_statements
from anaphora.project.store.terms.table import TermBase

SUMMARY_SECONDS = 2.0
"""Limit of processor time in seconds to summarise a project."""


@contextmanager
def reading(
    project: Path, mode: str = "ro", seconds: float = SUMMARY_SECONDS, cancelled: Cancelled = bool
) -> Iterator[tuple[sqlite3.Connection, int]]:
    """A context with a pair: a connection to a project whose tables were checked, and the tables' version.

    The project stays locked in the context, so that no process opens it for work.

    Args:
        mode: "ro" to leave the file unchanged; "rw" to let sqlite apply a log left by a crash.
        seconds: maximum processor time.
        cancelled: called at intervals; once it returns True, reading ends with an error.
    Raises:
        ProjectError: the file is missing, not a project, made by a newer version, or open elsewhere.
        sqlite3.Error: the project cannot be read.
    """
    with ExitStack() as stack:
        try:
            stack.enter_context(ProjectLock(project, works=False, cancelled=cancelled))
        except ReadOnlyProjectError:
            # In a read-only folder, no process can open the project for work, so no lock is necessary. There,
            # sqlite cannot create its own files either, and needs "immutable" to read without them.
            mode = mode if has_log(project) else "ro&immutable=1"
        check_header(project)
        connection = connect(project, mode)
        stack.callback(connection.close)
        stack.enter_context(time_limit(connection, seconds, cancelled))
        yield connection, check_statements(connection)


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """The paths and checksums of a project's originals, the documents' names, and the numbers of segments."""

    files: tuple[tuple[str, str], ...]
    names: tuple[str, ...]
    segments: int
    confirmed: int
    edited: int

    @property
    def is_worked_on(self) -> bool:
        return self.confirmed + self.edited > 0


def read_summary(project: Path) -> ProjectSummary | None:
    """Summarise a project of this or an older version; None if it is open or cannot be read in time."""
    try:
        with reading(project, "rw") as (connection, _):
            rows = connection.execute("SELECT path, name, sha256 FROM documents ORDER BY position").fetchall()
            counts = queries.count_statuses(connection)
    except (ProjectError, sqlite3.Error, ValueError):
        return None
    return ProjectSummary(
        tuple((str(path), str(sha256)) for path, _, sha256 in rows),
        tuple(str(name) for _, name, _ in rows),
        sum(counts.values()),
        counts.get(Status.CONFIRMED, 0),
        counts.get(Status.EDITED, 0),
    )


@dataclass(frozen=True, slots=True)
class ProjectWork:
    """The data of a project for checking its translation.

    Attributes:
        languages: the stored languages; None for those of the app's own model.
    """

    documents: tuple[DocumentInfo, ...]
    segments: list[Segment]
    languages: LanguagePair | None
    settings: dict[str, str]
    entries: tuple[TermEntry, ...]


class _ReadAccess:
    """Read access to an open connection; see `system.database_file.Access`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        yield self._connection

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        raise NotImplementedError("this access is read-only")


def read_work(project: Path, cancelled: Cancelled = bool) -> ProjectWork:
    """The documents, segments, settings and terms of a project that is not open.

    Args:
        cancelled: called at intervals; once it returns True, a ProjectError is raised.
    Raises:
        ProjectError: the project is open, damaged, or of an older version, which the user must open first.
    """
    try:
        with reading(project, "ro", seconds_for(project), cancelled) as (connection, version):
            if version < schema.VERSION:
                raise ProjectError(
                    Message(
                        "The project “{name}” was made with an early version of Anaphora.", name=project.name
                    ),
                    "Open it once to update it, and try again.",
                )
            settings = queries.select_settings(connection)
            model, chosen = settings.get(MODEL_SETTING, ""), settings.get(LANGUAGES_SETTING, "")
            languages = languages_of(model, chosen) if model or chosen else None
            return ProjectWork(
                queries.select_documents(connection),
                queries.select_segments(connection),
                languages,
                settings,
                TermBase("", _ReadAccess(connection)).entries(),
            )
    except sqlite3.Error as error:
        raise open_error(project, error) from error
    except (KeyError, TypeError, ValueError) as error:
        raise damage_error(project, error) from error
