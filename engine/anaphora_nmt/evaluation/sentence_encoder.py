"""Sentence vectors by multilingual-e5-small, the pretrained encoder whole: 12 layers, as published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.models.encoders import MAX_POSITIONS, PretrainedTransformerEncoder
from anaphora_nmt.nn.pretrained import read_pretrained
from anaphora_nmt.text.pieces import BOS, EOS, PAD, Pieces, model_from_pieces
from anaphora_nmt.text.protect import PLACEHOLDERS

_PREFIX = "query: "  # as its authors ask for where texts are compared with their like
_SPECIALS = 4
_UNKNOWN = 3
_PRETRAINED = {PAD: 1, BOS: 0, EOS: 2}  # rows of the pretrained table


class SentenceEncoder:
    """Mean of the last layer's states over a sentence's pieces, marks included, as the model was trained."""

    def __init__(self, pretrained: Path) -> None:
        """`pretrained`: see `nn.pretrained.read_pretrained`; needs protobuf (the extra `train`)."""
        self._weights = read_pretrained(pretrained)
        placeholders = set(PLACEHOLDERS)  # these characters have pieces of their own
        self._kept = [
            row
            for row in range(_SPECIALS, len(self._weights.pieces) - 1)  # the last is XLM-R's mask
            if not placeholders & set(self._weights.pieces[row][0])
        ]
        self._pieces = Pieces(model_from_pieces([self._weights.pieces[row] for row in self._kept]))
        self._first = len(self._pieces) - len(self._kept)

    @torch.inference_mode()
    def encode(self, texts: Sequence[str], batch: int = 32) -> np.ndarray:
        """Vectors of the texts, [N, D]; equal texts are encoded once."""
        different = sorted(set(texts), key=len)
        lines = [self._rows(text) for text in different]
        rows, places = np.unique(np.concatenate(lines), return_inverse=True)
        encoder = self._encoder(rows)
        bounds = np.cumsum([0, *map(len, lines)])
        vectors = np.zeros((len(different), self._weights.width), np.float32)
        for start in tqdm(range(0, len(different), batch), desc="sentence vectors", leave=False):
            some = [
                places[bounds[n] : bounds[n + 1]] for n in range(start, min(start + batch, len(different)))
            ]
            vectors[start : start + len(some)] = _means(encoder, some)
        index = {text: number for number, text in enumerate(different)}
        return vectors[[index[text] for text in texts]]

    def _rows(self, text: str) -> np.ndarray:
        """Rows of the pretrained table, marks around them."""
        ids = self._pieces.encode(_PREFIX + text)[: MAX_POSITIONS - 2]
        rows = [self._kept[number - self._first] if number >= self._first else _UNKNOWN for number in ids]
        return np.array([_PRETRAINED[BOS], *rows, _PRETRAINED[EOS]])

    def _encoder(self, rows: np.ndarray) -> PretrainedTransformerEncoder:
        """The encoder over the rows in use only."""
        weights = self._weights
        config = EncoderConfig(
            width=weights.width,
            layers=weights.layers,
            frozen_layers=weights.layers,
            heads=weights.heads,
            feed_forward=weights.feed_forward,
        )
        encoder = PretrainedTransformerEncoder(config, len(rows))
        encoder.load_pretrained(weights, torch.from_numpy(rows))
        return encoder.eval()


def _means(encoder: PretrainedTransformerEncoder, lines: Sequence[np.ndarray]) -> np.ndarray:
    ids = np.zeros((len(lines), max(map(len, lines))), np.int64)
    mask = np.zeros(ids.shape, bool)
    for row, line in enumerate(lines):
        ids[row, : len(line)], mask[row, : len(line)] = line, True
    kept = torch.from_numpy(mask)
    states = encoder(torch.from_numpy(ids), kept) * kept[..., None]
    return (states.sum(1) / kept.sum(1, keepdim=True)).numpy()
