"""Training all systems in calls: a tiny run through all steps, on the CPU."""

from __future__ import annotations

import json
import sys
import tarfile
from pathlib import Path

import pytest

from experiments.gpu import calls
from experiments.translations import TestSet

sys.path.insert(0, str(Path(__file__).parents[1]))
import small_systems as small

JOBS = {"a": "", "b": "", "c": "a", "d": "b"}


def test_jobs_wait_for_their_needs() -> None:
    assert calls.ready_jobs(JOBS, (), {}) == ["a", "b"]
    assert calls.ready_jobs(JOBS, ("b",), {"a": 0}) == ["c"]
    assert calls.ready_jobs(JOBS, ("c",), {"a": 0, "b": 1}) == [], "d needs b, which failed"


def test_packaged_systems_are_scheduled_after_what_they_need() -> None:
    jobs = calls.jobs_of(calls.DEFAULT_SYSTEMS.split(","))
    seen = {""}
    for name, needed in jobs.items():
        assert needed in seen
        seen.add(name)
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
    assert (work / "runs" / "base" / "system.json").stat().st_mtime_ns == first, "not trained again"
    with tarfile.open(out / "results.tar.xz") as archive:
        names = {"base/run.json", "base/system.json", "cache/outputs.small.json", "call/base.log"}
        assert names <= set(archive.getnames())
