"""Locks of open projects: a hidden file beside the project, with data about the lock's holder.

`filelock` uses locks of the operating system. Such a lock ends with the process that holds it. Unlike a lock
of sqlite on POSIX, it is not lost when the process closes another descriptor of the project file.
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import platform
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from filelock import FileLock, Timeout

from anaphora.core.edits import user_name
from anaphora.core.errors import Message, ProjectError
from anaphora.core.project import ProjectInUseError, title_of
from anaphora.project.store.files import disk_error, missing_error, read_only_error
from anaphora.system.files import NO_LOCKS, OPEN_FILE_ADVICE, lock_file_of, release

log = logging.getLogger(__name__)

LOCK_TIMEOUT = 5.0
"""Maximum seconds to wait for a process that only reads the project or has just begun to open it."""
_POLL_SECONDS = 0.05
_MAX_BYTES = 4096
_NO_PERMISSION = (errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass(frozen=True, slots=True)
class LockHolder:
    """The holder of a lock, as written into the lock file.

    Attributes:
        user: the account's name; "" if unknown.
        since: local time of the lock in ISO format.
        works: True if the holder works on the project; False if it only reads the project for a short time.
    """

    user: str
    computer: str
    process: int
    since: str
    works: bool

    @classmethod
    def of_this_process(cls, works: bool) -> LockHolder:
        now = datetime.now().astimezone().isoformat(timespec="minutes")
        return cls(user_name(), platform.node(), os.getpid(), now, works)

    @classmethod
    def read(cls, file: Path) -> LockHolder | None:
        """The last holder written into a lock file; None if the file is missing, unreadable or invalid."""
        try:
            with file.open("rb", buffering=0) as handle:
                # On Windows, other processes cannot read the first byte, which is locked.
                handle.seek(1)
                data = json.loads(handle.read(_MAX_BYTES))
            holder = cls(**data)
            datetime.fromisoformat(holder.since)
        except (OSError, ValueError, TypeError, RecursionError):
            return None
        return holder

    @property
    def is_here(self) -> bool:
        return (self.process, self.computer) == (os.getpid(), platform.node())

    def describe(self, name: str) -> Message:
        when = datetime.fromisoformat(self.since).strftime("%Y-%m-%d %H:%M")
        known = {"name": name, "when": when, "computer": self.computer}
        known["user"] = self.user or Message("Another user")
        if self.is_here:
            return Message("“{name}” has been open in this window since {when}.", **known)
        if self.computer != platform.node():
            return Message("{user} has had “{name}” open on the computer “{computer}” since {when}.", **known)
        if self.user != user_name():
            return Message("{user} has had “{name}” open on this computer since {when}.", **known)
        return Message("“{name}” has been open in another window on this computer since {when}.", **known)


class ProjectLock:
    """The reentrant lock of a project: the project is unlocked after as many releases as acquisitions.

    Only the lock's holder may open, replace, rename, copy or read the project.

    Attributes:
        file: the lock file; if a crash leaves it behind, it does not lock the project.
        is_possible: False after `acquire` if the folder does not support locks, so the lock has no effect.
    """

    def __init__(self, project: Path, works: bool = True, cancelled: Callable[[], bool] = bool) -> None:
        """Make the lock without acquiring it.

        Args:
            works: True to work on the project; other processes then get an error instead of waiting.
            cancelled: called while waiting; once it returns True, `acquire` raises ProjectInUseError.
        """
        self.project = project
        # Links to the project share its lock.
        self.file = lock_file_of(Path(os.path.realpath(project)))
        self._works = works
        self._cancelled = cancelled
        self._depth = 0
        self._lock: FileLock | None = None
        self.is_possible = True

    def acquire(self) -> Self:
        """Acquire the lock; waits at most `LOCK_TIMEOUT` for a holder that does not work on the project.

        Raises:
            ProjectInUseError: the project is open elsewhere.
            ReadOnlyProjectError: the project's folder cannot be written.
            ProjectError: the folder is missing, or the disk is full or fails.
        """
        if not self._depth:
            self._wait()
        self._depth += 1
        return self

    def release(self) -> None:
        self._depth -= 1
        lock = self._lock
        if self._depth or lock is None:
            return
        self._lock = None
        release(lock)

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _wait(self) -> None:
        deadline, previous = time.monotonic() + LOCK_TIMEOUT, None
        while not self._try_lock():
            holder = LockHolder.read(self.file)
            # A holder that was read only once may be left from a crash, and about to be overwritten.
            is_working = holder is not None and holder.works and holder == previous
            if is_working or self._cancelled() or time.monotonic() > deadline:
                raise self._in_use_error(holder if holder is not None and holder.works else None)
            previous = holder
            time.sleep(_POLL_SECONDS)

    def _try_lock(self) -> bool:
        lock = FileLock(
            self.file,
            timeout=0,
            mode=self._mode(),
            thread_local=False,
            fallback_to_soft=False,
            on_acquired=self._write_holder,
        )
        try:
            lock.acquire()
        except Timeout:
            return False
        except OSError as error:
            if error.errno in NO_LOCKS:
                log.warning("the folder of %s has no locks: only sqlite's lock is left", self.project)
                self.is_possible = False
                return True
            raise self._lock_error(error) from error
        self._lock = lock
        return True

    def _mode(self) -> int:
        """The lock file's mode, so that all users who can write the project can also write the lock file."""
        try:
            return self.project.stat().st_mode & 0o666 | 0o600
        except OSError:
            return 0o600

    def _write_holder(self, descriptor: int) -> None:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, b" " + json.dumps(asdict(LockHolder.of_this_process(self._works))).encode())

    def _in_use_error(self, holder: LockHolder | None) -> ProjectInUseError:
        name = title_of(self.project)
        if holder is None:
            message = Message("The project “{name}” is open in another window of Anaphora.", name=name)
        else:
            message = holder.describe(name)
        is_mine = holder is None or (holder.user, holder.computer) == (user_name(), platform.node())
        advice = OPEN_FILE_ADVICE if is_mine else Message("Close it there and try again.")
        return ProjectInUseError(message, advice, is_here=holder is not None and holder.is_here)

    def _lock_error(self, error: OSError) -> ProjectError:
        path = self.project
        if error.errno in _NO_PERMISSION:
            return read_only_error(path)
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return missing_error(path)
        return disk_error(path, error)
