"""The short version of tests/benchmarks/hostile_test.py: what a stranger may send, a variant of each kind.

Imports are in `test_hostile_imports.py`.
"""

from __future__ import annotations

import importlib
import sys
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
    found = {kind: hostile_test.run_in_child(number, 7) for number, kind in kinds}
    assert {kind: outcome.faults for kind, outcome in found.items() if outcome.faults} == {}
    assert sum(outcome.what == "opened" for outcome in found.values()) > 10
    assert sum(outcome.what == "refused" for outcome in found.values()) > 10
