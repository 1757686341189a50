"""CTranslate2's folders: converted Marian, M2M100, NLLB and OpenNMT models, Argos packages among them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anaphora_nmt.imported.ctranslate2_layers import CTranslate2Tensors, embeddings
from anaphora_nmt.imported.ctranslate2_settings import FLAG, Tokens, read_architecture
from anaphora_nmt.imported.ctranslate2_weights import read_ctranslate2_model
from anaphora_nmt.imported.files import ModelFiles, damaged
from anaphora_nmt.imported.languages import Languages, MarkedLanguages, check_languages, mark_of_language
from anaphora_nmt.imported.model import ReadModel
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.vocabulary import ImportedVocabulary, lacking, read_sentencepiece
from anaphora_nmt.imported.weight_files import Weights
from anaphora_nmt.text.vocabulary import EOS, PAD

_PACKAGE = "metadata.json"
"""Marks an Argos package, whose CTranslate2 folder is inside it."""
_BESIDE = (_PACKAGE, "sentencepiece.model", "README.md", "LICENSE")
_PADDING = ("<pad>", "<blank>")
_ENDS = (".spm", ".model")
_SIDES = (("src", "source"), ("trg", "tgt", "target"))


def parts_beside(files: ModelFiles) -> list[Path]:
    """Files of an Argos package that stand outside its CTranslate2 folder."""
    package = _package(files)
    return [package.folder / name for name in _BESIDE if package is not files and name in package]


def read_ctranslate2(files: ModelFiles, languages: Languages = Languages()) -> ReadModel:
    """Read such a folder; see `read_m2m100`."""
    model, package = read_ctranslate2_model(files), _package(files)
    tokens = Tokens.of(files, model)
    source = _Side.read(files, "source", "encoder", model.weights)
    target = _Side.read(files, "target", "decoder", model.weights)
    of_marian = model.settings.choice("decoder/start_from_zero_embedding", FLAG, 0)
    chosen = _chosen(package, source, target, languages)
    given = source.numbering(tokens)
    prefix: tuple[int, ...] = ()
    if target.languages:
        written, prefix = target.numbering(tokens, target.languages[chosen.target]), (EOS,)
    elif forced := _forced(package):
        written = target.numbering(tokens, target.number(forced))
        # Padding has no row, as what such a decoder of Marian's begins with.
        prefix = (PAD if of_marian else written.own()[target.number(tokens.start)],)
    else:
        written = target.numbering(tokens, None if of_marian else target.number(tokens.start))
    architecture = read_architecture(model, tokens, len(given), len(written), prefix)
    tensors = CTranslate2Tensors(model.weights, architecture)
    tensors.take_layers()
    tensors.take_words(given, written)
    given_cutter, written_cutter = (
        read_sentencepiece(package, name, source.numbers, target.numbers)
        for name in find_sentencepieces(package)
    )
    return ReadModel(
        architecture,
        tensors.tensors,
        ImportedVocabulary(
            given_cutter,
            given.pieces(source.pieces),
            _before(source, given, chosen, tokens),
            ends=tokens.source_ends or of_marian or bool(target.languages),
        ),
        ImportedVocabulary(written_cutter, written.pieces(target.pieces), (), target.silent(written, tokens)),
        chosen,
    )


@dataclass(frozen=True)
class _Side:
    """A side's vocabulary: pieces, rows of embeddings, marks of languages behind and in front of it."""

    folder: Path
    pieces: Mapping[int, str]
    numbers: Mapping[str, int]
    size: int
    languages: Mapping[str, int]
    marks: MarkedLanguages

    @classmethod
    def read(cls, files: ModelFiles, side: str, scope: str, weights: Weights) -> _Side:
        """Read one side of a folder. `side` is its name in names of files, `scope` in names of weights."""
        pieces = _pieces(files, side)
        name = embeddings(weights, scope)
        size = (weights.shape(name) or (0,))[0]
        if max(pieces, default=0) >= size:
            raise damaged(weights.file, f"{len(pieces)} pieces, and {size} rows in {name}")
        languages = {tag: number for number, piece in pieces.items() if (tag := mark_of_language(piece))}
        numbers = {piece: number for number, piece in pieces.items()}
        marks = MarkedLanguages.among(pieces)
        return cls(files.folder, pieces, numbers, size, languages if len(languages) > 1 else {}, marks)

    def number(self, piece: str) -> int:
        if piece not in self.numbers:
            raise damaged(self.folder, f"a vocabulary without {piece}")
        return self.numbers[piece]

    def numbering(self, tokens: Tokens, begin: int | None = None) -> Numbering:
        """Ours. CTranslate2 pads with no piece of its own."""
        end, unknown = self.number(tokens.end), self.numbers.get(tokens.unknown)
        return Numbering.of(self.size, end=end, begin=begin, unknown=unknown)

    def silent(self, numbering: Numbering, tokens: Tokens) -> list[int]:
        special = {tokens.begin, tokens.start, tokens.end, *_PADDING}
        numbers = {self.numbers[piece] for piece in special if piece in self.numbers}
        own = numbering.own()
        return [own[number] for number in (*numbers, *self.marks.marks.values(), *self.languages.values())]


