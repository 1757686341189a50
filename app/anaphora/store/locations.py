"""The app's folders and files, and the list of recent documents."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from pathlib import Path

import platformdirs

from anaphora.core.files import replacing

PROJECT_SUFFIX = ".anaphora"
_UNSAFE = re.compile(r"[^\w\-.]+")


def data_folder() -> Path:
    """The app's folder in the user's data directory (`ANAPHORA_DATA` overrides it). Not created here."""
    chosen = os.environ.get("ANAPHORA_DATA")
    return Path(chosen) if chosen else platformdirs.user_data_path("anaphora", appauthor=False)


def autosave_path(source: Path, sha256: str, folder: Path | None = None) -> Path:
    """Where the autosaved project of a source file lies: one for each path and content.

    Args:
        source: the source document's path.
        sha256: its checksum (`SourceDocument.sha256`).
        folder: instead of `data_folder()`.
    """
    key = hashlib.sha256(f"{source.absolute()}\n{sha256}".encode("utf-8", "surrogateescape")).hexdigest()
    stem = _UNSAFE.sub("_", source.stem.encode("utf-8", "replace").decode())[:40] or "document"
    return (folder or data_folder()) / "projects" / f"{stem}-{key[:16]}{PROJECT_SUFFIX}"


def project_path(name: str, folder: Path | None = None) -> Path:
    """A free place in the data folder for a new project of this name."""
    stem = _UNSAFE.sub("_", name.encode("utf-8", "replace").decode())[:40] or "project"
    place = (folder or data_folder()) / "projects"
    path, number = place / f"{stem}{PROJECT_SUFFIX}", 2
    while path.exists():
        path, number = place / f"{stem}-{number}{PROJECT_SUFFIX}", number + 1
    return path


def autosaved_projects(source: Path, folder: Path | None = None) -> tuple[Path, ...]:
    """Projects that may hold earlier versions of a source file, those used last first."""
    stem = _UNSAFE.sub("_", source.stem.encode("utf-8", "replace").decode())[:40] or "document"
    place = (folder or data_folder()) / "projects"
    found = [path for path in place.glob(f"*{PROJECT_SUFFIX}") if path.name.startswith(f"{stem}-")]
    return tuple(sorted(found, key=lambda path: path.stat().st_mtime, reverse=True))


def backup_folder(project: Path, folder: Path | None = None) -> Path:
    """Where the backups of a project lie."""
    key = hashlib.sha256(str(project.absolute()).encode("utf-8", "surrogateescape")).hexdigest()
    stem = _UNSAFE.sub("_", project.stem.encode("utf-8", "replace").decode())[:40]
    return (folder or data_folder()) / "backups" / f"{stem}-{key[:16]}"


def shared_memory_path(folder: Path | None = None) -> Path:
    """Where the translation memory lies that all projects share."""
    return (folder or data_folder()) / "translation-memory.sqlite"


class RecentFiles:
    """Recently opened documents, newest first, in a small JSON file. A damaged list is an empty list."""

    def __init__(self, file: Path | None = None, limit: int = 10) -> None:
        self._file = file or data_folder() / "recent.json"
        self._limit = limit

    def paths(self) -> tuple[Path, ...]:
        """Newest first; files that are gone are still listed (a drive may come back)."""
        try:
            entries = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return ()
        if not isinstance(entries, list):
            return ()
        return tuple(Path(entry) for entry in entries if isinstance(entry, str))[: self._limit]

    def add(self, path: Path) -> None:
        """Put a document at the top. A list that cannot be written stays as it was: it is a convenience."""
        path = path.absolute()
        self._write([path, *(known for known in self.paths() if known != path)][: self._limit])

    def remove(self, path: Path) -> None:
        """Take a document off the list."""
        path = path.absolute()
        self._write([known for known in self.paths() if known != path])

    def _write(self, paths: list[Path]) -> None:
        with contextlib.suppress(OSError, UnicodeError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with replacing(self._file, durable=False) as unfinished:
                unfinished.write_text(json.dumps([str(path) for path in paths], ensure_ascii=False), "utf-8")
