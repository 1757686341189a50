"""What a computed shortlist does to the drafts of an imported model, and to the time that they take.

    python tests/benchmarks/measure_nearest.py FOLDER CORPUS [--nearest 16,32,64] [--sentences 200]

FOLDER is an imported model whose sides share their embeddings. Each line: how many pieces are taken for each
of the source; drafts that stay as without a list; BLEU and chrF2 of all; pieces that may be written for a
sentence (the mean); and the processor time of the drafts against that without a list, by one thread.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import dataclass, replace
from pathlib import Path

import sacrebleu
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.imported.loading import load_imported
from anaphora_nmt.imported.nearest_pieces import NearestPieces, shares_embeddings
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.types import SearchOptions, SourceSegment

_OPTIONS = SearchOptions(memories={"confirmed": False})


@dataclass(frozen=True)
class Drafts:
    """Drafts of a corpus.

    Attributes:
        texts: they. seconds: of processor time, of them all.
    """

    texts: list[str]
    seconds: float


def drafts(bundle: Bundle, sources: list[str]) -> Drafts:
    """Each source drafted by itself."""
    translator = Translator(bundle, None, torch.device("cpu"))
    translator.open_document("d", [SourceSegment(str(at), text) for at, text in enumerate(sources)])
    started = time.process_time()
    texts = [translator.translate("d", str(at), _OPTIONS).text for at in range(len(sources))]
    return Drafts(texts, time.process_time() - started)


def main() -> None:
    """Measure."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("folder", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--nearest", default="16,32,64")
    parser.add_argument("--sentences", type=int, default=200)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    bundle = load_imported(arguments.folder)
    assert shares_embeddings(bundle.model, bundle.source, bundle.target), "the sides differ in embeddings"
    pairs = [pair for document in read_documents(arguments.corpus) for pair in document.pairs if all(pair)]
    chosen = pairs[:: max(1, len(pairs) // arguments.sentences)][: arguments.sentences]
    side = int(bundle.languages[0] == "en")
    sources, references = ([pair[at] for pair in chosen] for at in (side, 1 - side))
    drafts(bundle, sources[:5])  # what is made once
    whole = drafts(bundle, sources)
    _report("none", whole, whole, references, [len(bundle.target)])
    for each in map(int, arguments.nearest.split(",")):
        listed = NearestPieces(bundle.model, bundle.source, bundle.target, each)
        with_list = drafts(replace(bundle, shortlist=listed), sources)
        sizes = [len(set(listed.of(bundle.source.encode(text)).tolist())) for text in sources]
        _report(str(each), with_list, whole, references, sizes)


def _report(name: str, found: Drafts, whole: Drafts, references: list[str], sizes: list[int]) -> None:
    same = sum(one == other for one, other in zip(found.texts, whole.texts, strict=True))
    bleu = sacrebleu.corpus_bleu(found.texts, [references]).score
    chrf = sacrebleu.corpus_chrf(found.texts, [references]).score
    print(
        f"{name:>5}: {same} of {len(whole.texts)} the same, BLEU {bleu:.2f}, chrF2 {chrf:.2f}, "
        f"{statistics.mean(sizes):.0f} pieces, time {found.seconds / whole.seconds:.2f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
