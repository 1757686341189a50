"""Alignment error rate, the alignments by hand, and the way from attention to links."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from anaphora_nmt.errors import CorpusError
from anaphora_nmt.text.protect import protect
from experiments.commands.measure import HAND_ALIGNMENTS
from experiments.measures.alignment_error import (
    AlignedPair,
    alignment_error,
    expanded_spans,
    load_aligned_pairs,
    strongest_links,
    token_attention,
)

PERMISSIVE = {"Apache-2.0", "Apache-2.0 / CC-BY-4.0", "PSF-2.0", "CC-BY-4.0"}


@pytest.fixture(scope="module")
def pairs() -> list[AlignedPair]:
    return load_aligned_pairs(HAND_ALIGNMENTS)


def test_the_alignments_by_hand_are_whole_and_permissive(pairs: list[AlignedPair]) -> None:
    assert len(pairs) == len({(pair.document, pair.segment) for pair in pairs}) == 100
    assert {pair.licence for pair in pairs} <= PERMISSIVE
    assert sum(len(pair.sure) for pair in pairs) == 1693
    assert sum(len(pair.possible - pair.sure) for pair in pairs) == 558
    for pair in pairs:
        assert 8 <= len(pair.target.split()) <= 30
        assert len(pair.sure) >= 5


def test_identifiers_that_both_sides_have_once_are_linked(pairs: list[AlignedPair]) -> None:
    for pair in pairs:
        for place, token in enumerate(pair.source_tokens):
            is_name = token.isascii() and len(token) > 2 and token.isalnum()
            if is_name and pair.source_tokens.count(token) == pair.target_tokens.count(token) == 1:
                assert (place, pair.target_tokens.index(token)) in pair.possible, (pair.target, token)


def test_error_rate_as_och_and_ney_define_it(pairs: list[AlignedPair]) -> None:
    sure = frozenset({(0, 0), (1, 1)})
    pair = replace(pairs[0], sure=sure, possible=sure | {(2, 2)})
    found = alignment_error([{(0, 0), (2, 2), (3, 3)}], [pair])
    # |A| = 3, |S| = 2, |A ∩ S| = 1, |A ∩ P| = 2
    assert found.rate == pytest.approx(1 - (1 + 2) / (3 + 2))
    assert (found.precision, found.recall) == (pytest.approx(2 / 3), pytest.approx(1 / 2))
    assert alignment_error([set(sure)], [pair]).rate == 0
    assert alignment_error([set(pair.possible)], [pair]).rate == 0  # possible links cost nothing
    assert alignment_error([{(3, 3)}], [pair]).rate == 1
    with pytest.raises(CorpusError, match="2 alignments for 1"):
        alignment_error([set(), set()], [pair])


def test_every_link_by_hand_is_free_of_error(pairs: list[AlignedPair]) -> None:
    assert alignment_error((set(pair.sure) for pair in pairs), pairs).rate == 0
    shifted = [{(s, t + 1) for s, t in pair.sure} for pair in pairs]
    assert alignment_error(shifted, pairs).rate > 0.5


def test_attention_of_pieces_becomes_attention_of_tokens() -> None:
    # source "ab cd": pieces a, b, cd; target "xy z": pieces xy, z
    attention = np.array([[0.2, 0.3, 0.5], [0.1, 0.1, 0.8]])
    pieces = [(0, 1), (1, 2), (2, 5)], [(0, 2), (2, 4)]
    tokens = [(0, 2), (3, 5)], [(0, 2), (3, 4)]
    found = token_attention(attention, pieces, tokens)
    assert found == pytest.approx(np.array([[0.5, 0.5], [0.2, 0.8]]))
    assert strongest_links(np.array([[0.4, 0.6], [0.0, 0.0]])) == {(1, 0)}  # the second row reads only marks


def test_a_piece_across_two_tokens_is_shared_and_two_pieces_of_a_token_are_averaged() -> None:
    one_source = token_attention(np.array([[1.0]]), ([(0, 4)], [(0, 1)]), ([(0, 1), (1, 4)], [(0, 1)]))
    assert one_source == pytest.approx(np.array([[0.25, 0.75]]))
    two = np.array([[1.0, 0.0], [0.0, 1.0]])
    averaged = token_attention(two, ([(0, 1), (1, 2)], [(0, 1), (1, 2)]), ([(0, 1), (1, 2)], [(0, 2)]))
    assert averaged == pytest.approx(np.array([[0.5, 0.5]]))


def test_spans_in_a_protected_text_are_found_in_the_whole_one() -> None:
    text = "call os.path.join with 42 items"
    protected = protect(text)
    each = [(place, place + 1) for place in range(len(protected.text))]
    shown = [text[start:end] for start, end in expanded_spans(protected.text, protected.strings, each)]
    assert shown == [*"call ", "os.path.join", *" with ", "42", *" items"]


@pytest.mark.parametrize(
    "change", [{"sure": [[99, 0]]}, {"source_tokens": ["没有这个词"]}, {"zh": None}, {"licence": ...}]
)
def test_damaged_alignments_are_refused(tmp_path: Path, change: dict) -> None:
    record = json.loads(HAND_ALIGNMENTS.read_text("utf-8"))["pairs"][0]
    record.update(change)
    if ... in record.values():
        del record["licence"]
    path = tmp_path / "alignments.json"
    path.write_text(json.dumps({"pairs": [record]}), "utf-8")
    with pytest.raises(CorpusError, match=r"alignments\.json"):
        load_aligned_pairs(path)
