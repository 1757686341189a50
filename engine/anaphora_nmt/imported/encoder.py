"""The encoder of an imported Transformer."""

from __future__ import annotations

from torch import Tensor, nn

from anaphora_nmt.imported.architecture import Architecture, Norm
from anaphora_nmt.imported.layers import MAX_POSITIONS, EncoderLayer
from anaphora_nmt.models.protocol import Encoder


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
        if architecture.norm is Norm.BEFORE:
            self.norm = nn.LayerNorm(architecture.width, architecture.epsilon)

    def lower(self, pieces: Tensor, mask: Tensor) -> Tensor:
        return self.words(pieces) * self.scale + self.positions[: pieces.shape[1]]

    def upper(self, states: Tensor, mask: Tensor) -> Tensor:
        for layer in self.layers:
            states = layer(states, mask[:, None, None, :])
        return self.norm(states)
