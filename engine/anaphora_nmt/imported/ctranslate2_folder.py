"""Read CTranslate2 folders: converted Marian, M2M100, NLLB and OpenNMT models, also in Argos packages."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.ctranslate2_weights import (
    CTranslate2Model,
    CTranslate2Tensors,
    embeddings,
    read_ctranslate2_model,
)
from anaphora_nmt.imported.files import ModelFiles, damaged, lines_of, reading
from anaphora_nmt.imported.languages import Languages, MarkedLanguages, check_languages, marked_language
from anaphora_nmt.imported.model import ModelContent
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.vocabulary import ImportedVocabulary, missing_tokenizer_error, read_sentencepiece
from anaphora_nmt.imported.weight_files import Weights
from anaphora_nmt.native.stack import Activation
from anaphora_nmt.text.vocabulary import EOS, PAD
from anaphora_text.untrusted_json import read_json

FLAG = {0: False, 1: True}
_ACTIVATIONS = {
    0: Activation.RELU,
    1: Activation.GELU_TANH,
    2: Activation.SWISH,
    3: Activation.GELU,
    4: Activation.GELU_SIGMOID,
}
"""Activations by number in `ctranslate2.specs.common_spec.Activation`."""
_WITHOUT_EFFECT = {"encoder/embeddings_merge", "decoder/alignment_layer", "decoder/alignment_heads"}
_OLD_GLOBALS = {
    "encoder/": ("num_heads", "pre_norm", "activation", "embeddings_merge"),
    "decoder/": ("num_heads", "pre_norm", "activation", "alignment_layer", "alignment_heads"),
}
"""Settings, by scope, that revisions before 5 store only once for both scopes."""
_EPSILON = 1e-5


@dataclass(frozen=True)
class Tokens:
    """Special tokens, and the epsilon of layer normalisation.

    `config.json` or, before version 6, `model.bin` contains the tokens. The decoder reads `start` first.
    """

    unknown: str
    begin: str
    end: str
    start: str
    has_source_begin: bool
    has_source_end: bool
    epsilon: float

    @classmethod
    def of(cls, files: ModelFiles, model: CTranslate2Model) -> Tokens:
        if model.version < 6:
            return cls._of_older_file(model.settings)
        settings = Settings(files.folder / "config.json", files.read_json("config.json"))
        settings.expect(multi_query_attention=(False,))
        epsilon = settings.raw("layer_norm_epsilon")
        tokens = cls(
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
        return tokens

    @classmethod
    def _of_older_file(cls, settings: Settings) -> Tokens:
        settings.expect(user_decoder_start_tokens=(0,))
        unknown, begin, end = (
            settings.text(f"{name}_token", default)
            for name, default in (("unk", "<unk>"), ("bos", "<s>"), ("eos", "</s>"))
        )
        starts_with_begin = settings.choice("with_target_bos", FLAG, 1)
        flags = [settings.choice(f"with_source_{name}", FLAG, 0) for name in ("bos", "eos")]
        return cls(unknown, begin, end, begin if starts_with_begin else end, flags[0], flags[1], _EPSILON)


def read_architecture(
    model: CTranslate2Model, tokens: Tokens, source: int, target: int, prefix: tuple[int, ...]
) -> Architecture:
    """The architecture, from settings and shapes; `source` and `target` are the sizes of our vocabularies.

    ModelFileError if a setting is unsupported, or there are no layers.
    """
    settings, weights = model.settings, model.weights
    settings.share(_OLD_GLOBALS)
    width = (weights.shape(embeddings(weights, "decoder")) or (0,))[-1]
    sides = [_SideSettings.of(settings, weights, side, width) for side in ("encoder", "decoder")]
    if sides[0].shared != sides[1].shared:
        raise settings.refusal("encoder", "settings that differ from the decoder's")
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
        half_minus_one=True,  # for files without a table of positions
        first_position=1,
        epsilon=tokens.epsilon,
        prefix=prefix,
    )


@dataclass(frozen=True)
class _SideSettings:
    layers: int
    heads: int
    feed_forward: int
    shared: tuple[bool, Activation, float]  # `norm_before`, `activation` and `scale` of `Architecture`

    @classmethod
    def of(cls, settings: Settings, weights: Weights, side: str, width: int) -> _SideSettings:
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
        is_scaled = settings.raw(side + "/embeddings/multiply_by_sqrt_depth", 1)
        scale = settings.raw(side + "/scale_embeddings", is_scaled)
        if isinstance(scale, int):
            scale = math.sqrt(width) if scale else 1.0
        scale = Settings(settings.file, {"scale_embeddings": scale}).number("scale_embeddings", 1.0)
        return cls(layers, heads, feed_forward, (norm_before, activation, scale))


_PACKAGE = "metadata.json"
"""A file in each Argos package; the package's CTranslate2 model is in a subfolder."""
_PACKAGE_FILES = (_PACKAGE, "sentencepiece.model", "README.md", "LICENSE")
_PADDING = ("<pad>", "<blank>")
_SENTENCEPIECE_ENDINGS = (".spm", ".model")
_SIDES = (("src", "source"), ("trg", "tgt", "target"))
"""Prefixes in the names of the source's and the target's sentencepiece file."""


