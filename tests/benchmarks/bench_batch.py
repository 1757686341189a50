"""Folders of documents by one process and by several: the same to the letter, how fast, how much memory.

    python tests/benchmarks/bench_batch.py CORPUS [--documents 60] [--segments 8] [--jobs 2] [--ray] …

Documents in eight formats are made of a corpus's sentences, and translated by `anaphora translate` with one
process, with several, and by Ray. Printed: seconds by the clock, the ratio by it and by the processor time of
the process that works most (for a busy machine), from the first document on; the same of as many copies of
the command with one process that know nothing of one another, which is what the machine allows; the memory of
each process; and whether any file differs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

import psutil

from anaphora.command_line.batch.ledger import NAME
from anaphora_nmt.data.corpus import read_documents

sys.path.insert(0, str(Path(__file__).parents[1] / "app" / "support"))
from small_documents import MAKERS, make


def lines_of(corpus: Path, documents: int, segments: int) -> list[list[str]]:
    """So many documents of so many of a corpus's sources, from its beginning and again."""
    sources = (source for document in read_documents(corpus) for source, _ in document.pairs)
    lines = cycle([" ".join(source.split()) for source in islice(sources, documents * segments)])
    return [[*islice(lines, segments)] for _ in range(documents)]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a run took.

    Attributes:
        seconds: by the clock, with the start.
        busiest: processor seconds, from the first document on, of the command and of the process that worked
            most, which is what it takes where every process has a core to itself.
        memory: of each process that translates, (private MB, proportional MB): the most that was seen.
        begun: seconds until the first document was done.
        rest: seconds by the clock from the first document on.
    """

    seconds: float
    busiest: float
    memory: list[tuple[float, float]]
    begun: float
    rest: float


def run(folder: Path, out: Path, jobs: int, *more: str) -> Measured:
    """Translate a folder by so many processes."""
    command = [sys.executable, "-m", "anaphora.main", "translate", str(folder), "-o", str(out)]
    command += ["--jobs", str(jobs), "--progress", "json", *more]
    clock, by_ray = time.perf_counter, "--ray" in more
    begun, most, spent = clock(), dict[int, tuple[float, float]](), dict[int, float]()
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"}
    )
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            with suppress(psutil.Error):
                parent = psutil.Process(process.pid)
                spent.update(_spent_by_each(process.pid))
                for child in parent.children(recursive=by_ray):
                    if by_ray and "TranslatingActor" not in " ".join(child.cmdline()):
                        continue
                    used = child.memory_full_info()
                    seen = most.get(child.pid, (0.0, 0.0))
                    most[child.pid] = max(seen[0], used.uss / 1e6), max(seen[1], used.pss / 1e6)

    watcher = threading.Thread(target=watch)
    watcher.start()
    assert process.stderr is not None
    times, before = list[float](), dict[int, float]()
    for line in process.stderr:
        if line.startswith("{"):
            before = before or _spent_by_each(process.pid)
            times.append(clock())
    status = process.wait()
    seconds = clock() - begun
    ended.set()
    watcher.join()
    if status:
        raise SystemExit(f"translating ended with status {status}")
    late = {pid: seconds - before.get(pid, 0.0) for pid, seconds in spent.items()}
    busiest = late.pop(process.pid, 0.0) + max(late.values(), default=0.0)
    return Measured(seconds, busiest, sorted(most.values()), times[0] - begun, times[-1] - times[0])


def _spent_by_each(pid: int) -> dict[int, float]:
    """Processor seconds of a process and of those that it started itself."""
    found = dict[int, float]()
    with suppress(psutil.Error):
        for process in (parent := psutil.Process(pid), *parent.children()):
            times = process.cpu_times()
            found[process.pid] = times.user + times.system
    return found


def copies(count: int, folder: Path, out: Path, *wishes: str) -> list[Measured]:
    """The command with one process, so many times at once."""
    with ThreadPoolExecutor(count) as threads:
        return [*threads.map(lambda number: run(folder, out / str(number), 1, *wishes), range(count))]


def main() -> None:
    """Make, translate, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--segments", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--pseudo", action="store_true", help="no translation: what all but the engine takes")
    parser.add_argument("--ray", action="store_true", help="by Ray on this machine, too")
    arguments = parser.parse_args()
    wishes = ["--pseudo"] if arguments.pseudo else []
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        make(root / "in", lines_of(arguments.corpus, arguments.documents, arguments.segments))
        runs = {"one process": run(root / "in", root / "one", 1, *wishes)}
        several = f"{arguments.jobs} processes"
        runs[several] = run(root / "in", root / "many", arguments.jobs, *wishes)
        (root / "copies").mkdir()
        alone = copies(arguments.jobs, root / "in", root / "copies", *wishes)
        if arguments.ray:
            runs["one process by Ray"] = run(root / "in", root / "ray", 1, "--ray", "local", *wishes)
        files = [path.relative_to(root / "one") for path in (root / "one").rglob("*") if path.is_file()]
        names = [name for name in files if name.name != NAME]
        others = [root / "many", *([root / "ray"] if arguments.ray else [])]
        different = [
            name
            for name in names
            for other in others
            if (root / "one" / name).read_bytes() != (other / name).read_bytes()
        ]
    print(f"{len(names)} documents of {len(MAKERS)} formats, {arguments.segments} segments each")
    for name, took in runs.items():
        memory = ", ".join(f"{own:.0f} ({shared:.0f})" for own, shared in took.memory)
        print(
            f"{name}: {took.seconds:.1f} s, first document after {took.begun:.1f} s, "
            f"then {took.rest * 1000 / (len(names) - 1):.0f} ms "
            f"a document; private (proportional) MB of each: {memory}"
        )
    one, many, count = runs["one process"], runs[several], arguments.jobs
    print(f"ratio {one.rest / many.rest:.2f} by the clock, {one.busiest / many.busiest:.2f} by processor")
    copied = zip(*((each.rest, each.busiest) for each in alone), strict=True)
    by_clock, by_processor = (count * count / sum(values) for values in copied)
    print(
        f"{count} copies: {one.rest * by_clock:.2f} by the clock, "
        f"{one.busiest * by_processor:.2f} by processor"
    )
    print(f"files that differ: {len(different)}")


if __name__ == "__main__":
    main()
