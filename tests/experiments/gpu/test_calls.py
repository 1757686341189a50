"""The run of every system, in calls: a tiny one through all its steps, on the CPU."""

from __future__ import annotations

import io
import json
import sys
import tarfile
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from anaphora_nmt.training.runs import load_run
from experiments.gpu import calls, schedule, transfer
from experiments.translations import TestSet

sys.path.insert(0, str(Path(__file__).parents[1]))
import small_systems as small


def job(name: str, needs: tuple[str, ...] = (), shares: str | None = None, updates: int = 100) -> calls.Job:
    return calls.Job(name, needs, shares, updates, shares is not None)


JOBS = [job("a"), job("b"), job("c", ("a",), "a"), job("d", ("a",), "a"), job("e", ("b",))]


def test_jobs_start_in_order_as_room_and_needs_allow() -> None:
    going = schedule.Schedule(JOBS, 3)
    assert [one.name for one in going.ready()] == ["a", "b"]
    going.running = {"b": None}
    going.end("a", 0)
    assert [one.name for one in going.ready()] == ["c"], "d would write the same features"
    going.running = {"c": None}
    going.end("b", 1)
    assert going.failed == {"b"} and going.ready() == [], "e needs b, which failed"
    going.running = {}
    going.end("c", 3)
    assert [one.name for one in going.ready()] == ["d"], "c is out of time"


def test_the_scale_fills_the_time() -> None:
    seconds = {one.name: 10.0 for one in JOBS}
    assert schedule.makespan(JOBS, seconds, 3) == 30.0
    assert schedule.makespan(JOBS, seconds, 1) == 50.0
    per_update = {one.name: 0.1 for one in JOBS}
    scale = schedule.choose_scale(JOBS, per_update, 5.0, 3, 75.0)
    assert scale == pytest.approx(2.0, abs=1e-3)  # three in a row: 3 · (5 + 2 · 10)


def test_packaged_systems_are_scheduled_after_what_they_need() -> None:
    jobs = calls.jobs_of(calls.DEFAULT_SYSTEMS.split(","))
    seen: set[str] = set()
    for one in jobs:
        assert set(one.needs) <= seen
        seen.add(one.name)
    assert {"paper-rnnsearch-continued", "paper-transformer", "paper-camn"} <= seen


def test_what_is_done_costs_nothing() -> None:
    per_update = {one.name: 0.1 for one in JOBS if one.name != "a"}
    scale = schedule.choose_scale(JOBS, per_update, 5.0, 3, 75.0, {"a"})
    assert scale == pytest.approx(3.0, abs=1e-3)  # two in a row, or 3 at most


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
    common += [
        "--more-systems",
        str(systems),
        "--minutes",
        "9",
        "--total",
        "1.4",
        "--fixed",
        "0",
        "--jobs",
        "2",
    ]
    common += ["--beam", "2", "--every", "20"]
    assert calls.main([*common, "--systems", "base"]) == 0
    plan = json.loads((work / "plan.json").read_text())
    assert plan["scale"] > 0 and plan["seconds_per_update"]["base"] > 0
    first = (work / "runs" / "base" / "system.json").stat().st_mtime_ns
    assert calls.main([*common, "--systems", "base,cache", "--weights", "base,cache"]) == 0
    assert (work / "runs" / "base" / "system.json").stat().st_mtime_ns == first, "goes on, not again"
    with tarfile.open(out / "results.tar.xz") as archive:
        assert {"base/run.json", "base/system.json", "cache/outputs.small.json", "call/plan.json"} <= set(
            archive.getnames()
        )

    assert (
        calls.main([*common, "--systems", "base", "--from", "best", "--scale", "0.1", "--weights", "best"])
        == 0
    )
    tuned = json.loads((work / "runs" / "base-on" / "system.json").read_text())
    assert tuned["finished"] and tuned["system"]["initial"] == "base"
    assert tuned["system"]["training"]["learning_rate"] == 0.005
    assert (work / "plan.base-on.json").exists() and (out / "base-on.model.safetensors.000").exists()

    back = tmp_path / "back"
    assert calls.main(["restore", "--results", str(out), "--runs", str(back), "--data", str(prepared)]) == 0
    loaded = load_run(back / "cache").model
    trained = load_file(work / "runs" / "cache" / "memory.safetensors")
    for name, value in trained.items():
        torch.testing.assert_close(loaded.memory_state()[name], value.half().float())


def test_results_are_unpacked_below_their_folder_and_nowhere_else(tmp_path: Path) -> None:
    path, folder = tmp_path / "results.tar", tmp_path / "runs"
    folder.mkdir()
    with tarfile.open(path, "w") as archive:
        for name in ("base/system.json", "../outside.json", str(tmp_path / "far.json")):
            content = name.encode()
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        link = tarfile.TarInfo("link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with tarfile.open(path) as archive:
        transfer._unpack(archive, folder)
    assert (folder / "base" / "system.json").read_text() == "base/system.json"
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["base", "results.tar", "runs", "system.json"]
