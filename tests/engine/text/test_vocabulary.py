"""Vocabularies: fixed special ids, and texts that survive a round trip."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.errors import CorpusError, ModelFileError
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import (
    UNK,
    Vocabulary,
    train_vocabulary,
    vocabulary_from_pieces,
)

SIZE = 340


@pytest.fixture(scope="session")
def pieces(english: list[str]) -> Vocabulary:
    return Vocabulary(train_vocabulary(english, SIZE))


@given(
    text=st.text(alphabet=st.characters(exclude_categories=("Cs", "Co", "Cc", "Zs", "Zl", "Zp")), max_size=30)
)
def test_unknown_characters_survive_as_bytes(pieces: Vocabulary, text: str) -> None:
    if "▁" not in text:
        assert pieces.decode(pieces.encode(text)) == text
        assert UNK not in pieces.encode(text)


def test_placeholders_are_separate_pieces(pieces: Vocabulary) -> None:
    for number, mark in enumerate(PLACEHOLDERS):
        for text in (f"run {mark} now", f"({mark})", f"{mark}{mark}", mark):
            ids = pieces.encode(text)
            assert sum(one in pieces.placeholder_ids[number] for one in ids) == text.count(mark)
            assert pieces.decode(ids) == text
    together = [one for ids in pieces.placeholder_ids for one in ids]
    assert len(set(together)) == len(together) == 2 * len(PLACEHOLDERS)


def test_spans_are_characters_of_the_text(pieces: Vocabulary) -> None:
    text = f"the file {PLACEHOLDERS[0]} 😀 runs"
    ids, spans = pieces.encode_with_spans(text)
    assert ids == pieces.encode(text)
    for number, (start, end) in zip(ids, spans, strict=True):
        piece = pieces.piece(number)
        if not piece.startswith("<0x"):
            assert piece.replace("▁", "") == text[start:end].strip()


def test_a_damaged_or_missing_file_is_a_model_error(pieces: Vocabulary, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match="Install"):
        Vocabulary.load(tmp_path / "missing.model")
    piece = pieces.pieces[-1].encode()
    no_text = pieces.serialized.replace(piece, b"\xff" * len(piece))
    for damaged in (b"", b"nonsense", pieces.serialized[:1000], no_text):
        with pytest.raises(ModelFileError, match="Install"):
            Vocabulary(damaged)


def test_too_small_a_corpus_is_a_corpus_error() -> None:
    for texts in ([], ["one line"]):
        with pytest.raises(CorpusError, match="too small for 8000 pieces"):
            train_vocabulary(texts, 8000)


def test_model_from_given_pieces() -> None:
    model = Vocabulary(vocabulary_from_pieces([("▁the", -1.0), ("▁cat", -2.0), ("s", -3.0), ("▁", -4.0)]))
    ids = model.encode(f"the cats {PLACEHOLDERS[2]}")
    first = 4 + len(PLACEHOLDERS)
    assert ids[:3] == [first, first + 1, first + 2]
    assert ids[-1] in model.placeholder_ids[2]
    assert model.encode("ＴＨＥ") == model.encode("THE")  # it normalises like XLM-R
