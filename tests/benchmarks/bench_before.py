"""Drafts of this tree beside those of an older one: the same ones, how much quicker, how good.

    git worktree add ../before COMMIT
    python tests/benchmarks/bench_before.py ../before CORPUS… [--segments 100] [--sample] [--scores]
        [--no-history]

Each tree has a process of its own; both draft the same segments in turn on one thread, and their processor
times are compared, so that a busy machine slows both. The reference of each segment is confirmed before the
next one is drafted (of the sample, the older tree's draft).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parents[2]


def serve() -> None:
    """Answer requests, a line of JSON each, with a text and the processor time that it took."""
    from anaphora_nmt.api import Translator
    from anaphora_nmt.commands.shared.embedded_model import embedded_model
    from anaphora_nmt.types import SearchOptions, SourceSegment

    translator = Translator.load(embedded_model(), "cpu", threads=1)
    for line in sys.stdin:
        asked = json.loads(line)
        begun, text = time.process_time(), ""
        if "open" in asked:
            segments = [SourceSegment(str(n), each) for n, each in enumerate(asked["open"])]
            translator.open_document("d", segments)
        elif "draft" in asked:
            text = translator.translate("d", asked["draft"], SearchOptions(beam_size=5)).text
        else:
            translator.remember("d", asked["confirm"], asked["text"])
        print(json.dumps([text, time.process_time() - begun]), flush=True)


class Tree:
    """A tree's translator in its process, and what it made."""

    def __init__(self, path: Path) -> None:
        parts = os.pathsep.join(str(path / part) for part in ("app", "engine", "resources"))
        environment = {**os.environ, "PYTHONPATH": parts, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, str(Path(__file__).resolve()), "--serve"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self._process: Any = subprocess.Popen(command, env=environment, **pipes)  # type: ignore[call-overload]
        self.drafts: list[str] = []
        self.seconds: list[float] = []
        self.confirming: list[float] = []

    def ask(self, **request: Any) -> tuple[str, float]:
        """The answer to one request."""
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        text, seconds = json.loads(self._process.stdout.readline())
        return text, seconds

    def close(self) -> None:
        """End the process."""
        self._process.stdin.close()
        self._process.wait()


def compare(trees: list[Tree], pairs: Sequence[tuple[str, str]], history: bool) -> None:
    """Draft one document with both."""
    for tree in trees:
        tree.ask(open=[source for source, _ in pairs])
    for number, (_, reference) in enumerate(pairs):
        for tree in trees:
            text, seconds = tree.ask(draft=str(number))
            tree.drafts.append(text)
            tree.seconds.append(seconds)
        for tree in trees if history else ():
            _, seconds = tree.ask(confirm=str(number), text=reference or trees[0].drafts[-1])
            tree.confirming.append(seconds)


def report(name: str, trees: list[Tree], references: list[str]) -> None:
    """Print what came of a corpus, and forget it."""
    before, now = trees
    same = sum(map(str.__eq__, before.drafts, now.drafts))
    medians = [1000 * statistics.median(tree.seconds) for tree in trees]
    print(f"{name}: {same} of {len(now.drafts)} drafts the same; median draft", end=" ")
    print(f"{medians[0]:.1f} → {medians[1]:.1f} ms, {medians[0] / medians[1]:.2f} times as fast;", end=" ")
    print(f"all {sum(before.seconds) / sum(now.seconds):.2f}", flush=True)
    if now.confirming:
        confirming = [1000 * statistics.median(tree.confirming) for tree in trees]
        print(f"    to confirm and draft the next: {medians[0] + confirming[0]:.0f} →", end=" ")
        print(f"{medians[1] + confirming[1]:.0f} ms", flush=True)
    if references:
        from sacrebleu import corpus_bleu, corpus_chrf

        for tree, label in zip(trees, ("before", "now"), strict=True):
            bleu, chrf = (score(tree.drafts, [references]).score for score in (corpus_bleu, corpus_chrf))
            print(f"    {label}: BLEU {bleu:.2f}, chrF2 {chrf:.2f}", flush=True)
    for tree in trees:
        tree.drafts, tree.seconds, tree.confirming = [], [], []


def main() -> None:
    """Compare."""
    if "--serve" in sys.argv:
        serve()
        return
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("before", type=Path)
    parser.add_argument("corpora", type=Path, nargs="*")
    parser.add_argument("--segments", type=int, default=100)
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--scores", action="store_true")
    parser.add_argument("--no-history", action="store_true")
    arguments = parser.parse_args()
    from bench_native import documents, sample  # of this tree alone

    trees = [Tree(arguments.before.resolve()), Tree(HERE)]
    for path in [*([None] if arguments.sample else []), *arguments.corpora]:
        some = list(sample() if path is None else documents(path, arguments.segments))
        for pairs in some:
            compare(trees, pairs, not arguments.no_history)
        references = [reference for pairs in some for _, reference in pairs]
        name = "sample" if path is None else f"{path.parent.name}/{path.name}"
        report(name, trees, references if arguments.scores and path else [])
    for tree in trees:
        tree.close()


if __name__ == "__main__":
    main()
