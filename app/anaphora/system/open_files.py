"""The project files that this process has open, which only sqlite may access.

On POSIX, closing any descriptor of a file releases all locks of the process on it, including sqlite's.
"""

from __future__ import annotations

import threading
from collections import Counter
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.project import ProjectInUseError, title_of

GO_ON_THERE = Message("Continue in that window, or close it and try again.")
Identity = tuple[int, int]


class OpenFiles:
    """The open project files of this process, by device and inode, even if renamed."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # the garbage collector may call `remove` at any moment
        self._open: Counter[Identity] = Counter()

    def add(self, identity: Identity | None) -> None:
        if identity is not None:
            with self._lock:
                self._open[identity] += 1

    def remove(self, identity: Identity | None) -> None:
        if identity is not None:
            with self._lock:
                self._open[identity] -= 1

    def __contains__(self, path: Path) -> bool:
        """True if only sqlite may open a file."""
        identity = file_identity(path)
        with self._lock:
            return identity is not None and self._open[identity] > 0


def file_identity(path: Path) -> Identity | None:
    """Device and inode of a file, which distinguish files with the same name; None if unreachable."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


OPEN_FILES = OpenFiles()
"""The instance for the whole process, like sqlite's locks."""


def refuse_open_file(path: Path, advice: Message = GO_ON_THERE) -> None:
    """Check that this process has not opened a file as a project, before accessing it without sqlite.

    Raises:
        ProjectInUseError: the file is open here.
    """
    if path in OPEN_FILES:
        raise ProjectInUseError(
            Message("“{name}” is open in this window.", name=title_of(path)), advice, is_here=True
        )
