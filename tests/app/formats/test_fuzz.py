"""The short version of tests/benchmarks/fuzz_formats.py: damaged files, each in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = 150
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and /proc are Linux's")
@pytest.mark.slow
def test_damaged_files_give_a_document_or_a_typed_error(tmp_path: Path) -> None:
    """In a process that has loaded the formats alone: a fork of this one would copy what all tests hold."""
    script, saved = BENCHMARKS / "fuzz_formats.py", tmp_path / "saved"
    command = [sys.executable, str(script), str(FILES), "--seed", "5", "--save", str(saved)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    details = [path.read_text("utf-8") for path in saved.glob("*.log")]
    assert done.returncode == 0, "\n".join((done.stderr, *details))
    counts = [line.split() for line in done.stdout.splitlines()[1:]]
    opened = {row[0] for row in counts if row[0][-1] != ":" and row[2] != "0"}
    assert sum(int(row[1]) for row in counts if row[0] == "all") == FILES
    assert len(opened - {"all"}) > 9, "most formats still open some of their files"


@pytest.mark.slow
def test_the_judge_sees_hangs_crashes_and_greed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_formats

    def judged(work: object) -> str:
        monkeypatch.setattr(fuzz_formats, "read_bytes", work)
        return str(fuzz_formats.open_and_render("a.txt", b"").what)

    def hang(*_: object) -> None:
        while True:
            pass

    def die(*_: object) -> None:
        os._exit(3)

    monkeypatch.setattr(fuzz_formats, "SECONDS", 0.2)
    assert judged(hang) == "too slow"
    monkeypatch.setattr(fuzz_formats, "SECONDS", 10)
    assert judged(die) == "crashed"
    assert judged(lambda *_: 1 / 0) == "crashed"
    assert judged(lambda *_: bytearray(2 * 2**30)) == "too big"
