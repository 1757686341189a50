"""Test a built or installed program: some of its commands, and its window on an invisible screen.

    python packaging/smoke_test.py build/anaphora/anaphora

This script needs only Python. The program gets a temporary data folder.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMEOUT = 300.0
"""Maximum number of seconds for one command, and for the window to create its project."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Test a built program.")
    parser.add_argument("program", type=Path)
    program: Path = parser.parse_args().program.absolute()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        environment = {**os.environ, "ANAPHORA_DATA": str(folder / "data"), "QT_QPA_PLATFORM": "offscreen"}
        print(run_program(program, environment, folder, "--version"), flush=True)
        (folder / "a.txt").write_text("账本保存每个交易。\n", "utf-8")
        run_program(program, environment, folder, "translate", "a.txt", "-o", "b.txt")
        draft = (folder / "b.txt").read_text("utf-8").strip()
        print(draft, flush=True)
        if "ledger" not in draft.lower():
            print("FAILED: the output is not a translation", flush=True)
            return 1
        run_program(program, environment, folder, "models", "list")
        return open_window(program, environment, folder / "data")


def run_program(program: Path, environment: dict[str, str], folder: Path, *arguments: str) -> str:
    command = [str(program), *arguments]
    result = subprocess.run(
        command, env=environment, cwd=folder, capture_output=True, check=False, timeout=TIMEOUT
    )
    if result.returncode:
        sys.exit(
            f"{' '.join(command)} ended with {result.returncode}:\n{result.stderr.decode('utf-8', 'replace')}"
        )
    return result.stdout.decode("utf-8", "replace").strip()


def open_window(program: Path, environment: dict[str, str], data: Path) -> int:
    """Open the sample in the window and wait for its project file; returns 0, or 1 if none is created."""
    start = time.monotonic()
    with subprocess.Popen([str(program), "--sample"], env=environment) as window:
        while not list(data.glob("projects/*.anaphora")):
            if window.poll() is not None or time.monotonic() - start > TIMEOUT:
                window.kill()
                print(f"FAILED: the window made no project ({window.returncode})", flush=True)
                return 1
            time.sleep(0.2)
        print(f"the window has made its project after {time.monotonic() - start:.1f} s", flush=True)
        window.terminate()
        try:
            window.wait(60)
        except subprocess.TimeoutExpired:
            window.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
