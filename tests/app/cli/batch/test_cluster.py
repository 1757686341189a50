"""A Ray cluster of two nodes, in which a process, a node and the run are killed."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import psutil
import pytest
from small_documents import POOR, make

from anaphora.cli.batch.ledger import FILE_NAME
from anaphora.cli.headless import translate_file
from anaphora.cli.headless_help import help_of
from anaphora.main import main
from anaphora.system.locations import default_model, glossary
from anaphora_nmt.api import Translator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not made for this system"),
]

WITHIN = 240
"""Seconds, for a loaded machine."""
NODE = {
    "num_cpus": 1,
    "num_gpus": 1,
    "include_dashboard": False,
    "include_log_monitor": False,
    "object_store_memory": 80_000_000,
}
SETTINGS = {
    "USAGE_STATS_ENABLED": "0",
    "AUTH_MODE": "disabled",  # otherwise it writes a key to the home folder
    "worker_niceness": "0",  # other tests run at the same time
    # Processes start only when there is work.
    "enable_worker_prestart": "0",
    "prestart_worker_first_driver": "0",
    # A missing node is noticed after two seconds instead of fifteen.
    "health_check_period_ms": "500",
    "health_check_failure_threshold": "4",
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of one node."""
    from ray import cluster_utils

    # Its sockets are in this folder, and their paths must be short.
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(dir="/tmp") as folder:
        for name, value in SETTINGS.items():
            patch.setenv(f"RAY_{name}", value)
        # Ray records started clusters there, but does not create the folder.
        patch.setenv("RAY_TMPDIR", folder)
        Path(folder, "ray").mkdir()
        head = {**NODE, "temp_dir": folder, "no_monitor": True}  # which would add nodes
        cluster = cluster_utils.Cluster(initialize_head=True, head_node_args=head)
        yield cluster
        cluster.shutdown()


class Run:
    """The command `anaphora translate`, with its progress."""

    def __init__(self, cluster: Any, *arguments: str, script: str = "") -> None:
        program = ["-c", script] if script else ["-m", "anaphora.main", "translate"]
        self._process = subprocess.Popen(
            [sys.executable, *program, *arguments, "--ray", cluster.address],
            stderr=subprocess.PIPE,
            text=True,
        )
        self._said: list[str] = []

    def wait_for(self, done: int) -> None:
        """Wait until `done` documents are finished."""
        assert self._process.stderr is not None
        for line in self._process.stderr:
            self._said.append(line)
            if (told := re.match(r"(\d+)/\d+ documents", line)) and int(told[1]) >= done:
                return
        raise AssertionError("it ended before: " + "".join(self._said))

    def end(self, by: int | None = None) -> int:
        """The exit status."""
        if by is not None:
            self._process.send_signal(by)
        _, rest = self._process.communicate(timeout=WITHIN)
        self._said.append(rest)
        return self._process.returncode

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    @property
    def said(self) -> str:
        return "".join(self._said)


def actors(kind: str = "TranslatingActor") -> list[psutil.Process]:
    """The processes of the cluster that translate."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            found += [process] if kind in " ".join(process.cmdline()) else []
        except psutil.Error:
            continue
    return found


def written(root: Path) -> dict[str, bytes]:
    """The written files without the progress files."""
    paths = (path for path in root.rglob("*") if path.is_file() and path.name != FILE_NAME)
    found = {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    # The unfinished output of a killed process is hidden.
    return {name: data for name, data in found.items() if not name.rpartition("/")[2].startswith(".")}


def one_by_one(root: Path, names: list[str], out: Path) -> dict[str, bytes]:
    """The files of a run without a cluster, by name."""
    translator = Translator.load(default_model(), "cpu", 1)
    with help_of((), (), dictionary=glossary("zh", "en")) as given:
        for name in names:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            translate_file(root / name, out / name, translator, help_=given)
    return written(out)


def test_killed_processes_nodes_and_runs_leave_complete_documents(cluster, tmp_path: Path) -> None:
    root, out, report = tmp_path / "in", tmp_path / "out", tmp_path / "report.json"
    who, what = ("我", "你", "他们"), ("读取", "保存", "更新", "打开")
    lines = [f"{one}{does}{number}个缓存。" for one, does, number in product(who, what, (3, 5))]
    documents = make(root, [[POOR], *([line] for line in lines[1:])])
    expected = one_by_one(root, documents, tmp_path / "alone")
    command = [f"file://{root}", "-o", f"file://{out}", "--resume", "--report", str(report)]

    node = cluster.add_node(**NODE)
    run = Run(cluster, *command)
    run.wait_for(2)
    actors()[0].kill()
    run.wait_for(6)
    cluster.remove_node(node, allow_graceful=False)
    run.wait_for(12)
    assert run.end(by=signal.SIGTERM) == 130, run.said
    half = written(out)
    assert 12 <= len(half) < len(documents)
    assert half.items() <= expected.items(), "all files are complete and equal those of one process"
    assert not actors(), "the cluster has freed it"

    assert main(["translate", *command, "--jobs", "2"]) == 0, "without the cluster"
    assert written(out) == expected
    made = json.loads(report.read_text("utf-8"))
    assert sorted(each["name"] for each in made["documents"]) == sorted(documents)
    assert all(each["status"] == "done" and each["translated"] for each in made["documents"])
    assert 12 <= made["total"]["kept_from_before"] <= len(half), "finished documents are not translated again"


DEADLY = """
import os, sys
from anaphora.cli.batch import cluster
from anaphora.main import main

