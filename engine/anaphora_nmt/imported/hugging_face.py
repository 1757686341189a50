"""Read Hugging Face folders of Marian (as distributed by OPUS-MT), M2M100 and NLLB models."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.files import MAX_PIECES, ModelFiles, damaged
from anaphora_nmt.imported.languages import Languages, MarkedLanguages, check_languages, marked_language
from anaphora_nmt.imported.model import ModelContent
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.vocabulary import ImportedVocabulary, read_sentencepiece, sentencepieces_of
from anaphora_nmt.imported.weight_files import Weights, read_hugging_face_weights
from anaphora_nmt.native.stack import Activation
from anaphora_nmt.text.vocabulary import EOS

ACTIVATIONS = {
    "relu": Activation.RELU,
    "swish": Activation.SWISH,
    "silu": Activation.SWISH,
    "gelu": Activation.GELU,
    "gelu_new": Activation.GELU_TANH,
    "gelu_pytorch_tanh": Activation.GELU_TANH,
    "quick_gelu": Activation.GELU_SIGMOID,
}
_SETTINGS = (
    "_name_or_path _num_labels activation_dropout architectures attention_dropout bos_token_id "
    "classif_dropout classifier_dropout decoder_layerdrop dropout dtype early_stopping encoder_layerdrop "
    "extra_pos_embeddings gradient_checkpointing id2label init_std label2id length_penalty max_length "
    "max_position_embeddings model_type no_repeat_ngram_size num_beams num_hidden_layers "
    "output_attentions output_hidden_states return_dict task_specific_params tokenizer_class torch_dtype "
    "transformers_version use_cache"
)
WITHOUT_EFFECT = frozenset(_SETTINGS.split())
"""Settings that do not change the model: names, and settings of training and of transformers' search."""
_ATTENTION = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "output": "out_proj"}
_SIDES = ("encoder", "decoder")


def read_stacks(settings: Settings, source: int, target: int) -> tuple[int, Stack, Stack]:
    """Width, encoder and decoder for vocabularies of these sizes; ModelFileError for unsupported settings."""
    width = settings.integer("d_model", maximum=1 << 14)
    stacks = []
    for side, pieces in zip(_SIDES, (source, target), strict=True):
        heads = settings.integer(f"{side}_attention_heads")
        if width % heads or width % 2:
            raise settings.refusal(f"{side}_attention_heads", heads)
        layers = settings.integer(f"{side}_layers", maximum=64)
        stacks.append(Stack(layers, heads, settings.integer(f"{side}_ffn_dim"), pieces))
    settings.expect(is_decoder=(False,), is_encoder_decoder=(True,), tie_encoder_decoder=(False,))
    return width, stacks[0], stacks[1]


def read_table(files: ModelFiles, name: str, size: int) -> dict[str, int]:
    """The ids of pieces, by piece; ModelFileError unless all ids are different and below `size`."""
    values: dict[str, Any] = files.read_json(name)
    numbers = list(values.values())
    if not all(isinstance(number, int) and 0 <= number < size for number in numbers):
        raise damaged(files.folder / name, f"it has numbers outside the range of {size} pieces")
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
    """All weights of a model, under our names and in our order of pieces.

    Args:
        shared: True if both sides may share one table of embeddings. They do if `tied` is True or neither
            side has a separate table.
    Raises:
        ModelFileError: weights are missing, have another shape, or are left over.
    """
    weights = read_hugging_face_weights(files)
    tensors = _layers(weights, architecture)
    width, names = architecture.width, [f"model.{side}.embed_tokens.weight" for side in _SIDES]
    shared_name = "model.shared.weight"
    if shared and (tied or not any(name in weights for name in names)):
        name = next((name for name in (shared_name, *names) if name in weights), shared_name)
        source_words = target_words = weights.take(name, source.size, width)
    else:
        source_words, target_words = (
            weights.take(name, side.size, width) for name, side in zip(names, (source, target), strict=True)
        )
    output = target_words if tied else weights.take("lm_head.weight", target.size, width)
    bias = torch.zeros(1, target.size)
    if "final_logits_bias" in weights:
        bias = weights.take("final_logits_bias", 1, target.size)
    computed = [f"model.{side}.embed_positions.weight{end}" for side in _SIDES for end in ("", "s")]
    weights.drop(shared_name, "lm_head.weight", *names, *computed)
    weights.finish()
    tensors["encoder.words.weight"] = source.rows(source_words)
    tensors["decoder.words.weight"] = target.rows(target_words)
    tensors["decoder.output.weight"] = tensors["decoder.words.weight"] if tied else target.rows(output)
    tensors["decoder.output.bias"] = target.bias(bias[0])
    return tensors


