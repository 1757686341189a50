"""Scores of corpora and of whole documents."""

from __future__ import annotations

import pytest

from anaphora_nmt.evaluation.significance import (
    corpus_bleu,
    corpus_chrf,
    document_bleu,
    join_documents,
)

REFERENCE = ["The cat sat on the mat today.", "It was a very good day.", "Nobody said anything at all."]
OUTPUT = ["The cat sat on the mat.", "It was a good day.", "Nobody said a thing."]


def test_the_signature_shows_the_settings() -> None:
    score = corpus_bleu(OUTPUT, [REFERENCE, OUTPUT], lowercase=True)
    assert "nrefs:2" in score.signature
    assert "case:lc" in score.signature
    assert "tok:13a" in score.signature
    assert score.value == pytest.approx(100)
    assert "case:mixed" in corpus_chrf(OUTPUT, [REFERENCE]).signature


def test_a_document_is_one_segment() -> None:
    documents = ["a", "a", "b"]
    assert join_documents(REFERENCE, documents) == [" ".join(REFERENCE[:2]), REFERENCE[2]]
    swapped = [REFERENCE[1], REFERENCE[0], REFERENCE[2]]
    assert document_bleu(swapped, [REFERENCE], documents).value > corpus_bleu(swapped, [REFERENCE]).value + 20
    joined = corpus_bleu(join_documents(OUTPUT, documents), [join_documents(REFERENCE, documents)])
    assert document_bleu(OUTPUT, [REFERENCE], documents) == joined


def test_outputs_that_end_in_a_tokenised_full_stop_give_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    lines = ["The cat sat on the mat ."] * 101
    assert corpus_bleu(lines, [lines]).value == pytest.approx(100)
    assert not caplog.records
