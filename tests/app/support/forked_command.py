"""Commands that begin where their modules are imported already: a second of processor time less for each.

A process imports them once, reads the dictionary of English spelling (49,525 lines), and forks for each
command. Where systems cannot fork, each is a program of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

_SERVER = """
import ctypes, functools, gc, importlib, json, os, sys

for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
from anaphora.shipped import dictionaries
from anaphora.spelling import hunspell
from anaphora.spelling.speller import dictionary_of
hunspell.Hunspell = functools.cache(hunspell.Hunspell)
kept = hunspell.Hunspell(dictionaries() / dictionary_of("en"))
# A command neither searches nor clears away what it shares: its memory would be copied for that.
gc.freeze()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))
for line in sys.stdin:
    asked = json.loads(line)
    child = os.fork()
    if child == 0:
        for number, path in ((0, os.devnull), (1, asked["out"]), (2, asked["err"])):
            handle = os.open(path, os.O_RDWR)
            os.dup2(handle, number)
            os.close(handle)
        own = {"LC_CTYPE": os.environ["LC_CTYPE"]} if "LC_CTYPE" in os.environ else {}
        os.environ.clear()
        os.environ.update(own | asked["environment"])  # Python sets the first where it begins in no language
        sys.argv = ["anaphora", *asked["arguments"]]
        from anaphora.main import main
        sys.exit(main())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class ForkedCommands:
    """Runs `anaphora` with arguments, as scripts do.

    Args:
        modules: what is imported beforehand.
        environment: what the programs begin in.
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

    def run(
        self, arguments: Sequence[str], environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        """A command to its end, with what it said in UTF-8."""
        if self._server is None:
            command = [sys.executable, "-m", "anaphora.main", *arguments]
            return subprocess.run(
                command, capture_output=True, encoding="utf-8", env=environment, timeout=120, check=False
            )
        assert self._server.stdin is not None and self._server.stdout is not None
        with tempfile.TemporaryDirectory() as folder:
            out, err = Path(folder, "out"), Path(folder, "err")
            for path in (out, err):
                path.touch()
            asked = {
                "arguments": arguments,
                "environment": dict(environment),
                "out": str(out),
                "err": str(err),
            }
            self._server.stdin.write(json.dumps(asked) + "\n")
            self._server.stdin.flush()
            status = int(self._server.stdout.readline())
            said = (path.read_text("utf-8") for path in (out, err))
            return subprocess.CompletedProcess(arguments, status, *said)
