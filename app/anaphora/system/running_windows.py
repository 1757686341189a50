"""The windows of Anaphora that one person has open, each a process: which of them has a file open?

Each window listens at a local socket, which only the same account reaches. An empty file in a folder of the
data folder, named after the process, says that it is there; the file of a killed process is removed when
nobody listens at its socket.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QDeadlineTimer, QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from anaphora.system.file_names import with_home

log = logging.getLogger(__name__)

CONNECT_MS = 1000
REPLY_MS = 15000
"""A window that says nothing for so long hangs. One that is starting answers once its loop runs."""
_MOST_BYTES = 1 << 16
_SHOWN = b"shown"
_NOBODY = (
    QLocalSocket.LocalSocketError.ServerNotFoundError,
    QLocalSocket.LocalSocketError.ConnectionRefusedError,
)


def names_of(file: Path) -> tuple[str, ...]:
    """The absolute path of a file, and where its links lead."""
    absolute = str(with_home(file).absolute())
    return tuple(dict.fromkeys((absolute, os.path.realpath(absolute))))


def read_request(line: bytes) -> tuple[str, list[str]] | None:
    """(token of the desktop, absolute paths) that another start has sent; None for what makes no sense."""
    try:
        token, *files = json.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    if not all(isinstance(each, str) for each in (token, *files)):
        return None
    return (token, files) if all(Path(file).is_absolute() for file in files) else None


class RunningWindows(QObject):
    """This window among the others; `show` says whether one of some files is open here, and shows it."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.show: Callable[[Sequence[str], str], bool] = lambda files, token: False
        self._folder = folder
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._take)
        self._own = folder / str(os.getpid())
        self._key = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:12]

    def listen(self) -> None:
        """Be found from now on; a window that cannot listen is just not found."""
        name = self._name(self._own)
        # What a killed process of the same number has left.
        QLocalServer.removeServer(name)
        if not self._server.listen(name):
            log.warning("other windows do not find this one: %s", self._server.errorString())
            return
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._own.touch()
        except OSError as error:
            log.warning("other windows do not find this one: %s", error)

    def close(self) -> None:
        self._server.close()
        with contextlib.suppress(OSError):
            self._own.unlink(missing_ok=True)

    def hand_over(self, file: Path) -> bool:
        """Ask the other windows for a file; returns whether one has it open and shows it."""
        token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
        request = json.dumps([token, *names_of(file)]).encode() + b"\n"
        others = (each for each in self._folder.glob("[0-9]*") if each != self._own)
        return any(self._ask(each, request) for each in others)

    def _name(self, of: Path) -> str:
        return f"anaphora-{self._key}-{of.name}"

    def _ask(self, other: Path, request: bytes) -> bool:
        socket = QLocalSocket()
        socket.connectToServer(self._name(other))
        if not socket.waitForConnected(CONNECT_MS):
            if socket.error() in _NOBODY:
                QLocalServer.removeServer(self._name(other))
                with contextlib.suppress(OSError):
                    other.unlink(missing_ok=True)
            return False
        socket.write(request)
        left = QDeadlineTimer(REPLY_MS)
        while not socket.canReadLine() and not left.hasExpired():
            if not socket.waitForReadyRead(max(left.remainingTime(), 1)):
                break
        answer = bytes(socket.readLine(64).data()).strip()
        if not answer:
            log.warning("a window of Anaphora does not answer")
        socket.abort()
        return answer == _SHOWN

    def _take(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            if socket.canReadLine():
                self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() > _MOST_BYTES:
                socket.abort()
            return
        request = read_request(bytes(socket.readLine(_MOST_BYTES).data()))
        is_shown = request is not None and self.show(request[1], request[0])
        socket.write((_SHOWN if is_shown else b"other") + b"\n")
        socket.flush()
        socket.disconnectFromServer()
