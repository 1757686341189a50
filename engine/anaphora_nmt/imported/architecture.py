"""A Transformer's settings, in words of ours; the toolkits' names for them are in each kind's module."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Norm(Enum):
    """Where layer normalisation stands: before each sublayer, with one more at the end, or after its sum."""

    BEFORE = "before"
    AFTER = "after"


class Activation(Enum):
    """Activation of the feed-forward networks. "gelu" means three functions in three toolkits."""

    RELU = "relu"
    SWISH = "swish"
    GELU = "gelu"
    """x Φ(x)."""
    GELU_TANH = "gelu with tanh"
    """0.5 x (1 + tanh(√(2/π) (x + 0.044715 x³)))."""
    GELU_SIGMOID = "gelu with a logistic function"
    """x σ(1.702 x), Marian's."""


class Positions(Enum):
    """Sinusoids: the sines first, then the cosines, of position · 10000^(−i / n), i = 0 … D/2 − 1.

    n is D/2 in transformers' Marian, and D/2 − 1 in Marian itself and in fairseq.
    """

    HALF = "half"
    HALF_MINUS_ONE = "half minus one"


class Alignment(Enum):
    """Which attention to the source is shown to a reader.

    The first head of the last layer, which Marian's guided alignment trains, or the mean of the last but one
    layer's heads, which aligns best where none was trained to (Garg et al., 2019, section 4.1).
    """

    FIRST_HEAD = "first head"
    MEAN = "mean"


@dataclass(frozen=True)
class Stack:
    """Encoder's or decoder's layers.

    Attributes:
        layers: their number.
        heads: of each attention.
        feed_forward: inner width.
        pieces: size of the vocabulary, in our numbering.
    """

    layers: int
    heads: int
    feed_forward: int
    pieces: int


@dataclass(frozen=True)
class Architecture:
    """All that distinguishes the models that are read.

    Attributes:
        width: D.
        scale: of the embeddings, √D or 1.
        first_position: number of the first word's position.
        epsilon: of layer normalisation.
        recurrent: the decoder has a recurrence in place of self-attention.
        prefix: pieces that the decoder reads before it begins, ours; what it begins with is BOS.
    """

    width: int
    encoder: Stack
    decoder: Stack
    norm: Norm
    activation: Activation
    scale: float
    positions: Positions = Positions.HALF
    first_position: int = 0
    epsilon: float = 1e-5
    alignment: Alignment = Alignment.MEAN
    recurrent: bool = False
    prefix: tuple[int, ...] = ()
