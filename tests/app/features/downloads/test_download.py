"""Downloading a file; every failure is simulated and gives a message."""

from __future__ import annotations

import gzip
import random
import socket
import ssl
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from loopback_server import LoopbackServer, Play

from anaphora.features.downloads.getting import fetch
from anaphora.features.downloads.transport import Control, DownloadError, Transport
from anaphora_nmt.errors import Cancelled

CONTENT = random.Random(1).randbytes(300_000)
CERTIFICATE = Path(__file__).parent / "self_signed.pem"


@pytest.fixture
def file(offer_file):
    return offer_file("model.bin", CONTENT)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.bin.download"


@pytest.fixture
def get(file, path, transport):
    def start(control: Control | None = None, report=lambda here: None) -> bytes:
        fetch(file, path, transport, control or Control(), report)
        return path.read_bytes()

    return start


def test_a_file_is_downloaded_and_progress_reported(get, path, file):
    told: list[int] = []
    assert get(report=told.append) == CONTENT
    assert told[0] == 0 and told[-1] == file.size and told == sorted(told)
    assert [*path.parent.iterdir()] == [path]


def test_a_request_contains_no_data_about_the_user(get, server, monkeypatch):
    monkeypatch.setenv("HOME", "/nobody")
    get()
    get()
    for _, headers in server.requests:  # cookies are not sent back
        assert headers == {
            "Host": server.root.split("/")[2],
            "Accept": "*/*",
            "Accept-Encoding": "identity",
            "Connection": "keep-alive",
            "User-Agent": "Anaphora",
        }


@pytest.mark.parametrize(
    "content", [CONTENT[:-1], CONTENT + b"x", CONTENT[:-1] + b"x"], ids=["short", "long", "other"]
)
def test_a_file_that_differs_from_the_list_is_refused(get, server, content):
    server.plays["model.bin"] = [Play(content=gzip.compress(content))]
    with pytest.raises(DownloadError, match="does not match the list"):
        get()


def test_broken_and_silent_connections_are_reported(get, server):
    server.plays["model.bin"] = [Play(cut_after=100_000), Play(wait=2.0)]
    with pytest.raises(DownloadError, match=r"was interrupted"):
        get()
    with pytest.raises(DownloadError, match=r"127.0.0.1 does not answer"):
        get()


def test_a_download_can_be_cancelled(get, server):
    control = Control()
    server.plays["model.bin"] = [Play(slow=0.02)]
    threading.Timer(0.15, control.cancel).start()
    with pytest.raises(Cancelled):
        get(control)


@pytest.mark.parametrize(
    "drip",
    [
        (b"HTTP/1.1 100 Continue\r\n\r\n",),
        (b"HTTP/1.1 200 OK\r\nX: ", b"a"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
        (b"",),
    ],
    ids=["answers before the answer", "a header", "a list", "nothing"],
)
def test_a_very_slow_download_ends_and_can_be_cancelled(server, file, drip):
    """Each phase of a download has a time limit and can be cancelled at once."""
    server.plays["model.bin"] = [Play(drip=drip), Play(drip=drip)]
    with pytest.raises(DownloadError, match=r"127.0.0.1 does not answer"):
        Transport(allow_loopback=True, seconds=0.3).read_json(file.address)
    control = Control()
    threading.Timer(0.2, control.cancel).start()
    begun = time.monotonic()
    with pytest.raises(Cancelled):
        Transport(allow_loopback=True).read_json(file.address, control)
    assert time.monotonic() - begun < 10
    with pytest.raises(Cancelled):
        Transport(allow_loopback=True).read_json(file.address, control)


@pytest.mark.parametrize("place", ["http://[::1", "https://\xff.com/%zz", "https://localhost:99999/"])
def test_a_malformed_address_is_reported(server, transport, file, place):
    server.plays["model.bin"] = [Play(location=place)]
    for address in (place, file.address):
        with pytest.raises(DownloadError):
            transport.read(address, len, Control())


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "no longer provides the file .404."),
        (410, "no longer provides the file"),
        (407, "The proxy requires a user name and a password"),
        (418, "did not return a file .418."),
        (503, "overloaded or out of service .503.. Try again later"),
    ],
)
def test_refusals_by_a_server_are_reported(get, server, status, words):
    server.plays["model.bin"] = [Play(status=status)]
    with pytest.raises(DownloadError, match=words):
        get()


def test_an_unresolved_host_name_does_not_block(tmp_path, file, transport, monkeypatch):
    resolved = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: resolved.wait(20) and [])
    away = replace(file, address="https://models.invalid/model.bin")
    begun = time.monotonic()
    try:
        with pytest.raises(DownloadError, match=r"models\.invalid cannot be reached"):
            fetch(away, tmp_path / "here", transport, Control(), lambda here: None)
    finally:
        resolved.set()
    assert time.monotonic() - begun < 10


def test_a_missing_network_is_reported(transport, tmp_path, file):
    away = replace(file, address="http://127.0.0.1:9/model.bin")
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1 cannot be reached\. Check the network connection"):
        fetch(away, tmp_path / "here", transport, Control(), lambda here: None)


def test_an_unknown_host_name_is_reported(tmp_path, file):
    away, begun = replace(file, address="https://nowhere.invalid/model.bin"), time.monotonic()
    with pytest.raises(DownloadError, match=r"nowhere\.invalid cannot be reached"):
        fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        away = replace(file, address=f"https://127.0.0.1:{silent.getsockname()[1]}/model.bin")
        with pytest.raises(DownloadError, match=r"127\.0\.0\.1 cannot be reached"):
            fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)
    assert time.monotonic() - begun < 10, "the time limit is shorter than for a slow answer"


def test_a_proxy_in_the_environment_is_used(server, file, monkeypatch, tmp_path):
    monkeypatch.setenv("HTTPS_PROXY", server.root)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    away = replace(file, address="https://example.org/model.bin")
    with pytest.raises(DownloadError, match=r"(?i)proxy"):  # the server lacks CONNECT and returns 501
        fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)


def test_an_untrusted_certificate_is_reported(tmp_path, file):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with LoopbackServer(context) as secure:
        secure.files["model.bin"] = CONTENT
        away = replace(file, address=secure.root + "model.bin")
        with pytest.raises(DownloadError, match=r"certificate of 127.0.0.1 is not trusted"):
            fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)
        assert not secure.requests


def test_only_https_is_used_also_in_redirects(server, transport, tmp_path, file):
    with pytest.raises(DownloadError, match=r"not a secure address.*https://"):
        fetch(file, tmp_path / "here", Transport(), Control(), lambda here: None)
    assert not server.requests, "loopback must be enabled"
    for place in ("http://example.org/model.bin", "ftp://example.org/model.bin", "file:///etc/passwd"):
        server.plays["model.bin"] = [Play(location=place)]
        with pytest.raises(DownloadError, match="not a secure address"):
            transport.read(file.address, len, Control())


def test_redirects_are_followed_but_not_loops(server, get):
    server.plays["model.bin"] = [Play(location="/elsewhere/model.bin")]
    server.files["elsewhere/model.bin"] = gzip.compress(CONTENT)
    assert get() == CONTENT
    server.plays["round"] = [Play(location="/round")] * 20
    with pytest.raises(DownloadError, match="was interrupted"):
        Transport(allow_loopback=True).read(server.root + "round", len, Control())
    assert len(server.ranges("round")) == 6
