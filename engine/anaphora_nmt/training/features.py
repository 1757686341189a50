"""Decoder features of reference translations. The base is frozen, so they are computed once.

Tu et al. (2018), section 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.data.batches import FORWARD_TOKENS, document_starts, like_lengths
from anaphora_nmt.data.binary_corpus import BinaryCorpus, pad
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.precision import mixed_precision
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.loop import TrainingData, encode_sources


@dataclass(frozen=True)
class FeatureStore:
    """Features of some sentences of a corpus.

    Attributes:
        documents: sentence numbers of each document, in order.
        rows: first row of each sentence in the arrays below, by sentence number.
        contexts, states: c_t and s_t, float16 [pieces, C] and [pieces, D].
        log_probs: log p_nmt(y_t), float32 [pieces].
    """

    corpus: BinaryCorpus
    documents: tuple[np.ndarray, ...]
    rows: dict[int, int]
    contexts: np.ndarray
    states: np.ndarray
    log_probs: np.ndarray

    def span(self, sentence: int) -> slice:
        start = self.rows[sentence]
        return slice(start, start + len(self.corpus.target[sentence]))


def choose_documents(
    corpus: BinaryCorpus, sentences: int, shortest: int, longest_sentence: int, seed: int
) -> tuple[np.ndarray, ...]:
    """Whole documents in a random order, up to `sentences` in all; they are cut after 200 sentences."""
    short = np.maximum(corpus.source.lengths, corpus.target.lengths) <= longest_sentence
    starts = document_starts(corpus.document)
    counts = np.add.reduceat(short, starts[:-1], dtype=np.int64)
    documents = np.flatnonzero(counts >= shortest)
    chosen: list[np.ndarray] = []
    total = 0
    for number in np.random.default_rng(seed).permutation(len(documents)):
        if total >= sentences:
            break
        start, end = (int(starts[documents[number] + place]) for place in (0, 1))
        chosen.append((start + np.flatnonzero(short[start:end]))[:200])
        total += len(chosen[-1])
    return tuple(chosen)


@torch.inference_mode()
def compute_features(
    model: TranslationModel, data: TrainingData, documents: tuple[np.ndarray, ...], bfloat16: bool = False
) -> FeatureStore:
    """Force the decoder through the references; in bfloat16 where that is asked for and quick."""
    device = model.decoder.embeddings.device
    order = np.concatenate(documents)
    order = order[np.argsort(data.corpus.target.sizes(order), kind="stable")]
    lengths = data.corpus.target.sizes(order)
    starts = np.r_[0, np.cumsum(lengths)]
    pieces = int(starts[-1])
    states = np.empty((pieces, model.decoder.width), np.float16)
    contexts = np.empty((pieces, model.decoder.context_width), np.float16)
    log_probs = np.empty(pieces, np.float32)
    model.eval()
    spans = list(like_lengths(lengths, FORWARD_TOKENS, FORWARD_TOKENS // 16))
    for span in tqdm(spans, unit="batch", desc="features"):
        target = torch.from_numpy(pad(data.corpus.target, order[span])).to(device)
        real = target != PAD
        with mixed_precision(device, bfloat16):
            features = model.force_decode(encode_sources(model, data, order[span]), target).select(real)
            logits = model.decoder.logits(features).float()
        rows = slice(int(starts[span.start]), int(starts[span.stop]))
        states[rows], contexts[rows] = (
            part.to(torch.float16).cpu().numpy() for part in (features.state, features.context)
        )
        picked = logits.log_softmax(-1).gather(1, target[real][:, None])[:, 0]
        log_probs[rows] = picked.cpu().numpy()
    places = dict(zip(order.tolist(), starts[:-1].tolist(), strict=True))
    return FeatureStore(data.corpus, documents, places, contexts, states, log_probs)
