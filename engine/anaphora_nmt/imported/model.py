"""An imported Transformer: an encoder, and a decoder that returns the features for document memories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.imported.architecture import Architecture
from anaphora_nmt.imported.languages import Languages
from anaphora_nmt.imported.layers import (
    MAX_POSITIONS,
    Cells,
    DecoderLayer,
    EncoderLayer,
    LayerState,
    Recurrence,
    mean_head_weights,
    position_table,
)
from anaphora_nmt.models.native_decoder import NativeDecoder, NativeEncoder
from anaphora_nmt.models.protocol import Decoder, Encoder, TorchOutputs
from anaphora_nmt.models.transformer import SourceMemory
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.native.stack import (
    Shape,
    Stack,
    library_for,
    put_feed_forward,
    put_own_attention,
    put_source_attention,
)
from anaphora_nmt.nn.key_value_cache import KeyValue, KeyValueCache
from anaphora_nmt.nn.state import DecoderState, Encoded, Features
from anaphora_nmt.nn.transformer import first_head_weights
from anaphora_nmt.text.vocabulary import Shortlist, Vocabulary


class ImportedEncoder(Encoder):
    """Scaled embeddings plus positions, then layers, then a norm if norms precede the sublayers."""

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
        """The encoder in the native library, or None if the library does not support it.

        Its weights have two 8-bit parts (exact but slow), as the encoder runs only once for each sentence.
        """
        layers = [cast(EncoderLayer, layer) for layer in self.layers]
        first = layers[0]
        heads, inner = first.own.attention.heads, first.feed_forward.up.out_features
        library = library_for(self.words.weight.device, self.width, heads, inner)
        if library is None:
            return None
        options = dict(
            activation=first.feed_forward.kind, norm_before=first.own.norm_before, epsilon=first.own.norm.eps
        )
        stack = Stack(library, Shape(len(layers), self.width, heads, inner, **options))
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


@dataclass(frozen=True)
class ImportedState(DecoderState):
    """The number of ids read so far (`position`), the layers' states, and the source's keys and values."""

    position: int
    own: KeyValueCache | Cells
    source: SourceMemory


class ImportedDecoder(Decoder):
    """The state s_t is the output layer's input; c_t is the last layer's output of attention to the source.

    Attributes:
        prefix: ids that the decoder reads before BOS, as in the toolkit; they get no features.
        aligning: index of the layer whose attention is the alignment; see `Architecture.shows_first_head`.
    """

    scores_states = True
    positions: Tensor

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.width = self.context_width = self.embedding_width = architecture.width
        self.scale, self.prefix = architecture.scale, architecture.prefix
        self.words = nn.Embedding(architecture.decoder.pieces, architecture.width)
        self.register_buffer("positions", self.words.weight.new_empty(MAX_POSITIONS, architecture.width))
        self.layers = nn.ModuleList(DecoderLayer(architecture) for _ in range(architecture.decoder.layers))
        self.norm: nn.Module = nn.Identity()
        if architecture.norm_before:
            self.norm = nn.LayerNorm(architecture.width, architecture.epsilon)
        self.output = nn.Linear(architecture.width, architecture.decoder.pieces)
        self.shows_first_head = architecture.shows_first_head
        last = architecture.decoder.layers - 1
        self.aligning = last - 1 if not self.shows_first_head and last > 1 else last

    def native(self) -> NativeDecoder | None:
        layers, first = self._stack, self._stack[0]
        heads, inner = first.source.attention.heads, first.feed_forward.up.out_features
        library = library_for(self.words.weight.device, self.width, heads, inner)
        if library is None:
            return None
        sizes = len(layers), self.width, heads, inner, self.width, len(self.words.weight), len(self.positions)
        options = dict(
            activation=first.feed_forward.kind,
            norm_before=first.own.norm_before,
            recurrent=isinstance(first.own, Recurrence),
            shows_mean=not self.shows_first_head,
            aligning=self.aligning,
        )
        stack = Stack(library, Shape(*sizes, **options, epsilon=first.own.norm.eps, scale=self.scale))
        for number, layer in enumerate(layers):
            layer.own.put(stack, number)
            put_source_attention(stack, number, layer.source.attention, layer.source.norm)
            inner_layer = layer.feed_forward
            put_feed_forward(stack, number, inner_layer.up, inner_layer.down, inner_layer.norm)
        if isinstance(self.norm, nn.LayerNorm):
            stack.put_last_norm(self.norm)
        stack.put_output(self.output.weight, self.output.bias)
        stack.put_tables(self.words.weight, self.positions)
        stack.check()
        return NativeDecoder(self, stack, self.prefix)

    @property
    def embeddings(self) -> Tensor:
        return self.words.weight

    @property
    def _stack(self) -> list[DecoderLayer]:
        return [cast(DecoderLayer, layer) for layer in self.layers]

    def start(self, encoded: Encoded) -> ImportedState:
        source = tuple(layer.source.attention.project(encoded.states) for layer in self._stack)
        own = self._empty_state(encoded.states, source)
        state = ImportedState(0, own, SourceMemory(layers=source, mask=encoded.mask[:, None, None, :]))
        for piece in self.prefix:
            _, state = self.step(torch.full_like(encoded.mask[:, 0], piece, dtype=torch.long), state)
        return state

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Features, ImportedState]:
        assert isinstance(state, ImportedState)
        embedding = self.words(previous[:, None])
        hidden = embedding * self.scale + self.positions[state.position]
        own, own_mask = state.own.next(state.position)
        results = self._run_layers(hidden, own.layers, state.source.layers, state.source.mask, own_mask)
        hidden, context, attention, new_states = results
        features = Features(hidden[:, 0], context[:, 0], embedding[:, 0], attention[:, 0])
        return features, ImportedState(state.position + 1, own.with_layers(new_states), state.source)

    def _empty_state(self, states: Tensor, source: tuple[KeyValue, ...]) -> KeyValueCache | Cells:
        recurrences = [layer.own for layer in self._stack if isinstance(layer.own, Recurrence)]
        if recurrences:
            return Cells(tuple(recurrence.start(states) for recurrence in recurrences))
        return KeyValueCache.empty([keys for keys, _ in source])

    def forward(self, previous: Tensor, encoded: Encoded, attention: bool = False) -> Features:
        prefix = previous.new_tensor(self.prefix).expand(len(previous), -1)
        first = len(self.prefix)
        embedding = self.words(torch.cat((prefix, previous), 1))
        hidden = embedding * self.scale + self.positions[: embedding.shape[1]]
        source = tuple(layer.source.attention.project(encoded.states) for layer in self._stack)
        hidden, context, weights, _ = self._run_layers(hidden, None, source, encoded.mask[:, None, None, :])
        return Features(
            hidden[:, first:],
            context[:, first:],
            embedding[:, first:],
            weights[:, first:] if attention else None,
        )

    def outputs(self, pieces: Tensor) -> TorchOutputs:
        return TorchOutputs.of(self.output.weight, self.output.bias, pieces)

    def logits(self, features: Features) -> Tensor:
        return self.output(features.state)

    def _run_layers(
        self,
        hidden: Tensor,
        own: tuple[LayerState, ...] | None,
        source: tuple[KeyValue, ...],
        mask: Tensor,
        own_mask: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor, list[LayerState]]:
        """Run the layers for one step, or for all steps if `own` is None.

        Returns: states s, contexts c, logarithms of the source's attention weights, and the next `own`.
        """
        head_weights = first_head_weights if self.shows_first_head else mean_head_weights
        new_own: list[LayerState] = []
        for number, layer in enumerate(self._stack):
            previous = None if own is None else own[number]
            hidden, context, queries, new_state = layer(hidden, previous, source[number], mask, own_mask)
            new_own.append(new_state)
            if number == self.aligning:
                weights = head_weights(queries, source[number], mask)
        return self.norm(hidden), context, weights, new_own


_KIND = "imported"


@dataclass(frozen=True)
class ModelContent:
    """The content of a toolkit's model folder.

    Attributes:
        tensors: weights, by names in `TranslationModel`. They include tables of positions only if the
            folder contains tables; others are computed.
        source, target: the vocabularies in our numbering.
        shortlist: the model's lexical shortlist, if it has one.
    """

    architecture: Architecture
    tensors: Mapping[str, Tensor]
    source: Vocabulary
    target: Vocabulary
    languages: Languages
    shortlist: Shortlist | None = None


def build(architecture: Architecture, tensors: Mapping[str, Tensor]) -> TranslationModel:
    """A model in evaluation mode whose weights are these tensors themselves, not copies."""
    with torch.device("meta"):
        encoder, decoder = ImportedEncoder(architecture), ImportedDecoder(architecture)
        model = TranslationModel(_config(architecture), encoder, decoder)
    table = position_table(architecture.width, architecture.half_minus_one, architecture.first_position)
    positions = {f"{side}.positions": table for side in ("encoder", "decoder")}
    model.load_state_dict({**positions, **tensors}, assign=True)
    return model.requires_grad_(False).eval()


def _config(architecture: Architecture) -> ModelConfig:
    width, encoder, decoder = architecture.width, architecture.encoder, architecture.decoder
    return ModelConfig(
        encoder.pieces,
        decoder.pieces,
        EncoderConfig(_KIND, width, encoder.layers, 0, encoder.heads, encoder.feed_forward, width),
        DecoderConfig(_KIND, width, decoder.layers, decoder.heads, decoder.feed_forward, width),
    )
