"""A translation memory in a separate sqlite file, shared between projects and windows."""

from __future__ import annotations

from anaphora.core.errors import Message
from anaphora.project.store.units.errors import TranslationMemoryError
from anaphora.project.store.units.schema import APPLICATION_ID, TABLES, VERSION
from anaphora.system.database_file import DatabaseFile, Sentences


class MemoryFile(DatabaseFile):
    """An open memory file; several processes may have it open. Its errors are TranslationMemoryErrors."""

    application = APPLICATION_ID
    version = VERSION
    tables = TABLES
    error = TranslationMemoryError
    sentences = Sentences(
        foreign=(
            Message("“{path}” is not an Anaphora translation memory."),
            Message("Move it to another folder. Anaphora then creates a new memory."),
        ),
        newer=(
            Message("The translation memory “{path}” was made by a newer version of Anaphora."),
            Message("Install the latest version to use it. The file was not changed."),
        ),
        unusable=(
            Message("The translation memory “{path}” cannot be used: {error}."),
            Message("Move it to another folder. Opening your projects fills a new one."),
        ),
        closed=(Message("The translation memory is closed."), Message("Start Anaphora again.")),
    )
