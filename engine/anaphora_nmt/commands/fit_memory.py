"""`anaphora-nmt fit-memory`: the constants of a model's memories anew, on references that were confirmed."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from anaphora_nmt.files import write_atomically

if TYPE_CHECKING:
    from torch import Tensor

    from anaphora_nmt.data.corpus import ParallelDocument
    from anaphora_nmt.memory.contents import MemorySnapshot
    from anaphora_nmt.memory.protocol import FittingSample
    from anaphora_nmt.models.bundle import Bundle
    from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
    from anaphora_nmt.nn.state import Encoded
    from anaphora_nmt.pipeline.drafting import Drafter

_BATCH = 16
_SHORTEST, _LONGEST = 10, 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("--model", type=Path, required=True, help="its folder; config.json is rewritten")
    parser.add_argument("--train", type=Path, required=True, help="documents to fit on")
    parser.add_argument("--dev", type=Path, required=True, help="documents to compare on")
    parser.add_argument("--sentences", type=int, default=2000, help="of training documents")
    parser.add_argument("--dev-sentences", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="print what is fitted, and write nothing")
    parser.add_argument("--threads", type=int, default=1)


def run(arguments: argparse.Namespace) -> int:
    """Fit, print the losses on dev with the constants before and after, and write them."""
    import torch

    from anaphora_nmt.config import to_dict
    from anaphora_nmt.memory.registry import MemoryConfig, registered
    from anaphora_nmt.models.bundle import load_bundle

    torch.set_num_threads(arguments.threads)
    bundle = load_bundle(arguments.model)
    held = bundle.memory.memories
    fitted = {name: given for name, given in held.items() if registered(name).fits_constants}
    before = MemoryConfig(dict(fitted))
    train = choose(arguments.train, arguments.sentences, arguments.seed)
    for name, memory in _drafter(bundle, before).model.memories.items():
        fitted[name] = memory.fit(_samples(_drafter(bundle, before), name, train))
    after = MemoryConfig(fitted)
    dev = choose(arguments.dev, arguments.dev_sentences, arguments.seed)
    for title, config in (("before", before), ("after", after)):
        print(json.dumps({"constants": title, **to_dict(config)}))
        base, with_memory = _losses(_drafter(bundle, config), dev)
        print(f"dev, nats a piece: {base:.4f} without memory, {with_memory:.4f} with", flush=True)
    if not arguments.dry:
        path = arguments.model / "config.json"
        settings = json.loads(path.read_text("utf-8"))
        settings["memory"] = to_dict(bundle.memory.with_memories(**fitted))
        write_atomically(path, json.dumps(settings, indent=1) + "\n")
    return 0


def choose(corpus: Path, sentences: int, seed: int) -> list[ParallelDocument]:
    """Whole documents of some length in a random order, cut, with so many sentences or a few more in all."""
    import random

    from anaphora_nmt.data.corpus import ParallelDocument, read_documents

    documents = [each for each in read_documents(corpus) if len(each.pairs) >= _SHORTEST]
    random.Random(seed).shuffle(documents)
    chosen: list[ParallelDocument] = []
    for each in documents:
        if sum(len(one.pairs) for one in chosen) >= sentences:
            break
        chosen.append(ParallelDocument(each.id, each.source_name, each.licence, each.pairs[:_LONGEST]))
    return chosen


def _drafter(bundle: Bundle, config: object) -> Drafter:
    from anaphora_nmt.memory.registry import MemoryConfig
    from anaphora_nmt.memory.words import WordVocabulary
    from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
    from anaphora_nmt.pipeline.drafting import Drafter

    assert isinstance(config, MemoryConfig)
    model = MemoryAugmentedModel(bundle.model, config, WordVocabulary(bundle.target)).eval()
    return Drafter(model, bundle.source, bundle.target)


def _histories(
    drafter: Drafter, documents: list[ParallelDocument]
) -> Iterator[tuple[Encoded, Tensor, list[MemorySnapshot]]]:
    """Sources, references and the memories of all references before them, confirmed; in batches."""
    import torch

    from anaphora_nmt.memory.contents import DocumentInfo
    from anaphora_nmt.memory.document import DocumentMemory
    from anaphora_nmt.pipeline.lines import prepare_source, prepare_target
    from anaphora_nmt.text.vocabulary import EOS, PAD

    model: MemoryAugmentedModel = drafter.model
    for document in documents:
        names = [str(number) for number in range(len(document.pairs))]
        memory = DocumentMemory(document.id, names, model.config, DocumentInfo(model.vocabulary))
        for start in range(0, len(names), _BATCH):
            pairs = document.pairs[start : start + _BATCH]
            sources = [prepare_source(source, drafter.source) for source, _ in pairs]
            targets = [
                prepare_target(target, source.line.strings, drafter.target)
                for source, (_, target) in zip(sources, pairs, strict=True)
            ]
            written = drafter.contributions(sources, targets)
            for number, contribution in enumerate(written, start):
                memory.confirm(number, contribution)
            longest = max(len(target.ids) for target in targets) + 1
            rows = [[*t.ids, EOS, *[PAD] * (longest - 1 - len(t.ids))] for t in targets]
            places = range(start, start + len(pairs))
            encoded = drafter.encode_whole(sources)
            yield encoded, torch.tensor(rows), [memory.before(place) for place in places]


def _samples(drafter: Drafter, name: str, documents: list[ParallelDocument]) -> Iterator[FittingSample]:
    import torch

    from anaphora_nmt.memory.protocol import FittingSample
    from anaphora_nmt.text.vocabulary import PAD

    model = drafter.model
    for encoded, target, snapshots in _histories(drafter, documents):
        with torch.inference_mode():
            features = model.base.force_decode(encoded, target)
            held = model.memories[name].gather([one.contents[name] for one in snapshots], model.source())
            log_probs = model.log_probs_after(features, ())
        yield FittingSample(model.steps(features, target), held, target, target != PAD, log_probs)


def _losses(drafter: Drafter, documents: list[ParallelDocument]) -> tuple[float, float]:
    """Nats a piece of the references, without memory and with those that are fitted."""
    import torch

    from anaphora_nmt.text.vocabulary import PAD

    sums, pieces = [0.0, 0.0], 0
    for encoded, target, snapshots in _histories(drafter, documents):
        with torch.inference_mode():
            for number, use in enumerate((frozenset[str](), None)):
                likely = drafter.model.force_decode(encoded, target, snapshots, use).target_log_probs
                sums[number] -= float(likely.double().sum())
        pieces += int((target != PAD).sum())
    return sums[0] / max(1, pieces), sums[1] / max(1, pieces)
