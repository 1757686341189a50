"""Drafts that the memory changes: how many lose chrF, and what is left of the gain once some are withheld.

    python tests/benchmarks/measure_withheld.py draft CORPUS.jsonl.xz … --out FILE [--every 4] [--segments 12]
    python tests/benchmarks/measure_withheld.py count FILE …

`draft` reads every nth document of the corpora, one after the other as listed, drafts its first segments in
turn without memory and with all before it confirmed as their references, and keeps of both the mean
log-probability with the memory, and the expected quality without it. Sources of more than 100 characters
are confirmed, but not drafted. `count` prints what becomes of the changed drafts where those are withheld
that are expected to be worse, and with `WORTH` of `anaphora_nmt.pipeline.suggesting`; `--worth` tries
others, on dev. A draft that repeats a confirmed segment is always taken.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.evaluation.bleu import MetricOptions, chrf_metric, corpus_bleu, corpus_chrf
from anaphora_nmt.pipeline.suggesting import WORTH, _Asked
from anaphora_nmt.types import SearchOptions, SourceSegment

LONGEST = 100


@dataclass(frozen=True)
class Pair:
    """A segment's drafts.

    Attributes:
        plain, changed: without memory, and with it.
        likelier: mean log-probability of `changed` minus that of `plain`, with the memory, in nats a piece.
        better: expected quality, without the memory, of `changed` minus that of `plain`.
        repeats: whether it is the repetition of a confirmed segment.
    """

    document: str
    segment: int
    plain: str
    changed: str
    reference: str
    likelier: float
    better: float
    repeats: bool


@torch.inference_mode()
def pairs_of(translator: Translator, document: ParallelDocument, segments: int) -> Iterator[Pair]:
    """Draft a document both ways; each segment's reference is confirmed before the next one."""
    pairs, maker, options = document.pairs[:segments], translator._maker, SearchOptions()
    without = SearchOptions(memories=dict.fromkeys(translator._bundle.memory.chosen(), False))
    translator.open_document("d", [SourceSegment(str(at), source) for at, (source, _) in enumerate(pairs)])
    opened = translator._document("d")
    for at, (text, reference) in enumerate(pairs):
        source, memory = opened.source(at), opened.memory.before(at)
        if source.ids and len(text) <= LONGEST:
            plain = translator._drafter.draft([source], [memory], without, None, [()])[0]
            repeated = maker._repeated(opened, at, options, ())
            changed = repeated or translator._drafter.draft([source], [memory], options, None, [()])[0]
            drafts, asked = (changed, plain), _Asked(source, memory, options, None, (), ())
            read = [maker._judged(asked, each, options).evidence for each in drafts]
            alone = [maker._judged(asked, each, without).quality for each in drafts]
            likelier = float(read[0].log_probs.mean() - read[1].log_probs.mean())
            better = alone[0].expected - alone[1].expected
            texts = plain.text, changed.text
            yield Pair(document.id, at, *texts, reference, likelier, better, repeated is not None)
        translator.remember("d", str(at), reference)


def draft(arguments: argparse.Namespace) -> None:
    """Write the pairs, one a line."""
    translator = Translator.load(embedded_model(), device="cpu", threads=1)
    documents = [each for path in arguments.files for each in read_documents(path)][:: arguments.every]
    with arguments.out.open("w", encoding="utf-8") as file:
        for number, document in enumerate(documents, 1):
            for pair in pairs_of(translator, document, arguments.segments):
                file.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            file.flush()
            print(f"{number} of {len(documents)} documents", file=sys.stderr, flush=True)


def count(arguments: argparse.Namespace) -> None:
    """Print the shares and the scores."""
    lines = (line for path in arguments.files for line in path.read_text("utf-8").splitlines())
    pairs = [Pair(**json.loads(line)) for line in lines]
    changed = [pair for pair in pairs if pair.plain != pair.changed]
    metric = chrf_metric(MetricOptions())

    def loses(pair: Pair) -> bool:
        before, after = (
            metric.sentence_score(text, [pair.reference]).score for text in (pair.plain, pair.changed)
        )
        return after < before

    losing = {id(pair) for pair in changed if loses(pair)}
    print(f"{len({pair.document for pair in pairs})} documents, {len(pairs)} drafts, {len(changed)} changed")
    show("without memory", pairs, changed, losing, lambda pair: False)
    show("with it", pairs, changed, losing, lambda pair: True)
    show("not expected worse", pairs, changed, losing, lambda pair: pair.repeats or pair.better >= 0)
    for worth in arguments.worth:
        kept = {id(pair) for pair in changed if pair.repeats or pair.likelier >= worth}
        show(f"withheld below {worth:.2f}", pairs, changed, losing, partial(_is_among, kept))


def _is_among(kept: set[int], pair: Pair) -> bool:
    return id(pair) in kept


def show(
    name: str, pairs: list[Pair], changed: list[Pair], losing: set[int], takes: Callable[[Pair], bool]
) -> None:
    """A line: drafts taken, those that lose of all changed and of those taken, BLEU and chrF2."""
    taken = [pair for pair in changed if takes(pair)]
    lost = sum(id(pair) in losing for pair in taken)
    texts = [pair.changed if takes(pair) else pair.plain for pair in pairs]
    references = [[pair.reference for pair in pairs]]
    bleu, chrf = corpus_bleu(texts, references).value, corpus_chrf(texts, references).value
    print(
        f"{name:<20} taken {len(taken):>4}  lose {lost:>4}: {lost / len(changed):6.1%} of the changed, "
        f"{lost / max(1, len(taken)):6.1%} of the taken  BLEU {bleu:.2f}  chrF2 {chrf:.2f}"
    )


def main() -> None:
    """Draft, or count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("draft", "count"))
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, default=Path("withheld.jsonl"))
    parser.add_argument("--every", type=int, default=4)
    parser.add_argument("--segments", type=int, default=12)
    parser.add_argument("--worth", type=float, nargs="*", default=[WORTH])
    arguments = parser.parse_args()
    {"draft": draft, "count": count}[arguments.what](arguments)


if __name__ == "__main__":
    main()
