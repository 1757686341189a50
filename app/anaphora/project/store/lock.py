"""Locks of open projects: a hidden file beside the project, with the holder's data.

The lock is the system's, taken by `filelock`: it belongs to an open file, so that it neither outlives its
process nor is lost when another descriptor of the project is closed, as sqlite's own are on POSIX systems.
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

from anaphora.core.errors import Message, ProjectError
from anaphora.core.project import ProjectInUseError, title_of
from anaphora.core.records import user_name
from anaphora.project.store.files import cannot_write, missing, read_only
from anaphora.system.files import NO_LOCKS, lock_file_of, release
from anaphora.system.open_files import GO_ON_THERE

log = logging.getLogger(__name__)

LOCK_TIMEOUT = 5.0
"""Seconds to wait for a process that only reads the project, or has only begun to open it."""
_POLL = 0.05
_MOST_BYTES = 4096
_NO_RIGHT = (errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass(frozen=True, slots=True)
class LockHolder:
    """The holder of a lock, as written in the lock's file.

    Attributes:
        user: the account's name; "" if unknown.
        works: True if the project is open for work; False for a short read.
    """

    user: str
    computer: str
    process: int
    since: str
    works: bool

    @classmethod
    def here(cls, works: bool) -> LockHolder:
        now = datetime.now().astimezone().isoformat(timespec="minutes")
        return cls(user_name(), platform.node(), os.getpid(), now, works)

    @classmethod
    def read(cls, file: Path) -> LockHolder | None:
        """The last holder written in a lock's file; None without one, or if it cannot be read."""
        try:
            with file.open("rb", buffering=0) as handle:
                # On Windows the first byte is locked for others, too.
                handle.seek(1)
                found = json.loads(handle.read(_MOST_BYTES))
            holder = cls(**found)
            datetime.fromisoformat(holder.since)
        except (OSError, ValueError, TypeError, RecursionError):
            return None
        return holder

    @property
    def is_here(self) -> bool:
        return (self.process, self.computer) == (os.getpid(), platform.node())

    def describe(self, name: str) -> Message:
        """A sentence with the user, time and place of the open project `name`."""
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
    """The lock of a project. It can be taken several times, and is free after as many releases.

    Only its holder opens a project for work, replaces, renames, copies or reads it.

    Attributes:
        file: the lock's file; there only while the lock is held, or after a crash, and then it locks nothing.
        is_possible: False if it is held because its folder knows no locks.
    """

    def __init__(self, project: Path, works: bool = True, cancelled: Callable[[], bool] = bool) -> None:
        """Take nothing yet.

        Args:
            works: True to open the project for work: others then get an error instead of waiting.
            cancelled: called while waiting; once it returns True, the project counts as in use.
        """
        self.project = project
        # Another name of the project, by a link, is the same project.
        self.file = lock_file_of(Path(os.path.realpath(project)))
        self._works = works
        self._cancelled = cancelled
        self._taken = 0
        self._lock: FileLock | None = None
        self.is_possible = True

    def acquire(self) -> Self:
        """Take the lock; waits up to `LOCK_TIMEOUT` seconds for a holder who may be done soon.

        Raises:
            ProjectInUseError: the project is open elsewhere.
            ReadOnlyProjectError: nothing can be written into its folder.
            ProjectError: the disk is full, or fails.
        """
        if not self._taken:
            self._wait()
        self._taken += 1
        return self

    def release(self) -> None:
        self._taken -= 1
        lock = self._lock
        if self._taken or lock is None:
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
        end, seen = time.monotonic() + LOCK_TIMEOUT, None
        while not self._try():
            holder = LockHolder.read(self.file)
            # Seen once, it may be what a crash left, and about to be written over.
            is_at_work = holder is not None and holder.works and holder == seen
            if is_at_work or self._cancelled() or time.monotonic() > end:
                raise self._in_use(holder if holder is not None and holder.works else None)
            seen = holder
            time.sleep(_POLL)

    def _try(self) -> bool:
        lock = FileLock(
            self.file,
            timeout=0,
            mode=self._mode(),
            thread_local=False,
            fallback_to_soft=False,
            on_acquired=self._note,
        )
        try:
            lock.acquire()
        except Timeout:
            return False
        except OSError as error:
            if error.errno in NO_LOCKS:
                log.warning("the folder of %s knows no locks: only sqlite's lock is left", self.project)
                self.is_possible = False
                return True
            raise self._cannot_lock(error) from error
        self._lock = lock
        return True

    def _mode(self) -> int:
        """All users with write access to the project may write its lock, even after another user's crash."""
        try:
            return self.project.stat().st_mode & 0o666 | 0o600
        except OSError:
            return 0o600

    def _note(self, descriptor: int) -> None:
        """Write the holder into the lock's file; a full disk does not prevent working."""
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, 0)
            os.lseek(descriptor, 0, os.SEEK_SET)
            os.write(descriptor, b" " + json.dumps(asdict(LockHolder.here(self._works))).encode())

    def _in_use(self, holder: LockHolder | None) -> ProjectInUseError:
        name = title_of(self.project)
        if holder is None:
            message = Message("The project “{name}” is open in another window of Anaphora.", name=name)
        else:
            message = holder.describe(name)
        is_mine = holder is None or (holder.user, holder.computer) == (user_name(), platform.node())
        advice = GO_ON_THERE if is_mine else Message("Close it there and try again.")
        return ProjectInUseError(message, advice, is_here=holder is not None and holder.is_here)

    def _cannot_lock(self, error: OSError) -> ProjectError:
        path = self.project
        if error.errno in _NO_RIGHT:
            return read_only(path)
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return missing(path)
        return cannot_write(path, error)
