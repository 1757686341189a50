"""Chinese words for the recurrent encoder."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anaphora_nmt.data.binary_corpus import encode_corpus
from anaphora_nmt.text.protect import PLACEHOLDERS
from anaphora_nmt.text.vocabulary import BOS, EOS, Vocabulary, train_vocabulary
from anaphora_nmt.text.words import (
    SegmentedVocabulary,
    segment,
    train_source_vocabulary,
    words,
)


@pytest.fixture(scope="session")
def pieces(chinese: list[str]) -> SegmentedVocabulary:
    return SegmentedVocabulary(train_source_vocabulary(chinese, 346))


def test_placeholders_stand_alone() -> None:
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


def test_a_corpus_is_encoded_with_it(
    pieces: SegmentedVocabulary, chinese: list[str], english: list[str]
) -> None:
    target = Vocabulary(train_vocabulary(english, 340))
    pairs = [(n, source, english[n]) for n, source in enumerate(chinese[:5])]
    corpus = encode_corpus(pairs, pieces, target)
    assert corpus.source[2].tolist() == [BOS, *pieces.encode(chinese[2]), EOS]
    assert corpus.target[2].tolist() == [*target.encode(english[2]), EOS]


@pytest.mark.slow
def test_jieba_is_quiet_and_loaded_late() -> None:
    program = (
        "import sys, anaphora_nmt.text.words as w\n"
        "assert 'jieba' not in sys.modules\n"
        "assert w.segment('训练网络') == '训练 网络'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
