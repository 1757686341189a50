"""A toolkit's vocabulary: sentencepiece segments texts into pieces, and a separate table numbers them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.imported.files import ModelFiles, reading
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import EOS, UNK, Vocabulary, load_sentencepiece

_SPACE = "▁"
_BYTE = re.compile("<0x[0-9A-F]{2}>")
_BYTE_PAIRS = re.compile(rb"#version:|(?:[^\s\0]+ [^\s\0]+\r?\n){2}")
"""Matches the beginning of subword-nmt's tables of byte pairs: a version line, or two lines of pairs."""
MIN_KNOWN_SHARE = 0.75
"""Minimum share of sentencepiece's pieces that have a number, and of embeddings that have a piece."""


def missing_tokenizer_error(files: ModelFiles, name: str) -> ModelFileError:
    """The error for a model without its sentencepiece model."""
    return ModelFileError(
        "The model in {folder} lacks the tokenizer file {file}. Add the file, or choose "
        "another model. Models with only byte-pair encoding (BPE) are not supported.",
        file=name,
        folder=files.folder,
    )


def sentencepieces_of(files: ModelFiles, name: str) -> tuple[bytes, tuple[str, ...]]:
    """A sentencepiece file and its pieces; ModelFileError if it is missing, damaged or of another kind."""
    if name not in files:
        raise missing_tokenizer_error(files, name)
    serialized = files.read(name)
    if _BYTE_PAIRS.match(serialized):
        raise ModelFileError(
            "{file} is not a SentencePiece model. Anaphora does not support other tokenizers.",
            file=files.folder / name,
        )
    with reading(files.folder / name):
        return serialized, load_sentencepiece(serialized)[1]


def read_sentencepiece(files: ModelFiles, name: str, *tables: Collection[str]) -> bytes:
    """A sentencepiece file's content; ModelFileError if too many of its pieces are in none of `tables`."""
    serialized, pieces = sentencepieces_of(files, name)
    known = sum(any(piece in table for table in tables) for piece in pieces)
    if known < MIN_KNOWN_SHARE * len(pieces):
        raise ModelFileError(
            "{file} does not fit this model. The model's vocabulary contains only {known} of the {count} "
            "entries in the file. Use the file that comes with the model, or choose another model.",
            file=files.folder / name,
            known=known,
            count=len(pieces),
        )
    return serialized


class ImportedVocabulary(Vocabulary):
    """A vocabulary without placeholders. A separate table has the ids of the sentencepiece model's pieces.

    The table may contain pieces that the sentencepiece model lacks, such as pieces of the other side.
    """

    def __init__(
        self,
        serialized: bytes,
        pieces: Sequence[str],
        before: tuple[int, ...] = (),
        silent_ids: Iterable[int] = (),
        has_end: bool = True,
    ) -> None:
        """
        Args:
            serialized: the sentencepiece model.
            pieces: the pieces in our order (`Numbering`).
            before: ids that begin each sentence, such as the mark of a language.
            silent_ids: ids that `decode` leaves out, in addition to the special ids and `before`.
            has_end: True if each sentence ends with the end mark.
        """
        super().__init__(serialized)
        self.placeholder_ids = tuple(() for _ in PLACEHOLDERS)
        self.before = before
        self.after = (EOS,) if has_end else ()
        self.pieces = tuple(pieces)
        "".join(self.pieces).encode()  # raises an error for unpaired surrogates
        self._ids = {piece: number for number, piece in enumerate(self.pieces) if number > UNK}
        self._silent = {*range(UNK + 1), *before, *silent_ids}

    def encode(self, text: str) -> list[int]:
        return [self._ids.get(piece, UNK) for piece in self._processor.EncodeAsPieces(text)]

    def encode_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        mapping = self._processor.Encode(text, return_type="offset_mapping")
        ids = [self._ids.get(piece, UNK) for piece in mapping["pieces"]]
        return ids, [(int(start), int(end)) for start, end in mapping["offsets"]]

    def decode(self, ids: Iterable[int]) -> str:
        pieces = [self.pieces[int(number)] for number in ids if int(number) not in self._silent]
        return str(self._processor.DecodePieces(pieces)).replace(_SPACE, " ").strip()

    def piece_texts(self) -> list[str]:
        return [
            "" if number in self._silent or _BYTE.fullmatch(piece) else piece
            for number, piece in enumerate(self.pieces)
        ]
