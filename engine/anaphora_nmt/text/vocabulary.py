"""Sentencepiece models: training, building from given pieces, and a thin wrapper to use them."""

from __future__ import annotations

import importlib
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import sentencepiece as spm

from anaphora_nmt.errors import CorpusError, ModelFileError
from anaphora_nmt.text.protect import PLACEHOLDERS

PAD, BOS, EOS, UNK = 0, 1, 2, 3
_SPACE = "▁"


def open_pieces(serialized: bytes) -> tuple[spm.SentencePieceProcessor, tuple[str, ...]]:
    """Sentencepiece's processor and all its pieces in order; ValueError if it is damaged."""
    processor = spm.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(serialized)
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    return processor, tuple(processor.IdToPiece(number) for number in range(processor.GetPieceSize()))


class Vocabulary:
    """A sentencepiece model whose first ids are padding, begin, end, unknown.

    Attributes:
        placeholder_ids: the ids of each placeholder, with and without a space before it.
        before, after: ids around an encoded sentence.
        pieces: the texts of all pieces, with `▁` for a space.
    """

    before: tuple[int, ...] = (BOS,)
    after: tuple[int, ...] = (EOS,)

    def __init__(self, serialized: bytes) -> None:
        try:
            self._processor, self.pieces = open_pieces(serialized)
        except ValueError as error:
            raise ModelFileError(
                "A vocabulary is damaged ({reason}). Install the model again.", reason=error
            ) from error
        self.serialized = serialized
        self.placeholder_ids = tuple(
            tuple(
                number
                for piece in (mark, _SPACE + mark)
                if (number := self._processor.PieceToId(piece)) != UNK
            )
            for mark in PLACEHOLDERS
        )

    @classmethod
    def load(cls, path: Path) -> Vocabulary:
        """Read a `.model` file; ModelFileError if it is missing or damaged."""
        try:
            return cls(path.read_bytes())
        except OSError as error:
            raise ModelFileError(
                "{path} cannot be read ({reason}). Install the model again.", path=path, reason=error.strerror
            ) from error

    def __len__(self) -> int:
        return len(self.pieces)

    @property
    def has_placeholders(self) -> bool:
        """True if protected strings can become placeholders (`text.protect`)."""
        return any(self.placeholder_ids)

    def marked(self, ids: Iterable[int]) -> tuple[int, ...]:
        return (*self.before, *ids, *self.after)

    def encode(self, text: str) -> list[int]:
        """Ids of the pieces of `text`, without begin and end marks."""
        return list(self._processor.EncodeAsIds(text))

    def encode_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """`encode`, and the characters that each piece covers, including a leading space."""
        mapping = self._processor.Encode(text, return_type="offset_mapping")
        return list(mapping["ids"]), [(int(start), int(end)) for start, end in mapping["offsets"]]

    def decode(self, ids: Iterable[int]) -> str:
        return str(self._processor.DecodeIds([int(number) for number in ids if number > EOS]))

    def piece(self, number: int) -> str:
        return self.pieces[int(number)]

    def written(self) -> list[str]:
        """The text of each piece, with `▁` for a space; "" for marks, single bytes and placeholders."""
        silent = {piece for ids in self.placeholder_ids for piece in ids}
        return [
            ""
            if number in silent
            or self._processor.IsControl(number)
            or self._processor.IsUnknown(number)
            or self._processor.IsByte(number)
            else piece
            for number, piece in enumerate(self.pieces)
        ]

    def begin_letters(self) -> list[bool]:
        """For each piece, True if it begins a word of letters after a space."""
        return [piece.startswith(_SPACE) and piece[1:2].isalpha() for piece in self.pieces]


def train_vocabulary(texts: Iterable[str], size: int, seed_characters: float = 0.9998) -> bytes:
    """Train a unigram vocabulary on normalised, protected texts, with placeholders and a byte fallback.

    Args:
        seed_characters: the share of the texts' characters that get a separate piece.
    Raises:
        CorpusError: there is too little text for this number of pieces.
    """
    model = io.BytesIO()
    try:
        spm.SentencePieceTrainer.Train(
            sentence_iterator=iter(texts),
            model_writer=model,
            vocab_size=size,
            model_type="unigram",
            character_coverage=seed_characters,
            byte_fallback=True,
            pad_id=PAD,
            bos_id=BOS,
            eos_id=EOS,
            unk_id=UNK,
            user_defined_symbols=[variant for mark in PLACEHOLDERS for variant in (mark, _SPACE + mark)],
            normalization_rule_name="identity",
            split_digits=True,
            num_threads=2,
            minloglevel=2,
        )
    except RuntimeError as error:
        reason = str(error).rsplit("] ", 1)[-1] or "it has no text"
        raise CorpusError(f"this corpus is too small for {size} pieces ({reason})") from error
    return model.getvalue()


def vocabulary_from_pieces(pieces: Sequence[tuple[str, float]]) -> bytes:
    """A unigram model of given (piece, log-probability) pairs, after the special and placeholder pieces.

    It normalises like XLM-R (nmt_nfkc). Requires protobuf (the extra `train`).
    """
    pb: Any = importlib.import_module("sentencepiece.sentencepiece_model_pb2")

    template = io.BytesIO()
    spm.SentencePieceTrainer.Train(
        sentence_iterator=iter(["a b c d e f g"] * 10),
        model_writer=template,
        vocab_size=12,
        hard_vocab_limit=False,
        normalization_rule_name="nmt_nfkc",
        minloglevel=2,
    )
    proto = pb.ModelProto.FromString(template.getvalue())
    kinds = pb.ModelProto.SentencePiece
    del proto.pieces[:]
    specials = (
        ("<pad>", kinds.CONTROL),
        ("<s>", kinds.CONTROL),
        ("</s>", kinds.CONTROL),
        ("<unk>", kinds.UNKNOWN),
    )
    for piece, kind in specials:
        proto.pieces.add(piece=piece, score=0.0, type=kind)
    for mark in PLACEHOLDERS:
        proto.pieces.add(piece=mark, score=0.0, type=kinds.USER_DEFINED)
    for piece, score in pieces:
        proto.pieces.add(piece=piece, score=score, type=kinds.NORMAL)
    spec = proto.trainer_spec
    spec.pad_id, spec.bos_id, spec.eos_id, spec.unk_id = PAD, BOS, EOS, UNK
    spec.vocab_size = len(proto.pieces)
    return bytes(proto.SerializeToString())
