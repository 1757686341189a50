"""A term base in a separate sqlite file, shared between projects and windows."""

from __future__ import annotations

from anaphora.core.errors import Message
from anaphora.project.store.terms.errors import TermBaseError
from anaphora.project.store.terms.schema import APPLICATION_ID, TABLES, VERSION
from anaphora.system.database_file import DatabaseFile, Sentences


class TermFile(DatabaseFile):
    """An open term base; several processes may have it open. Its errors are TermBaseErrors."""

    application = APPLICATION_ID
    version = VERSION
    tables = TABLES
    error = TermBaseError
    sentences = Sentences(
        foreign=(
            Message("“{path}” is not an Anaphora term base."),
            Message("Move it to another folder. Anaphora then creates a new term base."),
        ),
        newer=(
            Message("The term base “{path}” was made by a newer version of Anaphora."),
            Message("Install the latest version to use it. The file was not changed."),
        ),
        unusable=(
            Message("The term base “{path}” cannot be used: {error}."),
            Message("Move it to another folder, and import your terms into a new term base."),
        ),
        closed=(Message("The term base is closed."), Message("Start Anaphora again.")),
    )
