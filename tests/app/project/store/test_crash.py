"""Acknowledged data survives kill -9 at any moment."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.segment import Status
from anaphora.project.store.project import ProjectStore

KILLS = 6
CHILD = """
import random, sys
from pathlib import Path
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.segment import SegmentState, Status
from anaphora.project.store.project import ProjectStore

store = ProjectStore.open(Path(sys.argv[1]))
first = int(sys.argv[2])
document = store.load_document()
chance = random.Random(first)
for number in range(first, first + 100_000):
    ids = chance.sample([segment.id for segment in document], 2)
    after = SegmentState(f"{number}:" + "text " * chance.randrange(400), Status.CONFIRMED)
    changes = ChangeSet(tuple(Edit(i, document.get(i).state, after) for i in ids))
    document.apply(changes)
    store.save(changes)
    print(number, *ids, flush=True)
"""


def _number(target: str) -> int:
    return int(target.partition(":")[0] or -1)


def _run_and_kill(path: Path, first: int, delay: float) -> list[str]:
    """Kill a child that saves after a first acknowledgement and `delay`; returns its acknowledgements."""
    command = [sys.executable, "-c", CHILD, str(path), str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines = [child.stdout.readline()]
        time.sleep(delay)
        os.kill(child.pid, signal.SIGKILL)
        lines += child.stdout.readlines()
    return [line for line in lines if line.endswith("\n")]


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.slow
def test_nothing_acknowledged_is_lost(tmp_path: Path, source: SourceDocument) -> None:
    path = tmp_path / "a.anaphora"
    ProjectStore.create(path, source).close()
    chance = random.Random(20)
    acknowledged: dict[str, int] = {}
    total = 0
    for kill in range(KILLS):
        lines = _run_and_kill(path, kill * 100_000, chance.uniform(0, 0.08))
        assert lines, "the child never saved"
        total += len(lines)
        for line in lines:
            number, *ids = line.split()
            acknowledged |= dict.fromkeys(ids, int(number))
        store = ProjectStore.open(path)
        document = store.load_document()
        store.close()
        for identifier, number_kept in acknowledged.items():
            segment = document.get(identifier)
            assert _number(segment.target) >= number_kept
            assert segment.status is Status.CONFIRMED
        # A change set is complete: the newest number is in both of its segments, or was replaced.
        newest = max(_number(segment.target) for segment in document)
        assert sum(_number(segment.target) == newest for segment in document) == 2
    assert total > KILLS


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
@pytest.mark.slow
def test_kills_in_the_middle_of_every_operation_lose_nothing(tmp_path: Path) -> None:
    """The short version of tests/benchmarks/kill_test.py, in a separate process: it forks."""
    command = [sys.executable, str(Path(__file__).parents[3] / "benchmarks" / "kill_test.py"), "12", "3"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)
    assert done.returncode == 0 and "12 kills" in done.stdout and " 0 problems" in done.stdout, done
