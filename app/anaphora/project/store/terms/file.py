"""A term base in a sqlite file of its own, shared between projects and windows."""

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
            Message("“{path}” is not a term base of Anaphora."),
            Message("Move it away: a new term base is made in its place."),
        ),
        newer=(
            Message("The term base “{path}” was made by a newer version of Anaphora."),
            Message("Install the newest version to use it; it was left as it is."),
        ),
        unusable=(
            Message("The term base “{path}” cannot be used: {error}."),
            Message("Move it away, and import your terms into a new one."),
        ),
        closed=(Message("The term base is closed."), Message("Start Anaphora again.")),
    )
