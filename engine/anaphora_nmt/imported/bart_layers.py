"""Layers as transformers names them in all models that came from BART: Marian's, M2M100's, NLLB's."""

from __future__ import annotations

from torch import Tensor

from anaphora_nmt.imported.architecture import Architecture, Norm, Stack
from anaphora_nmt.imported.weight_files import Weights

_ATTENTION = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}


def bart_layers(weights: Weights, architecture: Architecture) -> dict[str, Tensor]:
    """All layers of encoder and decoder by our names, and the last norms where there are any.

    Raises:
        ModelFileError: something is missing or of another shape.
    """
    tensors: dict[str, Tensor] = {}
    sides = {"encoder": architecture.encoder, "decoder": architecture.decoder}
    for side, stack in sides.items():
        for number in range(stack.layers):
            theirs, ours = f"model.{side}.layers.{number}.", f"{side}.layers.{number}."
            tensors |= _attention(weights, theirs + "self_attn", ours + "own", architecture.width)
            if side == "decoder":
                tensors |= _attention(weights, theirs + "encoder_attn", ours + "source", architecture.width)
            tensors |= _feed_forward(weights, theirs, ours + "feed_forward.", architecture.width, stack)
        if architecture.norm is Norm.BEFORE:
            tensors |= _norm(weights, f"model.{side}.layer_norm", f"{side}.norm", architecture.width)
    return tensors


def _attention(weights: Weights, theirs: str, ours: str, width: int) -> dict[str, Tensor]:
    tensors = _norm(weights, theirs + "_layer_norm", ours + ".norm", width)
    for own, name in _ATTENTION.items():
        tensors[f"{ours}.attention.{own}.weight"] = weights.take(f"{theirs}.{name}.weight", width, width)
        tensors[f"{ours}.attention.{own}.bias"] = weights.take(f"{theirs}.{name}.bias", width)
    return tensors


def _feed_forward(weights: Weights, theirs: str, ours: str, width: int, stack: Stack) -> dict[str, Tensor]:
    inner = stack.feed_forward
    return {
        **_norm(weights, theirs + "final_layer_norm", ours + "norm", width),
        ours + "up.weight": weights.take(theirs + "fc1.weight", inner, width),
        ours + "up.bias": weights.take(theirs + "fc1.bias", inner),
        ours + "down.weight": weights.take(theirs + "fc2.weight", width, inner),
        ours + "down.bias": weights.take(theirs + "fc2.bias", width),
    }


def _norm(weights: Weights, theirs: str, ours: str, width: int) -> dict[str, Tensor]:
    return {f"{ours}.{part}": weights.take(f"{theirs}.{part}", width) for part in ("weight", "bias")}
