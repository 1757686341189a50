"""One document on several cores against one: how much quicker, and the same drafts.

    python tests/benchmarks/bench_two_cores.py [CORPUS] [--threads 2] [--segments 80] [--history] [--first]

Drafts the app's sample, and the first segments of documents of the corpus, with one thread and with several
in turn. Printed are the clock's time, which needs cores that nobody else uses, and processor time, by which
the clock's would be so much shorter if all cores were at work all the time. Every draft has to be the same,
with its score and its quality. With `--history` each segment is confirmed as its reference before the next
one. With `--first` (for root) this goes before all other programs for the seconds that it takes, as on a
quiet machine.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench_native import documents, sample

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.types import SourceSegment, Suggestion


class Way:
    """A translator, and what it took."""

    def __init__(self, threads: int) -> None:
        self.translator = Translator.load(embedded_model(), "cpu", threads=threads)
        self.drafts: list[Suggestion] = []
        self.clock = self.all = self.own = 0.0

    def draft(self, pairs: Sequence[tuple[str, str]], history: bool) -> None:
        """Draft one document."""
        segments = [SourceSegment(str(n), text) for n, (text, _) in enumerate(pairs)]
        self.translator.open_document("d", segments)
        begun = [each() for each in CLOCKS]
        for number, (_, reference) in enumerate(pairs):
            self.drafts.append(self.translator.translate("d", str(number)))
            if history and reference:
                self.translator.remember("d", str(number), reference)
        taken = [each() - start for each, start in zip(CLOCKS, begun, strict=True)]
        self.clock, self.all, self.own = (
            before + now for before, now in zip((self.clock, self.all, self.own), taken, strict=True)
        )


CLOCKS: tuple[Callable[[], float], ...] = (time.perf_counter, time.process_time, time.thread_time)


def main() -> None:
    """Compare."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--segments", type=int, default=80)
    parser.add_argument("--history", action="store_true")
    parser.add_argument("--first", action="store_true")
    arguments = parser.parse_args()
    one, several = ways = [Way(threads) for threads in (1, arguments.threads)]
    some = [*sample(), *(documents(arguments.corpus, arguments.segments) if arguments.corpus else [])]
    if arguments.first:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    for pairs in some:
        for way in ways:
            way.draft(pairs, arguments.history)
    if arguments.first:
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    same = sum(map(Suggestion.__eq__, one.drafts, several.drafts))
    print(f"{len(some)} documents, {same} of {len(one.drafts)} drafts the same")
    print(f"1 thread:  {one.clock:.2f} s, processor time {one.all:.2f} s")
    each = f"{several.own:.2f} s in the thread that drafts, {several.all - several.own:.2f} s beside it"
    print(f"{arguments.threads} threads: {several.clock:.2f} s, processor time {several.all:.2f} s: {each}")
    best = one.all / (several.all / arguments.threads)
    print(f"by the clock {one.clock / several.clock:.2f} times as fast; with all cores at work {best:.2f}")


if __name__ == "__main__":
    main()
