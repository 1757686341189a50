"""The run of every system, in calls: a tiny one through all its steps, on the CPU."""

from __future__ import annotations

import json
import sys
import tarfile
from pathlib import Path

import pytest

from experiments.gpu import calls, schedule
from experiments.translations import TestSet

sys.path.insert(0, str(Path(__file__).parents[1]))
import small_systems as small

JOBS = [schedule.Job("a", ()), schedule.Job("b", ()), schedule.Job("c", ("a",)), schedule.Job("d", ("b",))]


def test_jobs_start_in_order_as_room_and_needs_allow() -> None:
    going = schedule.Schedule(JOBS, 3)
    assert [one.name for one in going.ready()] == ["a", "b"]
    going.running = {"b": None}
    going.end("a", 0)
    assert [one.name for one in going.ready()] == ["c"]
    going.running = {"c": None}
    going.end("b", 1)
    assert going.failed == {"b"} and going.ready() == [], "d needs b, which failed"


def test_packaged_systems_are_scheduled_after_what_they_need() -> None:
    jobs = calls.jobs_of(calls.DEFAULT_SYSTEMS.split(","))
    seen: set[str] = set()
    for one in jobs:
        assert set(one.needs) <= seen
        seen.add(one.name)
    assert {"paper-rnnsearch-continued", "paper-transformer", "paper-camn"} <= seen


@pytest.mark.slow
def test_a_tiny_run_through_all_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepared, packed, work, out = (tmp_path / name for name in ("prepared", "packed", "work", "out"))
    small.prepare(prepared)
    TestSet("small", (("这着跑", "这着跑"), ("跑着",))).save(prepared)
    systems = tmp_path / "systems"
    systems.mkdir()
    for name, part in (("base", "training"), ("cache", "second_pass")):
        short = {**small.RAW[name], part: {**small.RAW[name][part], "updates": 20}}
        (systems / f"{name}.json").write_text(json.dumps({"stages": {name: short}}), "utf-8")
    assert calls.main(["pack", "--prepared", str(prepared), "--out", str(packed)]) == 0
    assert (packed / "site" / "jieba" / "dict.txt").exists()
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    common = ["run", "--packed", str(packed), "--work", str(work), "--out", str(out), "--sets", "small"]
    common += ["--more-systems", str(systems), "--minutes", "9", "--jobs", "2"]
    common += ["--beam", "2", "--every", "20"]
    assert calls.main([*common, "--systems", "base"]) == 0
    first = (work / "runs" / "base" / "system.json").stat().st_mtime_ns
    assert calls.main([*common, "--systems", "base,cache"]) == 0
    assert (work / "runs" / "base" / "system.json").stat().st_mtime_ns == first, "goes on, not again"
    with tarfile.open(out / "results.tar.xz") as archive:
        names = {"base/run.json", "base/system.json", "cache/outputs.small.json", "call/base.log"}
        assert names <= set(archive.getnames())
