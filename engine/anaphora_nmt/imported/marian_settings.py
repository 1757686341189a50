"""Marian's settings, which stand inside its model files (`special:model.yml`)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import yaml

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.files import damaged
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.native.stack import Activation

_ACTIVATIONS = {
    "relu": Activation.RELU,
    "swish": Activation.SWISH,
    "gelu": Activation.GELU_SIGMOID,
}
_EPSILON = 1e-6
_MOST_YAML = 1 << 20
_SETTINGS = (
    "char-highway char-conv-filters-num char-conv-filters-widths char-stride dec-cell-base-depth "
    "dec-cell-high-depth dim-rnn dim-vocabs enc-cell enc-cell-depth enc-type factor-predictor "
    "factor-weight factors-combine factors-dim-emb guided-alignment lemma-dependency max-length "
    "relative-paths skip transformer-aan-activation transformer-aan-depth transformer-aan-nogate "
    "transformer-decoder-dim-aan transformer-depth-scaling transformer-dim-aan transformer-dropout "
    "transformer-dropout-attention transformer-dropout-ffn ulr-dim-emb ulr-dropout ulr-keys-vectors "
    "ulr-query-vectors ulr-softmax-temperature ulr-trainable-transformation version vocabs"
)
_WITHOUT_EFFECT = frozenset(_SETTINGS.split())
"""Settings of training, and of parts that the other settings switch off."""


class _Loader(yaml.SafeLoader):
    """YAML without aliases, by which a few bytes could stand for any number of values."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("it has an alias")
        return super().compose_node(parent, index)


def read_yaml(file: Path, text: str) -> dict[str, Any]:
    """A YAML file that holds a table. ModelFileError: it does not."""
    try:
        values = yaml.load(text[:_MOST_YAML], _Loader)  # a safe loader
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise damaged(file, str(error).splitlines()[0]) from error
    if not isinstance(values, dict) or not all(isinstance(name, str) for name in values):
        raise damaged(file, "no table of settings")
    return values


class MarianModel:
    """What Marian's settings say.

    Attributes:
        tied_sides: source and target have one table of embeddings. tied_output: the output layer is the
            target's.
        has_bias: of the output layer.
    """

    def __init__(self, settings: Settings) -> None:
        settings.expect(type=("transformer",))
        self._settings = settings
        everything = settings.flag("tied-embeddings-all", False)
        self.tied_sides = everything | settings.flag("tied-embeddings-src", False)
        self.tied_output = everything | settings.flag("tied-embeddings", False)
        self.has_bias = not settings.flag("output-omit-bias", False)

    def architecture(self, source_pieces: int, target_pieces: int) -> Architecture:
        """The architecture for vocabularies of these sizes, ours; ModelFileError: an unknown setting."""
        settings = self._settings
        width = settings.integer("dim-emb", most=1 << 14)
        heads = settings.integer("transformer-heads")
        if width % heads or width % 2:
            raise settings.refusal("transformer-heads", heads)
        inner = settings.integer("transformer-dim-ffn")
        decoder_inner = settings.integer("transformer-decoder-dim-ffn", 0, least=0) or inner
        layers = settings.integer("enc-depth", most=64), settings.integer("dec-depth", most=64)
        architecture = Architecture(
            width=width,
            encoder=Stack(layers[0], heads, inner, source_pieces),
            decoder=Stack(layers[1], heads, decoder_inner, target_pieces),
            norm_before=self._norm_before(),
            activation=settings.choice("transformer-ffn-activation", _ACTIVATIONS),
            scale=math.sqrt(width),
            half_minus_one=True,
            epsilon=_EPSILON,
            shows_first_head=True,
            recurrent=settings.choice(
                "transformer-decoder-autoreg", {"self-attention": False, "rnn": True}, "self-attention"
            ),
        )
        if architecture.recurrent:
            settings.expect(**{"dec-cell": ("ssru",), "layer-normalization": (False,)})
        self._expect_nothing_else()
        return architecture

    def _norm_before(self) -> bool:
        settings = self._settings
        before = settings.choice("transformer-preprocess", {"": False, "n": True})
        after = settings.choice("transformer-postprocess", {"dan": False, "an": False, "da": True, "a": True})
        top = settings.choice("transformer-postprocess-top", {"": False, "n": True}, "")
        if after is not before:
            raise settings.refusal("transformer-postprocess", "another thing than transformer-preprocess")
        if top is not before:
            raise settings.refusal("transformer-postprocess-top", "another thing than transformer-preprocess")
        settings.expect(**{"transformer-postprocess-emb": ("d", "")})
        return before

    def _expect_nothing_else(self) -> None:
        expected: dict[str, tuple[Any, ...]] = {
            "bert-train-type-embeddings": (True, False),
            "bert-type-vocab-size": (2,),
            "dec-cell": ("gru", "lstm", "ssru"),
            "input-types": ([],),
            "layer-normalization": (False, True),
            "lemma-dim-emb": (0,),
            "original-type": ("transformer",),
            "right-left": (False,),
            "transformer-attention-mask": ("default",),
            "transformer-decoder-ffn-depth": (0, 2),
            "transformer-disable-position-embeddings": (False,),
            "transformer-ffn-depth": (2,),
            "transformer-guided-alignment-layer": ("last",),
            "transformer-no-affine": (False,),
            "transformer-no-bias": (False,),
            "transformer-no-projection": (False,),
            "transformer-pool": (False,),
            "transformer-rnn-projection": (False,),
            "transformer-tied-layers": ([],),
            "transformer-train-positions": (False,),
            "transformer-train-position-embeddings": (False,),
            "ulr": (False,),
        }
        self._settings.expect(**expected)
        self._settings.finish(_WITHOUT_EFFECT)
