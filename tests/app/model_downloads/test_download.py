"""A file is downloaded, resumed, tried again; every way in which that fails is played, and said in words."""

from __future__ import annotations

import errno
import random
import ssl
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from loopback_server import LoopbackServer, Play

from anaphora.model_downloads.control import Control, Rate
from anaphora.model_downloads.download import FileDownload, cannot_write
from anaphora.model_downloads.errors import ChecksumError, DownloadError, NoSpaceError
from anaphora.model_downloads.transport import Transport
from anaphora_nmt.errors import Cancelled

CONTENT = random.Random(1).randbytes(300_000)
SOON = (0.0, 0.0, 0.0)
CERTIFICATE = Path(__file__).parent / "self_signed.pem"


@pytest.fixture
def file(offer_file):
    return offer_file("model.bin", CONTENT)


@pytest.fixture
def download(file, tmp_path):
    return FileDownload(file, tmp_path / "here")


@pytest.fixture
def fetch(download, transport):
    def start(control: Control | None = None, report=lambda here: None, waits=SOON) -> bytes:
        download.fetch(transport, control or Control(), report, waits=waits)
        return download.path.read_bytes()

    return start


def test_a_file_comes_whole_and_its_progress_is_told(fetch, download, server):
    told: list[int] = []
    assert fetch(report=told.append) == CONTENT
    assert told[0] == 0 and told[-1] == len(CONTENT) and told == sorted(told)
    assert [path.name for path in download.path.parent.iterdir()] == ["model.bin.download"]
    assert fetch() == CONTENT and len(server.requests) == 1, "it is here: nobody is asked again"


def test_a_request_says_nothing_of_the_user(fetch, server, monkeypatch):
    monkeypatch.setenv("HOME", "/nobody")
    server.plays["model.bin"] = [Play(cut_after=1000)]
    fetch()
    first, again = (headers for _, headers in server.requests)
    assert first == {
        "Host": server.root.split("/")[2],
        "Accept": "*/*",
        "Accept-Encoding": "identity",
        "Connection": "keep-alive",
        "User-Agent": "Anaphora",
    }
    assert {*again} - {*first} == {"Range"}, "no cookie comes back either"


def test_what_broke_off_goes_on_by_range(fetch, server):
    server.plays["model.bin"] = [Play(cut_after=100_000), Play(cut_after=50_000)]
    assert fetch() == CONTENT
    assert server.ranges("model.bin") == ["", "bytes=100000-", "bytes=150000-"]


def test_after_a_restart_it_goes_on_where_it_was(fetch, download, file, transport, server):
    server.plays["model.bin"] = [Play(cut_after=100_000)]
    with pytest.raises(DownloadError, match=r"broke off.*what is here already is kept"):
        fetch(waits=())
    assert download.here == 100_000
    later = FileDownload(file, download.path.parent)
    later.fetch(transport, Control(), lambda here: None, waits=())
    assert later.path.read_bytes() == CONTENT
    assert server.ranges("model.bin") == ["", "bytes=100000-"]


def test_a_part_of_another_file_is_not_gone_on_with(fetch, download, file, transport, server):
    server.plays["model.bin"] = [Play(cut_after=100_000)]
    with pytest.raises(DownloadError):
        fetch(waits=())
    server.files["newer.bin"] = CONTENT
    other = FileDownload(replace(file, address=server.root + "newer.bin"), download.path.parent)
    other.fetch(transport, Control(), lambda here: None, waits=())
    assert server.ranges("newer.bin") == [""]


def test_a_server_that_knows_no_ranges_sends_all_again(fetch, server):
    server.plays["model.bin"] = [Play(cut_after=100_000), Play(ignores_range=True)]
    assert fetch() == CONTENT


def test_a_file_that_has_changed_meanwhile_begins_anew(fetch, server):
    server.tags["model.bin"] = '"new"'
    server.plays["model.bin"] = [Play(content=bytes(200_000), cut_after=100_000, headers={"ETag": '"old"'})]
    assert fetch() == CONTENT
    assert [headers.get("If-Range") for _, headers in server.requests] == [None, '"old"']


def test_a_part_that_was_of_an_older_version_is_thrown_away_once(fetch, server):
    other = bytes(len(CONTENT))
    server.plays["model.bin"] = [Play(content=other, cut_after=100_000)]
    assert fetch() == CONTENT, "without a tag only the checksum tells"
    assert server.ranges("model.bin") == ["", "bytes=100000-", ""]


