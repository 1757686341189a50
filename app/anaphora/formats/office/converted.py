"""Formats that LibreOffice converts to Office Open XML, and back.

A file is converted when it is read and when a translation is written, so exports also need LibreOffice.
Content that LibreOffice does not support is lost, and the document's notes warn of this loss. A translation
can also be written as Office Open XML instead of being converted back.
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
from anaphora.formats.base.opened import Format
from anaphora.formats.office import docx, pptx, xlsx

_CHECK_INTERVAL, _USUAL_SECONDS = 0.05, 6.0
"""Seconds between two checks of a conversion; seconds that a conversion usually takes (for the progress)."""
_KILL_CHECKS, _KILL_WAIT = 30, 0.01
"""Maximum number of checks whether killed processes have ended, and the seconds between two checks."""
_LIMITED_COMMAND = 'ulimit -v "$1" 2>/dev/null; ulimit -f "$2"; ulimit -t "$3"; shift 3; exec "$@"'


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a conversion: seconds (elapsed and CPU), bytes of address space, bytes of an output file."""

    seconds: float = 180.0
    memory: int = 4 * 2**30
    file: int = 512 * 2**20


def find_program(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> str:
    """The path of LibreOffice's program, found with variables of `environment`; "" if it is not installed."""
    names = ("soffice", "libreoffice")
    program = next(filter(None, (shutil.which(name, path=environment.get("PATH", "")) for name in names)), "")
    return program or next((str(path) for path in _usual_places(system, environment) if path.is_file()), "")


def _usual_places(system: str, environment: Mapping[str, str]) -> Iterator[Path]:
    """The program in default installation folders, which the PATH of a desktop session may lack."""
    if system == "darwin":
        for folder in (Path("/Applications"), Path(environment.get("HOME", "/"), "Applications")):
            yield folder / "LibreOffice.app" / "Contents" / "MacOS" / "soffice"
        yield from (Path(folder, "soffice") for folder in ("/opt/homebrew/bin", "/usr/local/bin"))
    elif system == "win32":
        for name in ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)"):
            if environment.get(name):
                yield Path(environment[name], "LibreOffice", "program", "soffice.com")
        if environment.get("LOCALAPPDATA"):
            yield Path(environment["LOCALAPPDATA"], "Programs", "LibreOffice", "program", "soffice.com")


@dataclass(frozen=True, slots=True)
class Conversion:
    """A conversion from a suffix (".rtf") to `target` ("docx", or "txt:Text" with an output filter)."""

    suffix: str
    target: str
    input_filter: str = ""


