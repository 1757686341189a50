"""Adequacy, consistency, words shared with caches, disambiguation: on texts small enough to count by hand."""

from __future__ import annotations

import pytest

from anaphora_nmt.errors import CorpusError
from experiments.commands.measure import HAND_ALIGNMENTS
from experiments.measures.adequacy import measure_adequacy
from experiments.measures.alignment_error import AlignedPair, load_aligned_pairs
from experiments.measures.consistency import (
    DistanceToReference,
    distance_to_reference,
    shared_with_context,
    term_consistency,
)
from experiments.measures.disambiguation import measure_disambiguation
from experiments.measures.lexicon import Lexicon
from experiments.measures.shared_words import shared_with_caches

LEXICON = Lexicon({"行动": {"action": 0.6, "actions": 0.2, "operation": 0.15, "operations": 0.04}})
DOCUMENTS = ["a", "a", "a", "b"]
OUTPUTS = ["The server sends data.", "A server reads data.", "It reads pages.", "The server reads."]


@pytest.fixture(scope="module")
def pairs() -> list[AlignedPair]:
    return load_aligned_pairs(HAND_ALIGNMENTS)[:20]


def test_the_reference_leaves_nothing_out(pairs: list[AlignedPair]) -> None:
    found = measure_adequacy(pairs, [pair.target for pair in pairs], Lexicon({}))
    assert found.words > 100 and (found.under, found.over) == (0, 0)


def test_what_is_missing_and_what_is_said_twice(pairs: list[AlignedPair]) -> None:
    some = [pair for pair in pairs if "deprecated" in pair.target or "graceful" in pair.target]
    outputs = [pair.target for pair in some]
    whole = measure_adequacy(some, outputs, Lexicon({}))
    gone = measure_adequacy(some, [line.replace("graceful", "") for line in outputs], Lexicon({}))
    assert gone.under == whole.under + 1 and gone.under_share == pytest.approx(gone.under / gone.words)
    twice = [line.replace("graceful", "graceful graceful graceful") for line in outputs]
    again = measure_adequacy(some, twice, Lexicon({}))
    assert (again.over, again.under) == (1, 0)
    free = [line.replace("graceful", "elegant") for line in outputs]
    assert measure_adequacy(some, free, Lexicon({"优雅": {"elegant": 0.3}})).under == 0
    assert measure_adequacy(some, free, Lexicon({"优雅": {"elegant": 0.01}})).under == 1
    empty = measure_adequacy(some, [""] * len(some), Lexicon({}))
    assert empty.under == empty.words
    with pytest.raises(CorpusError, match="1 outputs"):
        measure_adequacy(some * 2, [""], Lexicon({}))


def test_words_shared_with_neighbours_stay_in_the_document() -> None:
    found = shared_with_context(OUTPUTS, DOCUMENTS)
    # before: server, data | reads; after: server, data | reads; document b has no neighbour
    assert (found.previous, found.following) == (pytest.approx(3 / 4), pytest.approx(3 / 4))
    assert shared_with_context(OUTPUTS, DOCUMENTS, size=0).previous == 0


def test_a_loop_shares_no_more_than_the_word_once() -> None:
    loops = [line.replace("server", "server server server") for line in OUTPUTS]
    assert shared_with_context(loops, DOCUMENTS) == shared_with_context(OUTPUTS, DOCUMENTS)
    topics: dict[object, list[str]] = {"a": ["server", "pages"]}
    assert shared_with_caches(loops, DOCUMENTS, topics) == shared_with_caches(OUTPUTS, DOCUMENTS, topics)


def test_more_than_the_reference_has_is_no_gain() -> None:
    def distance(outputs: list[str]) -> DistanceToReference:
        found = shared_with_context(outputs, DOCUMENTS, reference=OUTPUTS).from_reference
        assert found is not None
        held = shared_with_caches(outputs, DOCUMENTS, {}, reference=OUTPUTS).from_reference
        assert held is not None and (held.extra > 0, held.missing > 0) == (found.extra > 0, found.missing > 0)
        return found

    assert distance(OUTPUTS) == DistanceToReference(0, 0, 0)
    fewer = distance(["A server sends data.", "It reads.", "Pages.", "The server reads."])
    # of document a the reference shares server, data and reads; here nothing is shared
    assert (fewer.distance, fewer.missing) == (pytest.approx(3 / 3 / 2), pytest.approx(3 / 3 / 2))
    more = distance(["A server reads data pages."] * 3 + ["The server reads."])
    # 4 words twice in three sentences where the reference has 3
    assert (more.distance, more.extra) == (pytest.approx((8 - 3) / 3 / 2), pytest.approx((8 - 3) / 3 / 2))
    with pytest.raises(CorpusError, match="0 documents"):
        distance_to_reference([], [1.0])


def test_a_term_is_consistent_if_its_renderings_are_one() -> None:
    sources = ["他们的行动", "行动", "这个行动", "行动"]
    mixed = ["military actions", "the action", "operations", "operations"]
    found = term_consistency(sources, mixed, DOCUMENTS, LEXICON)
    assert (found.terms, found.occurrences, found.single) == (1, 3, 0)
    assert found.share == pytest.approx(1 / 3)  # of three pairs one is action–action
    alike = ["military actions", "the action", "acting on an action", "-"]
    assert term_consistency(sources, alike, DOCUMENTS, LEXICON).share == 1
    unknown = term_consistency(sources, ["x"] * 4, DOCUMENTS, LEXICON)
    assert (unknown.share, unknown.terms) == (1, 0)


def test_words_in_the_caches() -> None:
    found = shared_with_caches(OUTPUTS, DOCUMENTS, {"a": ["Data", "pages"]}, (100, 200))
    # topic: data | data | pages; with the words before: data | server, data | reads, pages (types)
    assert found.first_topic == pytest.approx(1 / 2)
    assert (found.document_topic, found.sentence_topic) == (pytest.approx(3 / 2), pytest.approx(3 / 4))
    assert (found.document_both, found.sentence_both) == (pytest.approx(5 / 2), pytest.approx(5 / 4))
    forgetful = shared_with_caches(OUTPUTS, DOCUMENTS, {"a": ["Data", "pages"]}, (1, 1))
    assert forgetful.document_both == 1  # |c_t| = 1: data | data; |c_d| = 1: nothing more


def test_one_sense_for_all_is_less_even() -> None:
    dictionary = {"行动": ["action", "operation"], "数据": ["data"]}
    sources = ["行动 数据"] * 6
    one = measure_disambiguation(sources, ["an action"] * 6, dictionary)
    both = measure_disambiguation(sources, ["an action", "an operation"] * 3, dictionary)
    assert (one.deviation, one.pooled, one.words, one.uses) == (3.0, 3.0, 1, 6)
    assert (both.deviation, both.uses) == (0.0, 6)
    rare = measure_disambiguation(sources[:4], ["an action"] * 4, dictionary)
    assert (rare.words, rare.deviation) == (0, 0.0)
