"""The project file: durable storage of original documents, their segments and states."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from anaphora.core.document import Document, SourceDocument
from anaphora.core.edits import ChangeSet, Comment, CommentChange, PastState, Resegmentation, user_name
from anaphora.core.errors import Message, ProjectError
from anaphora.core.project import (
    DamagedProjectError,
    DocumentInfo,
    ProjectExistsError,
    ProjectGoneError,
    ProjectInUseError,
    ReadOnlyProjectError,
)
from anaphora.project.store import queries, records, schema
from anaphora.project.store.backups import (
    Clock,
    back_up_older,
    check_structure,
    copy_database,
    is_sound,
    new_backup_path,
    sound_segments,
)
from anaphora.project.store.checked_tables import maintain_checksums, seconds_for, time_limit
from anaphora.project.store.files import (
    check_header,
    connect,
    damage_error,
    disk_error,
    has_log,
    is_damage,
    lock,
    lockless_error,
    merge_log,
    open_error,
    prepare_writing,
    remove_log,
)
from anaphora.project.store.lock import ProjectLock
from anaphora.project.store.schema import create_tables, migrate
from anaphora.project.store.transfer import Transfer
from anaphora.system.database_file import transaction
from anaphora.system.files import OPEN_FILES, Identity, file_identity, replacing

NAME_SETTING = "project/name"
Change = ChangeSet | Resegmentation | CommentChange
CHANGES_SETTING = "store/changes"
"""Name of the setting for `ProjectStore.changes`; a backup with the same number contains all changes."""


class ProjectStore:
    """An open project file (`*.anaphora`, sqlite). Only one process can open it, but any thread may use it.

    Attributes:
        author: the user's name for the history of segments.
        writes: number of writes since opening. A copy stays up to date until this number changes.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        project_lock: ProjectLock,
        clock: Clock,
        file: Identity | None,
    ) -> None:
        """Use `create` or `open` instead."""
        self.path = path
        self.clock = clock
        self.author = user_name()
        self.writes = 0
        self._connection: sqlite3.Connection | None = connection
        self._project_lock = project_lock
        self._lock = threading.Lock()
        self._file = file
        # If a store is never closed, forget its file anyway: a new file may get the same inode number.
        self._release = weakref.finalize(self, _release, connection, file)
        self._release.atexit = False

    @classmethod
    def create(cls, path: Path, *sources: SourceDocument, name: str = "") -> ProjectStore:
        """Create a project file and open it; a file that cannot be completed is not created.

        Raises:
            ProjectError: the file already exists, or the folder cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise disk_error(path, error) from error
        # Another process may be about to create the file.
        with ProjectLock(path) as project_lock:
            if path.exists():
                raise ProjectExistsError(
                    Message("The project “{path}” already exists.", path=path),
                    "Open it, or choose another name.",
                )
            try:
                with replacing(path) as unfinished:
                    _write_new(unfinished, sources, name)
                    remove_log(path)
            except (OSError, sqlite3.Error) as error:
                raise disk_error(path, error) from error
            try:
                return cls.open(path, project_lock=project_lock)
            except ReadOnlyProjectError:
                path.unlink(missing_ok=True)
                raise

    @classmethod
    def open(
        cls, path: Path, clock: Clock = datetime.now, project_lock: ProjectLock | None = None
    ) -> ProjectStore:
        """Open a project file; a project of an older version is backed up and updated.

        Args:
            project_lock: the project's lock if the caller holds it; the store acquires the lock once more.
        Raises:
            ProjectError: the file is missing, damaged, not a project, or made by a newer version.
            ProjectInUseError, ReadOnlyProjectError: see `ProjectLock.acquire`.
        """
        project_lock = project_lock or ProjectLock(path)
        with ExitStack() as stack:
            try:
                stack.enter_context(project_lock)
            except ReadOnlyProjectError:
                check_header(path)  # raises another error for a file that is not a project
                raise
            check_header(path)
            file = file_identity(path)
            OPEN_FILES.add(file)
            stack.callback(OPEN_FILES.remove, file)
            try:
                connection = _connect_for_work(path, clock)
            except ProjectInUseError as error:
                raise (error if project_lock.is_possible else lockless_error(path)) from error
            store = cls(path, connection, project_lock, clock, file)
            stack.pop_all()
            return store

    @property
    def name(self) -> str:
        """The stored name; by default, the name of the only document or, with several, that of the file."""
        if name := self.setting(NAME_SETTING):
            return name
        documents = self.documents()
        return documents[0].name if len(documents) == 1 else self.path.stem

    @property
    def changes(self) -> int:
        """The number of changes to the project so far, except changes to settings."""
        return int(self.setting(CHANGES_SETTING, "0"))

    def documents(self) -> tuple[DocumentInfo, ...]:
        with self.reading() as connection:
            return queries.select_documents(connection)

    def load_document(self) -> Document:
        """The segments of all documents in order, with their saved states; raises ProjectError if damaged."""
        name = self.name
        with self.reading() as connection, time_limit(connection, seconds_for(self.path)):
            try:
                return Document(name, sound_segments(connection))
            except (KeyError, TypeError, ValueError, sqlite3.Error) as error:
                if isinstance(error, sqlite3.Error) and not is_damage(error):
                    raise
                # The file is valid for sqlite, but not as a project, for instance because a bit has flipped.
                raise damage_error(self.path, error) from error

    def original(self, document: str = "") -> bytes:
        """The original's bytes, by default of the first document; raises ProjectError for an unknown id."""
        wanted = document or self.documents()[0].id
        with self.reading() as connection:
            data = queries.select_original(connection, wanted)
        if data is None:
            raise _unknown_document(self.path, wanted)
        return data

    def save(self, *changes: Change) -> None:
        """Save changes in order, all or none; once this method returns, they survive a crash.

        Raises:
            ProjectError: a segment is unknown, the segments to join or split are not adjacent, or the project
                cannot be written (see `add_documents`).
        """
        with self.writing() as connection:
            for change in changes:
                if isinstance(change, Resegmentation):
                    self._replace_segments(connection, change)
                elif isinstance(change, CommentChange):
                    records.change_comment(connection, change)
                else:
                    self._update_states(connection, change)

    def add_documents(self, sources: Iterable[SourceDocument]) -> tuple[str, ...]:
        """Store documents after the existing ones, all or none; returns their ids.

        Raises:
            ProjectError: the project is closed, its file was moved or replaced, or the disk is full or gone.
        """
        with self.writing() as connection:
            return tuple(queries.insert_document(connection, source) for source in sources)

    def replace_documents(self, newer: Iterable[tuple[str, Transfer]]) -> None:
        """Store newer versions of documents, all or none; raises the same errors as `add_documents`.

        Args:
            newer: the new versions by document id.
        """
        with self.writing() as connection:
            for document, transfer in newer:
                queries.replace_document(connection, document, transfer)

    def move_documents(self, moved: Sequence[DocumentInfo]) -> None:
        """Store the new paths of documents that were moved; raises the same errors as `add_documents`."""
        with self.writing() as connection:
            rows = [(document.path, document.id) for document in moved]
            connection.executemany("UPDATE documents SET path = ? WHERE id = ?", rows)
            queries.update_document_checksums(connection, *(document.id for document in moved))

    def remove_document(self, document: str) -> None:
        """Remove a document with its translations; raises ProjectError if it is unknown or the only one."""
        known = [info.id for info in self.documents()]
        if document not in known:
            raise _unknown_document(self.path, document)
        if len(known) == 1:
            raise ProjectError("A project needs at least one document.", "You can close the project instead.")
        with self.writing() as connection:
            queries.delete_document(connection, document)

    def shapes(self, document: str) -> dict[str, str]:
        """See `SourceDocument.shapes`."""
        with self.reading() as connection:
            return queries.select_shapes(connection, document)

    def comments(self) -> tuple[Comment, ...]:
        with self.reading() as connection:
            return records.select_comments(connection)

    def history(self, segment: str) -> tuple[PastState, ...]:
        """A segment's last texts, the oldest first; empty until a person changes the segment."""
        with self.reading() as connection:
            return records.select_history(connection, segment)

    def setting(self, key: str, default: str = "") -> str:
        """The value of a setting (current row, options, …); `default` if it is not stored."""
        with self.reading() as connection:
            value = queries.select_setting(connection, key)
        return default if value is None else value

    def settings(self) -> dict[str, str]:
        with self.reading() as connection:
            return queries.select_settings(connection)

    def set_setting(self, key: str, value: str) -> None:
        """Store the value of a setting; raises the same errors as `add_documents`."""
        self.set_settings({key: value})

    def set_settings(self, values: Mapping[str, str]) -> None:
        """Store the values of settings, all or none; see `set_setting`."""
        self._check_file()
        with self.reading() as connection, transaction(connection):
            for key, value in values.items():
                queries.upsert_setting(connection, key, value)
        self.writes += 1

    def copy_to(self, path: Path) -> None:
        """Copy the project as it is on the disk; an existing file is replaced only by a complete copy.

        This works even if the project's own file has been deleted or moved.

        Raises:
            ProjectError: the copy cannot be written, or would replace the project.
        """
        if path.absolute() == self.path.absolute() or file_identity(path) == self._file:
            raise ProjectError("The copy would have the project's name and folder.", "Choose another name.")
        with self.reading() as connection:
            copy_database(connection, path)

    def back_up(self) -> Path:
        """Back up the project as it is on the disk; returns the backup's path. Raises ProjectError."""
        path = new_backup_path(self.path, self.clock())
        self.copy_to(path)
        return path

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            if self._connection is not None:
                self._connection = None
                self._release()
                self._project_lock.release()

    def _update_states(self, connection: sqlite3.Connection, changes: ChangeSet) -> None:
        unknown = queries.update_states(connection, changes.edits)
        if unknown:
            raise ProjectError(
                Message(
                    "The project “{name}” has no segment {segment}. Nothing was saved.",
                    name=self.path.name,
                    segment=unknown[0],
                ),
                "It may have been replaced by another file. Open the document again.",
            )
        records.add_history(connection, changes.edits, self.author, self._timestamp())

    def _timestamp(self) -> str:
        now = self.clock()
        # In the calendar's first and last year, conversion to another time zone may leave the calendar.
        now = now.astimezone(UTC) if 1 < now.year < 9999 else now.replace(tzinfo=UTC)
        return now.isoformat(timespec="seconds")

    def _replace_segments(self, connection: sqlite3.Connection, change: Resegmentation) -> None:
        if not queries.replace_segments(connection, change):
            raise ProjectError(
                Message(
                    "The segments to join or split are not in the project “{name}”. Nothing was saved.",
                    name=self.path.name,
                ),
                "Open the document again.",
            )
        records.move_after_resegmentation(connection, change)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that counts as one change; raises the same errors as `add_documents`."""
        self._check_file()
        with self.reading() as connection, transaction(connection):
            count = int(queries.select_setting(connection, CHANGES_SETTING) or 0)
            queries.upsert_setting(connection, CHANGES_SETTING, str(count + 1))
            yield connection
        self.writes += 1

    def _check_file(self) -> None:
        """Raise ProjectGoneError if the file was removed or replaced, because changes would be lost."""
        if file_identity(self.path) != self._file:
            raise ProjectGoneError(
                Message(
                    "The project “{path}” was moved or deleted, or its drive was removed.", path=self.path
                ),
                "Put the file back, or save the project under another name.",
            )

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one caller at a time; sqlite3.Error and ValueError become ProjectError."""
        with self._lock:
            if self._connection is None:
                raise ProjectError(
                    Message("The project “{name}” is closed.", name=self.path.name), "Open it again."
                )
            try:
                yield self._connection
            except (sqlite3.Error, ValueError) as error:
                if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
                    merge_log(self._connection)
                raise disk_error(self.path, error) from error


