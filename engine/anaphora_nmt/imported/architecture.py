"""A Transformer's settings under names that do not depend on the toolkit."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora_nmt.native.stack import Activation


@dataclass(frozen=True)
class Stack:
    """The settings of an encoder or decoder.

    Attributes:
        feed_forward: the inner width of the feed-forward sublayers.
        pieces: the size of the side's vocabulary in our numbering (`Numbering`).
    """

    layers: int
    heads: int
    feed_forward: int
    pieces: int


@dataclass(frozen=True)
class Architecture:
    """The settings in which the supported models differ.

    Attributes:
        width: the width D of states and embeddings.
        norm_before: True for layer normalisation before each sublayer and after the last one, False for
            normalisation after each residual sum.
        scale: the factor by which embeddings are multiplied, usually √D or 1.
        half_minus_one: position encodings are the sines, then the cosines, of position · 10000^(−i / n) for
            i = 0 … D/2 − 1; n is D/2 − 1 if True (Marian, fairseq), D/2 if False (transformers' Marian).
        first_position: the position number of the first piece.
        epsilon: the epsilon of layer normalisation.
        shows_first_head: True to align by the first head of the last layer, which Marian's guided alignment
            trains; False to align by the mean of all heads in the last but one layer (in the last one if
            there are at most two), which is best without such training (Garg et al., 2019, section 4.1).
        recurrent: True if the decoder has a recurrence instead of self-attention.
        prefix: our ids of the pieces that the decoder reads before BOS.
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