def _chosen(package: ModelFiles, source: _Side, target: _Side, wanted: Languages) -> Languages:
    if not target.languages:
        return source.marks.choose(package, wanted, _said_languages(package))
    both = source.languages.keys() & target.languages.keys()
    check_languages(package, {"source": wanted.source, "target": wanted.target}, both)
    return wanted


def _before(source: _Side, numbering: Numbering, chosen: Languages, tokens: Tokens) -> tuple[int, ...]:
    own = numbering.own()
    if source.languages:
        return (own[source.languages[chosen.source]],)
    begin = (own[source.number(tokens.begin)],) if tokens.source_begins else ()
    return (*begin, *source.marks.before(chosen, numbering))


def _pieces(files: ModelFiles, side: str) -> dict[int, str]:
    """Pieces by number; if a piece is there twice, the first one counts, as in CTranslate2."""
    names = [f"{stem}_vocabulary{end}" for stem in ("shared", side) for end in (".json", ".txt")]
    path = files.path(files.first(names) or names[-2])
    try:
        text = files.read_text(path.name)
        pieces = json.loads(text) if path.suffix == ".json" else _lines(text)
    except (ValueError, RecursionError) as error:
        raise damaged(path, error) from error
    if not isinstance(pieces, list) or not all(isinstance(piece, str) for piece in pieces):
        raise damaged(path, "no list of pieces")
    first: dict[str, int] = {}
    for number, piece in enumerate(pieces):
        first.setdefault(piece, number)
    return {number: piece for piece, number in first.items()}


def _lines(text: str) -> list[str]:
    """Lines; a carriage return is part of a piece unless all have one."""
    lines = text.removesuffix("\n").split("\n")
    if all(line.endswith("\r") for line in lines):
        return [line[:-1] for line in lines]
    return lines


def _package(files: ModelFiles) -> ModelFiles:
    """Where the sentencepiece models are: in the folder, or in the Argos package around it."""
    around = ModelFiles(files.folder.parent)
    return around if _PACKAGE not in files and _PACKAGE in around else files


def _forced(package: ModelFiles) -> str:
    """The piece that each translation begins with, as an Argos package says; "" for none."""
    piece = package.read_json(_PACKAGE).get("target_prefix", "") if _PACKAGE in package else ""
    if not isinstance(piece, str):
        raise damaged(package.folder / _PACKAGE, f"target_prefix: {piece}")
    return piece


def _said_languages(package: ModelFiles) -> Languages:
    values = package.read_json(_PACKAGE) if _PACKAGE in package else {}
    said = [values.get(name) for name in ("from_code", "to_code")]
    return Languages(*(name if isinstance(name, str) else "" for name in said))


def find_sentencepieces(files: ModelFiles) -> tuple[str, str]:
    """The names of both sides' files, or twice the name of the only one; else ModelFileError."""
    names = [name for name in files.names() if name.endswith(_ENDS)]
    own = [next((name for name in names if name.startswith(starts)), None) for starts in _SIDES]
    if own[0] is not None and own[1] is not None:
        return own[0], own[1]
    if len(names) == 1 and own == [None, None]:
        return names[0], names[0]
    raise lacking(files, "vocab.spm" if not names else "source.spm" if own[0] is None else "target.spm")
