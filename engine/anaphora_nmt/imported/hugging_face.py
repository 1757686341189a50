"""What transformers' folders have in common: activations, settings without effect, tables."""

from __future__ import annotations

from typing import Any

from anaphora_nmt.imported.architecture import Activation
from anaphora_nmt.imported.files import ModelFiles, damaged
from anaphora_nmt.imported.settings import Settings

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

WITHOUT_EFFECT = frozenset(
    {
        "_name_or_path",
        "_num_labels",
        "activation_dropout",
        "architectures",
        "attention_dropout",
        "bos_token_id",
        "classif_dropout",
        "classifier_dropout",
        "decoder_layerdrop",
        "dropout",
        "dtype",
        "early_stopping",
        "encoder_layerdrop",
        "extra_pos_embeddings",
        "gradient_checkpointing",
        "id2label",
        "init_std",
        "label2id",
        "length_penalty",
        "max_length",
        "max_position_embeddings",
        "model_type",
        "no_repeat_ngram_size",
        "num_beams",
        "num_hidden_layers",
        "output_attentions",
        "output_hidden_states",
        "return_dict",
        "task_specific_params",
        "tokenizer_class",
        "torch_dtype",
        "transformers_version",
        "use_cache",
    }
)
"""Settings of training, of transformers' own search, and of names: they change no number."""


def check_heads(settings: Settings, width: int) -> tuple[int, int]:
    """Heads of encoder and decoder; ModelFileError where they do not divide the width."""
    names = "encoder_attention_heads", "decoder_attention_heads"
    encoder, decoder = (settings.integer(name) for name in names)
    for name, number in zip(names, (encoder, decoder), strict=True):
        if width % number or width % 2:
            raise settings.refusal(name, number)
    return encoder, decoder


def read_table(files: ModelFiles, name: str, size: int) -> dict[str, int]:
    """Ids by piece; each id once and below `size`."""
    values: dict[str, Any] = files.read_json(name)
    numbers = list(values.values())
    if not all(isinstance(number, int) and 0 <= number < size for number in numbers):
        raise damaged(files.folder / name, f"numbers that are none of {size} pieces'")
    if len(set(numbers)) != len(numbers):
        raise damaged(files.folder / name, "two pieces with one number")
    return values
