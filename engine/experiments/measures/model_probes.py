"""What is measured inside a run's model: attention against alignments by hand, matching in the cache."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.memory.cache_contents import CacheContents
from anaphora_nmt.memory.continuous_cache import ContinuousCache
from anaphora_nmt.memory.words import Word
from anaphora_nmt.models.kvmematt import KVMemAttDecoder
from anaphora_nmt.nn.state import shift_right
from anaphora_nmt.pipeline.document import OpenDocument
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.lines import PreparedLine, prepare_target
from anaphora_nmt.text.vocabulary import BOS, EOS, Vocabulary
from anaphora_nmt.training.runs import LoadedRun
from anaphora_nmt.types import SourceSegment
from experiments.measures.alignment_error import (
    AlignedPair,
    Link,
    alignment_error,
    count_links,
    expanded_spans,
    strongest_links,
    token_attention,
)

Json = dict[str, Any]
_SLOTS_SHOWN = 24
_EXAMPLE_TOKENS = range(10, 13)
_MATRIX_WORDS = range(8, 17)


class Prober:
    """Forced decoding with a run's model."""

    def __init__(self, loaded: LoadedRun) -> None:
        self._model = loaded.model
        self._topics = loaded.topics
        self._drafter = Drafter(loaded.model, loaded.source, loaded.target)

    def alignment(self, pairs: Sequence[AlignedPair], documents: Sequence[Sequence[str]]) -> Json:
        """Alignment error rate of the attention, and of each round's where there are several.

        Args:
            documents: source segments of each pair's document: a model may read context sentences.
        Raises:
            CorpusError: there are no pairs.
        """
        if not pairs:
            raise CorpusError("none of the aligned pairs stands in docs-dev; give fitting --alignments")
        weights = [self._token_attention(pair, texts) for pair, texts in zip(pairs, documents, strict=True)]
        rounds = len(weights[0])
        errors = [
            alignment_error((strongest_links(found[number]) for found in weights), pairs)
            for number in range(rounds)
        ]
        counts = count_links((strongest_links(found[-1]) for found in weights), pairs)
        found: Json = {**asdict(errors[-1]), "rounds": [error.rate for error in errors]}
        found["counts"] = counts.counts.tolist()
        example = next((n for n, pair in enumerate(pairs) if len(pair.target_tokens) in _EXAMPLE_TOKENS), 0)
        return {"error": found, "example": _example(pairs[example], weights[example])}

    def matching(self, documents: Sequence[tuple[Sequence[str], Sequence[str]]], most: int) -> Json | None:
        """Mean matching probability by position in the history, and one sentence's matching matrix.

        Args:
            documents: (sources, this system's outputs) of each document.
            most: segments of a document that are read.
        Returns:
            None for a model without a continuous cache.
        """
        config = self._model.config.get(ContinuousCache.name)
        if config is None:
            return None
        history = _History(config.size)
        matrix: Json | None = None
        best = 0.0
        for sources, outputs in documents:
            for line, matching, cache in self._matched(sources[:most], outputs[:most]):
                recency = tuple(reversed(cache.recency))
                history.add(matching[:, list(recency)])
                strength = float(matching.max(1).mean()) * (len(recency) == history.size)
                if len(line.words) in _MATRIX_WORDS and strength > best:
                    best, matrix = strength, self._matrix(line, matching, cache)
        return {"by_distance": history.means(), "slots": history.size, "matrix": matrix}

    @torch.inference_mode()
    def _token_attention(self, pair: AlignedPair, texts: Sequence[str]) -> list[np.ndarray]:
        """Attention of the pair's tokens for each round, [target, source]."""
        source = self._open(texts).source(pair.segment)
        target = prepare_target(pair.target, source.line.strings, self._drafter.target)
        pieces = _spans(source, self._drafter.source), _spans(target, self._drafter.target)
        tokens = pair.source_spans, pair.target_spans
        rounds = self._attention(source, target)
        return [token_attention(weights[:-1, 1:-1], pieces, tokens) for weights in rounds]

    def _attention(self, source: PreparedLine, target: PreparedLine) -> np.ndarray:
        """Source weights of each round and piece, marks included, [R, T, S]."""
        encoded = self._drafter.encode_whole([source])
        ids = self._ids(target)
        decoder = self._model.base.decoder
        if isinstance(decoder, KVMemAttDecoder):
            return decoder.attention_rounds(shift_right(ids, BOS), encoded)[0].float().cpu().numpy()
        features = self._model.base.force_decode(encoded, ids, attention=True)
        assert features.attention is not None
        return features.attention.exp().float().cpu().numpy()

    @torch.inference_mode()
    def _matched(
        self, sources: Sequence[str], outputs: Sequence[str]
    ) -> Iterator[tuple[PreparedLine, np.ndarray, CacheContents]]:
        """Each output with its matching [T, K] and the cache before it; outputs enter the memory."""
        opened = self._open(sources)
        for number, text in enumerate(outputs):
            source = opened.source(number)
            target = prepare_target(text, source.line.strings, self._drafter.target)
            if not (source.ids and target.ids):
                continue
            snapshot = opened.memory.before(number)
            cache = snapshot.contents[ContinuousCache.name]
            assert isinstance(cache, CacheContents)
            if len(cache):
                encoded = self._drafter.encode_whole([source])
                forced = self._model.force_decode(encoded, self._ids(target), [snapshot])
                matching = forced.attribution(ContinuousCache.name).strengths
                yield target, matching[0, :-1].float().cpu().numpy(), cache
            opened.memory.draft(number, self._drafter.contributions([source], [target])[0])

    def _matrix(self, line: PreparedLine, matching: np.ndarray, cache: CacheContents) -> Json:
        """Figure 4(b): words of the output × the cached words that they matched most, oldest first.

        The slots of a word's pieces count together.
        """
        rows = np.stack([matching[word.pieces[0] : word.pieces[1]].mean(0) for word in line.words])
        members: dict[Word, list[int]] = {}
        for slot in cache.recency:
            members.setdefault(cache.indicators[slot][0], []).append(slot)
        weights = np.stack([rows[:, slots].sum(1) for slots in members.values()], axis=1)
        shown = sorted(np.argsort(-weights.max(0))[:_SLOTS_SHOWN].tolist())
        names = [self._model.vocabulary.text(word) for word in members]
        return {
            "words": [word.text for word in line.words],
            "slots": [names[column] for column in shown],
            "weights": weights[:, shown].round(4).tolist(),
        }

    def _ids(self, target: PreparedLine) -> Tensor:
        return torch.tensor([[*target.ids, EOS]], device=self._model.device)

    def _open(self, texts: Sequence[str]) -> OpenDocument:
        segments = [SourceSegment(str(number), text) for number, text in enumerate(texts)]
        topic = self._topics.infer(texts) if self._topics else None
        drafter, model = self._drafter, self._model
        return OpenDocument(
            "probe", segments, drafter.source, model.config, model.vocabulary, topic, drafter.context
        )


class _History:
    """Sums of matching probabilities by position, the most recently used slot first."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._sums, self._steps = np.zeros(size), np.zeros(size)

    def add(self, matching: np.ndarray) -> None:
        """Matching of the steps of a sentence over the filled slots, [T, K] in order of recency."""
        count = matching.shape[1]
        self._sums[:count] += matching.sum(0)
        self._steps[:count] += len(matching)

    def means(self) -> list[float]:
        """Mean matching probability of each position, over the steps at which it was filled."""
        filled = self._steps > 0
        return (self._sums[filled] / self._steps[filled]).round(6).tolist()


def _spans(line: PreparedLine, pieces: Vocabulary) -> list[Link]:
    spans = pieces.encode_with_spans(line.line.text)[1][: len(line.ids)]
    return expanded_spans(line.line.text, line.line.strings, spans)


def _example(pair: AlignedPair, rounds: Sequence[np.ndarray]) -> Json:
    return {
        "document": pair.document,
        "segment": pair.segment,
        "source": list(pair.source_tokens),
        "target": list(pair.target_tokens),
        "rounds": [weights.round(4).tolist() for weights in rounds],
        "sure": sorted(map(list, pair.sure)),
        "possible": sorted(map(list, pair.possible)),
    }
