"""How long an explanation with influences takes: a segment of about 30 words after 40 confirmed ones.

    python tests/benchmarks/bench_explanation.py DEV.jsonl.xz [--rounds 5]

Goal: 100 ms, so that a click answers at once. For drafts, for a human's own words (the references), and for
the source words behind one word of the draft ("source"), with processor time, since a busy machine slows the
wall clock (and, less, processor time too). Figures: tests/benchmarks/RESULTS.md, "Explanations".
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import SearchOptions, SourceSegment

CONFIRMED, WORDS = 40, range(25, 36)


def main() -> None:
    """Print medians over segments."""
    parser = argparse.ArgumentParser()
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--segments", type=int, default=12)
    arguments = parser.parse_args()
    translator = Translator.load(embedded_model(), device="cpu", threads=1)
    times: dict[str, list[tuple[float, float]]] = {"draft": [], "own words": [], "source": []}
    for document in read_documents(arguments.corpus):
        pairs = document.pairs
        later = [n for n in range(CONFIRMED, len(pairs)) if len(pairs[n][1].split()) in WORDS][:3]
        if not later or len(times["draft"]) >= arguments.segments:
            continue
        segments = [SourceSegment(str(number), source) for number, (source, _) in enumerate(pairs)]
        translator.open_document("d", segments)
        translator.restore("d", [(str(n), target, True) for n, (_, target) in enumerate(pairs[:CONFIRMED])])
        for number in later:
            draft = translator.translate("d", str(number), SearchOptions(beam_size=1)).text
            for kind, text in (("draft", draft), ("own words", pairs[number][1])):
                times[kind].append(_best(translator, str(number), text, arguments.rounds))
            times["source"].append(_best_of_source(translator, str(number), draft, arguments.rounds))
    for kind, measured in times.items():
        wall, cpu = (1000 * statistics.median(part) for part in zip(*measured, strict=True))
        worst = 1000 * max(each for _, each in measured)
        print(f"{kind:10} {len(measured)} segments: {wall:.0f} ms wall, {cpu:.0f} ms CPU (most {worst:.0f})")


def _best(translator: Translator, segment: str, text: str, rounds: int) -> tuple[float, float]:
    """The quickest of some rounds: (wall, processor) seconds."""
    return _timed(lambda: translator.explain("d", segment, text), rounds)


def _best_of_source(translator: Translator, segment: str, text: str, rounds: int) -> tuple[float, float]:
    """The same of the source words behind the word in the middle."""
    middle = len(translator.explain("d", segment, text, False).tokens) // 2
    return _timed(lambda: translator.source_influences("d", segment, text, middle), rounds)


def _timed(action: Callable[[], object], rounds: int) -> tuple[float, float]:
    found = []
    for _ in range(rounds):
        wall, cpu = time.perf_counter(), time.process_time()
        action()
        found.append((time.perf_counter() - wall, time.process_time() - cpu))
    return min(wall for wall, _ in found), min(cpu for _, cpu in found)


if __name__ == "__main__":
    main()
