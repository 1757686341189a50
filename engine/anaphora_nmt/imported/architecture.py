"""A Transformer's settings, in words of ours; the toolkits' names for them are in each kind's module."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora_nmt.native.stack import Activation


@dataclass(frozen=True)
class Stack:
    """Encoder's or decoder's layers.

    Attributes:
        feed_forward: inner width. pieces: size of the vocabulary, in our numbering.
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
        norm_before: layer normalisation stands before each sublayer, with one more at the end, not after its
            sum.
        scale: of the embeddings, √D or 1.
        half_minus_one: positions are the sines first, then the cosines, of position · 10000^(−i / n), i = 0 …
            D/2 − 1; n is D/2 in transformers' Marian, and D/2 − 1 in Marian itself and in fairseq.
        first_position: number of the first word's position.
        epsilon: of layer normalisation.
        shows_first_head: a reader is shown the first head of the last layer's attention to the source, which
            Marian's guided alignment trains, not the mean of the last but one layer's heads, which aligns
            best where none was trained to (Garg et al., 2019, section 4.1).
        recurrent: the decoder has a recurrence in place of self-attention.
        prefix: pieces that the decoder reads before it begins, ours; what it begins with is BOS.
    """

    width: int
    encoder: Stack
    decoder: Stack
    norm_before: bool
    activation: Activation
    scale: float
    half_minus_one: bool = False
    first_position: int = 0
    epsilon: float = 1e-5
    shows_first_head: bool = False
    recurrent: bool = False
    prefix: tuple[int, ...] = ()
