"""Marian models as transformers keeps them, OPUS-MT's form: a folder with config.json, weights and pieces."""

from __future__ import annotations

import math

from anaphora_nmt.imported.architecture import Architecture
from anaphora_nmt.imported.files import ModelFiles
from anaphora_nmt.imported.hugging_face import (
    ACTIVATIONS,
    MOST_PIECES,
    WITHOUT_EFFECT,
    read_stacks,
    read_table,
    read_tensors,
)
from anaphora_nmt.imported.languages import Languages, MarkedLanguages
from anaphora_nmt.imported.model import ReadModel
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.vocabulary import ImportedVocabulary, read_sentencepiece

_UNKNOWN = "<unk>"


def read_hugging_face_marian(files: ModelFiles, languages: Languages = Languages()) -> ReadModel:
    """Read such a folder; see `read_m2m100`."""
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    shared = settings.flag("share_encoder_decoder_embeddings", True)
    tied = settings.flag("tie_word_embeddings", True)
    source_size = settings.integer("vocab_size", most=MOST_PIECES)
    target_size = settings.optional_integer("decoder_vocab_size") or source_size
    if target_size > MOST_PIECES or (shared and target_size != source_size):
        raise settings.refusal("decoder_vocab_size", target_size)
    theirs = read_table(files, "vocab.json", source_size)
    written = theirs
    if "target_vocab.json" in files or source_size != target_size:
        written = read_table(files, "target_vocab.json", target_size)
    pad = settings.optional_integer("pad_token_id")
    end = settings.integer("eos_token_id", least=0, most=MOST_PIECES)
    begin = settings.integer("decoder_start_token_id", pad, least=0, most=MOST_PIECES)
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
    source = Numbering.of(source_size, end=end, pad=pad, unknown=theirs.get(_UNKNOWN))
    target = Numbering.of(target_size, end=end, pad=pad, begin=begin, unknown=written.get(_UNKNOWN))
    architecture = _architecture(settings, len(source), len(target))
    settings.finish(WITHOUT_EFFECT)
    tensors = read_tensors(files, architecture, source, target, shared, tied)
    given, of_target = ({number: piece for piece, number in table.items()} for table in (theirs, written))
    marks = MarkedLanguages.among(given)
    chosen = marks.choose(files, languages, _said_languages(files))
    silent = MarkedLanguages.among(of_target).numbers(target)
    cutters = [read_sentencepiece(files, name, theirs, written) for name in ("source.spm", "target.spm")]
    return ReadModel(
        architecture,
        tensors,
        ImportedVocabulary(cutters[0], source.pieces(given), marks.before(chosen, source)),
        ImportedVocabulary(cutters[1], target.pieces(of_target), (), silent),
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
    """What transformers' search forbids or forces: padding never comes, and the end does at the limit."""
    settings.expect(
        bad_words_ids=(None, [[pad]]),
        forced_eos_token_id=(None, end),
        forced_bos_token_id=(None,),
        suppress_tokens=(None,),
        begin_suppress_tokens=(None,),
    )


def _said_languages(files: ModelFiles) -> Languages:
    """The pair that the tokenizer's settings name."""
    values = files.read_json("tokenizer_config.json") if "tokenizer_config.json" in files else {}
    said = [values.get(name) for name in ("source_lang", "target_lang")]
    return Languages(*(name if isinstance(name, str) else "" for name in said))