def files_outside(files: ModelFiles) -> list[Path]:
    """Needed files of an Argos package outside its CTranslate2 folder; empty without a package."""
    package = _package(files)
    return [package.folder / name for name in _PACKAGE_FILES if package is not files and name in package]


def read_ctranslate2(files: ModelFiles, languages: Languages = Languages()) -> ModelContent:
    """Read a CTranslate2 folder; see `hugging_face.read_m2m100`."""
    model, package = read_ctranslate2_model(files), _package(files)
    tokens = Tokens.of(files, model)
    source = _Side.read(files, "source", "encoder", model.weights)
    target = _Side.read(files, "target", "decoder", model.weights)
    is_marian = model.settings.choice("decoder/start_from_zero_embedding", FLAG, 0)
    chosen = _choose_languages(package, source, target, languages)
    inputs = source.numbering(tokens)
    prefix: tuple[int, ...] = ()
    if target.languages:
        outputs, prefix = target.numbering(tokens, target.languages[chosen.target]), (EOS,)
    elif forced := _forced_piece(package):
        outputs = target.numbering(tokens, target.number(forced))
        # Marian's decoder begins with a zero embedding, which padding has.
        prefix = (PAD if is_marian else outputs.our_ids()[target.number(tokens.start)],)
    else:
        outputs = target.numbering(tokens, None if is_marian else target.number(tokens.start))
    architecture = read_architecture(model, tokens, len(inputs), len(outputs), prefix)
    tensors = CTranslate2Tensors(model.weights, architecture)
    tensors.take_layers()
    tensors.take_words(inputs, outputs)
    source_model, target_model = (
        read_sentencepiece(package, name, source.numbers, target.numbers)
        for name in find_sentencepieces(package)
    )
    return ModelContent(
        architecture,
        tensors.tensors,
        ImportedVocabulary(
            source_model,
            inputs.pieces(source.pieces),
            _source_prefix(source, inputs, chosen, tokens),
            has_end=tokens.has_source_end or is_marian or bool(target.languages),
        ),
        ImportedVocabulary(
            target_model, outputs.pieces(target.pieces), (), target.ids_without_text(outputs, tokens)
        ),
        chosen,
    )


