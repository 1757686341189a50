"""A thousand workers with the real schedulers and a stub of the engine: rate, waiting, the end of a run.

    python tests/benchmarks/simulate_workers.py pool [--workers 1000] [--documents 3000] [--words 20000] …
    python tests/benchmarks/simulate_workers.py ray [--failures 5] [--nodes 5] [--processes 50] …

The documents are real files, read, written and noted in the ledger as always; instead of drafting, a worker
sleeps as long as the model would take for so many words (sizes are lognormal, the largest 3 to 4 times the
mean). `pool`: each worker is a process of the pool. `ray`: so many do not fit into one machine's memory, so
each process of the cluster stands for workers/processes workers, as threads. `--failures` processes are
ended, each in the middle of a document, with all that it works on.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from anaphora.command_line.batch import cluster, pool
from anaphora.command_line.batch.ledger import Ledger
from anaphora.command_line.batch.outcome import Outcome
from anaphora.command_line.batch.plan import Job
from anaphora.command_line.batch.translating import Settings, at_work
from anaphora.core.language_pair import CHINESE_TO_ENGLISH

WORDS_A_SECOND = 686.0
"""Of one core: RESULTS.md, "Many documents"."""
SETTINGS = Settings(CHINESE_TO_ENGLISH, None)


def work_on(job: Job, given: Callable[[Job], Outcome]) -> Outcome:
    """Sleep as long as the model would work, and write the document; end the process where that is wanted."""
    seconds = job.size / WORDS_A_SECOND
    with Path(f"{job.source}.begun").open("a") as file:
        file.write(f"{time.time()}\n")
    deadly = Path(f"{job.source}.deadly")
    if deadly.exists():
        time.sleep(seconds / 2)
        deadly.unlink(missing_ok=True)
        os._exit(1)
    time.sleep(seconds)
    return given(job)


@contextmanager
def simulated(settings: Settings, load: Any) -> Iterator[Callable[[Job], Outcome]]:
    """In place of `at_work`, in processes of the pool."""
    with at_work(settings, load) as given:
        yield lambda job: work_on(job, given)


class Simulated(cluster.TranslatingActor):
    """In place of `TranslatingActor`."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        outcome_of = self._outcome_of
        self._outcome_of = lambda job: work_on(job, outcome_of)
        self._threads = ThreadPoolExecutor(1000)

    async def __call__(self, row: Any) -> Any:  # type: ignore[override]
        """Many at a time: Ray Data runs what is not asynchronous in one thread."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, super().__call__, row)


def documents(root: Path, count: int, words: float, failures: int) -> list[Job]:
    """Small files, said to have lognormal numbers of words; the largest first."""
    chance = random.Random(1)
    sizes = [chance.lognormvariate(0.0, 0.35) for _ in range(count)]
    scale = words * count / sum(sizes)
    jobs = []
    for number, size in enumerate(sizes):
        path = root / "in" / f"{number % 100}" / f"{number}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"第{number}页。\n", "utf-8")
        name = f"{number % 100}/{number}.txt"
        jobs.append(Job(name, path, root / "out" / name, max(1, round(size * scale)), "digest"))
    jobs.sort(key=lambda job: (-job.size, job.name))
    for job in chance.sample(jobs, failures):
        Path(f"{job.source}.deadly").touch()
    (root / "out").mkdir()
    return jobs


@contextmanager
def nodes_of_ray(count: int, cores: int) -> Iterator[str]:
    """A cluster on this machine whose nodes say that they have so many cores."""
    from ray.cluster_utils import Cluster

    os.environ |= {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled", "RAY_worker_niceness": "0"}
    node = {"num_cpus": cores, "include_dashboard": False, "object_store_memory": 100_000_000}
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        os.environ["RAY_TMPDIR"] = folder
        Path(folder, "ray").mkdir()
        made = Cluster(initialize_head=True, head_node_args={**node, "temp_dir": folder})
        for _ in range(count - 1):
            made.add_node(**node)
        yield made.address
        made.shutdown()


def as_threads(workers: int, processes: int) -> None:
    """Let each process of a cluster do the work of several: a task, and one that waits, for each."""
    import ray.data

    each, mapped, strategy = workers // processes, ray.data.Dataset.map_batches, ray.data.ActorPoolStrategy

    def map_batches(self: Any, *given: Any, **named: Any) -> Any:
        return mapped(self, *given, **named, max_concurrency=each)

    def pool_of(**named: Any) -> Any:
        return strategy(**{**named, "max_tasks_in_flight_per_actor": 2 * each})

    ray.data.Dataset.map_batches, ray.data.ActorPoolStrategy = map_batches, pool_of


def watch(most: dict[str, float], ended: threading.Event) -> None:
    """The private memory of this process and of all that it started, MB, and how many there are."""
    while not ended.wait(30):
        found = [psutil.Process(), *psutil.Process().children(recursive=True)]
        total = 0.0
        for process in found:
            try:
                total += process.memory_full_info().uss / 1e6
            except psutil.Error:
                continue
        most["memory"] = max(most.get("memory", 0.0), total)
        most["own"] = time.thread_time()
        most["processes"] = max(most.get("processes", 0.0), len(found))


def simulate(arguments: argparse.Namespace, processes: Any, jobs: list[Job], out: Path) -> dict[str, Any]:
    """Run, and say how it went."""
    ledger, times, failed = Ledger(out, "settings"), list[float](), list[str]()
    most, ended = dict[str, float](), threading.Event()
    threading.Thread(target=watch, args=(most, ended), daemon=True).start()
    clock, begun, spent = time.time(), time.monotonic(), time.process_time()
    with processes as used:
        for job, outcome in used.outcomes(jobs):
            times.append(time.monotonic() - begun)
            ledger.add(job, outcome)
            failed += [] if outcome.is_done else [f"{job.name}: {outcome.error}"]
        spent = time.process_time() - spent - most.pop("own", 0.0)
        ended.set()
    started = [list(map(float, Path(f"{job.source}.begun").read_text().split())) for job in jobs]
    since = sorted(each[0] - clock for each in started)
    work = sum(job.size for job in jobs) / WORDS_A_SECOND
    names = [json.loads(line)["outcome"]["name"] for line in (out / ".anaphora-run.jsonl").open()]
    quarter = len(times) // 4
    rate = (len(times) - 2 * quarter) / (times[-quarter - 1] - times[quarter])
    rest = times[-1] - times[-min(arguments.workers, len(times))]
    return {
        "seconds": round(times[-1], 1),
        "ideal": round(work / arguments.workers, 1),
        "longest document": round(jobs[0].size / WORDS_A_SECOND, 1),
        "all workers have begun after": round(since[arguments.workers - 1], 1),
        "documents a second, middle half": round(rate, 1),
        "busy share of workers": round(work / arguments.workers / times[-1], 3),
        "seconds of the last document for each worker": round(rest, 1),
        "scheduler, ms of processor a document": round(1000 * spent / len(jobs), 2),
        "written": len([*out.rglob("*.txt")]),
        "begun again": sum(map(len, started)) - len(jobs),
        "told twice": len(names) - len({*names}),
        "failed": [*failed[:3], len(failed)],
        **{name: round(value) for name, value in most.items()},
    }


def main() -> None:
    """Simulate, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scheduler", choices=("pool", "ray"))
    for name, default in (("workers", 1000), ("documents", 3000), ("words", 20_000), ("failures", 0)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--nodes", type=int, default=5)
    parser.add_argument("--processes", type=int, default=50)
    arguments = parser.parse_args()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        jobs = documents(root, arguments.documents, arguments.words, arguments.failures)
        if arguments.scheduler == "pool":
            pool.serve.__globals__["at_work"] = simulated
            warm = Job("", jobs[0].source, root / "warm.txt", 0, "")
            with at_work(SETTINGS, None) as given:
                given(warm)  # what is imported before processes are forked is shared by them
            processes: Any = pool.Pool(SETTINGS, None, arguments.workers)
            print(json.dumps(simulate(arguments, processes, jobs, root / "out"), indent=1))
            return
        cluster.TranslatingActor = Simulated  # type: ignore[assignment, misc]
        as_threads(arguments.workers, arguments.processes)
        with nodes_of_ray(arguments.nodes, arguments.processes // arguments.nodes) as address:
            processes = cluster.Cluster(SETTINGS, address, arguments.processes)
            print(json.dumps(simulate(arguments, processes, jobs, root / "out"), indent=1))


if __name__ == "__main__":
    main()
