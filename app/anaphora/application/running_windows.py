"""The windows of Anaphora that one person has open, each a process: finding them, and asking them something.

Each window listens at a local socket, which only the same account reaches, and keeps a small file that names
the socket in a folder of the data folder. A file that a killed process has left is found out by its socket,
at which nobody listens.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from filelock import FileLock, Timeout
from PySide6.QtCore import QDeadlineTimer, QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from anaphora.core.file_names import with_home
from anaphora.core.files import replacing

log = logging.getLogger(__name__)

CONNECT_MS = 1000
REPLY_MS = 8000
"""Until a window that says nothing is passed over: it hangs."""
STARTING_MS = 60000
"""The same of one that is still starting: what it loads may come from a slow disk."""
SILENT_MS = 1000
START_SECONDS = 5.0
"""Until a start goes on although another one has not come to its end."""
_MOST_BYTES = 1 << 16
_SHOWN, _OTHER = "shown", "other"


@dataclass(frozen=True, slots=True)
class Request:
    """What the start of the program asks a window that runs already.

    Attributes:
        files: a file by its absolute path, and where its links lead; none where no file was named.
        here: whether it is to be opened in that window although something else is open there.
        token: the desktop's leave to come to the front (Wayland); "" where there is none.
    """

    files: tuple[str, ...] = ()
    here: bool = False
    token: str = ""

    @classmethod
    def of(cls, file: Path | None, here: bool = False) -> Request:
        """The request for a file that was named at the start."""
        token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
        if file is None:
            return cls((), here, token)
        absolute = str(with_home(file).absolute())
        return cls(tuple(dict.fromkeys((absolute, os.path.realpath(absolute)))), here, token)

    @classmethod
    def read(cls, line: bytes) -> Request | None:
        """One that was sent; None for what makes no sense."""
        try:
            found = json.loads(line)
            files, here, token = found["files"], found["here"], found["token"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        if not (isinstance(files, list) and isinstance(here, bool) and isinstance(token, str)):
            return None
        if not all(isinstance(file, str) and Path(file).is_absolute() for file in files):
            return None
        return cls(tuple(files), here, token)


class RunningWindows(QObject):
    """This window among the others."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        """Found nothing yet.

        Args:
            folder: where the windows' files lie.
        """
        super().__init__(parent)
        self._answer: Callable[[Request], bool] = lambda _: False
        self._folder = folder
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._take)
        self._own = folder / f"{os.getpid()}.json"
        self._silent: set[str] = set()

    @contextmanager
    def starting(self) -> Iterator[None]:
        """One start at a time: of two in the same second the second one finds the first."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._folder / "start.lock", timeout=START_SECONDS)
            lock.acquire()
        except (OSError, Timeout) as error:
            log.warning("another start may be under way: %s", error)
            yield
            return
        try:
            yield
        finally:
            lock.release()

    def listen(self) -> None:
        """Be found from now on, though nothing is answered yet; who cannot listen is just not found."""
        key = hashlib.sha256(os.fsencode(os.path.realpath(self._folder))).hexdigest()[:12]
        name = f"anaphora-{key}-{os.getpid()}"
        # What a killed process of the same number has left.
        QLocalServer.removeServer(name)
        if not self._server.listen(name):
            log.warning("other windows do not find this one: %s", self._server.errorString())
            return
        self._tell(is_ready=False)

    def be_ready(self, answer: Callable[[Request], bool]) -> None:
        """The window stands.

        Args:
            answer: says whether a request was met.
        """
        self._answer = answer
        if self._server.isListening():
            self._tell(is_ready=True)

    def _tell(self, is_ready: bool) -> None:
        found = {"server": self._server.fullServerName(), "ready": is_ready}
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            # Nobody reads half of it.
            with replacing(self._own, durable=False) as unfinished:
                unfinished.write_text(json.dumps(found), "utf-8")
        except OSError as error:
            log.warning("other windows do not find this one: %s", error)

    def touch(self) -> None:
        """Count as the window that was used last."""
        with contextlib.suppress(OSError):
            os.utime(self._own)

    def close(self) -> None:
        """Be found no more."""
        self._server.close()
        with contextlib.suppress(OSError):
            self._own.unlink(missing_ok=True)

    def hand_over(self, request: Request) -> bool:
        """Ask the others, the one used last first; returns whether one has met the request.

        Where nobody has the file open, it goes to the one used last, if the request allows that.
        """
        others = self._others()
        if request.files:
            plain = replace(request, here=False)
            answers = {server: self._ask(server, plain, wait) for server, wait in others.items()}
            if _SHOWN in answers.values():
                return True
        return request.here and any(
            self._ask(server, request, wait) == _SHOWN for server, wait in others.items()
        )

    def _ask(self, server: str, request: Request, wait_ms: int) -> str:
        """What a window answers; one that said nothing the last time is hardly waited for."""
        answer = _ask(server, request, SILENT_MS if server in self._silent else wait_ms)
        (self._silent.discard if answer else self._silent.add)(server)
        return answer

    def _others(self) -> dict[str, int]:
        """The sockets of the windows that listen, and how long each is waited for, in milliseconds.

        Files of killed processes are removed.
        """
        found = {}
        for file in sorted(self._folder.glob("*.json"), key=_used, reverse=True):
            if file == self._own:
                continue
            try:
                said = json.loads(file.read_text("utf-8"))
                server, is_ready = str(said["server"]), bool(said["ready"])
            except (OSError, ValueError, TypeError, KeyError, RecursionError):
                server, is_ready = "", False
            if server and _is_listening(server):
                found[server] = REPLY_MS if is_ready else STARTING_MS
                continue
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
            if server:
                QLocalServer.removeServer(server)
        return found

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
        request = Request.read(bytes(socket.readLine(_MOST_BYTES).data()))
        is_met = request is not None and self._answer(request)
        socket.write(f"{_SHOWN if is_met else _OTHER}\n".encode())
        socket.flush()
        socket.disconnectFromServer()


def _used(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0


def _is_listening(server: str) -> bool:
    socket = QLocalSocket()
    socket.connectToServer(server)
    is_there = socket.waitForConnected(CONNECT_MS)
    socket.abort()
    return is_there or socket.error() not in _NOBODY


_NOBODY = (
    QLocalSocket.LocalSocketError.ServerNotFoundError,
    QLocalSocket.LocalSocketError.ConnectionRefusedError,
)


def _ask(server: str, request: Request, wait_ms: int) -> str:
    """What a window answers to a request; "" where it says nothing in time."""
    socket = QLocalSocket()
    socket.connectToServer(server)
    if not socket.waitForConnected(CONNECT_MS):
        return ""
    socket.write(json.dumps(asdict(request)).encode() + b"\n")
    left = QDeadlineTimer(wait_ms)
    while not socket.canReadLine() and not left.hasExpired():
        if not socket.waitForReadyRead(max(left.remainingTime(), 1)):
            break
    answer = bytes(socket.readLine(64).data()).decode("ascii", "replace").strip()
    if not answer:
        log.warning("a window of Anaphora does not answer")
    socket.abort()
    return answer
