"""The list of recently opened documents."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

from anaphora.system.files import locked_file, replacing
from anaphora.system.locations import data_folder

_LOCK_TIMEOUT = 0.5
"""Seconds to wait while another window writes the list."""


class RecentFiles:
    """Recently opened documents, newest first, in a small JSON file. A damaged file counts as empty."""

    def __init__(self, file: Path | None = None, limit: int = 10) -> None:
        self._file = file or data_folder() / "recent.json"
        self._limit = limit

    def paths(self) -> tuple[Path, ...]:
        """Newest first; missing files are still listed, because a drive may come back."""
        return tuple(map(Path, self._names()))

    def add(self, path: Path) -> None:
        name = str(path.absolute())
        with contextlib.suppress(OSError, UnicodeError), locked_file(self._file, _LOCK_TIMEOUT):
            others = [known for known in self._names() if os.path.normcase(known) != os.path.normcase(name)]
            with replacing(self._file, durable=False) as unfinished:
                names = [name, *others][: self._limit]
                unfinished.write_text(json.dumps(names, ensure_ascii=False), "utf-8")

    def _names(self) -> list[str]:
        try:
            entries = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return []
        if not isinstance(entries, list):
            return []
        return [entry for entry in entries if isinstance(entry, str)][: self._limit]
