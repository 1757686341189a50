"""Sentence vectors by multilingual-e5-small, the pretrained encoder whole: 12 layers, as published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from tqdm import tqdm

from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder
from anaphora_nmt.nn.precision import mixed_precision
from anaphora_nmt.nn.pretrained import read_pretrained
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary, vocabulary_from_pieces

_PREFIX = "query: "  # as its authors ask for where texts are compared with their like
_SPECIALS = 4
_UNKNOWN = 3
_LONGEST = 200  # pieces of a sentence that are read
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
        self._pieces = Vocabulary(vocabulary_from_pieces([self._weights.pieces[row] for row in self._kept]))
        self._first = len(self._pieces) - len(self._kept)
        self._known: dict[str, np.ndarray] = {}

    @torch.inference_mode()
    def encode(self, texts: Sequence[str], batch: int = 32) -> np.ndarray:
        """Vectors of the texts, [N, D]. A text is encoded once, as long as the encoder lives."""
        new = sorted({text for text in texts if text not in self._known}, key=len)
        if new:
            lines = [self._rows(text) for text in new]
            rows, places = np.unique(np.concatenate(lines), return_inverse=True)
            encoder = self._encoder(rows)
            bounds = np.cumsum([0, *map(len, lines)])
            for start in tqdm(range(0, len(new), batch), desc="sentence vectors", leave=False):
                end = min(start + batch, len(new))
                some = [places[bounds[number] : bounds[number + 1]] for number in range(start, end)]
                self._known.update(zip(new[start:end], _means(encoder, some), strict=True))
        return np.stack([self._known[text] for text in texts])

    def _rows(self, text: str) -> np.ndarray:
        """Rows of the pretrained table, marks around them."""
        ids = self._pieces.encode(_PREFIX + text)[:_LONGEST]
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
    with mixed_precision(kept.device):  # the means hardly change
        states = encoder(torch.from_numpy(ids), kept)
    return ((states.float() * kept[..., None]).sum(1) / kept.sum(1, keepdim=True)).numpy()
