"""One file, downloaded: resumed where it broke off, tried again where that helps, its checksum compared."""

from __future__ import annotations

import errno
import hashlib
import json
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora.core.errors import Message
from anaphora.core.untrusted import read_json
from anaphora.model_downloads.catalogue import OfferedFile
from anaphora.model_downloads.control import Control
from anaphora.model_downloads.errors import ChecksumError, DownloadError, NoSpaceError, StaleError
from anaphora.model_downloads.transport import Transport

if TYPE_CHECKING:
    from hashlib import _Hash

log = logging.getLogger(__name__)

WAITS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds before each new try, counted anew when something has come."""
_LONGEST_WAIT = 60.0
_CHUNK = 1 << 20
_MOST_BYTES = 1 << 34
_FULL = (errno.ENOSPC, errno.EDQUOT)


class FileDownload:
    """Fetches a file into a folder. What has come stays there until it is whole or `remove` is called.

    A note beside the part says which file it belongs to: a later start of the program goes on with it.
    """

    def __init__(self, file: OfferedFile, folder: Path) -> None:
        self._file = file
        self.path = folder / (file.name + ".download")
        self._part = folder / (file.name + ".part")
        self._about = folder / (file.name + ".part.json")
        self._tag = ""

    @property
    def here(self) -> int:
        """Bytes that are here."""
        for path in (self.path, self._part):
            with suppress(OSError):
                return path.stat().st_size
        return 0

    def remove(self) -> None:
        """Begin anew the next time."""
        for path in (self.path, self._part, self._about):
            path.unlink(missing_ok=True)

    def fetch(
        self,
        transport: Transport,
        control: Control,
        report: Callable[[int], None],
        wait: Callable[[DownloadError], None] = lambda error: None,
        waits: Sequence[float] = WAITS,
    ) -> None:
        """Fetch it to `path`.

        Args:
            report: told how many bytes are here.
            wait: told why it waits before the next try.
            waits: seconds before each new try.
        Raises:
            ChecksumError: the server has another file than the list names.
            DownloadError: it cannot be had.
            Cancelled: `control` says so.
        """
        if self.path.exists():
            report(self.here)
            return
        left = list(waits)
        has_begun_anew = False
        while True:
            before = self._start()
            try:
                self._go_on(transport, control, report, before)
                self._check(control)
                return
            except ChecksumError:
                self.remove()
                # What was here may have been of another version of the file.
                if not before or has_begun_anew:
                    raise
                has_begun_anew = True
            except DownloadError as error:
                if self.here > before:
                    left = list(waits)
                if not error.may_pass or not left:
                    raise
                wait(error)
                if isinstance(error, StaleError):
                    self.remove()
                control.sleep(max(left.pop(0), min(error.wait, _LONGEST_WAIT)))

    def _start(self) -> int:
        """Bytes to go on from: those of a part of this very file."""
        self._tag = ""
        try:
            about = read_json(self._about.read_text("utf-8")) if self._about.exists() else None
            if about is not None and about["file"] == self._identity():
                self._tag = str(about["tag"])
                return self._part.stat().st_size
        except (OSError, ValueError, KeyError, TypeError) as error:
            log.info("the part of %s is of no use, and it begins anew: %s", self._file.name, error)
        self.remove()
        return 0

    def _identity(self) -> list[object]:
        file = self._file
        return [file.address, file.size, file.sha256, file.git_blob, file.unpacked_sha256]

    def _go_on(
        self, transport: Transport, control: Control, report: Callable[[int], None], start: int
    ) -> None:
        """Fetch from there to the end; pauses give the connection back."""
        while self._file.size is None or start < self._file.size or not self._part.exists():
            control.wait_while_paused()
            with transport.open(self._file.address, start, self._tag) as answer:
                self._begin(answer.start, answer.tag)
                whole = answer.start + answer.length if answer.length is not None else None
                self._check_size(whole)
                start = self._write(answer.chunks, answer.start, control, report)
            if whole is not None and start >= whole:
                return
            if control.paused:
                continue
            if whole is not None:
                raise DownloadError(
                    Message("The connection for {name} broke off.", name=self._file.name),
                    "Go on later: what is here already is kept.",
                    may_pass=True,
                )
            return

    def _begin(self, start: int, tag: str) -> None:
        self._part.parent.mkdir(parents=True, exist_ok=True)
        if start == 0:
            self._part.unlink(missing_ok=True)
        if not self._about.exists() or tag != self._tag:
            self._tag = tag
            text = json.dumps({"file": self._identity(), "tag": tag})
            self._about.write_text(text, "utf-8")

    def _write(
        self, chunks: Iterator[bytes], start: int, control: Control, report: Callable[[int], None]
    ) -> int:
        """Add what comes to the part; returns how many bytes are here."""
        done = start
        try:
            with self._part.open("ab") as out:
                out.truncate(start)
                report(done)
                for chunk in chunks:
                    control.check()
                    done += len(chunk)
                    self._check_size(done)
                    out.write(chunk)
                    report(done)
                    if control.paused:
                        break
        except OSError as error:
            raise cannot_write(self._part, error) from error
        return done

    def _check_size(self, size: int | None) -> None:
        wanted = self._file.size
        if size is not None and size > (_MOST_BYTES if wanted is None else wanted):
            raise self._another()

    def _check(self, control: Control) -> None:
        file, size = self._file, self.here
        sums: list[tuple[str, _Hash]] = []
        if file.sha256:
            sums.append((file.sha256, hashlib.sha256()))
        if file.git_blob:
            sums.append((file.git_blob, hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)))
        if file.size is not None and size != file.size:
            raise self._another()
        with self._part.open("rb") as given:
            while chunk := given.read(_CHUNK):
                control.check()
                for _, digest in sums:
                    digest.update(chunk)
        if any(digest.hexdigest() != wanted for wanted, digest in sums):
            raise self._another()
        self._part.replace(self.path)
        self._about.unlink(missing_ok=True)

    def _another(self) -> ChecksumError:
        return ChecksumError(
            Message("{name} on the server is not the file that the list names.", name=self._file.name),
            "Click Refresh in “Get models”, and try again.",
        )


def cannot_write(path: Path, error: OSError) -> DownloadError:
    """Why a file cannot be written."""
    if error.errno in _FULL:
        return NoSpaceError(
            Message("The disk is full: {path} cannot be written.", path=path),
            "Free some space and go on: what is here already is kept.",
        )
    return DownloadError(
        Message("{path} cannot be written ({reason}).", path=path, reason=error.strerror or error)
    )
