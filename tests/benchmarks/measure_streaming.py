"""Whether preparing a corpus and training on it take more memory the larger it is.

    python tests/benchmarks/measure_streaming.py FOLDER [--pairs 8000] [--processes 2]

Makes corpora of so many pairs, 4 and 16 times as many, of sentences that differ; prepares them (vocabularies
of 2,000 pairs at most, shards of 200,000 characters), and trains a toy model on each for an epoch in parts of
2,000 sentences. Prints the peak of what a process held for itself (RssAnon: what a machine must have; pages
of mapped files, RssFile, can be dropped at any time) and the processor time. For Linux.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

PREPARE = """
import sys
from pathlib import Path
from anaphora_nmt.training.preparation import VocabularySizes, prepare
from anaphora_nmt.training.shards import Workers
if __name__ == "__main__":
    corpus, dev, out = map(Path, sys.argv[1:4])
    with Workers(int(sys.argv[4])) as workers:
        prepare([corpus], dev, None, out, VocabularySizes(320, 330, 2000), workers, 200_000)
"""
SIZE = {"kind": "recurrent", "width": 8, "embedding": 8}
STAGES = {
    "toy": {
        "model": {"encoder": {**SIZE, "layers": 1}, "decoder": {**SIZE, "attention": 8}},
        "every": 1_000_000,
        "training": {"batch_tokens": 4000, "warmup": 1, "decay": 1, "pool": 2000},
    }
}
NOUNS = "张量模型变量文件目录列表数据程序系统网络合同租金房屋土地公司银行"
WORDS = (
    "tensor model variable file folder list data program system network contract rent house land firm bank"
)


def write_corpus(path: Path, pairs: int, seed: int) -> None:
    """Documents of 20 pairs."""
    chance, words = random.Random(seed), WORDS.split()
    with path.open("w", encoding="utf-8") as file:
        for document in range(pairs // 20):
            segments = []
            for _ in range(20):
                chosen = [chance.randrange(len(words)) for _ in range(chance.randrange(2, 9))]
                number = chance.randrange(10_000)
                source = (
                    f"打开第{number}个" + "和".join(NOUNS[2 * each : 2 * each + 2] for each in chosen) + "。"
                )
                segments.append(
                    (source, f"Open {number} " + " and ".join(words[each] for each in chosen) + ".")
                )
            line = {"doc": str(document), "source": f"s{document % 3}", "segments": segments}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")


def tree(root: int) -> list[int]:
    """A process and those that it started."""
    found = [root]
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if parent == root:
            found += tree(int(path.parent.name))
    return found


def held(pid: int) -> tuple[float, float]:
    """MB that a process holds for itself, and of files that it has mapped."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0, 0.0
    values = {line.split(":")[0]: line.split(":")[1] for line in lines}
    own, mapped = (float(values.get(name, "0").split()[0]) / 1024 for name in ("RssAnon", "RssFile"))
    return own, mapped


def measured(command: list[str]) -> tuple[float, float, float]:
    """Peak MB of the process that held most, mapped MB of it then, and seconds of processor time."""
    before = os.times()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = 0.0, 0.0
    while process.poll() is None:
        peak = max([peak, *map(held, tree(process.pid))])
        time.sleep(0.05)
    if process.returncode:
        sys.exit(process.stderr.read().decode() if process.stderr else "failed")
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return *peak, spent


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int, default=8000)
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "stages.json").write_text(json.dumps({"stages": STAGES}), "utf-8")
    write_corpus(folder / "dev.jsonl", 100, 0)
    for times in (1, 4, 16):
        pairs = arguments.pairs * times
        corpus, out = folder / f"{pairs}.jsonl", folder / f"prepared-{pairs}"
        write_corpus(corpus, pairs, times)
        files = [str(corpus), str(folder / "dev.jsonl"), str(out)]
        own, mapped, spent = measured([sys.executable, "-c", PREPARE, *files, str(arguments.processes)])
        size = (out / "train.npz").stat().st_size / 1e6
        print(
            f"{pairs:8,} pairs, {size:5.1f} MB of pieces: prepare {own:4.0f} MB ({mapped:.0f} mapped), "
            f"{spent:.0f} s",
            flush=True,
        )
        updates = max(2, int(pairs * 12 / 4000))
        train = [sys.executable, "-m", "anaphora_nmt.cli", "train", str(folder / "stages.json")]
        train += ["--data", str(out), "--runs", str(folder / f"runs-{pairs}")]
        own, mapped, spent = measured([*train, "--set", f"toy.training.updates={updates}"])
        print(
            f"{'':>32}train, {updates} updates, {own:4.0f} MB ({mapped:.0f} mapped), {spent:.0f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
