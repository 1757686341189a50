"""Documents in a local S3 server: reading, writing, continued runs and broken connections."""

from __future__ import annotations

import json
import logging
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from small_documents import make

from anaphora.cli.batch.ledger import FILE_NAME, FOLDER_NAME
from anaphora.main import main

pytestmark = pytest.mark.skipif(not (find_spec("moto") and find_spec("s3fs")), reason="needs moto and s3fs")

SECRET = "wJalrXUtnFEMI/K7MDENG/secret"
LOCAL = "127.0.0.1"


class Way:
    """A proxy to a server, which cuts connections that send a given text."""

    def __init__(self, server: tuple[str, int]) -> None:
        self._server = server
        self._text, self._times = b"", 0.0
        self.cut = 0
        self._listener = socket.create_server((LOCAL, 0))
        self.address = f"http://{LOCAL}:{self._listener.getsockname()[1]}"
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def cuts(self, text: bytes, times: float = float("inf")) -> None:
        """Cut the next connections that carry this text."""
        self._text, self._times, self.cut = text, times, 0

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # otherwise its thread would wait forever
        self._listener.close()
        self._accepting.join(10)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _carry(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(self._server) as server:
            others = {client: server, server: client}
            while True:
                for one in select.select([*others], [], [])[0]:
                    data = one.recv(1 << 16)
                    is_cut = bool(self._text) and self._text in data and self.cut < self._times
                    others[one].sendall(
                        data[: data.index(self._text) + len(self._text) // 2] if is_cut else data
                    )
                    self.cut += is_cut
                    if is_cut or not data:
                        return


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[str, int]]:
    from moto import server as moto_server

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    running = moto_server.ThreadedMotoServer(ip_address=LOCAL, port=0, verbose=False)
    running.start()
    yield running.get_host_and_port()
    running.stop()


@pytest.fixture
def way(server: tuple[str, int], monkeypatch: pytest.MonkeyPatch) -> Iterator[Way]:
    """The command's access to the server; address and login come from the environment."""
    way = Way(server)
    environment = {
        "AWS_ENDPOINT_URL": way.address,
        "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
        "AWS_SECRET_ACCESS_KEY": SECRET,
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_MAX_ATTEMPTS": "2",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    from s3fs import S3FileSystem

    monkeypatch.setattr(S3FileSystem, "retries", 2)  # the default is five tries with pauses
    S3FileSystem.clear_instance_cache()  # the last one is of another address
    yield way
    way.close()


@pytest.fixture
def bucket(way: Way, server: tuple[str, int]) -> Iterator[Any]:
    """An empty bucket called "box", accessed without the proxy."""
    from s3fs import S3FileSystem

    system = S3FileSystem(endpoint_url=f"http://{server[0]}:{server[1]}", skip_instance_cache=True)
    system.mkdir("box")
    yield system
    system.rm("box", recursive=True)


def written(bucket: Any, folder: str) -> dict[str, bytes]:
    """All files of a folder except the progress files."""
    bucket.invalidate_cache()
    found = bucket.find(f"box/{folder}")
    names = {path: path.removeprefix(f"box/{folder}/") for path in found}
    return {name: bucket.cat_file(path) for path, name in names.items() if not name.startswith(FOLDER_NAME)}


def translated(root: Path, out: Path) -> dict[str, bytes]:
    """The files of the same translation from and to local folders."""
    assert main(["translate", "--pseudo", str(root), "-o", str(out), "--jobs", "1"]) == 0
    files = [path for path in out.rglob("*") if path.is_file() and path.name != FILE_NAME]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


COMMAND = ["translate", "--pseudo", "s3://box/in", "-o", "s3://box/out", "--jobs", "2"]


def test_documents_in_a_bucket_are_translated_and_the_run_continues(bucket, tmp_path: Path, capsys) -> None:
    root, report = tmp_path / "in", tmp_path / "report.json"
    made = make(root, [[f"第{number}页。", "打开文件。"] for number in range(8)])
    bucket.put(f"{root}/", "box/in/", recursive=True)
    bucket.pipe_file("box/in/broken.docx", b"PK")
    assert main([*COMMAND, "--report", str(report)]) == 1
    expected = translated(root, tmp_path / "out")
    assert set(expected) == set(made) and written(bucket, "out") == expected
    results = {each["name"]: each["status"] for each in json.loads(report.read_text("utf-8"))["documents"]}
    assert results == {**dict.fromkeys(made, "done"), "broken.docx": "failed"}
    assert main(COMMAND) == 1
    assert "not empty" in capsys.readouterr().err
    bucket.pipe_file(f"box/in/{made[0]}", "改了。\n".encode())
    bucket.rm([f"box/out/{made[1]}", "box/in/broken.docx"])
    kept = bucket.info(f"box/out/{made[2]}")["LastModified"]
    assert main([*COMMAND, "--resume"]) == 0
    assert f"({len(made) - 2} earlier)" in capsys.readouterr().out
    after = written(bucket, "out")
    assert "改了" in after.pop(made[0]).decode() and expected.pop(made[0]) and after == expected
    assert bucket.info(f"box/out/{made[2]}")["LastModified"] == kept


def test_empty_files_for_folders_are_not_documents(bucket, capsys) -> None:
    """S3's console stores a folder as an empty file whose name ends in a slash."""
    for name in ("in/", "in/sub/", "in/sub.txt/", "out/"):
        bucket.call_s3("put_object", Bucket="box", Key=name, Body=b"")
    bucket.pipe_file("box/in/sub/a #?&%41+.txt", "打开文件。\n".encode())
    assert main(COMMAND) == 0
    assert "1 of 1 documents" in (printed := capsys.readouterr()).out and "other kinds" not in printed.err
    assert [*written(bucket, "out")] == ["", "sub/a #?&%41+.txt"]


def test_a_broken_connection_is_retried(bucket, way: Way, tmp_path: Path) -> None:
    root = tmp_path / "in"
    made = make(root, [["打开文件。", f"第{number}页。"] for number in range(3)])
    bucket.put(f"{root}/", "box/in/", recursive=True)
    expected = translated(root, tmp_path / "out")
    for text, out in (("第1页".encode(), "one"), (expected[made[1]], "two")):
        way.cuts(text, 1)
        assert main([*COMMAND[:3], "-o", f"s3://box/{out}", "--jobs", "1"]) == 0
        assert way.cut == 1 and written(bucket, out) == expected


@pytest.mark.parametrize("is_read", [True, False])
def test_a_permanently_broken_connection_loses_only_its_document(
    bucket, way: Way, tmp_path: Path, capsys, is_read: bool
) -> None:
    root = tmp_path / "in"
    made = make(root, [[f"第{number}页。"] for number in range(3)])
    bucket.put(f"{root}/", "box/in/", recursive=True)
    expected = translated(root, tmp_path / "out")
    way.cuts(f"{'GET /box/in' if is_read else 'PUT /box/out'}/{made[1]} ".encode())
    assert main(COMMAND) == 1
    assert way.cut > 1
    shown = capsys.readouterr()
    assert f"{made[1]}: “s3://box/{'in' if is_read else 'out'}/{made[1]}” could not be reached: " in shown.err
    assert "Traceback" not in shown.err and "1 failed" in shown.out
    whole = written(bucket, "out")
    assert set(whole) == set(made) - {made[1]} and whole.items() <= expected.items()
    way.cuts(b"")
    assert main([*COMMAND, "--resume"]) == 0
    assert "(2 earlier)" in capsys.readouterr().out and written(bucket, "out") == expected


def test_login_details_are_not_revealed(bucket, tmp_path: Path, capsys, monkeypatch) -> None:
    report = tmp_path / "report.json"
    bucket.pipe_file("box/in/a.txt", "打开文件。\n".encode())
    (tmp_path / "a.txt").write_text("打开文件。\n", "utf-8")
    assert main([*COMMAND, "--report", str(report)]) == 0
    texts = [report.read_text("utf-8"), *capsys.readouterr()]
    texts += [bucket.cat_file(path).decode() for path in bucket.find("box/out")]
    for address in (f"s3://AKIA:{SECRET}@box/none", "s3://gone/in"):
        assert main(["translate", "--pseudo", address, "-o", str(tmp_path / "out")]) == 1
        assert main(["translate", "--pseudo", str(tmp_path), "-o", f"{address}/out"]) == 1
        texts += capsys.readouterr()
    assert "s3://AKIA:***@box/none" in "".join(texts) and not bucket.exists("gone"), "no bucket is made"
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    bucket.clear_instance_cache()
    assert main([*COMMAND, "--resume"]) == 1
    printed = capsys.readouterr().err
    assert "credentials" in printed and "Traceback" not in printed
    assert SECRET.rpartition("/")[2] not in "".join([*texts, printed])
