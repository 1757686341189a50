"""CTranslate2's settings: those among its variables, and `config.json`."""

from __future__ import annotations

import math
from dataclasses import dataclass

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.ctranslate2_layers import embeddings
from anaphora_nmt.imported.ctranslate2_weights import CTranslate2Model
from anaphora_nmt.imported.files import ModelFiles
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.weight_files import Weights
from anaphora_nmt.native.stack import Activation

FLAG = {0: False, 1: True}
_ACTIVATIONS = {
    0: Activation.RELU,
    1: Activation.GELU_TANH,
    2: Activation.SWISH,
    3: Activation.GELU,
    4: Activation.GELU_SIGMOID,
}
"""By the numbers of `ctranslate2.specs.common_spec.Activation`."""
_WITHOUT_EFFECT = {"encoder/embeddings_merge", "decoder/alignment_layer", "decoder/alignment_heads"}
_OLD_GLOBALS = {
    "encoder/": ("num_heads", "pre_norm", "activation", "embeddings_merge"),
    "decoder/": ("num_heads", "pre_norm", "activation", "alignment_layer", "alignment_heads"),
}
"""What revisions before 5 say once for both sides."""
_EPSILON = 1e-5


@dataclass(frozen=True)
class Tokens:
    """What `config.json` says, or in older files the variables, of marks and epsilon."""

    unknown: str
    begin: str
    end: str
    start: str
    source_begins: bool
    source_ends: bool
    epsilon: float

    @classmethod
    def of(cls, files: ModelFiles, model: CTranslate2Model) -> Tokens:
        if model.version < 6:
            return cls._older(model.settings)
        settings = Settings(files.folder / "config.json", files.read_json("config.json"))
        settings.expect(multi_query_attention=(False,))
        epsilon = settings.raw("layer_norm_epsilon")
        found = cls(
            settings.text("unk_token", "<unk>"),
            settings.text("bos_token", "<s>"),
            settings.text("eos_token", "</s>"),
            settings.text("decoder_start_token", "<s>"),
            settings.flag("add_source_bos", False),
            settings.flag("add_source_eos", False),
            _EPSILON
            if epsilon is None
            else Settings(settings.file, {"epsilon": epsilon}).number("epsilon", _EPSILON),
        )
        settings.finish(())
        return found

    @classmethod
    def _older(cls, settings: Settings) -> Tokens:
        settings.expect(user_decoder_start_tokens=(0,))
        unknown, begin, end = (
            settings.text(f"{name}_token", default)
            for name, default in (("unk", "<unk>"), ("bos", "<s>"), ("eos", "</s>"))
        )
        with_start = settings.choice("with_target_bos", FLAG, 1)
        around = [settings.choice(f"with_source_{name}", FLAG, 0) for name in ("bos", "eos")]
        return cls(unknown, begin, end, begin if with_start else end, around[0], around[1], _EPSILON)


def read_architecture(
    model: CTranslate2Model, tokens: Tokens, source: int, target: int, prefix: tuple[int, ...]
) -> Architecture:
    """What settings and shapes say, all in our numbering; ModelFileError: a setting is not known."""
    settings, weights = model.settings, model.weights
    settings.share(_OLD_GLOBALS)
    width = (weights.shape(embeddings(weights, "decoder")) or (0,))[-1]
    sides = [_Side.of(settings, weights, side, width) for side in ("encoder", "decoder")]
    if sides[0].shared != sides[1].shared:
        raise settings.refusal("encoder", "other settings than decoder's")
    settings.expect(
        **{
            "decoder/alibi": (0,),
            "decoder/alibi_use_positive_positions": (0, 1),
            "decoder/scale_alibi": (0, 1),
            "decoder/final_logit_softcapping": (0.0,),
            "encoder/multi_query_attention": (0,),
            "with_relative_position": (0,),
        }
    )
    settings.finish(_WITHOUT_EFFECT)
    norm_before, activation, scale = sides[0].shared
    return Architecture(
        width=width,
        encoder=Stack(sides[0].layers, sides[0].heads, sides[0].feed_forward, source),
        decoder=Stack(sides[1].layers, sides[1].heads, sides[1].feed_forward, target),
        norm_before=norm_before,
        activation=activation,
        scale=scale,
        half_minus_one=True,  # of files without a table of positions
        first_position=1,
        epsilon=tokens.epsilon,
        prefix=prefix,
    )


@dataclass(frozen=True)
class _Side:
    layers: int
    heads: int
    feed_forward: int
    shared: tuple[bool, Activation, float]

    @classmethod
    def of(cls, settings: Settings, weights: Weights, side: str, width: int) -> _Side:
        heads = settings.integer(side + "/num_heads", 8)
        if not width or width % heads or width % 2:
            raise settings.refusal(side + "/num_heads", heads)
        layers = 0
        while (inner := weights.shape(f"{side}/layer_{layers}/ffn/linear_0/weight")) is not None:
            layers, feed_forward = layers + 1, inner[0]
        if not layers:
            weights.take(f"{side}/layer_0/ffn/linear_0/weight", width, width)
        norm_before = settings.choice(side + "/pre_norm", FLAG, 1)
        activation = settings.choice(side + "/activation", _ACTIVATIONS, 0)
        scaled = settings.raw(side + "/embeddings/multiply_by_sqrt_depth", 1)
        scale = settings.raw(side + "/scale_embeddings", scaled)
        if isinstance(scale, int):
            scale = math.sqrt(width) if scale else 1.0
        scale = Settings(settings.file, {"scale_embeddings": scale}).number("scale_embeddings", 1.0)
        return cls(layers, heads, feed_forward, (norm_before, activation, scale))
