"""Data about a project, apart from its segments: documents, backups and errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from anaphora.core.errors import Message, ProjectError
from anaphora.core.reading_choices import AS_SUGGESTED, ReadingChoices

_KEY = re.compile(r"-[0-9a-f]{16}$")
"""The key at the end of an autosaved project's name."""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document of a project, without its segments and bytes.

    Attributes:
        id: unique in the project, and not used again after removal; segment ids begin with "<id>/".
        name: the file's name; for a file in a folder that the user added, its path there ("a/b.md").
        path: the path of the original; "" if unknown.
        sha256: checksum of the original.
        size: size of the original in bytes.
        format, encoding, modified, language, choices: see `SourceDocument`.
    """

    id: str
    name: str
    path: str
    format: str
    encoding: str
    sha256: str
    size: int
    modified: int
    language: str
    choices: ReadingChoices = AS_SUGGESTED


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup of a project.

    Attributes:
        made: local time of the backup.
        label: the reason for a backup that is never removed: "schema-1" if it was made before the update of
            a project of version 1. For other backups, the label is "".
        segments, confirmed: numbers of all and of confirmed segments; None and 0 if the backup was not read.
        documents: names of the documents; empty if the backup was not read.
        number: the backup's number, which is higher for later backups of the project.
        project: name of the project.
    """

    path: Path
    made: datetime
    size: int
    label: str = ""
    segments: int | None = None
    confirmed: int = 0
    documents: tuple[str, ...] = ()
    number: int = 0
    project: str = ""

    @property
    def subject(self) -> str:
        """The backup's name in the UI: the name of its only document or of the project."""
        return self.documents[0] if len(self.documents) == 1 else self.project


def title_of(project: Path) -> str:
    """A project's title from its file name, without the key in an autosaved project's name."""
    return _KEY.sub("", project.stem) or project.stem


class ProjectInUseError(ProjectError):
    """The project is already open: in this process if `is_here`, otherwise in another."""

    def __init__(self, message: str, advice: str = "", is_here: bool = False) -> None:
        super().__init__(message, advice)
        self.is_here = is_here


class ProjectExistsError(ProjectError):
    """A project of this name already exists."""


class ForeignFileError(ProjectError):
    """The file is a database of another program."""


class ReadOnlyProjectError(ProjectError):
    """The project or its folder is read-only; a copy can be saved elsewhere."""


class DamagedProjectError(ProjectError):
    """The project file is damaged, or Anaphora refuses to read it for another reason. It was not changed."""

    def __init__(self, path: Path, reason: Message | None = None, has_backups: bool = True) -> None:
        """Make the error; `reason` is None for a damaged file."""
        message = Message("The project “{path}” is damaged and was not changed.", path=path)
        if reason is not None:
            message = Message(
                "The project “{path}” was not opened and was not changed: {reason}.",
                path=path,
                reason=reason,
            )
        if reason is None and has_backups:
            advice = Message("Open a backup, or move the project elsewhere and open the document again.")
        else:
            advice = Message("You can save the readable translations as a new project.")
        super().__init__(message, advice)
        self.path = path
        self.has_backups = has_backups
        self._reason = reason

    def without_backups(self) -> DamagedProjectError:
        """The same error for a file without backups, such as a file from another person."""
        return DamagedProjectError(self.path, self._reason, has_backups=False)


class ProjectGoneError(ProjectError):
    """The file of an open project has been moved, deleted or replaced, or its drive was removed."""
