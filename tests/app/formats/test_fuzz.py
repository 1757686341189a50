"""The short version of tests/benchmarks/fuzz_formats.py: damaged files, each in a process of its own."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

FILES = 150
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and /proc are Linux's")
@pytest.mark.slow
def test_damaged_files_give_a_document_or_a_typed_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_formats

    results = fuzz_formats.run(range(FILES), 5, tmp_path)
    failures = [
        f"--seed 5 --only {one.number} ({one.name}): {outcome.what}\n{outcome.detail}"
        for one, outcome in results
        if outcome.what not in fuzz_formats.FINE
    ]
    assert not failures, "\n".join(failures)
    kinds = {one.kind for one, outcome in results if outcome.what == "opened"}
    assert len(kinds) > 9, "most formats still open some of their files"


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
