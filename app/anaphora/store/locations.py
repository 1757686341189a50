"""Where the app keeps its own files, and the list of recent documents."""

from __future__ import annotations

from pathlib import Path


def data_folder() -> Path:
    """The app's folder in the user's data directory (`ANAPHORA_DATA` overrides it). Not created here."""
    raise NotImplementedError


def autosave_path(source: Path, sha256: str, folder: Path | None = None) -> Path:
    """Where the autosaved project of a source file lies: one for each path and content.

    Args:
        source: the source document's path.
        sha256: its checksum (`SourceDocument.sha256`).
        folder: instead of `data_folder()`.
    """
    raise NotImplementedError


class RecentFiles:
    """Recently opened documents, newest first, in a small JSON file. A damaged list is an empty list."""

    def __init__(self, file: Path | None = None, limit: int = 10) -> None:
        raise NotImplementedError

    def paths(self) -> tuple[Path, ...]:
        """Newest first; files that are gone are still listed (a drive may come back)."""
        raise NotImplementedError

    def add(self, path: Path) -> None:
        """Put a document at the top."""
        raise NotImplementedError

    def remove(self, path: Path) -> None:
        """Take a document off the list."""
        raise NotImplementedError
