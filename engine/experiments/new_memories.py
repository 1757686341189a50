"""Train memories for a finished model on documents that are new to it.

    python -m experiments.new_memories cache --model M --data D --out OUT
    anaphora-nmt evaluate --model OUT/model --corpus D/docs-unseen-zh-en/test.jsonl.xz --confirmed \\
        --memories none,cache --out T
    python -m experiments.new_memories words --model M --data D --out OUT
    python tests/benchmarks/measure_project_words.py D/docs-unseen-zh-en T.jsonl --model OUT/model

`cache` trains the gate of a continuous cache; the references before a sentence are its history. `words`
continues to train the scorer and gate of the word caches: a sentence's topic words are the English words that
other documents associate with its source words. These documents are of the same project or, for 60% of the
training sentences, of another one. Both train on more-zh-en and keep the best weights on docs-unseen dev.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from anaphora_nmt.api import Translator
from anaphora_nmt.config import to_dict
from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.data.corpus import ParallelDocument, read_documents
from anaphora_nmt.memory.contents import DocumentInfo, Origin
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import Topic, source_tokens, target_words
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.training.loop import TrainingData
from anaphora_nmt.training.memory import MEMORY_WEIGHTS, MemoryTrainer, SecondPass, dev_losses
from anaphora_nmt.training.memory_samples import DocumentSamples, FeatureStore, Sample, compute_features

_MIN_DICE, _MIN_PAIRS, _MAX_WORDS = 0.4, 2, 3
_PACK = 2500
"""Maximum number of a project's pairs whose words are associated."""
_FOREIGN = 0.6
"""Share of training sentences with another project's words; with 0.15 or 0.4, such words do harm on dev."""
Pairs = Sequence[tuple[str, str]]
Documents = Sequence[tuple[str, Pairs]]
"""The project and the pairs of each document."""
Words = Mapping[str, Sequence[str]]


def words_by_source(pairs: Pairs) -> Words:
    """For each source word, up to three English words with the highest Dice coefficients, at least 0.4."""
    sources, targets, both = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    forms = defaultdict[str, Counter[str]](Counter)
    for source, target in pairs:
        words, tokens = target_words(target), set(source_tokens(source))
        for word in words:
            forms[word.lower()][word] += 1
        sources.update(tokens)
        targets.update({word.lower() for word in words})
        both.update((token, word) for token in tokens for word in {word.lower() for word in words})
    found = defaultdict[str, list[tuple[float, str]]](list)
    for (token, word), number in both.items():
        dice = 2 * number / (sources[token] + targets[word])
        if number >= _MIN_PAIRS and dice >= _MIN_DICE:
            found[token].append((-dice, forms[word].most_common(1)[0][0]))
    return {token: [word for _, word in sorted(some)[:_MAX_WORDS]] for token, some in found.items()}


def topic_of(source: str, words: Words) -> Topic:
    """The topic words of a sentence."""
    offered = dict.fromkeys(word for token in source_tokens(source) for word in words.get(token, ()))
    return Topic(0, tuple((word, 1.0) for word in offered), "")


class SentenceTopics(DocumentSamples):
    """Sentences with topics of their own and no history."""

    def __init__(self, model: MemoryAugmentedModel, store: FeatureStore, topics: Sequence[Topic]) -> None:
        super().__init__(model, store, [None] * len(store.documents))
        self._topics = topics

    def document(self, number: int) -> Iterator[Sample]:
        for sentence in map(int, self.store.documents[number]):
            document = DocumentInfo(self.model.vocabulary, self._topics[sentence])
            yield Sample(sentence, self.model.config.empty(document))


class OtherHistory(DocumentSamples):
    """Sentences whose history is another document."""

    def document(self, number: int) -> Iterator[Sample]:
        *_, last = super().document((number + 1) % len(self.store.documents))
        for sentence in map(int, self.store.documents[number]):
            yield Sample(sentence, last.snapshot)


def _short(document: ParallelDocument, most: int) -> Pairs:
    return [pair for pair in document.pairs if 2 <= len(pair[0]) <= 120][:most]


def by_document(path: Path, sentences: int) -> Documents:
    """Random documents with about `sentences` sentences; each project has at most about a twelfth of them."""
    documents, chosen, sizes = list(read_documents(path)), [], Counter[str]()
    random.Random(3).shuffle(documents)
    for document in documents:
        pairs, project = _short(document, 80), document.source_name
        if len(pairs) >= 8 and sizes[project] <= sentences / 12:
            sizes[project] += len(pairs)
            chosen.append((project, pairs))
            if sizes.total() > sentences:
                break
    return chosen


def by_project(path: Path, sentences: int) -> tuple[Documents, Mapping[str, Words]]:
    """Documents with about `sentences` sentences of each project, and the words of its other documents."""
    projects = defaultdict[str, list[ParallelDocument]](list)
    for document in read_documents(path):
        projects[document.source_name].append(document)
    rng, words, chosen = random.Random(5), dict[str, Words](), []
    for name, documents in sorted(projects.items()):
        if len(documents) < 6:
            continue
        rng.shuffle(documents)
        half = len(documents) // 2
        pack = [pair for document in documents[:half] for pair in document.pairs][:_PACK]
        if len(pack) < 150:
            continue
        words[name], size = words_by_source(pack), 0
        for pairs in (_short(document, 100) for document in documents[half:]):
            if size >= sentences:
                break
            if len(pairs) >= 5:
                chosen.append((name, pairs))
                size += len(pairs)
    return chosen, words