@pytest.mark.parametrize(
    "content", [CONTENT[:-1], CONTENT + b"x", CONTENT[:-1] + b"x"], ids=["short", "long", "other"]
)
def test_another_file_than_the_list_names_is_refused_and_nothing_is_left(fetch, download, server, content):
    server.plays["model.bin"] = [Play(content=content)] * 9
    with pytest.raises((ChecksumError, DownloadError), match=r"not the file that the list names|broke off"):
        fetch(waits=())
    assert not download.path.exists() and len(server.requests) == 1


def test_git_names_of_small_files_are_checked(offer_file, transport, tmp_path):
    right = "ce013625030ba8dba906f756967f9e9ca394464a"  # git hash-object of "hello\n"
    file = replace(offer_file("config.json", b"hello\n"), sha256="", git_blob=right)
    FileDownload(file, tmp_path).fetch(transport, Control(), lambda here: None)
    wrong = replace(file, git_blob="0" * 40)
    (tmp_path / "config.json.download").unlink()
    with pytest.raises(ChecksumError):
        FileDownload(wrong, tmp_path).fetch(transport, Control(), lambda here: None)


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (403, "127.0.0.1 refuses to give it .403.. It may be open to others only"),
        (401, "refuses to give it"),
        (404, "does not have it any more .404.. Click Refresh in"),
        (410, "does not have it any more"),
        (407, "The proxy wants a name and a password"),
        (418, "did not answer with a file .418."),
    ],
)
def test_what_does_not_pass_is_said_and_not_tried_again(fetch, server, status, words):
    server.plays["model.bin"] = [Play(status=status)] * 9
    with pytest.raises(DownloadError, match=words):
        fetch()
    assert len(server.requests) == 1


def test_what_may_pass_is_tried_again(fetch, server):
    server.plays["model.bin"] = [Play(status=500), Play(status=503), Play(status=429)]
    assert fetch() == CONTENT and len(server.requests) == 4


def test_an_overloaded_server_is_given_up_after_some_tries(fetch, server):
    server.plays["model.bin"] = [Play(status=503)] * 9
    with pytest.raises(DownloadError, match=r"overloaded or out of order .503.. Try again later"):
        fetch()
    assert len(server.requests) == 1 + len(SOON)


def test_a_server_may_say_how_long_to_wait(server, transport):
    server.plays["model.bin"] = [Play(status=429, headers={"Retry-After": "7"})]
    with pytest.raises(DownloadError) as found, transport.open(server.root + "model.bin"):
        pass
    assert found.value.may_pass and found.value.wait == 7.0


def test_tries_are_counted_anew_when_something_has_come(fetch, server):
    server.plays["model.bin"] = [Play(cut_after=1000 * number) for number in range(1, 8)]
    assert fetch(waits=(0.0,)) == CONTENT


def test_a_server_that_falls_silent_is_given_up(fetch, server, download):
    server.plays["model.bin"] = [Play(wait=2.0)]
    with pytest.raises(DownloadError, match=r"127.0.0.1 does not answer"):
        fetch(waits=())


def test_no_network(transport, tmp_path, file):
    away = replace(file, address="http://127.0.0.1:9/model.bin")
    with pytest.raises(DownloadError, match=r"cannot be reached .*See whether there is a network"):
        FileDownload(away, tmp_path).fetch(transport, Control(), lambda here: None, waits=())


def test_a_name_that_nobody_knows(tmp_path, file):
    away = replace(file, address="https://nowhere.invalid/model.bin")
    with pytest.raises(DownloadError, match=r"nowhere\.invalid cannot be reached"):
        FileDownload(away, tmp_path).fetch(Transport(), Control(), lambda here: None, waits=())


def test_a_proxy_that_is_not_there(file, monkeypatch, tmp_path):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    away = replace(file, address="https://example.org/model.bin")
    with pytest.raises(DownloadError, match=r"(?i)proxy"):
        FileDownload(away, tmp_path).fetch(Transport(), Control(), lambda here: None, waits=())


def test_a_proxy_is_used_where_the_environment_names_one(server, file, monkeypatch, tmp_path):
    monkeypatch.setenv("HTTPS_PROXY", server.root)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    away = replace(file, address="https://example.org/model.bin")
    with pytest.raises(DownloadError, match=r"(?i)proxy"):  # the server knows no CONNECT, and says 501
        FileDownload(away, tmp_path).fetch(Transport(), Control(), lambda here: None, waits=())