def convert(
    data: bytes, conversion: Conversion, program: str, step: Step = no_step, bounds: Bounds = Bounds()
) -> bytes:
    """Convert a file.

    Args:
        step: receives the progress; an exception that it raises stops LibreOffice.
    Raises:
        FormatError: LibreOffice cannot convert the file, cannot be started, or exceeds a limit.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="anaphora-", ignore_cleanup_errors=True) as temporary:
            folder = Path(temporary)
            source, out = folder / f"document{conversion.suffix}", folder / "out"
            source.write_bytes(data)
            out.mkdir()
            _write_profile(folder / "profile")
            _run(_command(program, folder, conversion, bounds), folder, step, bounds)
            # LibreOffice may also write other files, such as pictures.
            result = out / f"document.{conversion.target.partition(':')[0]}"
            if not result.is_file():
                raise FormatError(
                    Message("LibreOffice cannot convert this file."),
                    "It may be damaged or protected by a password. Open it in LibreOffice or Word to check.",
                )
            return result.read_bytes()
    except OSError as error:
        raise FormatError(
            Message("LibreOffice could not be started: {reason}.", reason=error.strerror or error),
            "Free some space on the disk for temporary files, or reinstall LibreOffice.",
        ) from error


def _command(program: str, folder: Path, conversion: Conversion, bounds: Bounds) -> list[str]:
    command = [program, "--headless", "--norestore", "--nolockcheck", "--nodefault", "--nologo"]
    command += [f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--convert-to", conversion.target]
    command += [f"--infilter={conversion.input_filter}"] if conversion.input_filter else []
    command += ["--outdir", str(folder / "out"), str(folder / f"document{conversion.suffix}")]
    if os.name != "posix":
        return command
    limits = (str(bounds.memory // 1024), str(bounds.file // 512), str(max(int(bounds.seconds), 1)))
    return ["/bin/sh", "-c", _LIMITED_COMMAND, "sh", *limits, *command]


def _write_profile(folder: Path) -> None:
    """Write settings that forbid macros, links and network access."""
    (folder / "user").mkdir(parents=True)
    settings = files("anaphora_resources").joinpath("libreoffice.xcu").read_bytes()
    (folder / "user" / "registrymodifications.xcu").write_bytes(settings)


def _environment(folder: Path) -> dict[str, str]:
    """The app's environment without variables for the app's libraries, and with unreachable proxies."""
    app_names = ("LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QT_QPA_PLATFORM")
    inherited = {
        name: value
        for name, value in os.environ.items()
        if name not in app_names and not name.startswith("PYTHON") and not name.lower().endswith("_proxy")
    }
    proxies = dict.fromkeys(("http_proxy", "https_proxy", "ftp_proxy"), "http://127.0.0.1:9")
    return inherited | proxies | {"SAL_USE_VCLPLUGIN": "svp", "TMPDIR": str(folder)}


def _run(command: list[str], folder: Path, step: Step, bounds: Bounds) -> None:
    start = time.monotonic()
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
        try:
            while process.poll() is None:
                elapsed = time.monotonic() - start
                if elapsed > bounds.seconds:
                    raise FormatError(
                        Message(
                            "LibreOffice did not convert this file within {seconds} seconds.",
                            seconds=round(bounds.seconds),
                        ),
                        "Save it in a newer format in LibreOffice or Word, and open the new file.",
                    )
                step(1 - exp(-elapsed / _USUAL_SECONDS))
                time.sleep(_CHECK_INTERVAL)
        finally:
            _kill(process)
    step(1.0)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if sys.platform == "win32":
        if process.poll() is None:
            command = ["taskkill", "/T", "/F", "/PID", str(process.pid)]
            subprocess.run(command, capture_output=True, check=False)
    else:
        with suppress(ProcessLookupError):  # all of them have ended
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            # The children end shortly after it. Until then, they may write into the temporary folder.
            for _ in range(_KILL_CHECKS):
                os.killpg(process.pid, 0)
                time.sleep(_KILL_WAIT)
    process.wait()


_OLE, _RTF, _ZIP = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{\\rtf", b"PK\x03\x04"
_PAGES = (b"<html", b"<!doctype html", b"<table")
_MARKUP = (b"<?xml", *_PAGES)
"""First bytes of XML and HTML, which programs also save with the extensions .doc and .xls."""
_OLD_SHEETS = (b"\x09\x00\x04\x00", b"\x09\x02\x06\x00", b"\x09\x04\x06\x00")
_STREAMS = {"doc": ("WordDocument",), "xls": ("Workbook", "Book"), "ppt": ("PowerPoint Document",)}
"""Possible names of the main stream in an OLE file. LibreOffice would read a file without it as text."""
_HEAD = 512
_BLANK = b"\xef\xbb\xbf \t\r\n\0"
"""Bytes that may precede the first bytes of a format."""


class Converted:
    """A format whose files LibreOffice converts to the format `inner`, and back."""

    def __init__(
        self, suffix: str, label: str, inner: Format, first_bytes: tuple[bytes, ...], output_filter: str = ""
    ) -> None:
        """
        Args:
            suffix: the files' suffix without the dot, which is also the format's name.
            first_bytes: possible first bytes of files in the format, in lower case.
            output_filter: LibreOffice's filter for writing the format; "" if the suffix is enough.
        """
        self.name, self.label, self.inner = suffix, label, inner
        self.extensions: tuple[str, ...] = (f".{suffix}",)
        self._first_bytes = first_bytes
        self._target = f"{suffix}:{output_filter}" if output_filter else suffix
        self._last_conversion = (b"", b"")

    def convert(self, data: bytes, step: Step = no_step) -> bytes:
        """Convert a file to the format `inner`; the last result is cached, because an export converts again.

        Raises:
            FormatError: the file is not in this format, LibreOffice is missing, or the conversion fails.
        """
        last_data, result = self._last_conversion
        if last_data == data:
            return result
        # Old sheets begin with the byte of a tab, which must not be removed as blank space.
        head = data[:_HEAD].lower()
        head = head if head.startswith(self._first_bytes) else head.lstrip(_BLANK)
        streams = (name.encode("utf-16-le") for name in _STREAMS.get(self.name, ()))
        has_stream = not head.startswith(_OLE) or any(name in data for name in streams)
        if not head.startswith(self._first_bytes) or not has_stream:
            raise FormatError(
                Message("The file is not in {suffix} format.", suffix=self.extensions[0]),
                "It may be damaged or have the wrong extension. Open it in the program that made it.",
            )
        # By default, LibreOffice opens HTML as a web page, which it cannot save as a document.
        is_page = self.inner is docx.FORMAT and head.startswith(_PAGES)
        conversion = Conversion(self.extensions[0], self.inner.name, "HTML (StarWriter)" if is_page else "")
        result = convert(data, conversion, self._program(), step)
        self._last_conversion = data, result
        return result

    def convert_back(self, data: bytes, step: Step = no_step) -> bytes:
        """Convert a file from the format `inner`; raises the errors of `convert`."""
        return convert(data, Conversion(f".{self.inner.name}", self._target), self._program(), step)

    def _program(self) -> str:
        program = find_program()
        if not program:
            suffix = self.inner.extensions[0]
            raise FormatError(
                "LibreOffice is needed to read this file but is not installed.",
                Message(
                    "Install LibreOffice (libreoffice.org), or save the file as {suffix} first.",
                    suffix=suffix,
                ),
            )
        return program


FORMATS = (
    Converted("rtf", "Rich Text (via LibreOffice)", docx.FORMAT, (_RTF,)),
    Converted("doc", "Word 97 document (via LibreOffice)", docx.FORMAT, (_OLE, _RTF, *_MARKUP), "MS Word 97"),
    Converted(
        "ppt", "PowerPoint 97 presentation (via LibreOffice)", pptx.FORMAT, (_OLE,), "MS PowerPoint 97"
    ),
    Converted(
        "xls",
        "Excel 97 workbook (via LibreOffice)",
        xlsx.FORMAT,
        (_OLE, *_OLD_SHEETS, *_MARKUP),
        "MS Excel 97",
    ),
    Converted("odp", "OpenDocument presentation (via LibreOffice)", pptx.FORMAT, (_ZIP.lower(),)),
    Converted("ods", "OpenDocument spreadsheet (via LibreOffice)", xlsx.FORMAT, (_ZIP.lower(),)),
)
