"""`anaphora-nmt fit-memory`: the constants of a model's memories anew, on references that were confirmed.

The documents are a corpus or a TMX file; of one file alone every fourth document is kept to compare on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
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
_SHORTEST, _LONGEST, _SHARE = 10, 100, 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the subcommand."""
    parser.add_argument("--model", type=Path, required=True, help="its folder, whose card is rewritten")
    parser.add_argument("--train", type=Path, required=True, help="documents to fit on, a corpus or a .tmx")
    parser.add_argument("--dev", type=Path, help="documents to compare on; without it, some of those")
    parser.add_argument("--sentences", type=int, default=2000, help="of training documents")
    parser.add_argument("--dev-sentences", type=int, default=800)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry", action="store_true", help="print what is fitted, and write nothing")
    parser.add_argument("--threads", type=int, default=1)


def run(arguments: argparse.Namespace) -> int:
    """Fit, print the losses on dev with the constants before and after, and write them."""
    import torch

    from anaphora_nmt.config import to_dict
    from anaphora_nmt.imported.loading import is_imported, load_imported, rewrite_memory
    from anaphora_nmt.memory.registry import MemoryConfig, registered
    from anaphora_nmt.models.bundle import load_bundle

    torch.set_num_threads(arguments.threads)
    imported = is_imported(arguments.model)
    bundle = load_imported(arguments.model) if imported else load_bundle(arguments.model)
    held = bundle.memory.memories
    fitted = {name: given for name, given in held.items() if registered(name).fits_constants}
    before = MemoryConfig(dict(fitted))
    train, dev = _documents(arguments, bundle.languages)
    for name, memory in _drafter(bundle, before).model.memories.items():
        fitted[name] = memory.fit(_samples(_drafter(bundle, before), name, train))
    after = MemoryConfig(fitted)
    for title, config in (("before", before), ("after", after)):
        print(json.dumps({"constants": title, **to_dict(config)}))
        base, with_memory = _losses(_drafter(bundle, config), dev)
        print(f"dev, nats a piece: {base:.4f} without memory, {with_memory:.4f} with", flush=True)
    if imported and not arguments.dry:
        rewrite_memory(arguments.model, bundle.memory.with_memories(**fitted))
    elif not arguments.dry:
        path = arguments.model / "config.json"
        settings = json.loads(path.read_text("utf-8"))
        settings["memory"] = to_dict(bundle.memory.with_memories(**fitted))
        write_atomically(path, json.dumps(settings, indent=1) + "\n")
    return 0


def _documents(
    arguments: argparse.Namespace, languages: tuple[str, str]
) -> tuple[list[ParallelDocument], list[ParallelDocument]]:
    """Those to fit on, and those to compare on."""
    from anaphora_nmt.errors import CorpusError

    train = read_any(arguments.train, languages)
    if arguments.dev is not None:
        dev = read_any(arguments.dev, languages)
    else:
        dev = [each for number, each in enumerate(train) if number % _SHARE == _SHARE - 1]
        train = [each for number, each in enumerate(train) if number % _SHARE != _SHARE - 1]
    if not train or not dev:
        least = f"{_SHORTEST} pairs in {arguments.train if not train else arguments.dev or arguments.train}"
        raise CorpusError(f"No document to fit on has {least}: more confirmed text is needed.")
    return (
        choose(train, arguments.sentences, arguments.seed),
        choose(dev, arguments.dev_sentences, arguments.seed),
    )


def read_any(path: Path, languages: tuple[str, str]) -> list[ParallelDocument]:
    """Documents of a corpus or of a TMX file, those that are long enough to have a memory."""
    from anaphora_nmt.data.corpus import read_documents
    from anaphora_nmt.data.tmx import read_tmx

    found = read_tmx(path, languages) if path.suffix.lower() == ".tmx" else read_documents(path)
    return [each for each in found if len(each.pairs) >= _SHORTEST]


def choose(documents: Sequence[ParallelDocument], sentences: int, seed: int) -> list[ParallelDocument]:
    """Documents in a random order, cut, with so many sentences or a few more in all."""
    import random

    from anaphora_nmt.data.corpus import ParallelDocument

    documents = list(documents)
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
