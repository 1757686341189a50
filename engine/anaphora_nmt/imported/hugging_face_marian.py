"""Marian models as transformers keeps them, OPUS-MT's form: a folder with config.json, weights and pieces."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from anaphora_nmt.imported.architecture import Architecture, Norm, Stack
from anaphora_nmt.imported.bart_layers import bart_layers
from anaphora_nmt.imported.files import ModelFiles
from anaphora_nmt.imported.hugging_face import ACTIVATIONS, WITHOUT_EFFECT, check_heads, read_table
from anaphora_nmt.imported.languages import Languages, MarkedLanguages
from anaphora_nmt.imported.model import ReadModel
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.vocabulary import ImportedVocabulary
from anaphora_nmt.imported.weight_files import Weights, read_hugging_face_weights

_UNKNOWN, _MOST_PIECES = "<unk>", 1 << 20


def read_hugging_face_marian(files: ModelFiles, languages: Languages = Languages()) -> ReadModel:
    """Read such a folder.

    Args:
        languages: the pair to translate, where the model knows several.
    Raises:
        ModelFileError: missing, damaged, of unknown settings, or the language is not one of its own.
    """
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    shared = settings.flag("share_encoder_decoder_embeddings", True)
    tied = settings.flag("tie_word_embeddings", True)
    source_size = settings.integer("vocab_size", most=_MOST_PIECES)
    given = settings.raw("decoder_vocab_size")
    target_size = (
        source_size
        if given is None
        else Settings(settings.file, {"decoder_vocab_size": given}).integer(
            "decoder_vocab_size", most=_MOST_PIECES
        )
    )
    if shared and target_size != source_size:
        raise settings.refusal("decoder_vocab_size", target_size)
    theirs = _Vocabularies(files, source_size, target_size)
    pad, end = (
        settings.optional_integer("pad_token_id"),
        settings.integer("eos_token_id", least=0, most=_MOST_PIECES),
    )
    begin = settings.integer("decoder_start_token_id", pad, least=0, most=_MOST_PIECES)
    _check_search(settings, pad, end)
    if "generation_config.json" in files:
        search = files.read_json("generation_config.json")
        _check_search(Settings(files.folder / "generation_config.json", search), pad, end)
    for name, number, size in (
        ("pad_token_id", pad or 0, min(source_size, target_size)),
        ("eos_token_id", end, min(source_size, target_size)),
        ("decoder_start_token_id", begin, target_size),
    ):
        if number >= size:
            raise settings.refusal(name, number)
    unknown = theirs.source.get(_UNKNOWN), theirs.target.get(_UNKNOWN)
    source = Numbering.of(source_size, end=end, pad=pad, unknown=unknown[0])
    target = Numbering.of(target_size, end=end, pad=pad, begin=begin, unknown=unknown[1])
    architecture = _architecture(settings, len(source), len(target))
    settings.finish(WITHOUT_EFFECT)
    tensors = _tensors(files, architecture, source, target, shared, tied)
    chosen = theirs.marks.choose(files, languages, _said_languages(files))
    before = theirs.marks.before(chosen, source)
    return ReadModel(
        architecture,
        tensors,
        ImportedVocabulary(files.read("source.spm"), source.pieces(_by_id(theirs.source)), before),
        ImportedVocabulary(
            files.read("target.spm"),
            target.pieces(_by_id(theirs.target)),
            (),
            theirs.target_marks.numbers(target),
        ),
        chosen,
    )


def _architecture(settings: Settings, source: int, target: int) -> Architecture:
    width = settings.integer("d_model", most=1 << 14)
    heads = check_heads(settings, width)
    settings.expect(
        is_decoder=(False,),
        is_encoder_decoder=(True,),
        normalize_before=(False,),
        normalize_embedding=(False,),
        add_final_layer_norm=(False,),
        add_bias_logits=(False,),
        static_position_embeddings=(True,),
        force_bos_token_to_be_generated=(False,),
        tie_encoder_decoder=(False,),
    )
    return Architecture(
        width=width,
        encoder=Stack(
            settings.integer("encoder_layers", most=64), heads[0], settings.integer("encoder_ffn_dim"), source
        ),
        decoder=Stack(
            settings.integer("decoder_layers", most=64), heads[1], settings.integer("decoder_ffn_dim"), target
        ),
        norm=Norm.AFTER,
        activation=settings.choice("activation_function", ACTIVATIONS),
        scale=math.sqrt(width) if settings.flag("scale_embedding", False) else 1.0,
    )


def _check_search(settings: Settings, pad: int | None, end: int) -> None:
    """What transformers' search forbids or forces: padding never comes, and the end does at the limit."""
    settings.expect(
        bad_words_ids=(None, [[pad]]),
        forced_eos_token_id=(None, end),
        forced_bos_token_id=(None,),
        suppress_tokens=(None,),
        begin_suppress_tokens=(None,),
    )


