"""Without the packages for clusters and storages everything else works, and they are named when needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

BLOCKED = """
import importlib.abc, sys

class Blocked(importlib.abc.MetaPathFinder):
    asked = []
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("ray", "fsspec", "s3fs", "botocore", "pyarrow"):
            self.asked.append(name)
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""

WINDOW = """
from PySide6.QtCore import QTimer
from anaphora import composition, main as program
made = composition.make_window
def make(*arguments, **named):
    window = made(*arguments, **named)
    def look():
        session = window.session
        if session is None or not next(iter(session.document)).target:
            return QTimer.singleShot(50, look)
        print("drafted", Blocked.asked, flush=True)
        window.close()
    QTimer.singleShot(50, look)
    return window
composition.make_window = make
print(program.main(sys.argv[1:2]), flush=True)
"""

COMMANDS = """
from anaphora.main import main
file, folder, out = sys.argv[1:]
print(main(["translate", file, "-o", out + ".txt"]), Blocked.asked)
print(main(["translate", "--pseudo", folder, "-o", out, "--jobs", "2"]), Blocked.asked)
print(main(["translate", "--pseudo", folder, "-o", out + "2", "--ray", "auto"]))
print(main(["translate", "--pseudo", "s3://box/in", "-o", out + "3"]))
"""


def run(script: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, "-c", BLOCKED + script, *map(str, arguments)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("打开文件。\n", "utf-8")
    return folder


@pytest.mark.slow
def test_neither_the_window_nor_the_commands_ask_for_them_until_they_are_needed(
    folder: Path, tmp_path: Path, monkeypatch
) -> None:
    """One after the other in one process, which loads the engine once."""
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path / "data"))
    done = run(WINDOW + COMMANDS, folder / "a.txt", folder, tmp_path / "out")
    assert done.stdout.startswith("drafted []\n0\n") and done.returncode == 0, done
    said = [line for line in done.stdout.splitlines() if line.startswith("0 [") or line == "1"]
    assert said == ["0 []", "0 []", "1", "1"], done
    assert "No module named 'ray'" in done.stderr and "anaphora[cluster]" in done.stderr
    assert "No module named 'fsspec'" in done.stderr and "anaphora[s3]" in done.stderr
    assert "Traceback" not in done.stderr
