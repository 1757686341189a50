"""Folders of documents by one process and by several: the same to the letter, how fast, how much memory.

    python tests/benchmarks/bench_batch.py CORPUS [--documents 60] [--segments 8] [--jobs 2]

Documents in eight formats are made of a corpus's sentences, and translated by `anaphora translate` with one
process and with several. Printed: wall clock of both, their ratio, the private memory of each process (what
it does not share with the others), and whether any file differs. On a busy machine only the last two count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import threading
import time
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


def run(folder: Path, out: Path, jobs: int) -> tuple[float, list[float]]:
    """Seconds, and the private MB of each process at most."""
    command = [
        sys.executable,
        "-m",
        "anaphora.main",
        "translate",
        str(folder),
        "-o",
        str(out),
        "--jobs",
        str(jobs),
    ]
    begun, most = time.perf_counter(), dict[int, float]()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": "1"})
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.5):
            for child in psutil.Process(process.pid).children():
                try:
                    most[child.pid] = max(most.get(child.pid, 0.0), child.memory_full_info().uss / 1e6)
                except psutil.Error:
                    continue

    watcher = threading.Thread(target=watch)
    watcher.start()
    status = process.wait()
    seconds = time.perf_counter() - begun
    ended.set()
    watcher.join()
    if status:
        raise SystemExit(f"translating ended with status {status}")
    return seconds, sorted(most.values())


def main() -> None:
    """Make, translate, compare, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--segments", type=int, default=8)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        make(root / "in", lines_of(arguments.corpus, arguments.documents, arguments.segments))
        one, _ = run(root / "in", root / "one", 1)
        many, memory = run(root / "in", root / "many", arguments.jobs)
        files = [path.relative_to(root / "one") for path in (root / "one").rglob("*") if path.is_file()]
        names = [name for name in files if name.name != NAME]
        different = [n for n in names if (root / "one" / n).read_bytes() != (root / "many" / n).read_bytes()]
    print(f"{len(names)} documents of {len(MAKERS)} formats, {arguments.segments} segments each")
    print(f"one process {one:.1f} s, {arguments.jobs} processes {many:.1f} s, ratio {one / many:.2f}")
    print("private memory of a process: " + ", ".join(f"{each:.0f} MB" for each in memory))
    print(f"files that differ: {len(different)}")


if __name__ == "__main__":
    main()