def _tensors(
    files: ModelFiles,
    architecture: Architecture,
    source: Numbering,
    target: Numbering,
    shared: bool,
    tied: bool,
) -> dict[str, Tensor]:
    weights = read_hugging_face_weights(files)
    tensors = bart_layers(weights, architecture)
    width = architecture.width
    sizes = source.size, target.size
    words = _embeddings(weights, sizes, width, shared, tied)
    output = words[1] if tied else weights.take("lm_head.weight", sizes[1], width)
    bias = torch.zeros(1, sizes[1])
    if "final_logits_bias" in weights:
        bias = weights.take("final_logits_bias", 1, sizes[1])
    weights.drop(
        "lm_head.weight", *(f"model.{side}.embed_positions.weight" for side in ("encoder", "decoder"))
    )
    weights.finish()
    tensors["encoder.words.weight"] = source.rows(words[0])
    tensors["decoder.words.weight"] = target.rows(words[1])
    tensors["decoder.output.weight"] = tensors["decoder.words.weight"] if tied else target.rows(output)
    tensors["decoder.output.bias"] = target.bias(bias[0])
    return tensors


def _embeddings(
    weights: Weights, sizes: tuple[int, int], width: int, shared: bool, tied: bool
) -> tuple[Tensor, Tensor]:
    """Source and target embeddings; where all are tied, any copy of the shared table will do."""
    names = tuple(f"model.{side}.embed_tokens.weight" for side in ("encoder", "decoder"))
    if shared and tied:
        found = next(
            (name for name in ("model.shared.weight", *names) if name in weights), "model.shared.weight"
        )
        table = weights.take(found, sizes[0], width)
        weights.drop("model.shared.weight", *names)
        return table, table
    if shared and not any(name in weights for name in names):
        table = weights.take("model.shared.weight", sizes[0], width)
        return table, table
    pair = weights.take(names[0], sizes[0], width), weights.take(names[1], sizes[1], width)
    weights.drop("model.shared.weight")
    return pair


class _Vocabularies:
    """vocab.json, and target_vocab.json where the sides have pieces of their own; toolkit's ids by piece."""

    def __init__(self, files: ModelFiles, source_size: int, target_size: int) -> None:
        self.source = read_table(files, "vocab.json", source_size)
        separate = "target_vocab.json" in files
        self.target = read_table(files, "target_vocab.json", target_size) if separate else self.source
        if not separate and source_size != target_size:
            files.path("target_vocab.json")
        self.marks = MarkedLanguages.among(_by_id(self.source))
        self.target_marks = MarkedLanguages.among(_by_id(self.target))


def _said_languages(files: ModelFiles) -> Languages:
    """The pair that the tokenizer's settings name."""
    values = files.read_json("tokenizer_config.json") if "tokenizer_config.json" in files else {}
    said = [values.get(name) for name in ("source_lang", "target_lang")]
    return Languages(*(name if isinstance(name, str) else "" for name in said))


def _by_id(table: dict[str, int]) -> dict[int, str]:
    return {number: piece for piece, number in table.items()}
