"""Downloading a file; every failure is simulated and reported in words."""

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


def test_a_file_comes_whole_and_its_progress_is_reported(get, path, file):
    told: list[int] = []
    assert get(report=told.append) == CONTENT
    assert told[0] == 0 and told[-1] == file.size and told == sorted(told)
    assert [*path.parent.iterdir()] == [path]


def test_a_request_shows_nothing_of_the_user(get, server, monkeypatch):
    monkeypatch.setenv("HOME", "/nobody")
    get()
    get()
    for _, headers in server.requests:  # no cookie comes back either
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
def test_another_file_than_the_list_names_is_refused(get, server, content):
    server.plays["model.bin"] = [Play(content=gzip.compress(content))]
    with pytest.raises(DownloadError, match="does not match the list"):
        get()


def test_what_breaks_off_or_falls_silent_is_reported(get, server):
    server.plays["model.bin"] = [Play(cut_after=100_000), Play(wait=2.0)]
    with pytest.raises(DownloadError, match=r"broke off"):
        get()
    with pytest.raises(DownloadError, match=r"127.0.0.1 does not answer"):
        get()


def test_it_is_cancelled_while_it_downloads(get, server):
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
def test_what_only_drips_ends_and_can_be_cancelled(server, file, drip):
    """No phase of a download goes on for ever, and none keeps who cancels waiting."""
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
def test_a_malformed_address_is_said(server, transport, file, place):
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
def test_what_a_server_refuses_is_reported(get, server, status, words):
    server.plays["model.bin"] = [Play(status=status)]
    with pytest.raises(DownloadError, match=words):
        get()


def test_a_name_that_is_never_resolved_keeps_nothing_waiting(tmp_path, file, transport, monkeypatch):
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


def test_no_network(transport, tmp_path, file):
    away = replace(file, address="http://127.0.0.1:9/model.bin")
    with pytest.raises(DownloadError, match=r"127\.0\.0\.1 cannot be reached\. Check the network connection"):
        fetch(away, tmp_path / "here", transport, Control(), lambda here: None)


def test_a_name_that_is_unknown(tmp_path, file):
    away, begun = replace(file, address="https://nowhere.invalid/model.bin"), time.monotonic()
    with pytest.raises(DownloadError, match=r"nowhere\.invalid cannot be reached"):
        fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        away = replace(file, address=f"https://127.0.0.1:{silent.getsockname()[1]}/model.bin")
        with pytest.raises(DownloadError, match=r"127\.0\.0\.1 cannot be reached"):
            fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)
    assert time.monotonic() - begun < 10, "it does not wait as long as for a slow answer"


def test_a_proxy_is_used_where_the_environment_names_one(server, file, monkeypatch, tmp_path):
    monkeypatch.setenv("HTTPS_PROXY", server.root)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    away = replace(file, address="https://example.org/model.bin")
    with pytest.raises(DownloadError, match=r"(?i)proxy"):  # the server lacks CONNECT and returns 501
        fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)


def test_a_certificate_that_is_not_trusted(tmp_path, file):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with LoopbackServer(context) as secure:
        secure.files["model.bin"] = CONTENT
        away = replace(file, address=secure.root + "model.bin")
        with pytest.raises(DownloadError, match=r"certificate of 127.0.0.1 is not trusted"):
            fetch(away, tmp_path / "here", Transport(), Control(), lambda here: None)
        assert not secure.requests


def test_only_https_and_redirects_only_to_it(server, transport, tmp_path, file):
    with pytest.raises(DownloadError, match=r"not a secure address.*https://"):
        fetch(file, tmp_path / "here", Transport(), Control(), lambda here: None)
    assert not server.requests, "loopback is for tests that say so"
    for place in ("http://example.org/model.bin", "ftp://example.org/model.bin", "file:///etc/passwd"):
        server.plays["model.bin"] = [Play(location=place)]
        with pytest.raises(DownloadError, match="not a secure address"):
            transport.read(file.address, len, Control())


def test_a_redirect_is_followed_and_a_circle_is_not(server, get):
    server.plays["model.bin"] = [Play(location="/elsewhere/model.bin")]
    server.files["elsewhere/model.bin"] = gzip.compress(CONTENT)
    assert get() == CONTENT
    server.plays["round"] = [Play(location="/round")] * 20
    with pytest.raises(DownloadError, match="broke off"):
        Transport(allow_loopback=True).read(server.root + "round", len, Control())
    assert len(server.ranges("round")) == 6
