"""Vocabularies: sentencepiece models, segmentation of their input, and shortlists of target pieces."""

from __future__ import annotations

import importlib
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import sentencepiece as spm

from anaphora_nmt.errors import CorpusError, ModelFileError
from anaphora_nmt.text.protect import FIRST_PLACEHOLDER, MAX_PLACEHOLDERS, PLACEHOLDERS
from anaphora_text.chinese_words import segmenter

PAD, BOS, EOS, UNK = 0, 1, 2, 3
_SPACE = "▁"


def load_sentencepiece(serialized: bytes) -> tuple[spm.SentencePieceProcessor, tuple[str, ...]]:
    """The processor of a sentencepiece model, and its pieces by id; ValueError if the model is damaged."""
    processor = spm.SentencePieceProcessor()
    try:
        processor.LoadFromSerializedProto(serialized)
    except RuntimeError as error:
        raise ValueError(str(error)) from error
    return processor, tuple(processor.IdToPiece(number) for number in range(processor.GetPieceSize()))


class Vocabulary:
    """A sentencepiece model; its first ids are the padding, begin, end and unknown pieces.

    Attributes:
        placeholder_ids: for each placeholder, the ids of its pieces, with and without a space before it.
        before, after: ids that `marked` adds before and after a sentence.
        pieces: the texts of all pieces by id, with `▁` for a space.
    """

    before: tuple[int, ...] = (BOS,)
    after: tuple[int, ...] = (EOS,)

    def __init__(self, serialized: bytes) -> None:
        try:
            self._processor, self.pieces = load_sentencepiece(serialized)
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
        return any(self.placeholder_ids)

    def marked(self, ids: Iterable[int]) -> tuple[int, ...]:
        return (*self.before, *ids, *self.after)

    def encode(self, text: str) -> list[int]:
        return list(self._processor.EncodeAsIds(text))

    def encode_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        """The ids of `encode`, and for each piece its span in the text, including a leading space."""
        mapping = self._processor.Encode(text, return_type="offset_mapping")
        return list(mapping["ids"]), [(int(start), int(end)) for start, end in mapping["offsets"]]

    def decode(self, ids: Iterable[int]) -> str:
        return str(self._processor.DecodeIds([int(number) for number in ids if number > EOS]))

    def piece(self, number: int) -> str:
        return self.pieces[int(number)]

    def piece_texts(self) -> list[str]:
        """Like `pieces`, but with "" for special pieces, single bytes and placeholders."""
        placeholders = {piece for ids in self.placeholder_ids for piece in ids}
        return [
            ""
            if number in placeholders
            or self._processor.IsControl(number)
            or self._processor.IsUnknown(number)
            or self._processor.IsByte(number)
            else piece
            for number, piece in enumerate(self.pieces)
        ]

    def begin_words(self) -> list[bool]:
        return [piece.startswith(_SPACE) and piece[1:2].isalpha() for piece in self.pieces]


def train_vocabulary(texts: Iterable[str], size: int, seed_characters: float = 0.9998) -> bytes:
    """Train a unigram vocabulary with placeholders and a byte fallback on normalised texts.

    Args:
        seed_characters: minimum share of the texts' characters that single-character pieces cover.
    Raises:
        CorpusError: the texts are empty or too short for this number of pieces.
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
    """Make a sentencepiece file from special pieces, placeholders, and (piece, log-probability) pairs.

    The model normalises texts like XLM-R (nmt_nfkc). Making it requires protobuf (the extra `train`).
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


@dataclass(frozen=True)
class Shortlist:
    """Lists of the target pieces that a model may generate, one list for each source piece.

    Attributes:
        always: target pieces that are allowed for every source.
        starts: where the list of each source piece begins in `pieces`, then the last list's end, [V + 1].
        copies: True if the source's own pieces are allowed, because both sides share a vocabulary.
    """

    always: np.ndarray
    starts: np.ndarray
    pieces: np.ndarray
    copies: bool

    def of(self, source: Sequence[int]) -> np.ndarray:
        """The target pieces that are allowed for a source with these pieces, unsorted, with repetitions."""
        lists = [self.pieces[self.starts[piece] : self.starts[piece + 1]] for piece in set(source)]
        copied = [np.array(source, self.pieces.dtype)] if self.copies else []
        return np.concatenate((self.always, *copied, *lists))


_PLACEHOLDER_RUN = re.compile(f"([{chr(FIRST_PLACEHOLDER)}-{chr(FIRST_PLACEHOLDER + MAX_PLACEHOLDERS - 1)}])")


class SegmentedVocabulary(Vocabulary):
    """A vocabulary that segments texts into words before encoding them, for encoders without pretraining."""

    def encode(self, text: str) -> list[int]:
        return super().encode(segment(text))

    def encode_with_spans(self, text: str) -> tuple[list[int], list[tuple[int, int]]]:
        segmented = words(text)
        origins: list[tuple[int, int]] = []  # the span in `text` of each character of the spaced words
        for _, start, end in segmented:
            if origins:
                origins.append((start, start))  # the space before the word
            origins += [(position, position + 1) for position in range(start, end)]
        origins.append((len(text), len(text)))
        ids, spans = super().encode_with_spans(" ".join(word for word, _, _ in segmented))
        return ids, [
            (origins[start][0], origins[end - 1][1] if end > start else origins[start][0])
            for start, end in spans
        ]


def load_source_vocabulary(path: Path, encoder: str) -> Vocabulary:
    """Load the source vocabulary of an encoder; all kinds except "pretrained" read segmented words."""
    return (Vocabulary if encoder == "pretrained" else SegmentedVocabulary).load(path)


def train_source_vocabulary(texts: Iterable[str], size: int) -> bytes:
    return train_vocabulary((segment(text) for text in texts), size)


def segment(text: str) -> str:
    """A text with single spaces between words, punctuation marks and placeholders."""
    return " ".join(word for word, _, _ in words(text))


def words(text: str) -> list[tuple[str, int, int]]:
    """(word, start, end) of each word, punctuation mark and placeholder in a text."""
    result: list[tuple[str, int, int]] = []
    position = 0
    for part in _PLACEHOLDER_RUN.split(text):
        for word in segmenter().cut(part):
            if not word.isspace():
                result.append((word, position, position + len(word)))
            position += len(word)
    return result
