"""Compare drafts of the native library with those of torch: equality, speed, quality.

    python tests/benchmarks/bench_native.py CORPUS… [--segments 500] [--history] [--scores] [--sample]

Both draft the same segments in turn, on one thread; ratios are those of processor times, so that a busy
machine affects both equally. With `--history`, each reference is confirmed before the next segment is
drafted. The segments are the first ones (up to 40) of documents spread over the corpus. `--sample` uses the
app's sample document instead of a corpus, and confirms torch's drafts. `--scores` prints BLEU and chrF2.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.types import TORCH, SearchOptions, SourceSegment

_OF_EACH = 40
Pairs = Sequence[tuple[str, str]]


@dataclass
class Backend:
    """One of the two translators, and its results."""

    name: str
    translator: Translator
    drafts: list[str] = field(default_factory=list)
    drafting: list[float] = field(default_factory=list)
    confirming: list[float] = field(default_factory=list)


def documents(path: Path, segments: int) -> Iterator[Pairs]:
    """The beginnings of documents spread over a corpus."""
    every = [document.pairs for document in read_documents(path)]
    step = max(1, len(every) * _OF_EACH // max(segments, 1))
    left = segments
    for pairs in (pairs for first in range(step) for pairs in every[first::step]):
        beginning = pairs[: min(left, _OF_EACH)]
        left -= len(beginning)
        if beginning:
            yield beginning


def sample() -> Iterator[Pairs]:
    """The app's sample, without references."""
    from anaphora.core.drafts import needs_draft
    from anaphora.formats.registry import read
    from anaphora.system.locations import sample_document

    yield [(segment.source, "") for segment in read(sample_document()).segments if needs_draft(segment)]


def compare(backends: Sequence[Backend], pairs: Pairs, history: bool) -> None:
    """Draft one document with both translators."""
    options = SearchOptions(beam_size=5)
    for each in backends:
        each.translator.open_document("d", [SourceSegment(str(n), text) for n, (text, _) in enumerate(pairs)])
    for number, (_, reference) in enumerate(pairs):
        for backend in backends:
            started = time.process_time()
            backend.drafts.append(backend.translator.translate("d", str(number), options).text)
            backend.drafting.append(time.process_time() - started)
        for backend in backends if history else ():
            started = time.process_time()
            backend.translator.remember("d", str(number), reference or backends[0].drafts[-1])
            backend.confirming.append(time.process_time() - started)


def report(name: str, backends: Sequence[Backend], references: Sequence[str]) -> None:
    """Print the results for a corpus."""
    torch, native = backends
    count = len(torch.drafts)
    same = sum(map(str.__eq__, torch.drafts, native.drafts))
    print(f"{name}: {same} of {count} drafts the same; ", end="")
    print(f"{sum(torch.drafting) / sum(native.drafting):.2f} times as fast, median draft ", end="")
    medians = [1000 * statistics.median(backend.drafting) for backend in backends]
    print(f"{medians[0]:.1f} → {medians[1]:.1f} ms ({medians[0] / medians[1]:.2f})", flush=True)
    if torch.confirming:
        print(f"    to confirm: {1000 * statistics.median(torch.confirming):.1f} →", end=" ")
        print(f"{1000 * statistics.median(native.confirming):.1f} ms", flush=True)
    if references:
        from sacrebleu import corpus_bleu, corpus_chrf

        for backend in backends:
            bleu, chrf = (score(backend.drafts, [references]).score for score in (corpus_bleu, corpus_chrf))
            print(f"    {backend.name}: BLEU {bleu:.2f}, chrF2 {chrf:.2f}", flush=True)


def main() -> None:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("corpora", type=Path, nargs="*")
    parser.add_argument("--segments", type=int, default=500)
    parser.add_argument("--history", action="store_true")
    parser.add_argument("--sample", action="store_true")
    parser.add_argument("--scores", action="store_true")
    parser.add_argument("--show", action="store_true", help="print the drafts that differ")
    arguments = parser.parse_args()
    folder = embedded_model()
    translators = [Translator.load(folder, "cpu", threads=1, int8=native) for native in (False, True)]
    if translators[1].info.kernels == TORCH:
        raise SystemExit("the native library is missing: python -m anaphora_nmt.native.build")
    for path in [None] if arguments.sample else arguments.corpora:
        backends = [Backend(name, each) for name, each in zip(("torch", "native"), translators, strict=True)]
        chosen = list(sample() if path is None else documents(path, arguments.segments))
        for pairs in chosen:
            compare(backends, pairs, arguments.history or path is None)
        references = [reference for pairs in chosen for _, reference in pairs] if arguments.scores else []
        report("sample" if path is None else f"{path.parent.name}/{path.name}", backends, references)
        for first, second in zip(*(each.drafts for each in backends), strict=True) if arguments.show else ():
            if first != second:
                print(f"    - {first}\n    + {second}")


if __name__ == "__main__":
    main()