def choose_topics(documents: Documents, words: Mapping[str, Words], foreign: float) -> list[Topic]:
    """The topic words of all sentences; a share `foreign` of the sentences gets another project's words."""
    rng, names, topics = random.Random(7), sorted(words), []
    for project, pairs in documents:
        others = [name for name in names if name != project]
        for source, _ in pairs:
            known = words[rng.choice(others)] if rng.random() < foreign else words[project]
            topics.append(topic_of(source, known))
    return topics


class NewMemories:
    """A finished model, for which memories are trained."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._drafter = Translator.load(folder, device="cpu", threads=1).corpus().drafter
        self.model = self._drafter.model
        self.model.base.requires_grad_(False)

    def features(self, documents: Documents) -> FeatureStore:
        numbered = enumerate(pairs for _, pairs in documents)
        rows = [(number, source, target) for number, pairs in numbered for source, target in pairs]
        corpus = encode_corpus(rows, self._drafter.source, self._drafter.target)
        ends = np.cumsum([0, *(len(pairs) for _, pairs in documents)])
        spans = tuple(np.arange(start, end) for start, end in pairwise(ends))
        return compute_features(self.model.base, TrainingData(corpus), spans)

    def train(
        self,
        memories: MemoryConfig,
        samples: Callable[[MemoryAugmentedModel], Sequence[DocumentSamples]],
        settings: SecondPass,
        out: Path,
    ) -> None:
        """Train on the first of `samples`, keep the best weights on the second, and write OUT/model.

        The losses on all samples except the first are printed.
        """
        torch.manual_seed(1)
        model = MemoryAugmentedModel(self.model.base, memories, self.model.vocabulary)
        known = self.model.memory_state()
        if set(model.memory_state()) <= set(known):
            model.load_memory_state({name: known[name] for name in model.memory_state()})
        train, *dev = samples(model)
        MemoryTrainer(model, settings, out).run(train, dev[0])
        print(*(json.dumps(dev_losses(model, each)) for each in dev), sep="\n")
        self._write(memories, out)

    def _write(self, memories: MemoryConfig, out: Path) -> None:
        target = out / "model"
        shutil.copytree(self.folder, target, dirs_exist_ok=True)
        config = json.loads((target / "config.json").read_text("utf-8"))
        config["memory"].update((name, to_dict(each)) for name, each in memories.memories.items())
        (target / "config.json").write_text(json.dumps(config, indent=1) + "\n", "utf-8")
        tensors = load_file(self.folder / MEMORY_WEIGHTS)
        new = load_file(out / MEMORY_WEIGHTS)
        tensors |= {name: tensor.to(torch.float16).contiguous() for name, tensor in new.items()}
        save_file(tensors, target / MEMORY_WEIGHTS)


def train_cache(new: NewMemories, paths: Sequence[Path], cache: ContinuousCacheConfig, out: Path) -> None:
    """Train the gate; the last loss is that with another document's history."""
    stores = [new.features(by_document(path, size)) for path, size in zip(paths, (10000, 1500), strict=True)]

    def samples(model: MemoryAugmentedModel) -> Sequence[DocumentSamples]:
        train, dev = ((store, [None] * len(store.documents)) for store in stores)
        return [
            DocumentSamples(model, *train, origin=Origin.CONFIRMED),
            DocumentSamples(model, *dev, origin=Origin.CONFIRMED),
            OtherHistory(model, *dev, origin=Origin.CONFIRMED),
        ]

    settings = SecondPass(updates=500, positions=480, learning_rate=1e-3)
    new.train(MemoryConfig({"continuous_cache": cache}), samples, settings, out)


def train_words(new: NewMemories, paths: Sequence[Path], out: Path) -> None:
    """Train the scorer and gate; the last loss is that with another project's words."""
    trained, held = (by_project(path, size) for path, size in zip(paths, (800, 400), strict=True))
    train, dev = new.features(trained[0]), new.features(held[0])

    def samples(model: MemoryAugmentedModel) -> Sequence[DocumentSamples]:
        return [
            SentenceTopics(model, train, choose_topics(*trained, _FOREIGN)),
            SentenceTopics(model, dev, choose_topics(*held, 0.0)),
            SentenceTopics(model, dev, choose_topics(*held, 1.0)),
        ]

    settings = SecondPass(updates=2000, positions=0, pool=6000, learning_rate=1e-3, score_updates=500)
    memories = MemoryConfig({"word_caches": new.model.config.memories["word_caches"]})
    new.train(memories, samples, settings, out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("memory", choices=("cache", "words"))
    parser.add_argument("--model", type=Path, required=True, help="the finished model's folder")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--cache",
        type=json.loads,
        default={"size": 200, "fusion": "shallow"},
        metavar="JSON",
        help="settings of the continuous cache, as in `ContinuousCacheConfig`; default: %(default)s",
    )
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    new, data = NewMemories(arguments.model), arguments.data
    paths = data / "more-zh-en" / "train.jsonl.xz", data / "docs-unseen-zh-en" / "dev.jsonl.xz"
    if arguments.memory == "cache":
        train_cache(new, paths, ContinuousCacheConfig(**arguments.cache), arguments.out)
    else:
        train_words(new, paths, arguments.out)


if __name__ == "__main__":
    main()
