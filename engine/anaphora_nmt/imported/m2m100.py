"""M2M100 models as transformers keeps them: many languages on both sides, each with a mark of its own."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from anaphora_nmt.imported.architecture import Architecture, Norm, Positions, Stack
from anaphora_nmt.imported.bart_layers import bart_layers
from anaphora_nmt.imported.files import ModelFiles
from anaphora_nmt.imported.hugging_face import ACTIVATIONS, WITHOUT_EFFECT, check_heads, read_table
from anaphora_nmt.imported.languages import Languages, check_language
from anaphora_nmt.imported.model import ReadModel
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.vocabulary import ImportedVocabulary
from anaphora_nmt.imported.weight_files import Weights, read_hugging_face_weights
from anaphora_nmt.text.vocabulary import EOS

_LANGUAGES = {
    "m2m100": (
        "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he "
        "hi hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl "
        "no ns oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi "
        "yo zh zu"
    ),
    "wmt21": "en ha is ja cs ru zh de",
}
"""The tokenizers' sets of languages: each has a mark, in this order, after the pieces."""
_UNKNOWN, _MOST_PIECES = "<unk>", 1 << 20
_FIRST_POSITION = 2


def read_m2m100(files: ModelFiles, languages: Languages = Languages()) -> ReadModel:
    """Read such a folder.

    Args:
        languages: the pair to translate, by the model's names (zh, en, …).
    Raises:
        ModelFileError: missing, damaged, of unknown settings, or a language is not chosen or not known.
    """
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    size = settings.integer("vocab_size", most=_MOST_PIECES)
    end = settings.integer("eos_token_id", least=0, most=size - 1)
    pad = settings.integer("pad_token_id", least=0, most=size - 1)
    settings.expect(decoder_start_token_id=(end,), pad_token_id=(1,), forced_bos_token_id=(None,))
    tied = settings.flag("tie_word_embeddings", True)
    table = read_table(files, "vocab.json", size)
    marks = _marks(files, len(table), size)
    for language in (languages.source, languages.target):
        check_language(files, language, marks)
    unknown = table.get(_UNKNOWN)
    source = Numbering.of(size, end=end, pad=pad, unknown=unknown)
    target = Numbering.of(size, end=end, pad=pad, begin=marks[languages.target], unknown=unknown)
    architecture = _architecture(settings, len(source), len(target))
    settings.finish(WITHOUT_EFFECT)
    tensors = _tensors(read_hugging_face_weights(files), architecture, source, target, tied)
    pieces = {number: piece for piece, number in table.items()}
    pieces |= {number: f"__{language}__" for language, number in marks.items()}
    serialized = files.read("sentencepiece.bpe.model")
    before = (source.own()[marks[languages.source]],)
    silent = [target.own()[number] for number in marks.values()]
    return ReadModel(
        architecture,
        tensors,
        ImportedVocabulary(serialized, source.pieces(pieces), before),
        ImportedVocabulary(serialized, target.pieces(pieces), (), silent),
        languages,
    )


def _marks(files: ModelFiles, first: int, size: int) -> dict[str, int]:
    """The number of each language's mark, after so many pieces."""
    said = files.read_json("tokenizer_config.json") if "tokenizer_config.json" in files else {}
    settings = Settings(files.folder / "tokenizer_config.json", said)
    languages = settings.choice("language_codes", _LANGUAGES, "m2m100").split()
    if first + len(languages) > size:
        raise settings.refusal("language_codes", f"{len(languages)} languages after {first} pieces of {size}")
    return {language: first + place for place, language in enumerate(languages)}


def _architecture(settings: Settings, source: int, target: int) -> Architecture:
    width = settings.integer("d_model", most=1 << 14)
    heads = check_heads(settings, width)
    settings.expect(is_decoder=(False,), is_encoder_decoder=(True,), tie_encoder_decoder=(False,))
    encoder = settings.integer("encoder_layers", most=64), settings.integer("encoder_ffn_dim")
    decoder = settings.integer("decoder_layers", most=64), settings.integer("decoder_ffn_dim")
    return Architecture(
        width=width,
        encoder=Stack(encoder[0], heads[0], encoder[1], source),
        decoder=Stack(decoder[0], heads[1], decoder[1], target),
        norm=Norm.BEFORE,
        activation=settings.choice("activation_function", ACTIVATIONS),
        scale=math.sqrt(width) if settings.flag("scale_embedding", True) else 1.0,
        positions=Positions.HALF_MINUS_ONE,
        first_position=_FIRST_POSITION,
        prefix=(EOS,),
    )


def _tensors(
    weights: Weights, architecture: Architecture, source: Numbering, target: Numbering, tied: bool
) -> dict[str, Tensor]:
    tensors = bart_layers(weights, architecture)
    width, size = architecture.width, source.size
    copies = [f"model.{side}.embed_tokens.weight" for side in ("encoder", "decoder")]
    name = next((one for one in ("model.shared.weight", *copies) if one in weights), "model.shared.weight")
    words = weights.take(name, size, width)
    output = words if tied else weights.take("lm_head.weight", size, width)
    computed = [f"model.{side}.embed_positions.weights" for side in ("encoder", "decoder")]
    weights.drop("model.shared.weight", "lm_head.weight", *copies, *computed)
    weights.finish()
    tensors["encoder.words.weight"] = source.rows(words)
    tensors["decoder.words.weight"] = target.rows(words)
    tensors["decoder.output.weight"] = tensors["decoder.words.weight"] if tied else target.rows(output)
    tensors["decoder.output.bias"] = target.bias(torch.zeros(size))
    return tensors
