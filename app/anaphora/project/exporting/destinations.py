"""Checks that an export does not replace a file that the project or the app needs."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path

from anaphora.core.errors import ExportError, Message
from anaphora.project.store.own_originals import own_ids
from anaphora.project.store.project import ProjectStore
from anaphora.system.locations import PROJECT_SUFFIX, data_folder
from anaphora.system.open_files import file_identity


def check_destination(store: ProjectStore, destination: Path) -> None:
    """Refuse to replace an original, the project, its log and backups, or a memory.

    Files are compared by identity, not by name: a link to an original counts as the original.

    Raises:
        ExportError: the destination is one of them.
    """
    documents = store.documents()
    watched = own_ids(documents)
    for info in documents:
        if info.path and _is_same(Path(info.path), destination, info.id in watched):
            raise ExportError(
                Message("“{name}” is the original. The translation would replace it.", name=destination.name),
                "Choose another name or folder.",
            )
    if _is_kept(store.path, destination):
        raise ExportError(
            Message("“{name}” was not replaced because Anaphora needs this file.", name=destination.name),
            "Choose another name or folder.",
        )


def _is_same(original: Path, destination: Path, may_look: bool) -> bool:
    """True if two paths lead to the same file; an unwatched original is compared by name only."""
    if _plain(original) in (_plain(destination), os.path.normcase(os.path.realpath(destination))):
        return True
    try:
        return may_look and original.samefile(destination)
    except (OSError, ValueError):
        return False


def _plain(path: Path) -> str:
    """A path for comparison, without reading the disk."""
    return os.path.normcase(os.path.abspath(path))  # noqa: PTH100  (`Path.absolute` keeps "..")


def _is_kept(project: Path, destination: Path) -> bool:
    """True if a destination is a project, a file that belongs to one, or one of the app's own files."""
    folder = os.path.realpath(data_folder())
    if Path(os.path.realpath(destination)).is_relative_to(folder):
        return True
    found = file_identity(destination)
    if found is None:
        return destination.name.startswith(project.name) and _plain(destination.parent) == _plain(
            project.parent
        )
    if destination.suffix.lower() == PROJECT_SUFFIX or found in map(file_identity, _files_of(project)):
        return True
    # Only a file with several hard links can be in the data folder and also elsewhere.
    return destination.stat().st_nlink > 1 and found in map(file_identity, Path(folder).rglob("*"))


def _files_of(project: Path) -> Iterator[Path]:
    """A project's file and the files beside it with its name: log, lock, damaged versions."""
    for prefix in ("", "."):
        yield from project.parent.glob(f"{prefix}{glob.escape(project.name)}*")
