"""Read Marian's own models: `.npz` with `decoder.yml` as in OPUS-MT, and `.bin` as in Bergamot.

Bergamot's student models have a lexical shortlist (`lex.50.50.….s2t.bin`): a list of target pieces for each
source piece, in little-endian numbers. Six 64-bit numbers come first: a magic number, a checksum, the number
of frequent target pieces that are always allowed, the maximum length of a list, the number of 64-bit numbers
that follow, and the total length of the lists. Then come the start of each list and the end of the last one
(64 bits each), and the target pieces of all lists (32 bits each).
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.files import MAX_PIECES, ModelFiles, damaged, lines_of, reading
from anaphora_nmt.imported.languages import Languages, MarkedLanguages
from anaphora_nmt.imported.marian_weights import MarianSettings, MarianTensors, read_marian_weights, read_yaml
from anaphora_nmt.imported.model import ModelContent
from anaphora_nmt.imported.numbering import Numbering
from anaphora_nmt.imported.settings import Settings
from anaphora_nmt.imported.vocabulary import (
    MIN_KNOWN_SHARE,
    ImportedVocabulary,
    missing_tokenizer_error,
    read_sentencepiece,
    sentencepieces_of,
)
from anaphora_nmt.text.vocabulary import EOS, UNK, Shortlist

_END, _UNKNOWN = "</s>", "<unk>"
_INFORMATION = "model_info.json"
_PAIR = re.compile(r"(?:model|vocab|srcvocab|trgvocab)\.([a-z]{2})([a-z]{2})\.")
_LEXICON = re.compile(r"^lex\.|quality|\.s2t\.")
_LINE = re.compile(r"""^(?P<piece>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|.*?):\s*(?P<number>\d+)\s*$""")
_ESCAPE = re.compile(r"\\(x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")
_CONTROLS = dict(zip("ntr0_NLP", "\n\t\r\0\u00a0\u0085\u2028\u2029", strict=True))


@dataclass(frozen=True)
class _FileNames:
    model: str
    source: str
    target: str


@dataclass(frozen=True)
class _Side:
    """The vocabulary of a side: pieces by number, and the name of the sentencepiece file (`tokenizer`)."""

    pieces: dict[int, str]
    tokenizer: str

    def number(self, piece: str) -> int | None:
        return next((number for number, each in self.pieces.items() if each == piece), None)


def has_marian_model(files: ModelFiles) -> bool:
    """True if a folder contains weights in a format of Marian."""
    return any(_is_model(files, name) for name in files.names())


def read_marian(files: ModelFiles, languages: Languages = Languages()) -> ModelContent:
    """Read a Marian folder; see `hugging_face.read_m2m100`."""
    parts = _find_files(files)
    weights, text = read_marian_weights(files, parts.model)
    settings = Settings(files.folder / parts.model, read_yaml(files.folder / parts.model, text))
    sizes = settings.raw("dim-vocabs")
    if not (isinstance(sizes, list) and len(sizes) == 2):
        raise settings.refusal("dim-vocabs", sizes)
    for size in sizes:
        Settings(settings.file, {"dim-vocabs": size}).integer("dim-vocabs", maximum=MAX_PIECES)
    marian = MarianSettings(settings)
    sides = [
        _side(files, name, size, role)
        for name, size, role in zip((parts.source, parts.target), sizes, ("source", "target"), strict=True)
    ]
    source, target = (_numbering(files, side, size) for side, size in zip(sides, sizes, strict=True))
    tensors = MarianTensors(weights, marian.architecture(len(source), len(target)))
    tensors.take_layers()
    tensors.take_words(marian, source, target)
    marks = MarkedLanguages.from_pieces(sides[0].pieces)
    chosen = marks.choose(files, languages, _declared_languages(files))
    before = marks.source_prefix(chosen, source)
    tables = [set(side.pieces.values()) for side in sides]
    tokenizers = [read_sentencepiece(files, side.tokenizer, *tables) for side in sides]
    return ModelContent(
        tensors.architecture,
        tensors.tensors,
        ImportedVocabulary(tokenizers[0], source.pieces(sides[0].pieces), before),
        ImportedVocabulary(
            tokenizers[1],
            target.pieces(sides[1].pieces),
            (),
            MarkedLanguages.from_pieces(sides[1].pieces).our_ids(target),
        ),
        chosen,
        read_shortlist(files, source, target, parts.source == parts.target),
    )


def _declared_languages(files: ModelFiles) -> Languages:
    """The languages in translateLocally's `model_info.json` or Mozilla's file names (`model.zhen.…`)."""
    values = files.read_json(_INFORMATION) if _INFORMATION in files else {}
    sources, target = values.get("srcTags"), values.get("trgTag")
    if isinstance(sources, dict) and len(sources) == 1 and isinstance(target, str):
        return Languages(str(next(iter(sources))), target)
    pairs = {match.groups() for name in files.names() if (match := _PAIR.match(name))}
    return Languages(*pairs.pop()) if len(pairs) == 1 else Languages()


def _is_model(files: ModelFiles, name: str) -> bool:
    if _LEXICON.search(name) or not name.endswith((".npz", ".bin")):
        return False
    start = files.first_bytes(name, 16)
    return start[:4] == b"PK\3\4" or (start[:8] == (1).to_bytes(8, "little") and start[8:10] != b"\0\0")


def _find_files(files: ModelFiles) -> _FileNames:
    """Names of the model and vocabularies, from a decoder configuration or else from the folder's files."""
    for name in files.names():
        if name.endswith(".yml") and "vocab" not in name:
            values = read_yaml(files.folder / name, files.read_text(name))
            models, vocabularies = values.get("models"), values.get("vocabs")
            if models and vocabularies:
                names = [
                    Path(each).name if isinstance(each, str) else "" for each in (*models, *vocabularies)
                ]
                if len(models) > 1 or len(vocabularies) not in (1, 2):
                    raise Settings(files.folder / name, {}).refusal("models", models)
                return _FileNames(names[0], names[1], names[-1])
    models = [name for name in files.names() if _is_model(files, name)]
    pieces = [name for name in files.names() if name.endswith(".spm")]
    if len(models) > 1:
        raise ModelFileError(
            "{path} contains several models. Choose one of its folders: {names}.",
            path=files.folder,
            names=", ".join(models),
        )
    source = next((name for name in pieces if name.startswith(("src", "source"))), None)
    target = next((name for name in pieces if name.startswith(("trg", "target"))), None)
    if source is None or target is None:
        if len(pieces) != 1:
            raise missing_tokenizer_error(files, "vocab.spm")
        source = target = pieces[0]
    return _FileNames(models[0], source, target)


