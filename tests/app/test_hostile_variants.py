"""The short version of tests/benchmarks/hostile_test.py: what a stranger may send, a variant of each kind.

What is imported has `test_hostile_imports.py`.
"""

from __future__ import annotations

import importlib
import math
import os
import re
import sys
import time
from pathlib import Path

import pytest
from hostile_imports import IMPORTS

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits and processes are Linux's"),
]


@pytest.fixture
def hostile_test(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("hostile_test")


def test_a_variant_of_each_kind_freezes_fills_loses_and_touches_nothing(hostile_test) -> None:
    kinds = [(number, kind) for number, kind in enumerate(hostile_test.ALL) if kind not in IMPORTS]
    found = {kind: hostile_test.one(number, 7) for number, kind in kinds}
    assert {kind: outcome.faults for kind, outcome in found.items() if outcome.faults} == {}
    assert sum(outcome.what == "opened" for outcome in found.values()) > 10
    assert sum(outcome.what == "refused" for outcome in found.values()) > 10


@pytest.mark.parametrize(
    ("deed", "fault"),
    [
        (lambda: os.stat("/etc/passwd"), "outside"),  # noqa: PTH116
        (lambda: Path("/etc/passwd").read_bytes(), "outside"),
        (lambda: 1 / 0, "crashed"),
        (lambda: bytearray(1100 * 2**20).count(1), "over 1 GB"),
        (lambda: _hold(1.5), "frozen"),
    ],
    ids=["stat", "read", "error", "memory", "freeze"],
)
def test_the_judge_sees_each_fault(monkeypatch: pytest.MonkeyPatch, hostile_test, deed, fault: str) -> None:
    monkeypatch.setattr(hostile_test, "receive", lambda kind, path, outcome: deed())
    assert fault in hostile_test.one(len(hostile_test.ALL) - 1, 1).faults


def _hold(seconds: float) -> None:
    """Keep the window's thread from its turn: a pattern does not let go while it looks."""
    pattern, length, took = re.compile(r"(a|aa)+$"), 20, 0.0
    while took < seconds:
        begun = time.thread_time()
        pattern.match("a" * length + "b")
        took = time.thread_time() - begun
        # Each further letter takes 1.6 times as long: once that can be told, the right length is at hand.
        length += max(1, math.ceil(math.log(seconds / took, 1.6))) if took > 0.02 else 1
