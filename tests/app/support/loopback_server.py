"""A local server that provides files and simulates failures of downloads."""

from __future__ import annotations

import itertools
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

CHUNK = 1 << 14


@dataclass
class Play:
    """The server's behaviour for one request.

    Attributes:
        status: HTTP status; the file is sent only with 200.
        cut_after: number of bytes after which the connection is closed.
        content: replaces the content of the file.
        location: target of a redirect.
        wait: seconds before the answer.
        slow: seconds between two parts.
        drip: raw parts to send instead of an answer; the last one is repeated.
    """

    status: int = 200
    cut_after: int | None = None
    content: bytes | None = None
    location: str = ""
    wait: float = 0.0
    slow: float = 0.0
    drip: tuple[bytes, ...] = ()


class LoopbackServer:
    """Serves `files` by their paths.

    Attributes:
        plays: behaviours for the next requests, by path; later requests are answered normally.
        requests: (path, headers) of all requests.
    """

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.files: dict[str, bytes] = {}
        self.plays: dict[str, list[Play]] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._scheme = "http" if context is None else "https"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def root(self) -> str:
        """The server's URL with a final slash."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}/"

    def ranges(self, path: str) -> list[str]:
        """The requested ranges of a file; "" for a whole file."""
        return [headers.get("Range", "") for each, headers in self.requests if each == path]

    def __enter__(self) -> LoopbackServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler(server: LoopbackServer) -> Callable[..., BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            try:
                self._answer()
            except OSError:
                self.close_connection = True  # the client has disconnected

        def _answer(self) -> None:
            path = self.path.lstrip("/")
            server.requests.append((path, dict(self.headers)))
            waiting = server.plays.get(path) or server.plays.get(path.partition("?")[0])
            play = waiting.pop(0) if waiting else Play()
            time.sleep(play.wait)
            if play.drip:
                self._drip(*play.drip)
                return
            content = server.files.get(path, server.files.get(path.partition("?")[0]))
            if play.content is not None:
                content = play.content
            if play.location or play.status != 200 or content is None:
                self._refuse(play.status if play.status != 200 or play.location else 404, play)
                return
            self._give(content, play)

        def _drip(self, *parts: bytes) -> None:
            for part in itertools.chain(parts, itertools.repeat(parts[-1], 400)):
                self.wfile.write(part)
                time.sleep(0.05)
            self.close_connection = True

        def _refuse(self, status: int, play: Play) -> None:
            self.send_response(302 if play.location and status == 200 else status)
            headers = {"Location": play.location} if play.location else {}
            for name, value in {**headers, "Content-Length": "0"}.items():
                self.send_header(name, value)
            self.end_headers()

        def _give(self, content: bytes, play: Play) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Set-Cookie", "who=you")
            self.end_headers()
            self._send(content, play)

        def _send(self, content: bytes, play: Play) -> None:
            end = len(content) if play.cut_after is None else play.cut_after
            for at in range(0, end, CHUNK):
                self.wfile.write(content[at : min(at + CHUNK, end)])
                time.sleep(play.slow)
            if end < len(content):
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
