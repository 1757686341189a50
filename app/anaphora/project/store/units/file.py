"""A translation memory in a sqlite file of its own, shared between projects and windows."""

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