def _side(files: ModelFiles, name: str, size: int, role: str) -> _Side:
    """Read a vocabulary: a sentencepiece file, or a table of pieces beside `source.spm` or `target.spm`."""
    if name.endswith(".spm"):
        pieces, tokenizer = dict(enumerate(sentencepieces_of(files, name)[1])), name
    else:
        with reading(files.folder / name):
            pieces, tokenizer = read_pieces(files.folder / name, files.read_text(name)), role + ".spm"
    if any(number >= size for number in pieces) or len(pieces) < MIN_KNOWN_SHARE * size:
        raise damaged(files.folder / name, f"{len(pieces)} pieces, and {size} in the model")
    return _Side(pieces, tokenizer)


def read_pieces(file: Path, text: str) -> dict[int, str]:
    """Read Marian's table of pieces: a line of YAML for each piece, `piece: number`, with optional quotes."""
    pieces: dict[int, str] = {}
    for number, line in enumerate(lines_of(text), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            raise damaged(file, f"line {number}: {line[:40]!r}")
        pieces[int(match["number"])] = _unquote(match["piece"])
    return pieces


def _unquote(text: str) -> str:
    if text[:1] == '"':
        return _ESCAPE.sub(_unescape, text[1:-1])
    return text[1:-1].replace("''", "'") if text[:1] == "'" else text.strip()


def _unescape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _CONTROLS.get(code, code)


def _numbering(files: ModelFiles, side: _Side, size: Any) -> Numbering:
    end = side.number(_END)
    if end is None:
        raise damaged(files.folder, f"a vocabulary without {_END}")
    return Numbering.of(size, end=end, unknown=side.number(_UNKNOWN))


_MAGIC = struct.pack("<Q", 0xF11A48D5013417F5)
_HEADER = struct.Struct("<6Q")


def read_shortlist(
    files: ModelFiles, source: Numbering, target: Numbering, is_shared: bool
) -> Shortlist | None:
    """A folder's shortlist in our ids; None if it has none in this format.

    Args:
        is_shared: True if source and target share a vocabulary.
    Raises:
        ModelFileError: the shortlist is damaged, or belongs to another model.
    """
    names = [name for name in files.names() if name.endswith(".bin") and files.first_bytes(name, 8) == _MAGIC]
    if not names:
        return None
    path, data = files.folder / names[0], files.read(names[0])
    if len(data) < _HEADER.size:
        raise damaged(path, "it is cut off")
    _, _, frequent, _, starts_count, pieces_count = _HEADER.unpack_from(data)
    if len(data) != _HEADER.size + 8 * starts_count + 4 * pieces_count:
        raise damaged(path, f"{starts_count} starts and {pieces_count} pieces do not fit its length")
    starts = np.frombuffer(data, "<u8", starts_count, _HEADER.size).astype(np.int64)
    pieces = np.frombuffer(data, "<u4", pieces_count, _HEADER.size + 8 * starts_count)
    fits = starts_count == source.size + 1 and (starts[0], starts[-1]) == (0, pieces_count)
    if not fits or (np.diff(starts) < 0).any() or (pieces_count and int(pieces.max()) >= target.size):
        raise damaged(path, "it belongs to another model")
    our_ids = np.full(target.size, UNK, np.int64)  # by the toolkit's ids
    for number, our_id in target.our_ids().items():
        our_ids[number] = our_id
    allowed = np.concatenate(([EOS, UNK], our_ids[: min(frequent, target.size)]))
    order = np.array(source.order)
    lengths = np.where(order < 0, 0, (starts[1:] - starts[:-1])[order])
    our_starts = np.concatenate(([0], np.cumsum(lengths)))
    indices = np.arange(our_starts[-1]) - np.repeat(our_starts[:-1] - starts[:-1][order], lengths)
    return Shortlist(allowed, our_starts, our_ids[pieces[indices]], is_shared)
