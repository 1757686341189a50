"""Atomic writing, locks, and the project files that this process has open."""

from __future__ import annotations

import contextlib
import errno
import glob
import os
import secrets
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from anaphora.core.errors import ExportError, Message
from anaphora.core.project import ProjectInUseError, title_of

OPEN_FILE_ADVICE = Message("Continue in that window, or close it and try again.")
Identity = tuple[int, int]


class OpenFiles:
    """The project files that this process has open. Device and inode identify a file even after renaming."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # the garbage collector may call `remove` at any time
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
        """True if a file is a project that this process has open; only sqlite may access such a file."""
        identity = file_identity(path)
        with self._lock:
            return identity is not None and self._open[identity] > 0


def file_identity(path: Path) -> Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


OPEN_FILES = OpenFiles()
"""One instance for the whole process, because sqlite's locks belong to the process."""


def refuse_open_file(path: Path, advice: Message = OPEN_FILE_ADVICE) -> None:
    """Raise ProjectInUseError if a file is a project that this process has open."""
    if path in OPEN_FILES:
        raise ProjectInUseError(
            Message("“{name}” is open in this window.", name=title_of(path)), advice, is_here=True
        )


_ADVICE = {
    errno.EACCES: Message("Choose a folder that you can write to."),
    errno.EPERM: Message("Choose a folder that you can write to."),
    errno.EROFS: Message("The disk is read-only. Choose another folder."),
    errno.ENOSPC: Message("The disk is full. Free some space, or choose another disk."),
    errno.EDQUOT: Message("Your quota is used up. Free some space, or choose another disk."),
    errno.ENOENT: Message("The folder does not exist. Choose another one."),
    errno.ENOTDIR: Message("Part of the path is a file, not a folder. Choose another folder."),
    errno.EISDIR: Message("A folder has this name. Choose another file name."),
    errno.ENAMETOOLONG: Message("The file name is too long. Choose a shorter one."),
}
NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)
"""Numbers of the errors that network folders without file locks report."""
_ABANDONED_SECONDS = 3600
"""Minimum age of an unfinished file that counts as abandoned; younger ones may still be written."""


@contextmanager
def replacing(destination: Path, durable: bool = True) -> Iterator[Path]:
    """Yield the path of a temporary file; it replaces `destination` at the end unless an error is raised.

    Args:
        durable: True to wait until the data is on the disk; otherwise, a crash of the computer may lose it.
    Raises:
        OSError: writing failed; the destination is unchanged.
        ProjectInUseError: the destination is a project that is open in this process.
    """
    refuse_open_file(destination, Message("Choose another name or folder."))
    unfinished = destination.with_name(f".{destination.name[:40]}.{secrets.token_hex(6)}.part")
    remove_unfinished(destination.parent, destination.name)
    try:
        yield unfinished
        if durable:
            with unfinished.open("rb+") as file:
                os.fsync(file.fileno())
        os.replace(unfinished, destination)  # noqa: PTH105  (tests patch this call)
        if durable:
            _sync_folder(destination.parent)
    finally:
        with contextlib.suppress(OSError):
            unfinished.unlink(missing_ok=True)


def remove_unfinished(folder: Path, name: str = "") -> None:
    """Remove abandoned unfinished files from a folder: those for the file `name`, or all if it is ""."""
    prefix = f".{glob.escape(name[:40])}." if name else ".*."
    for path in folder.glob(f"{prefix}{'[0-9a-f]' * 12}.part"):
        with contextlib.suppress(OSError):
            # If the clock was set back, the file's time may be in the future.
            if abs(time.time() - path.stat().st_mtime) > _ABANDONED_SECONDS:
                path.unlink()


def write_atomically(data: bytes, destination: Path) -> None:
    """Write bytes so that the destination has either its whole old content or its whole new content.

    Raises:
        ExportError: the system refuses to write (no permission, no space, no such folder).
        ProjectInUseError: the destination is a project that is open in this process.
    """
    try:
        mode = destination.stat().st_mode & 0o777 if destination.exists() else None
        if destination.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with replacing(destination) as unfinished:
            unfinished.touch()
            if mode is not None:
                unfinished.chmod(mode)  # before it contains data
            unfinished.write_bytes(data)
    except OSError as error:
        raise write_error(destination, error) from error


def read_error_texts(path: Path, error: OSError) -> tuple[Message, Message]:
    reason = error.strerror or str(error)
    message = Message("“{name}” could not be read: {reason}.", name=path.name, reason=reason)
    return message, Message("Check that it exists and that you have permission to read it.")


def write_error(destination: Path, error: OSError) -> ExportError:
    reason = error.strerror or str(error)
    return ExportError(
        Message("“{destination}” could not be written: {reason}.", destination=destination, reason=reason),
        _ADVICE.get(error.errno or 0, Message("Try another folder.")),
    )


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock_file_of(file: Path) -> Path:
    return file.with_name(f".{file.name}.lock")


def release(lock: FileLock) -> None:
    if os.name == "posix":
        # Remove the file before the release, so that a waiting process notices and creates another one.
        # On Windows the library removes the file.
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink(missing_ok=True)
    lock.release()


def supports_locks(file: Path) -> bool:
    """False if the disk of a file does not support locks; True if it does, or if another error occurs."""
    lock = FileLock(lock_file_of(file), timeout=0, fallback_to_soft=False)
    try:
        lock.acquire()
    except Timeout:
        return True
    except OSError as error:
        return error.errno not in NO_LOCKS
    release(lock)
    return True


@contextmanager
def locked_file(file: Path, seconds: float = 10.0) -> Iterator[None]:
    """Lock a file against other processes, to read and rewrite it; its folder is created if necessary.

    Raises:
        OSError: the folder cannot be written, or another process has held the lock for `seconds`.
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
