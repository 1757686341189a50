"""Enlarge the vocabularies of a model folder, so that training can continue on other kinds of text.

The new source vocabulary consists of the encoder's pieces that occur in the corpora, with the encoder's
frozen embeddings. The target vocabulary keeps its pieces and their ids, and the whole words of the corpora
that save the most pieces are added. A new word's embedding is the mean of its former pieces' embeddings.
Old pieces keep their scores, but new words take some probability, so the model needs training.
"""

from __future__ import annotations

import importlib
import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.data.binary_corpus import clean_pairs
from anaphora_nmt.data.corpus import read_documents
from anaphora_nmt.models.bundle import Bundle, fill, load_bundle, save_bundle
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.pretrained import read_pretrained
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.training.preparation import trim_vocabulary

WORD = re.compile(r"(?<!\S)[A-Za-z]{3,}(?:'[a-z]{1,2})?(?![\w'])")
MIN_COUNT = 20


def new_words(texts: Iterable[str], target: Vocabulary, maximum: int) -> list[tuple[str, float]]:
    counts = Counter(word for text in texts for word in WORD.findall(text))
    total = sum(counts.values())
    gains = {
        word: count * (len(target.encode(word)) - 1) for word, count in counts.items() if count >= MIN_COUNT
    }
    chosen = sorted((word for word in gains if gains[word]), key=lambda word: (-gains[word], word))[:maximum]
    return [("▁" + word, math.log(counts[word] / total)) for word in chosen]


def extend_vocabulary(target: Vocabulary, words: Sequence[tuple[str, float]]) -> Vocabulary:
    pb: Any = importlib.import_module("sentencepiece.sentencepiece_model_pb2")
    proto = pb.ModelProto.FromString(target.serialized)
    for piece, score in words:
        proto.pieces.add(piece=piece, score=score, type=pb.ModelProto.SentencePiece.NORMAL)
    proto.trainer_spec.vocab_size = len(proto.pieces)
    return Vocabulary(bytes(proto.SerializeToString()))


def extend_table(table: Tensor, old: Vocabulary, words: Sequence[tuple[str, float]]) -> Tensor:
    """Embeddings or biases [V, …] extended by those of new words, [V + new, …]."""
    rows = [table[old.encode(piece.replace("▁", ""))].mean(0) for piece, _ in words]
    return torch.cat((table, torch.stack(rows)))


def write(model_folder: Path, out: Path, pretrained: Path, target_pieces: int, *corpora: Path) -> None:
    bundle = load_bundle(model_folder)
    encoder = read_pretrained(pretrained)
    pairs = list(clean_pairs(chain.from_iterable(read_documents(path) for path in corpora)))
    source, rows = trim_vocabulary(encoder, (text for _, text, _ in pairs))
    words = new_words((text for _, _, text in pairs), bundle.target, target_pieces - len(bundle.target))
    target = extend_vocabulary(bundle.target, words)
    config = replace(bundle.model.config, source_pieces=len(source), target_pieces=len(target))
    model = TranslationModel(config)
    tensors: dict[str, Tensor] = dict(bundle.model.named_parameters())
    tensors["encoder.embedding.words.weight"] = torch.from_numpy(encoder.words(rows)).float()
    for name in ("decoder.words.weight", "decoder.output_bias"):
        tensors[name] = extend_table(tensors[name], bundle.target, words)
    fill(model, tensors)
    enlarged = Bundle(
        bundle.name, model, source, target, bundle.memory.with_memories(confirmed=None), {}, out
    )
    save_bundle(out, enlarged, encoder, rows)
    np.save(out / "rows.npy", rows)
    print(
        f"source pieces {len(bundle.source)} -> {len(source)}, target {len(bundle.target)} -> {len(target)}"
    )
