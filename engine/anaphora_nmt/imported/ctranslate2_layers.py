"""CTranslate2's names of weights → ours. It keeps queries, keys and values of one attention in one matrix."""

from __future__ import annotations

import torch
from torch import Tensor

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.layers import MAX_POSITIONS, position_table
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.weight_files import Weights

_LEAST_POSITIONS = 512
"""What the parts of a long text may come to (`pipeline.lines`)."""
_ROUNDING = 5e-3
"""Rounding error of a table of sinusoids in bfloat16."""
_SINUSOIDS = tuple((half, first) for half in (False, True) for first in range(3))


class CTranslate2Tensors:
    """Takes a model's weights by CTranslate2's names; `tensors` has them by ours."""

    def __init__(self, weights: Weights, architecture: Architecture) -> None:
        self._weights, self.architecture = weights, architecture
        self.tensors: dict[str, Tensor] = {}

    def take_layers(self) -> None:
        for side, stack in (("encoder", self.architecture.encoder), ("decoder", self.architecture.decoder)):
            for number in range(stack.layers):
                self._layer(side, number, stack)
            if self.architecture.norm_before:
                self._norm(f"{side}/layer_norm", f"{side}.norm")
            name = f"{side}/position_encodings/encodings"
            if (shape := self._weights.shape(name)) is not None:
                table = self._weights.take(name, *shape[:1], self.architecture.width)
                self.tensors[f"{side}.positions"] = self._positions(name, table)

    def take_words(self, source: Numbering, target: Numbering) -> None:
        """Embeddings and the output layer, in our order of pieces; then nothing may be left."""
        weights, width, tensors = self._weights, self.architecture.width, self.tensors
        given = weights.take(embeddings(weights, "encoder"), source.size, width)
        written = weights.take(embeddings(weights, "decoder"), target.size, width)
        output = weights.take("decoder/projection/weight", target.size, width)
        tensors["encoder.words.weight"] = source.rows(given)
        tensors["decoder.words.weight"] = tensors["decoder.output.weight"] = target.rows(written)
        if output.data_ptr() != written.data_ptr():
            tensors["decoder.output.weight"] = target.rows(output)
        tensors["decoder.output.bias"] = target.bias(self._bias("decoder/projection", target.size))
        weights.finish()

    def _layer(self, side: str, number: int, stack: Stack) -> None:
        width, inner = self.architecture.width, stack.feed_forward
        theirs, ours = f"{side}/layer_{number}/", f"{side}.layers.{number}."
        own, source = theirs + "self_attention", theirs + "attention"
        self._attention(own, ours + "own", (("query", "key", "value"), ("output",)))
        if side == "decoder":
            self._attention(source, ours + "source", (("query",), ("key", "value"), ("output",)))
        self._norm(theirs + "ffn/layer_norm", ours + "feed_forward.norm")
        self._linear(theirs + "ffn/linear_0", [ours + "feed_forward.up"], width, inner)
        self._linear(theirs + "ffn/linear_1", [ours + "feed_forward.down"], inner, width)

    def _attention(self, theirs: str, ours: str, products: tuple[tuple[str, ...], ...]) -> None:
        self._norm(theirs + "/layer_norm", ours + ".norm")
        for number, parts in enumerate(products):
            names = [f"{ours}.attention.{part}" for part in parts]
            self._linear(f"{theirs}/linear_{number}", names, self.architecture.width, self.architecture.width)

    def _linear(self, theirs: str, ours: list[str], entering: int, leaving: int) -> None:
        total = leaving * len(ours)
        matrix, bias = self._weights.take(theirs + "/weight", total, entering), self._bias(theirs, total)
        for name, part, one in zip(ours, matrix.split(leaving), bias.split(leaving), strict=True):
            self.tensors[name + ".weight"], self.tensors[name + ".bias"] = part, one

    def _bias(self, theirs: str, size: int) -> Tensor:
        name = theirs + "/bias"
        return self._weights.take(name, size) if name in self._weights else torch.zeros(size)

    def _norm(self, theirs: str, ours: str) -> None:
        for name, part in (("gamma", "weight"), ("beta", "bias")):
            self.tensors[f"{ours}.{part}"] = self._weights.take(f"{theirs}/{name}", self.architecture.width)

    def _positions(self, name: str, table: Tensor) -> Tensor:
        """A table of `MAX_POSITIONS` rows or fewer: a short one of sinusoids is continued."""
        if len(table) < MAX_POSITIONS:
            for kind, first in _SINUSOIDS:
                whole = position_table(self.architecture.width, kind, first)
                if torch.allclose(whole[: len(table)], table, rtol=0, atol=_ROUNDING):
                    return torch.cat((table, whole[len(table) :]))
        if len(table) < _LEAST_POSITIONS:
            raise ModelFileError(
                "The weights {name} in {file} have the shape {found}; the settings say {expected}.",
                name=name,
                file=self._weights.file,
                found=tuple(table.shape),
                expected=(_LEAST_POSITIONS, self.architecture.width),
            )
        return table[:MAX_POSITIONS].clone()


def embeddings(weights: Weights, side: str) -> str:
    """The name of a side's embeddings, which older files call otherwise."""
    name = f"{side}/embeddings_0/weight"
    return name if name in weights else f"{side}/embeddings/weight"
