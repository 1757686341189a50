"""A translation memory in a sqlite file of its own, shared between projects and windows."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from anaphora.core.database_file import DatabaseFile, Sentences
from anaphora.core.errors import Message
from anaphora.translation_memory.errors import ImportUnderWayError, TranslationMemoryError
from anaphora.translation_memory.schema import APPLICATION_ID, TABLES, VERSION


class MemoryFile(DatabaseFile):
    """An open memory file; several processes may have it open. Its errors are TranslationMemoryErrors."""

    application = APPLICATION_ID
    version = VERSION
    tables = TABLES
    error = TranslationMemoryError
    sentences = Sentences(
        foreign=(
            Message("“{path}” is not a translation memory of Anaphora."),
            Message("Move it away: a new memory is made in its place."),
        ),
        newer=(
            Message("The translation memory “{path}” was made by a newer version of Anaphora."),
            Message("Install the newest version to use it; it was left as it is."),
        ),
        unusable=(
            Message("The translation memory “{path}” cannot be used: {error}."),
            Message("Move it away: your projects fill a new one when they are opened."),
        ),
        closed=(Message("The translation memory is closed."), Message("Start Anaphora again.")),
    )

    @contextmanager
    def importing(self) -> Iterator[None]:
        """See `MemoryAccess`: sqlite's lock on an empty file beside it, which ends with the process.

        Raises:
            ImportUnderWayError: another process holds it.
        """
        path = self.path.with_name(f"{self.path.name}-import")
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if "locked" not in str(error):
                    raise self.unusable(self.path, error) from error
                raise ImportUnderWayError.into(self.path) from error
            yield
        finally:
            lock.close()
