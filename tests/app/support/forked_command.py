"""Commands that start with imported modules, which saves a second of processor time for each.

A server process imports the modules once, reads the English spelling dictionary (49,525 lines), and forks for
each command. On systems without fork, each command is a separate program.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_SERVER = """
import ctypes, functools, gc, importlib, json, os, sys

for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
from anaphora.system.locations import dictionaries
from anaphora.features.spelling import speller
from anaphora.features.spelling.speller import dictionaries_of
speller.read_hunspell = functools.cache(speller.read_hunspell)
kept = [speller.read_hunspell(dictionaries() / name) for name in dictionaries_of("en")]
# Garbage collection and deallocation of shared objects would copy their memory in each command.
gc.freeze()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
for line in sys.stdin:
    asked = json.loads(line)
    if "process" in asked:
        ended, status = os.waitpid(asked["process"], os.WNOHANG)
        print(json.dumps(os.waitstatus_to_exitcode(status) if ended else None), flush=True)
        continue
    child = os.fork()
    if child == 0:
        for number, path in ((0, os.devnull), (1, asked["out"]), (2, asked["err"])):
            handle = os.open(path, os.O_RDWR)
            os.dup2(handle, number)
            os.close(handle)
        own = {"LC_CTYPE": os.environ["LC_CTYPE"]} if "LC_CTYPE" in os.environ else {}
        os.environ.clear()
        os.environ.update(own | asked["environment"])  # Python sets LC_CTYPE if there is no locale
        sys.argv = ["anaphora", *asked["arguments"]]
        if asked["program"]:
            exec(compile(asked["program"], "<string>", "exec"))
            sys.exit()
        from anaphora.main import main
        sys.exit(main())
    print(child, flush=True)
"""
_OF_A_WINDOW = (
    "anaphora.main",
    "anaphora.composition",
    "anaphora.window.system_end",
    "anaphora.system.platform_check",
    "anaphora.editor.appearance.application",
    "jieba.posseg",
    "lemminflect",
    "snowballstemmer",
)


class ForkedProcess:
    """A command started by `ForkedCommands`, with the used part of `subprocess.Popen`."""

    def __init__(self, commands: ForkedCommands, pid: int) -> None:
        self.pid = pid
        self._commands = commands
        self._status: int | None = None

    def poll(self) -> int | None:
        """The exit status; None while it runs."""
        if self._status is None:
            self._status = self._commands.ask({"process": self.pid})
        return self._status

    def send_signal(self, number: int) -> None:
        """Send a signal if the process still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """Wait for the exit status. TimeoutError: the process still runs after `timeout` seconds."""
        end = time.monotonic() + timeout
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise TimeoutError(f"process {self.pid} still runs")
            time.sleep(0.005)
        return status


class ForkedCommands:
    """Runs `anaphora` with arguments.

    Args:
        modules: modules to import in the server.
        environment: environment of the server.
    """

    def __init__(self, modules: Sequence[str], environment: Mapping[str, str]) -> None:
        self._modules, self._environment = modules, dict(environment)
        self._server: subprocess.Popen[str] | None = None

    def __enter__(self) -> ForkedCommands:
        if hasattr(os, "fork"):
            command = [sys.executable, "-c", _SERVER, json.dumps([*self._modules])]
            pipe: Any = subprocess.PIPE
            self._server = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, env=self._environment, encoding="utf-8"
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._server is not None:
            self._server.communicate(timeout=60)

    def ask(self, asked: Mapping[str, object]) -> Any:
        """Send a request to the server and return its answer."""
        assert self._server is not None and self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(asked) + "\n")
        self._server.stdin.flush()
        return json.loads(self._server.stdout.readline())

    def start(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        program: str = "",
        out: str = os.devnull,
        err: str = os.devnull,
    ) -> ForkedProcess | subprocess.Popen[bytes]:
        """Start a command, or a Python program instead; its output goes to files."""
        if self._server is None:
            command = ["-c", program] if program else ["-m", "anaphora.main"]
            with Path(out).open("wb") as output, Path(err).open("wb") as errors:
                return subprocess.Popen(
                    [sys.executable, *command, *arguments], stdout=output, stderr=errors, env=environment
                )
        asked = {
            "arguments": arguments,
            "environment": dict(environment),
            "program": program,
            "out": out,
            "err": err,
        }
        return ForkedProcess(self, self.ask(asked))

    def run(
        self, arguments: Sequence[str], environment: Mapping[str, str], program: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run a command, or a Python program instead, and return its status and output."""
        with tempfile.TemporaryDirectory() as folder:
            out, err = Path(folder, "out"), Path(folder, "err")
            for path in (out, err):
                path.touch()
            process = self.start(arguments, environment, program, str(out), str(err))
            try:
                status = process.wait(120)
            finally:
                if process.poll() is None:
                    process.send_signal(signal.SIGKILL)
            output = (path.read_text("utf-8") for path in (out, err))
            return subprocess.CompletedProcess(arguments, status, *output)


@functools.cache
def forked_windows() -> ForkedCommands:
    """Commands with invisible windows, without torch; one server for all tests of this process."""
    ending = contextlib.ExitStack()
    atexit.register(ending.close)
    return ending.enter_context(ForkedCommands(_OF_A_WINDOW, in_no_screen()))


def in_no_screen() -> dict[str, str]:
    """This process's environment, for invisible windows."""
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
