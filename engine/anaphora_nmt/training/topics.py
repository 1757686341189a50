"""Training of the topic model (LDA)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
import tomotopy
from tqdm import tqdm

from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.errors import CorpusError
from anaphora_nmt.memory.topics import TopicModel, TopicSide, make_topics, source_tokens, target_words


@dataclass(frozen=True)
class TopicTraining:
    """How to train topics.

    Attributes:
        topics: number of topics on each side.
        alpha, beta: priors of Kuang et al. (2018).
        words: number of words kept for each target topic.
        iterations: number of iterations of Gibbs sampling.
        min_pairs: minimum number of sentence pairs of a document.
        max_documents: maximum number of documents; evenly spaced ones are chosen from larger corpora.
        min_count: minimum number of documents that contain a word; rarer words are ignored.
        max_share: maximum share of documents that contain a word; more frequent words are ignored.
        seed: seed of the sampling, which uses one thread to be reproducible.
    """

    topics: int = 100
    alpha: float = 0.5
    beta: float = 0.1
    words: int = 300
    iterations: int = 300
    min_pairs: int = 4
    max_documents: int = 100_000
    min_count: int = 4
    max_share: float = 0.3
    seed: int = 1


def train_topics(corpora: Sequence[Path], settings: TopicTraining = TopicTraining()) -> TopicModel:
    """Train LDA on each side of the documents, and count pairs of topics. CorpusError without documents."""
    sources: list[list[str]] = []
    targets: list[list[str]] = []
    cases: defaultdict[str, Counter[str]] = defaultdict(Counter)
    count = sum(1 for path in corpora for _ in read_documents(path))
    step = max(1, -(-count // settings.max_documents))
    documents = islice(chain.from_iterable(map(read_documents, corpora)), 0, None, step)
    for document in tqdm(documents, desc="topic words", unit="document"):
        if len(document.pairs) < settings.min_pairs:
            continue
        sources.append([token for source, _ in document.pairs for token in source_tokens(source)])
        spelled = [word for _, target in document.pairs for word in target_words(target)]
        targets.append([word.lower() for word in spelled])
        for word in spelled:
            cases[word.lower()][word] += 1
    source, target = (_train_side(texts, settings) for texts in (sources, targets))
    projection = np.zeros((settings.topics, settings.topics), np.int32)
    for source_text, target_text in zip(sources, targets, strict=True):
        pair = source.topic(source_text), target.topic(target_text)
        if None not in pair:
            projection[pair] += 1
    return TopicModel(source, target, projection, make_topics(_leading_words(target, cases, settings.words)))


def _train_side(texts: list[list[str]], settings: TopicTraining) -> TopicSide:
    known = _known_words(texts, settings)
    model = tomotopy.LDAModel(k=settings.topics, alpha=settings.alpha, eta=settings.beta, seed=settings.seed)
    # The priors are constant, as in Kuang et al. (2018).
    model.optim_interval = 0
    for text in texts:
        if words := [word for word in text if word in known]:
            model.add_doc(words)
    if not model.docs:
        raise CorpusError("the corpora have no documents to learn topics from; use corpora with documents")
    step = 10
    for _ in tqdm(range(0, settings.iterations, step), desc="topics", unit=f"{step} passes"):
        model.train(step, workers=1)
    counts = [
        model.get_topic_word_dist(topic, normalize=False) - settings.beta for topic in range(settings.topics)
    ]
    rounded = np.rint(np.stack(counts, 1)).astype(np.int32)
    return TopicSide(tuple(model.used_vocabs), rounded, settings.alpha, settings.beta)


def _known_words(texts: Sequence[list[str]], settings: TopicTraining) -> set[str]:
    seen_in: Counter[str] = Counter()
    for text in texts:
        seen_in.update(set(text))
    max_count = max(settings.max_share * len(texts), settings.min_count)
    return {word for word, count in seen_in.items() if settings.min_count <= count <= max_count}


def _leading_words(
    side: TopicSide, cases: dict[str, Counter[str]], words: int
) -> list[list[tuple[str, float]]]:
    """Each topic's most probable words, in their most frequent letter case, with p(w|z)."""
    smoothed = side.counts + side.beta
    probabilities = smoothed / smoothed.sum(0)
    return [
        [
            (cases[side.words[row]].most_common(1)[0][0], float(column[row]))
            for row in np.argsort(-column, kind="stable")[:words]
            if side.counts[row, number]
        ]
        for number, column in enumerate(probabilities.T)
    ]
