"""A shortlist computed for a model that brings none: target pieces whose embeddings are near the source's.

M2M100, NLLB and most models of OPUS-MT embed the pieces of both sides with one matrix, in which a word lies
near its translations. The output layer of a vocabulary of 256,000 pieces is most of what a step costs; with
such a list it costs next to nothing. It is a choice, as drafts can become others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import EOS, UNK, Vocabulary

ALWAYS = 2_000
"""So many of the target's first pieces may always be written; sentencepiece numbers common ones first."""
MOST = 1_000
"""So many are taken for each piece of the source, at most; they are kept."""
_COMPARED = 64
"""Pieces that both sides have, of which the embeddings are compared."""
_AT_ONCE = 32
"""Source pieces whose likenesses to all target pieces are in memory at the same time."""


class NearestPieces:
    """The target pieces that are nearest to each piece of a source, by the cosine of their embeddings.

    They are looked for when a piece first comes up, and kept.

    Attributes:
        each: how many are taken for each of the source.
    """

    def __init__(
        self,
        model: TranslationModel,
        source: Vocabulary,
        target: Vocabulary,
        each: int,
        always: int = ALWAYS,
    ) -> None:
        """Args: `each`: see the attribute; `always`: how many are taken for every source."""
        self.each = each
        self._model = model
        written = target.written()
        may = np.array([bool(piece) for piece in written])
        numbers = {piece: number for number, piece in enumerate(written) if piece}
        common = [number for piece in target.ranked() if (number := numbers.get(piece)) is not None]
        self._always = np.array([EOS, UNK, *common[:always]])
        self._hidden = torch.from_numpy(~may)
        self._copied = {
            number: numbers[piece] for number, piece in enumerate(source.written()) if piece in numbers
        }
        self._most = int(may.sum())
        self._found: dict[int, np.ndarray] = {}
        self._lengths: Tensor | None = None

    @property
    def shares_embeddings(self) -> bool:
        """Whether pieces that are in both vocabularies have the same embeddings on both sides."""
        pairs = list(self._copied.items())
        if not pairs:
            return False
        sources, targets = map(list, zip(*pairs[:: max(1, len(pairs) // _COMPARED)], strict=True))
        ours, theirs = _source_embeddings(self._model), self._model.decoder.embeddings
        return ours.shape[1] == theirs.shape[1] and bool(torch.equal(ours[sources], theirs[targets]))

    def of(self, source: Sequence[int]) -> np.ndarray:
        """See `Shortlist`. A piece that the target has too may be copied."""
        new = [piece for piece in dict.fromkeys(source) if piece not in self._found]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            self._found.update(zip(some, self._nearest(some), strict=True))
        copied = [self._copied[piece] for piece in source if piece in self._copied]
        lists = [self._found[piece] for piece in dict.fromkeys(source)]
        return np.concatenate((self._always, np.array(copied, self._always.dtype), *lists))

    @torch.inference_mode()
    def _nearest(self, pieces: Sequence[int]) -> np.ndarray:
        """Their nearest target pieces, [n, each]."""
        targets = self._model.decoder.embeddings
        rows = _source_embeddings(self._model)[list(pieces)].to(targets.dtype)
        if self._lengths is None:
            self._lengths = torch.linalg.vector_norm(targets, dim=1).clamp_min(1e-6)
        cosines = rows @ targets.T / self._lengths.to(rows.device)
        cosines.masked_fill_(self._hidden.to(rows.device), float("-inf"))
        return cosines.topk(min(self.each, self._most), dim=1).indices.cpu().numpy()


def _source_embeddings(model: TranslationModel) -> Tensor:
    """[source pieces, E]."""
    return model.encoder.get_parameter("words.weight")
