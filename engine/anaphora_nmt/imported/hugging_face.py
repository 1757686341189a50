"""What transformers' folders of models that came from BART have in common: Marian's, M2M100's, NLLB's."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.files import ModelFiles, damaged
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.weight_files import Weights, read_hugging_face_weights
from anaphora_nmt.native.stack import Activation

ACTIVATIONS = {
    "relu": Activation.RELU,
    "swish": Activation.SWISH,
    "silu": Activation.SWISH,
    "gelu": Activation.GELU,
    "gelu_new": Activation.GELU_TANH,
    "gelu_pytorch_tanh": Activation.GELU_TANH,
    "quick_gelu": Activation.GELU_SIGMOID,
}
"""By transformers' names (`transformers.activations`)."""
MOST_PIECES = 1 << 20
_SETTINGS = (
    "_name_or_path _num_labels activation_dropout architectures attention_dropout bos_token_id "
    "classif_dropout classifier_dropout decoder_layerdrop dropout dtype early_stopping encoder_layerdrop "
    "extra_pos_embeddings gradient_checkpointing id2label init_std label2id length_penalty max_length "
    "max_position_embeddings model_type no_repeat_ngram_size num_beams num_hidden_layers "
    "output_attentions output_hidden_states return_dict task_specific_params tokenizer_class torch_dtype "
    "transformers_version use_cache"
)
WITHOUT_EFFECT = frozenset(_SETTINGS.split())
"""Settings of training, of transformers' own search, and of names: they change no number."""
_ATTENTION = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
_SIDES = ("encoder", "decoder")


def read_stacks(settings: Settings, source: int, target: int) -> tuple[int, Stack, Stack]:
    """Width, encoder and decoder, for vocabularies of these sizes; ModelFileError where they do not fit."""
    width = settings.integer("d_model", most=1 << 14)
    stacks = []
    for side, pieces in zip(_SIDES, (source, target), strict=True):
        heads = settings.integer(f"{side}_attention_heads")
        if width % heads or width % 2:
            raise settings.refusal(f"{side}_attention_heads", heads)
        layers = settings.integer(f"{side}_layers", most=64)
        stacks.append(Stack(layers, heads, settings.integer(f"{side}_ffn_dim"), pieces))
    settings.expect(is_decoder=(False,), is_encoder_decoder=(True,), tie_encoder_decoder=(False,))
    return width, stacks[0], stacks[1]


def read_table(files: ModelFiles, name: str, size: int) -> dict[str, int]:
    """Ids by piece; each id once and below `size`."""
    values: dict[str, Any] = files.read_json(name)
    numbers = list(values.values())
    if not all(isinstance(number, int) and 0 <= number < size for number in numbers):
        raise damaged(files.folder / name, f"numbers that are none of {size} pieces'")
    if len(set(numbers)) != len(numbers):
        raise damaged(files.folder / name, "two pieces with one number")
    return values


def read_tensors(
    files: ModelFiles,
    architecture: Architecture,
    source: Numbering,
    target: Numbering,
    shared: bool,
    tied: bool,
) -> dict[str, Tensor]:
    """All weights by our names; ModelFileError: one is missing, of another shape, or left over.

    `shared`: both sides have one table of embeddings, where the output layer is `tied` to it, or none of
    their own.
    """
    weights = read_hugging_face_weights(files)
    tensors = _layers(weights, architecture)
    width, names = architecture.width, [f"model.{side}.embed_tokens.weight" for side in _SIDES]
    whole = "model.shared.weight"
    if shared and (tied or not any(name in weights for name in names)):
        found = next((name for name in (whole, *names) if name in weights), whole)
        given = written = weights.take(found, source.size, width)
    else:
        given, written = (
            weights.take(name, side.size, width) for name, side in zip(names, (source, target), strict=True)
        )
    output = written if tied else weights.take("lm_head.weight", target.size, width)
    bias = torch.zeros(1, target.size)
    if "final_logits_bias" in weights:
        bias = weights.take("final_logits_bias", 1, target.size)
    computed = [f"model.{side}.embed_positions.weight{end}" for side in _SIDES for end in ("", "s")]
    weights.drop(whole, "lm_head.weight", *names, *computed)
    weights.finish()
    tensors["encoder.words.weight"] = source.rows(given)
    tensors["decoder.words.weight"] = target.rows(written)
    tensors["decoder.output.weight"] = tensors["decoder.words.weight"] if tied else target.rows(output)
    tensors["decoder.output.bias"] = target.bias(bias[0])
    return tensors


def _layers(weights: Weights, architecture: Architecture) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    width = architecture.width
    for side, stack in zip(_SIDES, (architecture.encoder, architecture.decoder), strict=True):
        for number in range(stack.layers):
            theirs, ours = f"model.{side}.layers.{number}.", f"{side}.layers.{number}."
            tensors |= _attention(weights, theirs + "self_attn", ours + "own", width)
            if side == "decoder":
                tensors |= _attention(weights, theirs + "encoder_attn", ours + "source", width)
            inner, ours = stack.feed_forward, ours + "feed_forward."
            tensors |= _norm(weights, theirs + "final_layer_norm", ours + "norm", width)
            tensors[ours + "up.weight"] = weights.take(theirs + "fc1.weight", inner, width)
            tensors[ours + "up.bias"] = weights.take(theirs + "fc1.bias", inner)
            tensors[ours + "down.weight"] = weights.take(theirs + "fc2.weight", width, inner)
            tensors[ours + "down.bias"] = weights.take(theirs + "fc2.bias", width)
        if architecture.norm_before:
            tensors |= _norm(weights, f"model.{side}.layer_norm", f"{side}.norm", width)
    return tensors


def _attention(weights: Weights, theirs: str, ours: str, width: int) -> dict[str, Tensor]:
    tensors = _norm(weights, theirs + "_layer_norm", ours + ".norm", width)
    for own, name in _ATTENTION.items():
        tensors[f"{ours}.attention.{own}.weight"] = weights.take(f"{theirs}.{name}.weight", width, width)
        tensors[f"{ours}.attention.{own}.bias"] = weights.take(f"{theirs}.{name}.bias", width)
    return tensors


def _norm(weights: Weights, theirs: str, ours: str, width: int) -> dict[str, Tensor]:
    return {f"{ours}.{part}": weights.take(f"{theirs}.{part}", width) for part in ("weight", "bias")}