def _release(connection: sqlite3.Connection, file: Identity | None) -> None:
    connection.close()
    OPEN_FILES.remove(file)


def _connect_for_work(path: Path, clock: Clock) -> sqlite3.Connection:
    try:
        with ExitStack() as stack:
            connection = connect(path, "rw")
            stack.callback(connection.close)
            if has_log(path) and not is_sound(path):
                # Nothing may be written, because the log may belong to another file.
                raise DamagedProjectError(path)
            with time_limit(connection, seconds_for(path)):
                lock(connection)
                check_structure(connection)
            prepare_writing(connection)
            # The file's header may be outdated: a crash may have left newer tables in the log.
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version < schema.VERSION:
                back_up_older(connection, path, version, clock)
                migrate(connection, version)
            maintain_checksums(connection)
            if not queries.select_documents(connection):
                raise sqlite3.DatabaseError("the original documents are missing")
            stack.pop_all()
            return connection
    except ValueError as error:
        # Python cannot decode sqlite's message, which quotes a damaged table, or there is too much data.
        raise damage_error(path, error) from error
    except (sqlite3.Error, OSError) as error:
        problem = error if isinstance(error, sqlite3.Error) else sqlite3.OperationalError(str(error))
        raise open_error(path, problem) from error


def _write_new(path: Path, sources: Sequence[SourceDocument], name: str) -> None:
    with closing(connect(path, "rwc")) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        with transaction(connection):
            create_tables(connection)
            maintain_checksums(connection)
            for source in sources:
                queries.insert_document(connection, source)
            if name:
                queries.upsert_setting(connection, NAME_SETTING, name)


def _unknown_document(path: Path, document: str) -> ProjectError:
    return ProjectError(
        Message("The project “{name}” has no document {document}.", name=path.name, document=document),
        "It may have been removed. Open the project again.",
    )
