"""The encoder of an imported Transformer."""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn

from anaphora_nmt.imported.architecture import Architecture
from anaphora_nmt.imported.layers import MAX_POSITIONS, EncoderLayer
from anaphora_nmt.models.native_encoder import NativeEncoder
from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.native.layers import library_for, put_feed_forward, put_own_attention
from anaphora_nmt.native.stack import Shape, Stack


class ImportedEncoder(Encoder):
    """Scaled embeddings plus positions, layers, and a last norm where the others stand before."""

    positions: Tensor

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.width = self.lower_width = architecture.width
        self.scale = architecture.scale
        self.words = nn.Embedding(architecture.encoder.pieces, architecture.width)
        self.register_buffer("positions", self.words.weight.new_empty(MAX_POSITIONS, architecture.width))
        self.layers = nn.ModuleList(EncoderLayer(architecture) for _ in range(architecture.encoder.layers))
        self.norm: nn.Module = nn.Identity()
        if architecture.norm_before:
            self.norm = nn.LayerNorm(architecture.width, architecture.epsilon)

    def native(self) -> NativeEncoder | None:
        """The same encoder in the native library, its weights in two parts: it runs once for a sentence."""
        layers = [cast(EncoderLayer, layer) for layer in self.layers]
        first = layers[0]
        heads, inner = first.own.attention.heads, first.feed_forward.up.out_features
        library = library_for(self.words.weight.device, self.width, heads, inner)
        if library is None:
            return None
        form = dict(
            activation=first.feed_forward.kind,
            norm_before=first.own.before,
            epsilon=first.own.norm.eps,
        )
        stack = Stack(library, Shape(len(layers), self.width, heads, inner, **form))
        for number, layer in enumerate(layers):
            put_own_attention(stack, number, layer.own.attention, layer.own.norm, two_parts=True)
            inner_layer = layer.feed_forward
            put_feed_forward(
                stack, number, inner_layer.up, inner_layer.down, inner_layer.norm, two_parts=True
            )
        if isinstance(self.norm, nn.LayerNorm):
            stack.put_last_norm(self.norm)
        stack.check()
        return NativeEncoder(self, stack, self._embed)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self._embed(pieces)

    def _embed(self, pieces: Tensor) -> Tensor:
        return self.words(pieces) * self.scale + self.positions[: pieces.shape[1]]

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers:
            states = layer(states, mask[:, None, None, :])
        return self.norm(states)