class Deadly(cluster.TranslatingActor):
    def __init__(self, *given):
        super().__init__(*given)
        translate = self._outcome_of
        self._outcome_of = lambda job: os._exit(1) if job.name == "deadly.txt" else translate(job)

cluster.TranslatingActor = Deadly
sys.exit(main(["translate", *sys.argv[1:]]))
"""


ON_GPUS = """
import json, ray, sys, time
from dataclasses import asdict
from pathlib import Path
from anaphora.cli.batch import cluster
from anaphora.main import main

class OnGpu:
    def __init__(self, carried, begun):
        self._device = carried.settings.device

    def __call__(self, row):
        name, _, destination, *_ = json.loads(row["job"][0])
        used = [ray.get_runtime_context().get_node_id(), *map(str, ray.get_gpu_ids()), self._device]
        Path(destination).with_name(" ".join(used)).touch()
        time.sleep(1)
        return {"outcome": [json.dumps(asdict(cluster.Outcome(name, "done")))]}

cluster.TranslatingActor = OnGpu
sys.exit(main(["translate", *sys.argv[1:]]))
"""


def test_an_added_node_takes_part_and_each_process_has_its_own_gpu(cluster, tmp_path: Path) -> None:
    """The nodes report GPUs, which are not used for computing."""
    root, out = tmp_path / "in", tmp_path / "out"
    root.mkdir()
    for number in range(40):
        (root / f"{number}.txt").write_text("打开文件。\n", "utf-8")
    run = Run(cluster, "--device", "cuda", str(root), "-o", str(out), script=ON_GPUS)
    run.wait_for(1)
    assert len([*out.glob("* 0 cuda")]) == len(actors("(OnGpu)")) == 1
    node = cluster.add_node(**NODE)
    end = time.monotonic() + WITHIN
    while len([*out.glob("* 0 cuda")]) < 2:
        assert run.is_running and time.monotonic() < end, run.said
        time.sleep(0.1)
    assert run.end(by=signal.SIGTERM) == 130, run.said
    cluster.remove_node(node)


def test_a_document_that_ends_its_process_fails_and_the_others_are_written(cluster, tmp_path: Path) -> None:
    root, out, report = tmp_path / "in", tmp_path / "out", tmp_path / "report.json"
    root.mkdir()
    names = [f"{number}.txt" for number in range(6)]
    for name in (*names, "deadly.txt"):
        (root / name).write_text("打开文件。\n", "utf-8")
    (root / "broken.docx").write_bytes(b"PK")
    run = Run(cluster, "--pseudo", str(root), "-o", str(out), "--report", str(report), script=DEADLY)
    assert run.end() == 1, run.said
    assert set(written(out)) == set(names)
    results = {each["name"]: each for each in json.loads(report.read_text("utf-8"))["documents"]}
    assert "ended unexpectedly, 3 times" in results["deadly.txt"]["error"]
    assert "complete" in results["broken.docx"]["error"]
    assert len(results) == len(names) + 2 and "Traceback" not in run.said


def test_without_a_cluster_advice_is_given(tmp_path: Path, capsys, monkeypatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("打开文件。\n", "utf-8")
    command = ["translate", "--pseudo", str(tmp_path / "in"), "-o", str(tmp_path / "out"), "--resume"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"  # a free port
        assert main([*command, "--ray", address]) == 1
    printed = capsys.readouterr().err
    assert address in printed and "ray start --head" in printed and "Traceback" not in printed
    assert main([*command, "--ray", "nowhere"]) == 1
    assert "No Ray cluster was found at “nowhere”" in capsys.readouterr().err

    def other_version(*_: object, **__: object) -> None:
        raise RuntimeError("Version mismatch: The cluster was started with:\n    Ray: 2.40.0\n")

    monkeypatch.setattr("ray.init", other_version)
    assert main([*command, "--ray", "auto"]) == 1
    printed = capsys.readouterr().err
    assert "cannot be used: Version mismatch: The cluster was started with: Ray: 2.40.0." in printed
    assert "ray start" not in printed
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main([*command, "--ray", "auto"]) == 1
    assert "anaphora[cluster]" in capsys.readouterr().err
