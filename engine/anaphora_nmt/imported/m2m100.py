"""M2M100 and NLLB as transformers keeps them: many languages on both sides, each with a mark of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from anaphora_nmt.imported.architecture import Architecture
from anaphora_nmt.imported.files import ModelFiles, damaged
from anaphora_nmt.imported.hugging_face import (
    ACTIVATIONS,
    MOST_PIECES,
    WITHOUT_EFFECT,
    read_stacks,
    read_table,
    read_tensors,
)
from anaphora_nmt.imported.languages import Languages, check_languages, mark_of_language
from anaphora_nmt.imported.model import ReadModel
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.vocabulary import ImportedVocabulary, read_sentencepiece, sentencepieces_of
from anaphora_nmt.text.vocabulary import EOS

_CODES = (
    "af am ar ast az ba be bg bn br bs ca ceb cs cy da de el en es et fa ff fi fr fy ga gd gl gu ha he hi "
    "hr ht hu hy id ig ilo is it ja jv ka kk km kn ko lb lg ln lo lt lv mg mk ml mn mr ms my ne nl no ns "
    "oc or pa pl ps pt ro ru sd si sk sl so sq sr ss su sv sw ta th tl tn tr uk ur uz vi wo xh yi yo zh "
    "zu"
)
_LANGUAGES = _CODES.split()
"""M2M100's languages: each has a mark, in this order, after the pieces."""
_UNKNOWN = "<unk>"
_PIECES, _SPECIAL = "sentencepiece.bpe.model", ("<s>", "<pad>", "</s>", "<unk>")
"""NLLB's special pieces stand in this order before sentencepiece's, whose first three are left out."""


@dataclass(frozen=True)
class _Pieces:
    """Numbers of ordinary pieces and of languages, and how the mark of a language is written."""

    table: Mapping[str, int]
    marks: Mapping[str, int]
    texts: Mapping[str, str]


def read_m2m100(files: ModelFiles, languages: Languages = Languages()) -> ReadModel:
    """Read a folder of M2M100 or NLLB, for a pair of languages by the model's names (zh, en, …).

    ModelFileError: it is incomplete or damaged, has unknown settings, or lacks a chosen language.
    """
    settings = Settings(files.folder / "config.json", files.read_json("config.json"))
    size = settings.integer("vocab_size", most=MOST_PIECES)
    end = settings.integer("eos_token_id", least=0, most=size - 1)
    pad = settings.integer("pad_token_id", least=0, most=size - 1)
    settings.expect(decoder_start_token_id=(end,), pad_token_id=(1,), forced_bos_token_id=(None,))
    tied = settings.flag("tie_word_embeddings", True)
    found = _pieces_of_m2m100(files, size) if "vocab.json" in files else _pieces_of_nllb(files, size)
    marks = found.marks
    check_languages(files, {"source": languages.source, "target": languages.target}, marks)
    unknown = found.table.get(_UNKNOWN)
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
    pieces = {number: piece for piece, number in found.table.items()}
    pieces |= {number: found.texts[language] for language, number in marks.items()}
    serialized = read_sentencepiece(files, _PIECES, found.table)
    before = (source.own()[marks[languages.source]],)
    silent = [target.own()[number] for number in marks.values()]
    return ReadModel(
        architecture,
        tensors,
        ImportedVocabulary(serialized, source.pieces(pieces), before),
        ImportedVocabulary(serialized, target.pieces(pieces), (), silent),
        languages,
    )


def _pieces_of_m2m100(files: ModelFiles, size: int) -> _Pieces:
    """The pieces in `vocab.json`, followed by the languages' marks in a fixed order."""
    table = read_table(files, "vocab.json", size)
    _tokenizer_settings(files).expect(language_codes=("m2m100",))
    if len(table) + len(_LANGUAGES) > size:
        raise damaged(
            files.folder / "vocab.json", f"{len(table)} pieces and languages' marks are over {size}"
        )
    marks = {language: len(table) + place for place, language in enumerate(_LANGUAGES)}
    return _Pieces(table, marks, {language: f"__{language}__" for language in _LANGUAGES})


def _pieces_of_nllb(files: ModelFiles, size: int) -> _Pieces:
    """Sentencepiece's own pieces, and the languages' marks as `tokenizer.json` numbers them."""
    _tokenizer_settings(files).expect(legacy_behaviour=(False,))
    tokenizer = files.read_json("tokenizer.json")
    model, added = tokenizer.get("model"), tokenizer.get("added_tokens")
    own = model.get("vocab") if isinstance(model, dict) else None
    if isinstance(own, dict):
        read_sentencepiece(files, _PIECES, own)
    _, texts = sentencepieces_of(files, _PIECES)
    table = {piece: number for number, piece in enumerate((*_SPECIAL, *texts[3:]))}
    marks: dict[str, int] = {}
    for token in added if isinstance(added, list) else ():
        language = mark_of_language(str(token.get("content"))) if isinstance(token, dict) else ""
        if language and isinstance(token.get("id"), int):
            marks[language] = token["id"]
    numbers = [*table.values(), *marks.values()]
    if not marks or len(set(numbers)) != len(numbers) or not all(0 <= one < size for one in numbers):
        raise damaged(files.folder / "tokenizer.json", f"no languages' numbers after {len(table)} pieces")
    return _Pieces(table, marks, {language: language for language in marks})


def _tokenizer_settings(files: ModelFiles) -> Settings:
    name = "tokenizer_config.json"
    return Settings(files.folder / name, files.read_json(name) if name in files else {})
