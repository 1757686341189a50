"""A binary file read from front to back, without more of it in memory than is taken."""

from __future__ import annotations

import mmap
from pathlib import Path
from types import TracebackType


class MappedFile:
    """Little-endian values one after the other; ValueError where there are no more."""

    def __init__(self, path: Path) -> None:
        """Open it; OSError where that fails, ValueError where it is empty."""
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.at = 0

    def __enter__(self) -> MappedFile:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bytes.close()

    def take(self, size: int) -> bytes:
        if not 0 <= size <= len(self._bytes) - self.at:
            raise ValueError("it ends early")
        self.at += size
        return self._bytes[self.at - size : self.at]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    @property
    def left(self) -> int:
        return len(self._bytes) - self.at
