"""A server on this computer that gives files, and plays whatever can go wrong with a download."""

from __future__ import annotations

import re
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

CHUNK = 1 << 14


@dataclass
class Play:
    """How one request for a file goes.

    Attributes:
        status: instead of the file.
        cut_after: bytes of this answer after which the connection breaks off.
        content: another one than the file's.
        location: a redirect goes there.
        wait: seconds before anything is said.
        slow: seconds between two parts.
        headers: sent besides.
        ignores_range: the whole file is sent, whatever was asked for.
        hold: each part waits for this.
    """

    status: int = 200
    cut_after: int | None = None
    content: bytes | None = None
    location: str = ""
    wait: float = 0.0
    slow: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)
    ignores_range: bool = False
    hold: threading.Event | None = None


class LoopbackServer:
    """Gives `files` by their paths.

    Attributes:
        plays: by path, how the next requests go; then the file is given as it should be.
        requests: (path, headers) of all that came.
    """

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        self.files: dict[str, bytes] = {}
        self.plays: dict[str, list[Play]] = {}
        self.tags: dict[str, str] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        if context is not None:
            self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self._scheme = "http" if context is None else "https"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def root(self) -> str:
        """Its address, with a slash at the end."""
        return f"{self._scheme}://127.0.0.1:{self._server.server_address[1]}/"

    def ranges(self, path: str) -> list[str]:
        """What was asked for of a file: "" for the whole of it."""
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
            path = self.path.lstrip("/")
            server.requests.append((path, dict(self.headers)))
            waiting = server.plays.get(path) or server.plays.get(path.partition("?")[0])
            play = waiting.pop(0) if waiting else Play()
            time.sleep(play.wait)
            content = server.files.get(path, server.files.get(path.partition("?")[0]))
            if play.content is not None:
                content = play.content
            if play.location or play.status != 200 or content is None:
                self._refuse(play.status if play.status != 200 or play.location else 404, play)
                return
            self._give(content, play, server.tags.get(path, ""))

        def _refuse(self, status: int, play: Play) -> None:
            self.send_response(302 if play.location and status == 200 else status)
            headers = {"Location": play.location} if play.location else {}
            for name, value in {**headers, **play.headers, "Content-Length": "0"}.items():
                self.send_header(name, value)
            self.end_headers()

        def _give(self, content: bytes, play: Play, tag: str) -> None:
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            start = int(asked[1]) if asked and not play.ignores_range else 0
            if "If-Range" in self.headers and self.headers["If-Range"] != tag:
                start = 0
            if start and start >= len(content):
                self._refuse(416, play)
                return
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            if tag and "ETag" not in play.headers:
                self.send_header("ETag", tag)
            for name, value in play.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content) - start))
            self.send_header("Set-Cookie", "who=you")
            self.end_headers()
            self._send(content[start:], play)

        def _send(self, content: bytes, play: Play) -> None:
            end = len(content) if play.cut_after is None else play.cut_after
            try:
                for at in range(0, end, CHUNK):
                    if play.hold is not None:
                        play.hold.wait(30)
                    self.wfile.write(content[at : min(at + CHUNK, end)])
                    time.sleep(play.slow)
            except OSError:
                self.close_connection = True  # who asked has gone
            if end < len(content):
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
