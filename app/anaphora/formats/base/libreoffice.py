"""Files converted by LibreOffice, if installed: in a separate process, without window or network.

It gets a separate profile, so that neither an open LibreOffice nor its settings matter, runs no macros and
follows no links. Time, memory and output are bounded; cancelling kills all of its processes.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from math import exp
from pathlib import Path

from anaphora.core.errors import Message
from anaphora.core.long_work import Step, no_step
from anaphora.formats.base.format import FormatError

_TICK, _USUAL = 0.05, 6.0
"""Seconds: between two checks, and of most conversions, for the progress."""
_LOOKS, _MOMENT = 30, 0.01
"""How often, and how many seconds apart, it is looked whether killed processes are gone."""
_LIMITED = 'ulimit -v "$1" 2>/dev/null; ulimit -f "$2"; ulimit -t "$3"; shift 3; exec "$@"'


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a conversion: seconds by the clock, bytes of addresses and of an output file."""

    seconds: float = 180.0
    memory: int = 4 * 2**30
    file: int = 512 * 2**20


def find_program(places: Mapping[str, str] = os.environ, system: str = sys.platform) -> str:
    """LibreOffice's program; "" if it is not installed."""
    names = ("soffice", "libreoffice")
    found = next(filter(None, (shutil.which(name, path=places.get("PATH", "")) for name in names)), "")
    return found or next((str(path) for path in _usual_places(system, places) if path.is_file()), "")


def _usual_places(system: str, places: Mapping[str, str]) -> Iterator[Path]:
    """Folders of its installers: a program started by a desktop may know no other folders."""
    if system == "darwin":
        for folder in (Path("/Applications"), Path(places.get("HOME", "/"), "Applications")):
            yield folder / "LibreOffice.app" / "Contents" / "MacOS" / "soffice"
        yield from (Path(folder, "soffice") for folder in ("/opt/homebrew/bin", "/usr/local/bin"))
    elif system == "win32":
        for name in ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"):
            if places.get(name):
                yield Path(places[name], "LibreOffice", "program", "soffice.com")
        if places.get("LOCALAPPDATA"):
            yield Path(places["LOCALAPPDATA"], "Programs", "LibreOffice", "program", "soffice.com")


@dataclass(frozen=True, slots=True)
class Way:
    """From files with a suffix (".rtf") to `target` ("docx", "txt:Text" with a filter), read by a filter."""

    suffix: str
    target: str
    reader: str = ""


def convert(data: bytes, way: Way, program: str, step: Step = no_step, bounds: Bounds = Bounds()) -> bytes:
    """Convert a file.

    Args:
        program: see `find_program`.
        step: gets the progress; what it raises ends it within a moment.
    Raises:
        FormatError: LibreOffice cannot read it, is not to be started, or goes past a bound.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="anaphora-", ignore_cleanup_errors=True) as folder:
            place = Path(folder)
            source, out = place / f"document{way.suffix}", place / "out"
            source.write_bytes(data)
            out.mkdir()
            _write_profile(place / "profile")
            _run(_command(program, place, way, bounds), place, step, bounds)
            # A document may come out as several files, pictures among them: one has its name.
            made = out / f"document.{way.target.partition(':')[0]}"
            if not made.is_file():
                raise FormatError(
                    Message("LibreOffice cannot convert it."),
                    "It may be damaged or need a password. Open it in LibreOffice or Word to check.",
                )
            return made.read_bytes()
    except OSError as error:
        raise FormatError(
            Message("LibreOffice could not be started: {reason}.", reason=error.strerror or error),
            "Free some space on the disk for temporary files, or reinstall LibreOffice.",
        ) from error


def _command(program: str, place: Path, way: Way, bounds: Bounds) -> list[str]:
    command = [program, "--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo"]
    command += [f"-env:UserInstallation={(place / 'profile').as_uri()}", "--convert-to", way.target]
    command += [f"--infilter={way.reader}"] if way.reader else []
    command += ["--outdir", str(place / "out"), str(place / f"document{way.suffix}")]
    if os.name != "posix":
        return command
    limits = (str(bounds.memory // 1024), str(bounds.file // 512), str(max(int(bounds.seconds), 1)))
    return ["/bin/sh", "-c", _LIMITED, "sh", *limits, *command]


def _write_profile(folder: Path) -> None:
    """Settings by which it runs no macros, follows no links and asks no server."""
    (folder / "user").mkdir(parents=True)
    settings = files("anaphora_resources").joinpath("libreoffice.xcu").read_bytes()
    (folder / "user" / "registrymodifications.xcu").write_bytes(settings)


def _environment(place: Path) -> dict[str, str]:
    """Ours without what is for our own libraries; no proxy leads anywhere."""
    ours = ("LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QT_QPA_PLATFORM")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ours and not name.startswith("PYTHON") and not name.lower().endswith("_proxy")
    }
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "ftp_proxy"), "http://127.0.0.1:9")
    return kept | proxies | {"SAL_USE_VCLPLUGIN": "svp", "TMPDIR": str(place)}


def _run(command: list[str], place: Path, step: Step, bounds: Bounds) -> None:
    begun = time.monotonic()
    with (place / "said").open("wb") as said:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=place,
            env=_environment(place),
            start_new_session=True,
        )
        try:
            while process.poll() is None:
                passed = time.monotonic() - begun
                if passed > bounds.seconds:
                    raise FormatError(
                        Message(
                            "LibreOffice did not convert it within {seconds} seconds.",
                            seconds=round(bounds.seconds),
                        ),
                        "Save it in a newer format in LibreOffice or Word, and open the new file.",
                    )
                step(1 - exp(-passed / _USUAL))
                time.sleep(_TICK)
        finally:
            _kill(process)
    step(1.0)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a program with all that it has started."""
    if sys.platform == "win32":
        if process.poll() is None:
            command = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            # Its children end a moment later, and write into a folder that is to go until then.
            for _ in range(_LOOKS):
                os.killpg(process.pid, 0)
                time.sleep(_MOMENT)
    process.wait()
