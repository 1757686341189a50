"""Acknowledged data survives a loss of power and failed writes."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from recorded_disk import Disk, build_shim, recorded

from anaphora.core.errors import ProjectError
from anaphora.project.store.project import ProjectStore

COUNT = int(os.environ.get("STATES", "60"))
"""Simulates the disk after a loss of power, or a failing write."""
BEGIN = """
import ctypes, errno, json, random, sys
from pathlib import Path
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import AnaphoraError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.document import SourceDocument
from anaphora.project.store.project import ProjectStore

disk, place, count = ctypes.CDLL(None), Path(sys.argv[1]), int(sys.argv[2])
chance = random.Random(7)
segments = tuple(Segment(f"s{each}", f"第{each}句，账本保存每个交易。") for each in range(20))
source = SourceDocument("a.txt", place / "a.txt", "txt", "utf-8", b"x", segments)

def texts(store):
    return {each.id: each.state.target for each in store.load_document()}

def change(store, step):
    chosen = chance.sample(list(store.load_document()), chance.choice((1, 2, 15)))
    text = f"Text {step} " * chance.choice((1, 5, 300))
    edits = (Edit(each.id, each.state, SegmentState(text, Status.CONFIRMED)) for each in chosen)
    store.save(ChangeSet(tuple(edits)))
"""
POWER = (
    BEGIN
    + """
store = ProjectStore.create(place / "a.anaphora", source)
for step in range(25):
    disk.disk_mark(ctypes.c_long(step))
    print(json.dumps(texts(store)))
    if step % 8 == 7:
        store.close()
        store = ProjectStore.open(place / "a.anaphora")
    else:
        change(store, step)
print(json.dumps(texts(store)))
store.close()
"""
)
FAILING = (
    BEGIN
    + """
said = lost = 0
for number in range(count):
    path = place / f"{number}.anaphora"
    code = (errno.EIO, errno.ENOSPC, errno.EACCES)[number % 3]
    often = (1, 3, 1000)[number // 3 % 3]
    store = ProjectStore.create(path, source)
    for each in range(3):
        change(store, each)
    known = [texts(store)]
    disk.disk_fail(ctypes.c_long(number // 2), ctypes.c_long(often), code)
    try:
        for each in range(3, 9):
            change(store, each)
            known = [texts(store)]
    except AnaphoraError:
        said += 1
    disk.disk_fail(ctypes.c_long(-1), ctypes.c_long(0), 0)
    known.append(texts(store))
    change(store, 10)
    known.append(texts(store))
    store.close()
    store = ProjectStore.open(path)
    lost += texts(store) != known[-1] or known[1] != known[0]
    store.close()
print(json.dumps([said, lost]))
"""
)


@pytest.fixture(scope="module")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_shim(tmp_path_factory.mktemp("shim"))


def run(program: str, shim: Path, place: Path) -> list:
    place.mkdir()
    environment = os.environ | {"LD_PRELOAD": str(shim), "DISK": str(place)}
    environment["DISK_TRACE"] = str(place.with_name("trace")) if program is POWER else "/dev/null"
    command = [sys.executable, "-c", program, str(place), str(COUNT)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.slow
def test_saved_data_survives_a_loss_of_power(shim: Path, tmp_path: Path) -> None:
    place = tmp_path / "disk"
    known = run(POWER, shim, place)
    steps = recorded((tmp_path / "trace").read_bytes())
    assert {kind for kind, *_ in steps} >= {*"MOWS"}
    chance = random.Random(int(os.environ.get("SEED", "1")))
    disk, acknowledged = Disk(), -1
    cuts = [0, *sorted(chance.choices(range(len(steps)), k=COUNT))]
    for before, cut in pairwise(cuts):
        for step in steps[before:cut]:
            acknowledged = step[1] if step[0] == "M" else acknowledged
            disk.take(step)
        shutil.rmtree(place)
        place.mkdir()
        for path, content in disk.after_loss(chance).items():
            Path(path).write_bytes(content)
        try:
            store = ProjectStore.open(place / "a.anaphora")
        except ProjectError:
            assert acknowledged < 0, (cut, acknowledged)
            continue
        found = {segment.id: segment.state.target for segment in store.load_document()}
        store.close()
        assert found in known[max(acknowledged, 0) :], (cut, acknowledged)


@pytest.mark.slow
def test_a_failed_write_is_reported_and_no_saved_data_is_lost(shim: Path, tmp_path: Path) -> None:
    ((said, lost),) = run(FAILING, shim, tmp_path / "disk")
    assert said and not lost