def test_a_certificate_that_nobody_vouches_for(tmp_path, file):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with LoopbackServer(context) as secure:
        secure.files["model.bin"] = CONTENT
        away = replace(file, address=secure.root + "model.bin")
        with pytest.raises(DownloadError, match=r"certificate of 127.0.0.1 is not to be trusted"):
            FileDownload(away, tmp_path).fetch(Transport(), Control(), lambda here: None, waits=())
        assert not secure.requests


def test_only_https_and_redirects_only_to_it(server, transport, tmp_path, file):
    with pytest.raises(DownloadError, match=r"no secure address.*https://"):
        FileDownload(file, tmp_path).fetch(Transport(), Control(), lambda here: None)
    assert not server.requests, "loopback is for tests that say so"
    for place in ("http://example.org/model.bin", "ftp://example.org/model.bin", "file:///etc/passwd"):
        server.plays["model.bin"] = [Play(location=place)]
        with pytest.raises(DownloadError, match="no secure address"), transport.open(file.address):
            pass


def test_a_redirect_is_followed_and_a_circle_is_not(server, file, fetch):
    server.plays["model.bin"] = [Play(location="/elsewhere/model.bin")]
    server.files["elsewhere/model.bin"] = CONTENT
    assert fetch() == CONTENT
    server.plays["round"] = [Play(location="/round")] * 20
    with (
        pytest.raises(DownloadError, match="in a circle"),
        Transport(allow_loopback=True).open(server.root + "round"),
    ):
        pass
    assert len(server.ranges("round")) == 6


def test_a_full_disk_is_said_and_what_is_here_is_kept(fetch, download, monkeypatch):
    class Full:
        def __init__(self, file):
            self._file = file

        def __enter__(self):
            return self

        def __exit__(self, *_):
            self._file.close()

        def truncate(self, size):
            self._file.truncate(size)

        def write(self, data):
            if self._file.tell() > 100_000:
                raise OSError(28, "No space left on device")
            self._file.write(data)

    opened = Path.open

    def open_full(path, mode="r", *args, **kwargs):
        file = opened(path, mode, *args, **kwargs)
        return Full(file) if mode == "ab" else file

    monkeypatch.setattr(Path, "open", open_full)
    with pytest.raises(NoSpaceError, match="The disk is full"):
        fetch()
    assert download.here > 100_000


def test_it_pauses_gives_the_connection_back_and_goes_on(download, transport, server):
    control, told = Control(), threading.Event()
    server.plays["model.bin"] = [Play(slow=0.02)]

    def report(here: int) -> None:
        if here > 60_000 and not told.is_set():
            control.pause(True)
            told.set()

    thread = threading.Thread(target=lambda: download.fetch(transport, control, report))
    thread.start()
    assert told.wait(20)
    thread.join(0.3)
    paused = download.here
    assert thread.is_alive() and 0 < paused < len(CONTENT) and len(server.requests) == 1
    control.pause(False)
    thread.join(20)
    assert download.path.read_bytes() == CONTENT
    assert server.ranges("model.bin") == ["", f"bytes={paused}-"]


def test_it_is_cancelled_while_it_downloads_while_it_waits_and_while_it_is_paused(
    download, transport, server
):
    for play in (Play(slow=0.02), Play(status=503)):
        control = Control()
        server.plays["model.bin"] = [play] * 3
        timer = threading.Timer(0.15, control.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            download.fetch(transport, control, lambda here: None, waits=(30.0,))
    control = Control()
    control.pause(True)
    threading.Timer(0.1, control.cancel).start()
    with pytest.raises(Cancelled):
        download.fetch(transport, control, lambda here: None)


def test_the_rate_is_that_of_the_last_seconds():
    now = [0.0]
    rate = Rate(lambda: now[0])
    told = []
    for second in range(30):
        now[0] = float(second)
        told.append(rate.add(second * 1000 if second < 15 else 15_000 + (second - 15) * 5000))
    assert told[0] == 0.0 and told[10] == pytest.approx(1000) and told[-1] == pytest.approx(5000)


def test_why_a_file_cannot_be_written_is_said_in_the_systems_words(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    full = cannot_write(path, OSError(errno.ENOSPC, "No space left on device"))
    assert isinstance(full, NoSpaceError) and "disk is full" in str(full)
    denied = cannot_write(path, OSError(errno.EACCES, "Permission denied"))
    assert not isinstance(denied, NoSpaceError)
    assert f"{path} cannot be written (Permission denied)" in str(denied)
    assert "(something)" in str(cannot_write(path, OSError("something")))
