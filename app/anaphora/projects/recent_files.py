"""The list of recently opened documents."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

from anaphora.core.files import replacing
from anaphora.core.turns import taking_turns
from anaphora.store.locations import data_folder

_LOCK_TIMEOUT = 0.5
"""Seconds that the window waits for another one to write the list."""


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
        self._change(lambda paths: [path, *(known for known in paths if known != path)][: self._limit])

    def remove(self, path: Path) -> None:
        """Take a document off the list."""
        path = path.absolute()
        self._change(lambda paths: [known for known in paths if known != path])

    def _change(self, change: Callable[[tuple[Path, ...]], list[Path]]) -> None:
        with contextlib.suppress(OSError, UnicodeError), taking_turns(self._file, _LOCK_TIMEOUT):
            paths = change(self.paths())
            with replacing(self._file, durable=False) as unfinished:
                unfinished.write_text(json.dumps([str(path) for path in paths], ensure_ascii=False), "utf-8")
