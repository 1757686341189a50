"""Grouping of pieces into words."""

from __future__ import annotations

from itertools import pairwise

import pytest

from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.text.vocabulary import EOS, Vocabulary, vocabulary_from_pieces


def words(pieces: Vocabulary, vocabulary: WordVocabulary, text: str) -> list[str]:
    ids = [*pieces.encode(text), EOS]
    return [vocabulary.text(ids[start:end]) for start, end in vocabulary.spans(ids)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the server sends data, to the client.", "the server sends data to the client"),
        ("the server's tables", "the server tables"),
        ("data-set and dataset", "data-set and dataset"),
        ("a server\ue000 sends \ue001 to", "a server sends to"),
        ("the (data)", "the"),
        ("(data read) to", "read to"),
        ("", ""),
    ],
)
def test_words_end_at_other_characters(
    pieces: Vocabulary, vocabulary: WordVocabulary, text: str, expected: str
) -> None:
    assert words(pieces, vocabulary, text) == expected.split()


CHINESE = "▁ ▁供应 商 在 三 十天 内 ▁买方 交付 产 品 的数 据库 。 ▁Python 写"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("供应商在三十天内交付产品。", "供应商 在 三十天 内 交付 产品"),
        ("买方的数据库。供应商", "买方 的数据库"),  # a piece crosses the end of a word
        ("Python写。", "Python 写"),
        ("产品在", "产品 在"),  # begins with the piece of a space
        ("商", "商"),
    ],
)
def test_words_without_spaces_end_at_word_edges_between_pieces(text: str, expected: str) -> None:
    pieces = Vocabulary(vocabulary_from_pieces([(piece, -3.0) for piece in CHINESE.split()]))
    vocabulary = WordVocabulary(pieces)
    assert words(pieces, vocabulary, text) == expected.split()
    ids = pieces.encode(text)
    spans = vocabulary.spans(ids)
    assert all(start < end for start, end in spans)
    assert all(one[1] == two[0] for one, two in pairwise(spans)), "there are no gaps"
