"""What a computed shortlist does to the drafts of an imported model, and to the time that they take.

    python tests/benchmarks/measure_nearest.py FOLDER CORPUS [--nearest 16,32,64] [--sentences 200]

FOLDER is an imported model whose sides share their embeddings. Each line: how many pieces are taken for each
of the source; drafts that stay as without a list; BLEU and chrF2 of all; pieces that may be written for a
sentence (the mean); and the processor time of the drafts against that without a list, by one thread.

    python tests/benchmarks/measure_nearest.py --random [--nearest 48]

A decoder at the sizes of NLLB-200-distilled-600M with random weights: milliseconds of processor time of its
12 layers and of its output layer, five hypotheses, with all pieces and with those of a list for a source of
20 pieces; and how long the list is looked for, the first time and again.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import sacrebleu
import torch
from torch import nn

from anaphora_nmt.api import Translator
from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.imported.architecture import Activation, Architecture, Norm, Positions, Stack
from anaphora_nmt.imported.decoder import ImportedDecoder
from anaphora_nmt.imported.encoder import ImportedEncoder
from anaphora_nmt.imported.loading import load_imported
from anaphora_nmt.imported.nearest_pieces import NearestPieces
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.text.vocabulary import UNK, Vocabulary
from anaphora_nmt.types import SearchOptions, SourceSegment

_PIECES, _WIDTH = 256_206, 1024
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


class _Numbers(Vocabulary):
    """A vocabulary of numbers."""

    def __init__(self) -> None:
        pass

    def written(self) -> list[str]:
        return [f"▁{number}" if number > UNK else "" for number in range(_PIECES)]

    ranked = written


@torch.inference_mode()
def time_large(each: int) -> None:
    """Print what the output layer of a very large vocabulary costs, with a list and without."""
    stacks = Stack(1, 16, 4096, _PIECES), Stack(12, 16, 4096, _PIECES)
    architecture = Architecture(
        width=_WIDTH,
        encoder=stacks[0],
        decoder=stacks[1],
        norm=Norm.BEFORE,
        activation=Activation.RELU,
        scale=32.0,
        positions=Positions.HALF_MINUS_ONE,
    )
    torch.manual_seed(1)
    words = torch.randn(_PIECES, _WIDTH) / 32
    encoder, whole = ImportedEncoder(architecture), ImportedDecoder(architecture)
    for weight in (encoder.words, whole.words, whole.output):
        weight.weight = nn.Parameter(words)
    model = TranslationModel(ModelConfig(_PIECES, _PIECES, EncoderConfig(), DecoderConfig()), encoder, whole)
    decoder = whole.native()
    assert decoder is not None, "the native library is not there"
    side = _Numbers()
    listed, source = NearestPieces(model, side, side, each), list(range(5_000, 5_020))
    first, again = (_milliseconds(lambda: listed.of(source), 1) for _ in range(2))
    pieces = torch.from_numpy(np.unique(listed.of(source)))
    some = decoder.outputs(pieces)
    assert some is not None
    mask = torch.ones(5, 20, dtype=torch.bool)
    state = decoder.start(Encoded(torch.randn(5, 20, _WIDTH), mask))
    previous = torch.full((5,), 7_000)
    features, _ = decoder.step(previous, state)
    print(f"layers      {_milliseconds(lambda: decoder.step(previous, state)):8.2f} ms")
    print(f"all pieces  {_milliseconds(lambda: decoder.log_probs(features)):8.2f} ms, {_PIECES:,} of them")
    print(f"of the list {_milliseconds(lambda: some.log_probs(features.state)):8.2f} ms, {len(pieces):,}")
    print(f"the list    {first:8.2f} ms, again {again:.2f}")


def _milliseconds(call: Callable[[], object], times: int = 20) -> float:
    started = time.process_time()
    for _ in range(times):
        call()
    return 1000 * (time.process_time() - started) / times


def main() -> None:
    """Measure."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--nearest", default="16,32,64")
    parser.add_argument("--sentences", type=int, default=200)
    parser.add_argument("--random", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    if arguments.random:
        return time_large(int(arguments.nearest.split(",")[-1]))
    bundle = replace(load_imported(arguments.folder), shortlist=None)  # its card may ask for one
    pairs = [pair for document in read_documents(arguments.corpus) for pair in document.pairs if all(pair)]
    chosen = pairs[:: max(1, len(pairs) // arguments.sentences)][: arguments.sentences]
    side = int(bundle.languages[0] == "en")
    sources, references = ([pair[at] for pair in chosen] for at in (side, 1 - side))
    drafts(bundle, sources[:5])  # what is made once
    whole = drafts(bundle, sources)
    _report("none", whole, whole, references, [len(bundle.target)])
    for each in map(int, arguments.nearest.split(",")):
        listed = NearestPieces(bundle.model, bundle.source, bundle.target, each)
        assert listed.shares_embeddings, "the sides differ in embeddings"
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
