"""Marian's names of weights → ours. Its matrices are transposed: it multiplies rows by them."""

from __future__ import annotations

import torch
from torch import Tensor

from anaphora_nmt.imported.architecture import Architecture
from anaphora_nmt.imported.marian_settings import MarianModel
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.weight_files import Weights

_ATTENTION = {"query": "q", "key": "k", "value": "v", "output": "o"}


class MarianTensors:
    """Takes a model's weights by Marian's names; `tensors` has them by ours."""

    def __init__(self, weights: Weights, architecture: Architecture) -> None:
        self._weights, self.architecture = weights, architecture
        self._norm_end = "_pre" if architecture.norm_before else ""
        self.tensors: dict[str, Tensor] = {}

    def take_layers(self) -> None:
        width, sides = self.architecture.width, self.architecture
        for side, stack in (("encoder", sides.encoder), ("decoder", sides.decoder)):
            for number in range(stack.layers):
                theirs, ours = f"{side}_l{number + 1}_", f"{side}.layers.{number}."
                if side == "decoder" and sides.recurrent:
                    self._recurrence(theirs + "rnn", ours + "own")
                else:
                    self._attention(theirs + "self", ours + "own")
                if side == "decoder":
                    self._attention(theirs + "context", ours + "source")
                self._norm(theirs + "ffn_ffn", ours + "feed_forward.norm")
                self._linear(theirs + "ffn", "1", ours + "feed_forward.up", width, stack.feed_forward)
                self._linear(theirs + "ffn", "2", ours + "feed_forward.down", stack.feed_forward, width)
            if sides.norm_before:
                self._norm(side + "_top", side + ".norm", "")

    def take_words(self, model: MarianModel, source: Numbering, target: Numbering) -> None:
        weights, width, tensors = self._weights, self.architecture.width, self.tensors
        names = ("Wemb", "Wemb") if model.tied_sides else ("encoder_Wemb", "decoder_Wemb")
        tables = [weights.take(names[0], source.size, width)]
        tables.append(tables[0] if model.tied_sides else weights.take(names[1], target.size, width))
        tensors["encoder.words.weight"] = source.rows(tables[0])
        tensors["decoder.words.weight"] = target.rows(tables[1])
        tensors["decoder.output.weight"] = tensors["decoder.words.weight"]
        if not model.tied_output:
            out = "decoder_ff_logit_out_W"
            taken = weights.take(out, width, target.size).T if out in weights else None
            tensors["decoder.output.weight"] = target.rows(
                weights.take(out + "t", target.size, width) if taken is None else taken
            )
        bias = torch.zeros(1, target.size)
        if model.has_bias:
            bias = weights.take("decoder_ff_logit_out_b", 1, target.size)
        tensors["decoder.output.bias"] = target.bias(bias[0])
        weights.finish()

    def _attention(self, theirs: str, ours: str) -> None:
        width = self.architecture.width
        self._norm(theirs + "_Wo", ours + ".norm")
        for own, name in _ATTENTION.items():
            self._linear(theirs, name, f"{ours}.attention.{own}", width, width)

    def _recurrence(self, theirs: str, ours: str) -> None:
        width = self.architecture.width
        entering = self.architecture.norm_before
        self._norm(theirs if entering else theirs + "_ffn", ours + ".norm")
        self.tensors[ours + ".input.weight"] = self._matrix(theirs + "_W", width, width)
        self.tensors[ours + ".input.bias"] = torch.zeros(width)
        self._linear(theirs, "f", ours + ".forget", width, width)

    def _linear(self, theirs: str, name: str, ours: str, entering: int, leaving: int) -> None:
        self.tensors[ours + ".weight"] = self._matrix(f"{theirs}_W{name}", entering, leaving)
        self.tensors[ours + ".bias"] = self._weights.take(f"{theirs}_b{name}", 1, leaving)[0]

    def _matrix(self, name: str, entering: int, leaving: int) -> Tensor:
        return self._weights.take(name, entering, leaving).T.contiguous()

    def _norm(self, theirs: str, ours: str, end: str | None = None) -> None:
        end, width = self._norm_end if end is None else end, self.architecture.width
        self.tensors[ours + ".weight"] = self._weights.take(f"{theirs}_ln_scale{end}", 1, width)[0]
        self.tensors[ours + ".bias"] = self._weights.take(f"{theirs}_ln_bias{end}", 1, width)[0]
