"""Files that several windows change: one after the other."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout


def lock_file_of(file: Path) -> Path:
    """Where the lock of a file lies: hidden, beside it."""
    return file.with_name(f".{file.name}.lock")


def release(lock: FileLock) -> None:
    """Release a lock and take its file away."""
    if os.name == "posix":
        # Before it is released: a waiting process sees that the file is gone and makes another one.
        # On Windows the library removes it.
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)
    lock.release()


@contextmanager
def taking_turns(file: Path, seconds: float = 10.0) -> Iterator[None]:
    """Keep other processes from changing a file between reading it and writing it again.

    Args:
        file: its folder is made where there is none.
    Raises:
        OSError: the folder cannot be written, or another process keeps the file for too long.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(lock_file_of(file), timeout=seconds, poll_interval=0.005, thread_local=False)
    try:
        lock.acquire()
    except Timeout as error:
        raise OSError(errno.EAGAIN, "another window is writing into it", str(file)) from error
    try:
        yield
    finally:
        release(lock)