def _layers(weights: Weights, architecture: Architecture) -> dict[str, Tensor]:
    tensors: dict[str, Tensor] = {}
    width = architecture.width
    for side, stack in zip(_SIDES, (architecture.encoder, architecture.decoder), strict=True):
        for number in range(stack.layers):
            stored, module = f"model.{side}.layers.{number}.", f"{side}.layers.{number}."
            tensors |= _attention(weights, stored + "self_attn", module + "own", width)
            if side == "decoder":
                tensors |= _attention(weights, stored + "encoder_attn", module + "source", width)
            inner, module = stack.feed_forward, module + "feed_forward."
            tensors |= _norm(weights, stored + "final_layer_norm", module + "norm", width)
            tensors[module + "up.weight"] = weights.take(stored + "fc1.weight", inner, width)
            tensors[module + "up.bias"] = weights.take(stored + "fc1.bias", inner)
            tensors[module + "down.weight"] = weights.take(stored + "fc2.weight", width, inner)
            tensors[module + "down.bias"] = weights.take(stored + "fc2.bias", width)
        if architecture.norm_before:
            tensors |= _norm(weights, f"model.{side}.layer_norm", f"{side}.norm", width)
    return tensors


def _attention(weights: Weights, stored: str, module: str, width: int) -> dict[str, Tensor]:
    tensors = _norm(weights, stored + "_layer_norm", module + ".norm", width)
    for part, name in _ATTENTION.items():
        tensors[f"{module}.attention.{part}.weight"] = weights.take(f"{stored}.{name}.weight", width, width)
        tensors[f"{module}.attention.{part}.bias"] = weights.take(f"{stored}.{name}.bias", width)
    return tensors


def _norm(weights: Weights, stored: str, module: str, width: int) -> dict[str, Tensor]:
    return {f"{module}.{part}": weights.take(f"{stored}.{part}", width) for part in ("weight", "bias")}


_UNKNOWN = "<unk>"


def read_hugging_face_marian(files: ModelFiles, languages: Languages = Languages()) -> ModelContent:
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    shared = settings.flag("share_encoder_decoder_embeddings", True)
    tied = settings.flag("tie_word_embeddings", True)
    source_size = settings.integer("vocab_size", maximum=MAX_PIECES)
    target_size = settings.optional_integer("decoder_vocab_size") or source_size
    if target_size > MAX_PIECES or (shared and target_size != source_size):
        raise settings.refusal("decoder_vocab_size", target_size)
    source_table = target_table = read_table(files, "vocab.json", source_size)
    if "target_vocab.json" in files or source_size != target_size:
        target_table = read_table(files, "target_vocab.json", target_size)
    pad = settings.optional_integer("pad_token_id")
    end = settings.integer("eos_token_id", minimum=0, maximum=MAX_PIECES)
    begin = settings.integer("decoder_start_token_id", pad, minimum=0, maximum=MAX_PIECES)
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
    source = Numbering.of(source_size, end=end, pad=pad, unknown=source_table.get(_UNKNOWN))
    target = Numbering.of(target_size, end=end, pad=pad, begin=begin, unknown=target_table.get(_UNKNOWN))
    architecture = _architecture(settings, len(source), len(target))
    settings.finish(WITHOUT_EFFECT)
    tensors = read_tensors(files, architecture, source, target, shared, tied)
    tables = source_table, target_table
    source_pieces, target_pieces = ({number: piece for piece, number in table.items()} for table in tables)
    marks = MarkedLanguages.from_pieces(source_pieces)
    chosen = marks.choose(files, languages, _declared_languages(files))
    silent_ids = MarkedLanguages.from_pieces(target_pieces).our_ids(target)
    tokenizers = [read_sentencepiece(files, name, *tables) for name in ("source.spm", "target.spm")]
    return ModelContent(
        architecture,
        tensors,
        ImportedVocabulary(tokenizers[0], source.pieces(source_pieces), marks.source_prefix(chosen, source)),
        ImportedVocabulary(tokenizers[1], target.pieces(target_pieces), (), silent_ids),
        chosen,
    )


def _architecture(settings: Settings, source: int, target: int) -> Architecture:
    width, encoder, decoder = read_stacks(settings, source, target)
    settings.expect(
        normalize_before=(False,),
        normalize_embedding=(False,),
        add_final_layer_norm=(False,),
        add_bias_logits=(False,),
        static_position_embeddings=(True,),
        force_bos_token_to_be_generated=(False,),
    )
    return Architecture(
        width=width,
        encoder=encoder,
        decoder=decoder,
        norm_before=False,
        activation=settings.choice("activation_function", ACTIVATIONS),
        scale=math.sqrt(width) if settings.flag("scale_embedding", False) else 1.0,
    )


def _check_search(settings: Settings, pad: int | None, end: int) -> None:
    settings.expect(
        bad_words_ids=(None, [[pad]]),
        forced_eos_token_id=(None, end),
        forced_bos_token_id=(None,),
        suppress_tokens=(None,),
        begin_suppress_tokens=(None,),
    )


def _declared_languages(files: ModelFiles) -> Languages:
    values = files.read_json("tokenizer_config.json") if "tokenizer_config.json" in files else {}
    codes = [values.get(name) for name in ("source_lang", "target_lang")]
    return Languages(*(code if isinstance(code, str) else "" for code in codes))


