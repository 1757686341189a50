"""The log of problems: a file in the data folder, for problem reports.

Each line is a JSON object. Message arguments and error texts can contain file names and document text, so
they are in separate fields, which a report includes only if the user agrees.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import re
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from datetime import datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType

from anaphora.system.locations import log_path

MAX_BYTES = 512 * 1024
"""Size in bytes at which the log is renamed and a new one begins; only the last renamed log is kept."""
SHOWN_BYTES = 64 * 1024
"""Maximum number of bytes of the log in a report; also the maximum length of a crash trace in the log."""

_CRASH = re.compile("Fatal Python error|fatal exception: (?!code)")
"""The heading of a crash trace. It excludes Windows exceptions with a code, because they may be harmless."""

_INSTALL_PATH = re.compile(r'(?<=File ")[^"\n]*[\\/](?=(?:anaphora\w*|site-packages|python\d[^\\/"]*)[\\/])')
"""The part of a module's path that reveals where the program is installed."""

log = logging.getLogger(__name__)


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created).isoformat(timespec="seconds"),
            "level": record.levelname,
            "logger": record.name,
            "template": str(record.msg),
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line["error"] = type(error).__name__
            line["says"] = str(error)
            line["frames"] = "".join(traceback.format_tb(error.__traceback__))
        elif isinstance(trace := record.__dict__.get("trace"), str):
            line |= {"frames": trace, "error": "Crash", "says": ""}
        return json.dumps(line, ensure_ascii=False)


def start_log(path: Path | None = None) -> None:
    """Write warnings and errors also to the log from now on; if that is impossible, warn on the terminal."""
    path = path or log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a"):
            pass
    except OSError as problem:
        log.warning("the log cannot be written: %s", problem)
        return
    handler = RotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=1, encoding="utf-8", delay=True)
    handler.setLevel(logging.WARNING)
    handler.setFormatter(_JsonFormatter())
    logging.getLogger().addHandler(handler)


def watch_for_crashes(path: Path | None = None) -> bool:
    """Record a trace if this process crashes. If an earlier process crashed, log its trace and return True.
    If the file cannot be written, return False."""
    path = path or log_path().with_name("crash.txt")
    try:
        # In append mode, because another window may also write to the file.
        with path.open("a+", encoding="utf-8", errors="replace") as file:
            file.seek(0)
            old_trace = file.read(SHOWN_BYTES)
            file.truncate(0)
            faulthandler.enable(os.dup(file.fileno()))  # stays open until the process ends
    except OSError:  # if the folder cannot be written, `start_log` has already warned
        return False
    if crashed := _CRASH.search(old_trace) is not None:
        log.error("the program ended unexpectedly", extra={"trace": old_trace})
    return crashed


def log_unexpected(notify: Callable[[], object]) -> None:
    """Log unhandled errors in any thread, and call `notify` once for each line of code that raises one.
    `KeyboardInterrupt` and `SystemExit` are handled as usual."""
    notified: set[tuple[str, int]] = set()

    def note(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not issubclass(kind, Exception):
            sys.__excepthook__(kind, error, trace)
            return
        log.error("unhandled error", exc_info=(kind, error, trace))
        last = traceback.extract_tb(trace)[-1] if trace is not None else None
        key = (last.filename, last.lineno or 0) if last is not None else (kind.__name__, 0)
        if key not in notified:
            notified.add(key)
            notify()

    def note_thread(raised: threading.ExceptHookArgs) -> None:
        if raised.exc_value is not None:
            note(raised.exc_type, raised.exc_value, raised.exc_traceback)

    sys.excepthook = note
    threading.excepthook = note_thread


def read_log(everything: bool, path: Path | None = None) -> str:
    """The end of the log; "" if there is none. File names and document text are included if `everything`."""
    try:
        with (path or log_path()).open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(size - SHOWN_BYTES, 0))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return ""
    text = "\n".join(_readable_lines(lines[1:] if size > SHOWN_BYTES else lines, everything))
    return text.replace(f"{Path.home()}{os.sep}", f"~{os.sep}")


def _readable_lines(lines: list[str], everything: bool) -> Iterator[str]:
    for text in lines:
        try:
            line = json.loads(text)
            message = line["message"] if everything else line["template"]
            yield f"{line['time']} {line['level']} {line['logger']}: {message}"
            if "error" in line:
                frames = _INSTALL_PATH.sub("", line["frames"])
                yield f"{frames}{line['error']}" + (f": {line['says']}" if everything else "")
        except (ValueError, KeyError, TypeError):
            if everything:
                yield text
