"""Decoder features of reference translations. The base is frozen, so they are computed once.

Tu et al. (2018), section 3.4.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.data.batches import FORWARD_TOKENS, document_starts, like_lengths
from anaphora_nmt.data.binary_corpus import BinaryCorpus, pad
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.precision import mixed_precision
from anaphora_nmt.text.vocabulary import PAD
from anaphora_nmt.training.loop import TrainingData, encode_sources
from anaphora_nmt.training.world import World


@dataclass(frozen=True)
class FeatureStore:
    """Features of some sentences of a corpus.

    Attributes:
        corpus: the sentences.
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
        """Rows of a sentence, </s> included."""
        start = self.rows[sentence]
        return slice(start, start + len(self.corpus.target[sentence]))


def choose_documents(
    corpus: BinaryCorpus, sentences: int, shortest: int, longest_sentence: int, seed: int
) -> tuple[np.ndarray, ...]:
    """Whole documents of at least `shortest` sentences, in a random order, up to `sentences` in all.

    Args:
        longest_sentence: longer ones are left out, pieces. Documents are cut after 200 sentences.
    """

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
    model: TranslationModel,
    data: TrainingData,
    documents: tuple[np.ndarray, ...],
    path: Path,
    bfloat16: bool = False,
) -> FeatureStore:
    """Force the decoder through the references. A run that was cut off goes on where it stopped.

    Args:
        path: the store's files get this name with `.f16` and `.json`; they are made anew for other weights.
        bfloat16: compute in it, where the device multiplies in it.
    """
    order = np.concatenate(documents)
    order = order[np.argsort(data.corpus.target.sizes(order), kind="stable")]
    lengths = data.corpus.target.sizes(order)
    starts = np.r_[0, np.cumsum(lengths)]
    rows = dict(zip(order.tolist(), starts[:-1].tolist(), strict=True))
    width, context_width = model.decoder.width, model.decoder.context_width
    # a row is s_t, c_t and the log-probability as two halves of a float32
    key, world, columns = features_key(model, order), World.join(), width + context_width + 2
    device = model.decoder.embeddings.device
    model.eval()

    def compute(batch: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        target = torch.from_numpy(pad(data.corpus.target, batch)).to(device)
        real = target != PAD
        with mixed_precision(device, bfloat16):
            features = model.force_decode(encode_sources(model, data, batch), target).select(real)
            logits = model.decoder.logits(features).float()
        picked = logits.log_softmax(-1).gather(1, target[real][:, None])[:, 0]
        state, context = (part.to(torch.float16).cpu().numpy() for part in (features.state, features.context))
        return state, context, picked.cpu().numpy()

    done = world.first(lambda: _begin(path, key, int(starts[-1]) * columns * 2))
    store = np.memmap(_files(path)[0], np.float16, "r+", shape=(int(starts[-1]), columns))
    states, contexts = store[:, :width], store[:, width : width + context_width]
    log_probs = store[:, -2:].view(np.float32)[:, 0]
    batches = [order[span] for span in like_lengths(lengths, FORWARD_TOKENS, FORWARD_TOKENS // 16, done)]
    with tqdm(
        total=len(order), initial=done, unit="sentence", desc="features", disable=world.rank > 0
    ) as bar:
        for batch, found in zip(batches, world.map(compute, batches), strict=True):
            span = slice(int(starts[done]), int(starts[done + len(batch)]))
            done += len(batch)
            bar.update(len(batch))
            if world.rank:
                continue
            states[span], contexts[span], log_probs[span] = found
            if done == len(order) or done // 2000 != (done - len(batch)) // 2000:
                _mark(path, key, store, done)
    world.wait()  # until the file is whole
    return FeatureStore(data.corpus, documents, rows, contexts, states, log_probs)


def _begin(path: Path, key: str, size: int) -> int:
    """Make room for so many bytes; how many sentences are there already."""
    numbers, about = _files(path)
    done = 0
    if about.exists() and numbers.exists() and numbers.stat().st_size == size:
        state = json.loads(about.read_text("utf-8"))
        done = state["done"] if state["key"] == key else 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with numbers.open("ab") as file:
        file.truncate(size)
    return done


def _mark(path: Path, key: str, store: np.memmap, done: int) -> None:
    store.flush()
    _files(path)[1].write_text(json.dumps({"key": key, "done": done}), "utf-8")


def features_key(model: TranslationModel, sentences: np.ndarray) -> str:
    """Hash of what the features of given targets depend on: decoder, CAMN and sentences."""
    digest = hashlib.sha256(sentences.astype(np.int64).tobytes())
    parts = (model.decoder, *([] if model.camn is None else [model.camn]))
    for parameter in chain.from_iterable(part.parameters() for part in parts):
        digest.update(parameter.detach().cpu().numpy().tobytes())
    return digest.hexdigest()


def _files(path: Path) -> tuple[Path, Path]:
    return path.with_name(path.name + ".f16"), path.with_name(path.name + ".json")
