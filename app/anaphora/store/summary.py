"""Counts and names of a project, read without opening it for work."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from anaphora.core.errors import Message, ProjectError
from anaphora.core.installed_model import LANGUAGES_SETTING, MODEL_SETTING, languages_of
from anaphora.core.language_pair import LanguagePair
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, Status
from anaphora.store import queries, schema
from anaphora.store.files import cannot_open, refusal
from anaphora.store.limits import Cancelled, seconds_for
from anaphora.store.reading import reading
from anaphora.term_base.base import TermBase
from anaphora.term_base.entries import Entry


@dataclass(frozen=True, slots=True)
class ProjectSummary:
    """Counts and names of a project.

    Attributes:
        paths: of the originals.
        names: of the documents.
        segments: how many there are.
        confirmed: how many of them are confirmed.
        edited: how many of them were edited.
    """

    paths: tuple[str, ...]
    names: tuple[str, ...]
    segments: int
    confirmed: int
    edited: int

    @property
    def worked_on(self) -> bool:
        """Whether a human has written or confirmed something."""
        return self.confirmed + self.edited > 0


def read_summary(project: Path, mode: str = "rw") -> ProjectSummary | None:
    """Summarise a project of this version or an older one.

    Args:
        mode: see `reading`; a snapshot where counts that are a little old do no harm.
    Returns:
        None when it is open elsewhere, or no sound project.
    """
    try:
        with reading(project, mode) as (connection, _):
            rows = connection.execute("SELECT path, name FROM documents ORDER BY position").fetchall()
            counts = queries.count_statuses(connection)
    except (ProjectError, sqlite3.Error, ValueError):
        return None
    return ProjectSummary(
        tuple(str(row[0]) for row in rows),
        tuple(str(row[1]) for row in rows),
        sum(counts.values()),
        counts.get(Status.CONFIRMED, 0),
        counts.get(Status.EDITED, 0),
    )


@dataclass(frozen=True, slots=True)
class ProjectWork:
    """What a project holds that its checks depend on.

    Attributes:
        languages: None where the project keeps none: those of the model that the app has of its own.
        entries: of its term base.
    """

    documents: tuple[DocumentInfo, ...]
    segments: list[Segment]
    languages: LanguagePair | None
    settings: dict[str, str]
    entries: tuple[Entry, ...]


class _Open:
    """An open connection as the term base wants it; see `core.database_file.Access`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        yield self._connection

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        raise NotImplementedError("a project that is looked into is not written")


def read_segments(
    project: Path, cancelled: Cancelled = bool
) -> tuple[tuple[DocumentInfo, ...], list[Segment], LanguagePair | None]:
    """The documents and segments of a project that is not open, and its languages.

    Args:
        cancelled: asked all the time; once it says so, the project counts as not to be read.
    Returns:
        no languages where the project keeps none: those of the model that the app has of its own.

    Raises:
        ProjectError: it is open elsewhere, damaged, or of a version that has to be opened once first.
    """
    work = read_work(project, cancelled)
    return work.documents, work.segments, work.languages


def read_work(project: Path, cancelled: Cancelled = bool) -> ProjectWork:
    """The documents, segments, settings and terms of a project that is not open; see `read_segments`."""
    try:
        with reading(project, "ro", seconds_for(project), cancelled) as (connection, version):
            if version < schema.VERSION:
                raise ProjectError(
                    Message(
                        "The project “{name}” was made by an early version of Anaphora.", name=project.name
                    ),
                    "Open it once, so that it is brought up to date, and try again.",
                )
            kept = queries.select_settings(connection)
            model, said = kept.get(MODEL_SETTING, ""), kept.get(LANGUAGES_SETTING, "")
            languages = languages_of(model, said) if model or said else None
            return ProjectWork(
                queries.select_documents(connection),
                queries.select_segments(connection),
                languages,
                kept,
                TermBase("", _Open(connection)).entries(),
            )
    except sqlite3.Error as error:
        raise cannot_open(project, error) from error
    except (KeyError, TypeError, ValueError) as error:
        raise refusal(project, error) from error
