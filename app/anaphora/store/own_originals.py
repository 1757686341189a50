"""Which files the user has given to the app, or allowed it to look at: only those it looks at by itself.

A project from somebody else may name any file of this computer, or a share of another one, as a document's
original. So it is kept, beside the projects, what was read from where: a document is the user's own if its
bytes were read from its path here. That holds for a project wherever it is moved, copied or sent and sent
back, and for none that says so itself.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterable
from pathlib import Path

from anaphora.core.files import taking_turns
from anaphora.core.project import DocumentInfo
from anaphora.core.source import SourceDocument
from anaphora.store.locations import data_folder

log = logging.getLogger(__name__)

_YES, _NO = "+", "-"


def remember(documents: Iterable[DocumentInfo | SourceDocument], may_look: bool = True) -> None:
    """Keep that the user has chosen the files of documents, or (`may_look`) whether they may be looked at.

    A list that cannot be written is said in the log: the user is asked again.
    """
    known = _answers()
    keys = [_key(document) for document in documents if document.path]
    new = dict.fromkeys(key for key in keys if known.get(key) is not may_look)
    if not new:
        return
    try:
        file = _file()
        with taking_turns(file), file.open("a", encoding="ascii", newline="\n") as lines:
            lines.write("".join(f"{_YES if may_look else _NO}{key}\n" for key in new))
    except OSError as error:
        log.warning("which files are the user's own cannot be kept: %s", error)


def own(documents: Iterable[DocumentInfo]) -> frozenset[str]:
    known = _answers()
    return frozenset(document.id for document in documents if known.get(_key(document)))


def undecided(documents: Iterable[DocumentInfo]) -> tuple[DocumentInfo, ...]:
    """The documents that name a file of which the user has not said whether it may be looked at."""
    known = _answers()
    return tuple(document for document in documents if _names_file(document) and _key(document) not in known)


def _names_file(document: DocumentInfo) -> bool:
    return bool(document.path) and Path(document.path).is_absolute()


def _answers() -> dict[str, bool]:
    try:
        text = _file().read_text("ascii", "replace")
    except FileNotFoundError:
        return {}
    except OSError as error:
        log.warning("which files are the user's own cannot be read: %s", error)
        return {}
    return {line[1:]: line[0] == _YES for line in text.splitlines() if line[:1] in (_YES, _NO)}


def _key(document: DocumentInfo | SourceDocument) -> str:
    text = f"{document.path}\n{document.sha256}".encode("utf-8", "replace")
    return hashlib.sha256(text).hexdigest()[:32]


def _file() -> Path:
    return data_folder() / "own-originals.list"
