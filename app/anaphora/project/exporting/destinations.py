"""Allowed destinations of an export: not a file that the project or the app needs."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path

from anaphora.core.errors import ExportError, Message
from anaphora.project.store.own_originals import own
from anaphora.project.store.project import ProjectStore
from anaphora.system.locations import PROJECT_SUFFIX, data_folder
from anaphora.system.open_files import file_identity


def check_destination(store: ProjectStore, destination: Path) -> None:
    """Refuse to replace what the project knows: an original, itself, its log and backups, a memory.

    Files are compared by what they are, not by their names: a link to an original is that original.

    Raises:
        ExportError: the destination is one of them.
    """
    documents = store.documents()
    looked_at = own(documents)
    for info in documents:
        if info.path and _is_same(Path(info.path), destination, info.id in looked_at):
            raise ExportError(
                Message("“{name}” is the original. The translation would replace it.", name=destination.name),
                "Choose another name or folder.",
            )
    if _is_kept(store.path, destination):
        raise ExportError(
            Message("“{name}” is a file that Anaphora needs and was not replaced.", name=destination.name),
            "Choose another name or folder.",
        )


def _is_same(original: Path, destination: Path, may_look: bool) -> bool:
    """True if two paths lead to the same file; an unwatched one is compared by its name only."""
    if _plain(original) in (_plain(destination), os.path.normcase(os.path.realpath(destination))):
        return True
    try:
        return may_look and original.samefile(destination)
    except (OSError, ValueError):
        return False


def _plain(path: Path) -> str:
    """A path for comparison, without asking the disk."""
    return os.path.normcase(os.path.abspath(path))  # noqa: PTH100  (`Path.absolute` keeps "..")


def _is_kept(project: Path, destination: Path) -> bool:
    """True if a destination is a project or its companion, or one of the app's own files."""
    folder = os.path.realpath(data_folder())
    if Path(os.path.realpath(destination)).is_relative_to(folder):
        return True
    found = file_identity(destination)
    if found is None:
        return destination.name.startswith(project.name) and _plain(destination.parent) == _plain(
            project.parent
        )
    if destination.suffix.lower() == PROJECT_SUFFIX or found in map(file_identity, _company(project)):
        return True
    # Only a file with several names can be one of the data folder's and lie elsewhere.
    return destination.stat().st_nlink > 1 and found in map(file_identity, Path(folder).rglob("*"))


def _company(project: Path) -> Iterator[Path]:
    """A project's file with what lies beside it under its name: log, lock, damaged versions."""
    for begun in ("", "."):
        yield from project.parent.glob(f"{begun}{glob.escape(project.name)}*")
