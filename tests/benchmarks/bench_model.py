"""How fast the embedded model is: its loading, a segment at a time with its memory, a corpus in batches.

    python tests/benchmarks/bench_model.py [--model FOLDER] [--beam 5] [--runs 3] [--float32]
        [--corpus test.jsonl.xz]

Each run is a process of its own, with the threads that the app takes: it loads the model, then drafts the
sample document from beginning to end and confirms each draft before the next one. With --corpus, the first
20 segments of 24 of its documents are then drafted one at a time, without memory, and side by side, as
`anaphora-nmt evaluate` does it.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator
    from anaphora_nmt.types import SearchOptions

T = TypeVar("T")
DOCUMENTS, SEGMENTS = 24, 20


def probe(model: Path | None, beam: int, corpus: Path | None, int8: bool) -> dict[str, float]:
    """One run, in this process: what was measured, by name."""
    started = time.perf_counter()
    import torch  # noqa: F401  (its import takes longer than the model's loading: timed by itself)

    from anaphora.core.drafts import needs_draft
    from anaphora.formats.registry import read
    from anaphora.shipped import sample_document
    from anaphora_nmt.api import Translator
    from anaphora_nmt.commands.shared.embedded_model import embedded_model
    from anaphora_nmt.types import SearchOptions, SourceSegment

    imported = time.perf_counter()
    translator = Translator.load(model or embedded_model(), int8=int8)
    loaded = time.perf_counter()
    options = SearchOptions(beam_size=beam)
    segments = [segment for segment in read(sample_document()).segments if needs_draft(segment)]
    translator.open_document("sample", [SourceSegment(one.id, one.source) for one in segments])
    spent: list[float] = []
    learning: list[float] = []
    words = 0
    for segment in segments:
        seconds, draft = timed(partial(translator.translate, "sample", segment.id, options))
        spent.append(seconds)
        words += len(draft.text.split())
        learning.append(timed(partial(translator.remember, "sample", segment.id, draft.text))[0])
    result = {
        "import_s": imported - started,
        "load_s": loaded - imported,
        "segment_median_ms": 1000 * statistics.median(spent),
        "segment_p95_ms": 1000 * sorted(spent)[int(0.95 * len(spent))],
        "confirm_median_ms": 1000 * statistics.median(learning),
        "words_per_s": words / sum(spent),
    }
    if corpus is not None:
        documents = sources_of(corpus)
        result["corpus_median_ms"] = corpus_median(translator, documents, options)
        result["words_per_s_in_batches"] = corpus_speed(translator, documents, options)
    return result


def timed(action: Callable[[], T]) -> tuple[float, T]:
    """Seconds that `action` took, and what it gave."""
    started = time.perf_counter()
    result = action()
    return time.perf_counter() - started, result


def sources_of(path: Path) -> list[list[str]]:
    """The first segments of documents from all over a corpus."""
    from anaphora_nmt.data.corpus import read_documents

    documents = list(read_documents(path))
    chosen = documents[:: max(1, len(documents) // DOCUMENTS)][:DOCUMENTS]
    return [[source for source, _ in document.pairs[:SEGMENTS]] for document in chosen]


def corpus_median(translator: Translator, documents: list[list[str]], options: SearchOptions) -> float:
    """Milliseconds that a draft takes, the median of segments that are drafted one at a time."""
    from anaphora_nmt.types import SourceSegment

    spent = []
    for sources in documents:
        segments = [SourceSegment(str(place), source) for place, source in enumerate(sources)]
        translator.open_document("corpus", segments)
        for segment in segments:
            spent.append(timed(partial(translator.translate, "corpus", segment.id, options))[0])
        translator.close_document("corpus")
    return 1000 * statistics.median(spent)


def corpus_speed(translator: Translator, documents: list[list[str]], options: SearchOptions) -> float:
    """Words a second of the documents' segments, side by side."""
    seconds, drafts = timed(lambda: translator.corpus().translate(documents, options))
    return sum(len(draft.split()) for document in drafts for draft in document) / seconds


def main() -> None:
    """Run the probe in fresh processes and print what each measured."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", type=Path)
    parser.add_argument("--beam", type=int, default=5)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--float32", action="store_true", help="search in float32, not in int8")
    parser.add_argument("--probe", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.probe:
        print(json.dumps(probe(arguments.model, arguments.beam, arguments.corpus, not arguments.float32)))
        return
    results = []
    for _ in range(arguments.runs):
        command = [sys.executable, __file__, *sys.argv[1:], "--probe"]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        results.append(json.loads(printed.splitlines()[-1]))
    for name in results[0]:
        print(f"{name:>24}: " + "  ".join(f"{result[name]:8.2f}" for result in results))


if __name__ == "__main__":
    main()
