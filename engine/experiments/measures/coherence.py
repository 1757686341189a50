"""Coherence of documents: the cosine of adjacent sentences (Kuang et al., 2018, Table 6; CAMN, Table 5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from anaphora_nmt.errors import CorpusError


def coherence(vectors: np.ndarray, documents: Sequence[object]) -> float:
    """Mean cosine of the vectors of sentences that follow each other in a document, eq. (11).

    Pairs with a vector of zeros (a sentence without a known word) are left out.

    Args:
        vectors: of the sentences, [N, D].
        documents: names the document of each.
    Raises:
        CorpusError: lists of different lengths, or no two sentences follow each other.
    """
    if len(vectors) != len(documents):
        raise CorpusError(f"{len(vectors)} sentences, but documents for {len(documents)}")
    norms = np.linalg.norm(vectors, axis=1)
    pairs = [
        number
        for number in range(len(documents) - 1)
        if documents[number] == documents[number + 1] and norms[number] > 0 and norms[number + 1] > 0
    ]
    if not pairs:
        raise CorpusError("no two sentences follow each other in a document")
    directions = vectors[pairs] / norms[pairs][:, None]
    following = [number + 1 for number in pairs]
    return float((directions * (vectors[following] / norms[following][:, None])).sum(1).mean())
