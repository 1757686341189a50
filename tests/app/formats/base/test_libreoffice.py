"""Conversion by LibreOffice: cancelled immediately, limited, and killed with all child processes."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest

from anaphora.core.long_work import CancelledError
from anaphora.formats.base.format import FormatError
from anaphora.formats.office import converted as libreoffice
from anaphora.formats.office.converted import Bounds, Conversion, convert, find_program

PROGRAM = find_program()
needs_libreoffice = pytest.mark.skipif(not PROGRAM, reason="LibreOffice is not installed")
LETTER = rb"{\rtf1\ansi {\b Dear} reader\par}"
TO_WORD = Conversion(".rtf", "docx")


def processes(folder: Path) -> list[str]:
    """Command lines of processes that use files in a folder."""
    lines = (" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"]))
    return [line for line in lines if str(folder) in line]


def wait_for(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def own_folder(tmp_path, monkeypatch) -> Path:
    """The folder for files of conversions."""
    monkeypatch.setattr(libreoffice.tempfile, "tempdir", str(tmp_path))
    return tmp_path


@needs_libreoffice
def test_cancelling_kills_all_processes_at_once(own_folder) -> None:
    begun: list[float] = []

    def step(_: float) -> None:
        if any("soffice.bin" in line for line in processes(own_folder)):
            begun.append(time.monotonic())
            raise CancelledError

    with pytest.raises(CancelledError):
        convert(LETTER, TO_WORD, PROGRAM, step)
    assert time.monotonic() - begun[0] < 0.5
    assert processes(own_folder) == [] and list(own_folder.iterdir()) == []


@needs_libreoffice
@pytest.mark.parametrize("bounds", (Bounds(seconds=0.3), Bounds(memory=60 * 2**20)))
def test_time_and_memory_are_bounded(own_folder, bounds) -> None:
    with pytest.raises(FormatError, match="LibreOffice"):
        convert(LETTER, TO_WORD, PROGRAM, bounds=bounds)
    assert processes(own_folder) == [] and list(own_folder.iterdir()) == []


@needs_libreoffice
def test_neither_the_network_nor_other_files_are_read(own_folder, monkeypatch) -> None:
    asked: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def __getattr__(self, name: str) -> object:
            if name.startswith("do_"):  # by any other method, too
                return self.do_GET
            raise AttributeError(name)

    secret = own_folder / "secret.txt"
    secret.write_text("SECRET")
    with HTTPServer(("127.0.0.1", 0), Listener) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        place = f"http://127.0.0.1:{server.server_port}/picture.png"
        fields = (f'INCLUDEPICTURE "{place}"', f'INCLUDETEXT "{secret}"')
        text = "".join(rf"{{\field{{\*\fldinst {field}}}{{\fldrslt old}}}}" for field in fields)
        made = convert(rf"{{\rtf1\ansi {text}\par}}".encode(), Conversion(".rtf", "txt:Text"), PROGRAM)
        server.shutdown()
    assert asked == [] and b"SECRET" not in made


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], str]:
    """Makes fake LibreOffice programs that run a shell command; `$out` is the expected file."""

    def make(line: str) -> str:
        path = tmp_path / "program"
        path.write_text(f"#!/bin/sh\nout=out/document.docx\n{line}\n")
        path.chmod(0o755)
        return str(path)

    return make


@pytest.mark.skipif(os.name != "posix", reason="only these systems have such bounds")
@pytest.mark.parametrize(
    ("bounds", "expected"),
    [(Bounds(90.9, 3 * 2**30, 5 * 2**20), "3145728 10240 90"), (Bounds(0.9), "4194304 1048576 1")],
)
def test_system_limits_apply_to_conversion(program, bounds: Bounds, expected: str) -> None:
    """The shell's units are KiB of address space, blocks of 512 bytes, and seconds of processor time."""
    made = convert(
        LETTER, TO_WORD, program('echo $(ulimit -v) $(ulimit -f) $(ulimit -t) > "$out"'), bounds=bounds
    )
    assert made.decode().strip() == expected


def test_a_program_without_output_is_reported(own_folder) -> None:
    with pytest.raises(FormatError, match="cannot convert this file"):
        convert(LETTER, TO_WORD, "/bin/false")
    with pytest.raises(FormatError):
        convert(LETTER, TO_WORD, str(own_folder / "gone"))


def test_program_is_found_on_the_path(tmp_path) -> None:
    program = tmp_path / "soffice"
    program.write_text("#!/bin/sh\n")
    assert find_program({"PATH": str(tmp_path)}) == ""
    program.chmod(0o755)
    assert find_program({"PATH": str(tmp_path)}) == str(program)


@pytest.mark.parametrize(
    ("system", "name", "place"),
    [
        ("win32", "ProgramFiles", "LibreOffice/program/soffice.com"),
        ("win32", "ProgramW6432", "LibreOffice/program/soffice.com"),
        ("win32", "LOCALAPPDATA", "Programs/LibreOffice/program/soffice.com"),
        ("darwin", "HOME", "Applications/LibreOffice.app/Contents/MacOS/soffice"),
    ],
)
def test_program_is_found_in_installation_folders(tmp_path, system: str, name: str, place: str) -> None:
    places = {"PATH": "", name: str(tmp_path)}
    assert find_program(places, system) == ""
    program = tmp_path / place
    program.parent.mkdir(parents=True)
    program.touch()
    assert find_program(places, system) == str(program)
    assert find_program(places, "linux") == ""