@dataclass(frozen=True)
class _Side:
    """A vocabulary; `size` is the number of embeddings.

    `languages` has the numbers of marks like `__de__`, and `marks` has those of marks like `>>deu<<`.
    """

    folder: Path
    pieces: Mapping[int, str]
    numbers: Mapping[str, int]
    size: int
    languages: Mapping[str, int]
    marks: MarkedLanguages

    @classmethod
    def read(cls, files: ModelFiles, side: str, scope: str, weights: Weights) -> _Side:
        """Read a side; `side` is its name in file names, and `scope` its name in names of weights."""
        pieces = _pieces(files, side)
        name = embeddings(weights, scope)
        size = (weights.shape(name) or (0,))[0]
        if max(pieces, default=0) >= size:
            raise damaged(weights.file, f"{len(pieces)} pieces, and {size} rows in {name}")
        languages = {tag: number for number, piece in pieces.items() if (tag := marked_language(piece))}
        numbers = {piece: number for number, piece in pieces.items()}
        marks = MarkedLanguages.from_pieces(pieces)
        return cls(files.folder, pieces, numbers, size, languages if len(languages) > 1 else {}, marks)

    def number(self, piece: str) -> int:
        if piece not in self.numbers:
            raise damaged(self.folder, f"a vocabulary without {piece}")
        return self.numbers[piece]

    def numbering(self, tokens: Tokens, begin: int | None = None) -> Numbering:
        """Our numbering of the pieces; CTranslate2 has no separate piece for padding."""
        end, unknown = self.number(tokens.end), self.numbers.get(tokens.unknown)
        return Numbering.of(self.size, end=end, begin=begin, unknown=unknown)

    def ids_without_text(self, numbering: Numbering, tokens: Tokens) -> list[int]:
        """Our ids of special tokens and language marks, which translations leave out."""
        special = {tokens.begin, tokens.start, tokens.end, *_PADDING}
        numbers = {self.numbers[piece] for piece in special if piece in self.numbers}
        ids = numbering.our_ids()
        return [ids[number] for number in (*numbers, *self.marks.marks.values(), *self.languages.values())]


def _choose_languages(package: ModelFiles, source: _Side, target: _Side, wanted: Languages) -> Languages:
    if not target.languages:
        return source.marks.choose(package, wanted, _declared_languages(package))
    both = source.languages.keys() & target.languages.keys()
    check_languages(package, {"source": wanted.source, "target": wanted.target}, both)
    return wanted


def _source_prefix(source: _Side, numbering: Numbering, chosen: Languages, tokens: Tokens) -> tuple[int, ...]:
    our_ids = numbering.our_ids()
    if source.languages:
        return (our_ids[source.languages[chosen.source]],)
    begin = (our_ids[source.number(tokens.begin)],) if tokens.has_source_begin else ()
    return (*begin, *source.marks.source_prefix(chosen, numbering))


def _pieces(files: ModelFiles, side: str) -> dict[int, str]:
    """The pieces by number; a repeated piece keeps its first number, as in CTranslate2."""
    names = [f"{stem}_vocabulary{end}" for stem in ("shared", side) for end in (".json", ".txt")]
    path = files.path(files.first(names) or names[-2])
    with reading(path):
        text = files.read_text(path.name)
        pieces = read_json(text) if path.suffix == ".json" else _lines(text)
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise damaged(path, "it is not a list of pieces")
    numbers: dict[str, int] = {}
    for number, piece in enumerate(pieces):
        numbers.setdefault(piece, number)
    return {number: piece for piece, number in numbers.items()}


def _lines(text: str) -> list[str]:
    """The lines of a text; a carriage return is part of a piece unless all lines end with one."""
    lines = lines_of(text.removesuffix("\n"))
    if all(line.endswith("\r") for line in lines):
        return [line[:-1] for line in lines]
    return lines


def _package(files: ModelFiles) -> ModelFiles:
    parent = ModelFiles(files.folder.parent)
    return parent if _PACKAGE not in files and _PACKAGE in parent else files


def _forced_piece(package: ModelFiles) -> str:
    piece = package.read_json(_PACKAGE).get("target_prefix", "") if _PACKAGE in package else ""
    if not isinstance(piece, str):
        raise damaged(package.folder / _PACKAGE, f"target_prefix: {piece}")
    return piece


def _declared_languages(package: ModelFiles) -> Languages:
    values = package.read_json(_PACKAGE) if _PACKAGE in package else {}
    codes = [values.get(name) for name in ("from_code", "to_code")]
    return Languages(*(code if isinstance(code, str) else "" for code in codes))


def find_sentencepieces(files: ModelFiles) -> tuple[str, str]:
    """The sentencepiece files of source and target, which may be one; ModelFileError if one is missing."""
    names = [name for name in files.names() if name.endswith(_SENTENCEPIECE_ENDINGS)]
    source, target = (next((name for name in names if name.startswith(side)), None) for side in _SIDES)
    if source is not None and target is not None:
        return source, target
    if len(names) == 1 and source is target is None:
        return names[0], names[0]
    raise missing_tokenizer_error(
        files, "vocab.spm" if not names else "source.spm" if source is None else "target.spm"
    )
