"""Post-norm Transformer encoder layers of BERT (multilingual-e5-small)."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.nn.additive_attention import dot_product_attention


class BertLayer(nn.Module):
    """Self-attention and a GELU feed-forward network, each followed by addition and LayerNorm."""

    def __init__(
        self, width: int, heads: int, feed_forward: int, dropout: float = 0.0, epsilon: float = 1e-12
    ):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)
        self.attention_norm = nn.LayerNorm(width, eps=epsilon)
        self.up = nn.Linear(width, feed_forward)
        self.down = nn.Linear(feed_forward, width)
        self.feed_forward_norm = nn.LayerNorm(width, eps=epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """[B, S, D] → [B, S, D]; `mask` [B, 1, 1, S] is True for words."""
        batch, length, width = states.shape

        def split(part: Tensor) -> Tensor:
            return part.reshape(batch, length, self.heads, width // self.heads).transpose(1, 2)

        query, key, value = (split(part(states)) for part in (self.query, self.key, self.value))
        mixed = dot_product_attention(query, key, value, mask)
        mixed = self.output(mixed.transpose(1, 2).reshape(batch, length, width))
        states = self.attention_norm(states + self.dropout(mixed))
        inner = self.down(functional.gelu(self.up(states)))
        return self.feed_forward_norm(states + self.dropout(inner))


class BertEmbedding(nn.Module):
    """Word, position and type embeddings, summed and normalised."""

    def __init__(self, pieces: int, width: int, positions: int) -> None:
        super().__init__()
        self.words = nn.Embedding(pieces, width)
        self.positions = nn.Parameter(torch.zeros(positions, width))
        self.types = nn.Parameter(torch.zeros(2, width))
        self.norm = nn.LayerNorm(width, eps=1e-12)

    def forward(self, pieces: Tensor) -> Tensor:
        """Ids [B, S] → [B, S, D]. Positions count from 0; all tokens are of type 0."""
        return self.norm(self.words(pieces) + self.positions[: pieces.shape[1]] + self.types[0])
