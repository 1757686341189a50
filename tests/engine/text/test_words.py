"""Chinese words for the recurrent encoder."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import (
    SegmentedVocabulary,
    segment,
    train_source_vocabulary,
    words,
)


@pytest.fixture(scope="session")
def pieces(chinese: list[str]) -> SegmentedVocabulary:
    return SegmentedVocabulary(train_source_vocabulary(chinese, 346))


def test_placeholders_are_separate_words() -> None:
    text = f"把{PLACEHOLDERS[0]}{PLACEHOLDERS[1]}改成x{PLACEHOLDERS[2]}y"
    assert [word for word, _, _ in words(text)] == [
        "把",
        *PLACEHOLDERS[:2],
        "改成",
        "x",
        PLACEHOLDERS[2],
        "y",
    ]


def test_no_piece_spans_two_words(pieces: SegmentedVocabulary, chinese: list[str]) -> None:
    for text in chinese[:5]:
        ids = pieces.encode(text)
        assert "".join(pieces.piece(number) for number in ids) == "".join(
            "▁" + word for word, _, _ in words(text)
        )
        assert pieces.decode(ids) == segment(text)


@given(text=st.text(alphabet=st.sampled_from("我们训练网络的文件。 ab\t😀龘" + PLACEHOLDERS[0])))
def test_spans_are_characters_of_the_unsegmented_text(pieces: SegmentedVocabulary, text: str) -> None:
    ids, spans = pieces.encode_with_spans(text)
    assert ids == pieces.encode(text)
    for number, (start, end) in zip(ids, spans, strict=True):
        piece = pieces.piece(number)
        if not piece.startswith("<0x"):
            assert piece.replace("▁", "") == text[start:end]
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())
