"""The project file: an original document, its segments and their states, kept durably."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from anaphora.core.document import Document
from anaphora.core.edits import ChangeSet
from anaphora.core.source import SourceDocument


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """What a project was made from.

    Attributes:
        name: the original file's name.
        path: where the original was; empty when unknown.
        format: see `SourceDocument.format`.
        encoding: see `SourceDocument.encoding`.
        sha256: checksum of the original.
    """

    name: str
    path: str
    format: str
    encoding: str
    sha256: str


class ProjectStore:
    """An open project file (`*.anaphora`, sqlite). Safe to call from any thread; one process at a time.

    Attributes:
        path: the file.
        info: what it was made from.
    """

    path: Path
    info: ProjectInfo

    @classmethod
    def create(cls, path: Path, source: SourceDocument) -> ProjectStore:
        """Make a project file; it appears complete or not at all.

        Raises:
            ProjectError: the file exists already, or the folder cannot be written.
        """
        raise NotImplementedError

    @classmethod
    def open(cls, path: Path) -> ProjectStore:
        """Open a project file.

        Raises:
            ProjectError: missing, damaged (left as it is), made by a newer version, or in use elsewhere.
        """
        raise NotImplementedError

    @classmethod
    def open_or_create(cls, path: Path, source: SourceDocument) -> ProjectStore:
        """Open the project if it is there, else make it."""
        raise NotImplementedError

    def load_document(self) -> Document:
        """The document with the states saved last."""
        raise NotImplementedError

    def save(self, changes: ChangeSet) -> None:
        """Save the `after` states, all or none; on return they survive a crash.

        Raises:
            ProjectError: a segment is unknown, or the disk is full or gone.
        """
        raise NotImplementedError

    def original(self) -> bytes:
        """The original file's bytes."""
        raise NotImplementedError

    def setting(self, key: str, default: str = "") -> str:
        """A value kept with the project (current row, options, …)."""
        raise NotImplementedError

    def set_setting(self, key: str, value: str) -> None:
        """Keep a value with the project."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the file; calling it twice does no harm."""
        raise NotImplementedError