_CODES = (
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi hr "
    "ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no ns oc or "
    "pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh zu"
)
_LANGUAGES = _CODES.split()
"""M2M100's languages in the order of their marks, whose numbers follow those of the pieces."""
_PIECES, _SPECIAL = "sentencepiece.bpe.model", ("<s>", "<pad>", "</s>", "<unk>")
"""Name of the sentencepiece file, and NLLB's special pieces, which replace the file's first three."""


@dataclass(frozen=True)
class _Pieces:
    table: Mapping[str, int]
    marks: Mapping[str, int]
    texts: Mapping[str, str]


def read_m2m100(files: ModelFiles, languages: Languages = Languages()) -> ModelContent:
    """Read an M2M100 or NLLB folder for a pair of languages, in the model's codes (zh, zho_Hans, …).

    Raises:
        ModelFileError: the folder is incomplete or damaged, has unknown settings, or lacks a language.
        LanguageNeededError: a language was not chosen.
    """
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    size = settings.integer("vocab_size", maximum=MAX_PIECES)
    end = settings.integer("eos_token_id", minimum=0, maximum=size - 1)
    pad = settings.integer("pad_token_id", minimum=0, maximum=size - 1)
    settings.expect(decoder_start_token_id=(end,), pad_token_id=(1,), forced_bos_token_id=(None,))
    tied = settings.flag("tie_word_embeddings", True)
    numbers = _pieces_of_m2m100(files, size) if "vocab.json" in files else _pieces_of_nllb(files, size)
    marks = numbers.marks
    check_languages(files, {"source": languages.source, "target": languages.target}, marks)
    unknown = numbers.table.get(_UNKNOWN)
    source = Numbering.of(size, end=end, pad=pad, unknown=unknown)
    target = Numbering.of(size, end=end, pad=pad, begin=marks[languages.target], unknown=unknown)
    width, encoder, decoder = read_stacks(settings, len(source), len(target))
    architecture = Architecture(
        width=width,
        encoder=encoder,
        decoder=decoder,
        norm_before=True,
        activation=settings.choice("activation_function", ACTIVATIONS),
        scale=math.sqrt(width) if settings.flag("scale_embedding", True) else 1.0,
        half_minus_one=True,
        first_position=2,
        prefix=(EOS,),
    )
    settings.finish(WITHOUT_EFFECT)
    tensors = read_tensors(files, architecture, source, target, True, tied)
    pieces = {number: piece for piece, number in numbers.table.items()}
    pieces |= {number: numbers.texts[language] for language, number in marks.items()}
    serialized = read_sentencepiece(files, _PIECES, numbers.table)
    prefix = (source.our_ids()[marks[languages.source]],)
    silent_ids = [target.our_ids()[number] for number in marks.values()]
    return ModelContent(
        architecture,
        tensors,
        ImportedVocabulary(serialized, source.pieces(pieces), prefix),
        ImportedVocabulary(serialized, target.pieces(pieces), (), silent_ids),
        languages,
    )


def _pieces_of_m2m100(files: ModelFiles, size: int) -> _Pieces:
    table = read_table(files, "vocab.json", size)
    _tokenizer_settings(files).expect(language_codes=("m2m100",))
    if len(table) + len(_LANGUAGES) > size:
        raise damaged(
            files.folder / "vocab.json", f"{len(table)} pieces and the language marks are more than {size}"
        )
    marks = {language: len(table) + index for index, language in enumerate(_LANGUAGES)}
    return _Pieces(table, marks, {language: f"__{language}__" for language in _LANGUAGES})


def _pieces_of_nllb(files: ModelFiles, size: int) -> _Pieces:
    """The pieces of the sentencepiece file, and language marks with their numbers in `tokenizer.json`."""
    _tokenizer_settings(files).expect(legacy_behaviour=(False,))
    tokenizer = files.read_json("tokenizer.json")
    model, added = tokenizer.get("model"), tokenizer.get("added_tokens")
    vocabulary = model.get("vocab") if isinstance(model, dict) else None
    if isinstance(vocabulary, dict):
        read_sentencepiece(files, _PIECES, vocabulary)
    _, texts = sentencepieces_of(files, _PIECES)
    table = {piece: number for number, piece in enumerate((*_SPECIAL, *texts[3:]))}
    marks: dict[str, int] = {}
    for token in added if isinstance(added, list) else ():
        language = marked_language(str(token.get("content"))) if isinstance(token, dict) else ""
        if language and isinstance(token.get("id"), int):
            marks[language] = token["id"]
    numbers = [*table.values(), *marks.values()]
    if not marks or len(set(numbers)) != len(numbers) or not all(0 <= each < size for each in numbers):
        raise damaged(files.folder / "tokenizer.json", f"no language marks after {len(table)} pieces")
    return _Pieces(table, marks, {language: language for language in marks})


def _tokenizer_settings(files: ModelFiles) -> Settings:
    name = "tokenizer_config.json"
    return Settings(files.folder / name, files.read_json(name) if name in files else {})
