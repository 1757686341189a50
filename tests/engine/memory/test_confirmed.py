"""Confirmed text: a literal transcription, and cases without an effect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
import torch

from anaphora_nmt.memory.confirmed import (
    ConfirmedConfig,
    ConfirmedReading,
    ConfirmedText,
)
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.memory.confirmed_slots import ConfirmedSlots, gather_confirmed
from anaphora_nmt.memory.contents import Contribution, Origin, Reader
from anaphora_nmt.memory.protocol import FittingSample, Host, Reading, TargetSteps
from anaphora_nmt.nn.state import Features

B, T, C, D, V, N = 2, 3, 4, 5, 9, 6
WORDS = torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
CONFIG = ConfirmedConfig(50, 0.1, 0.2, 0.3, gate_bias=-0.5, gate_context=0.75, gate_state=1.5)


PREVIOUS = torch.tensor([[1, 4, 3], [2, 6, 5]])


class Words:
    """The part of a vocabulary that the memory uses."""

    spells = WORDS


def memory(config: ConfirmedConfig = CONFIG) -> ConfirmedText:
    return ConfirmedText(config, Host(Words(), D, C, 2))  # type: ignore[arg-type]


def read(
    features: Features,
    slots: ConfirmedSlots,
    previous: torch.Tensor = PREVIOUS,
    config: ConfirmedConfig = CONFIG,
) -> ConfirmedReading:
    """At all steps."""
    whole = memory(config).read(TargetSteps(features, previous, torch.zeros(V, 2)), slots)
    assert isinstance(whole, ConfirmedReading)
    return whole


def read_step(
    features: Features, slots: ConfirmedSlots, previous: torch.Tensor, config: ConfirmedConfig = CONFIG
) -> Reading:
    """At one step of each hypothesis."""
    return memory(config).step(TargetSteps(features, previous, torch.zeros(V, 2)), slots)[0]


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def contents(seed: int, count: int = N) -> ConfirmedPieces:
    generator = np.random.default_rng(seed)
    contexts, states = generator.normal(size=(count, C)), generator.normal(size=(count, D))
    return ConfirmedPieces(50).write(contexts, states, alone(generator.integers(0, V, count)), 0)


def alone(pieces: Iterable[int]) -> list[tuple[tuple[int, ...], int]]:
    """Places of pieces that are whole words."""
    return [((int(piece),), 0) for piece in pieces]


@pytest.fixture()
def features() -> Features:
    torch.manual_seed(3)
    return Features(torch.randn(B, T, D), torch.randn(B, T, C), torch.randn(B, T, 2))


def of_two_pieces(seed: int) -> ConfirmedPieces:
    """Words of one and of two pieces; the second pieces may follow some of PREVIOUS."""
    generator = np.random.default_rng(seed)
    places = [((3, 5), 0), ((3, 5), 1), ((4,), 0), ((4, 6), 0), ((4, 6), 1), ((6, 7), 1)]
    contexts, states = generator.normal(size=(N, C)), generator.normal(size=(N, D))
    return ConfirmedPieces(50).write(contexts, states, places, 0)


def literal(
    log_probs: np.ndarray,
    context: np.ndarray,
    state: np.ndarray,
    held: ConfirmedPieces,
    part: float,
    previous: int,
) -> np.ndarray:
    """A literal step; `part` is the share of the contexts in the similarity."""
    cosines = []
    spelled = [
        number
        for number, (word, index) in enumerate(held.places)
        if WORDS[held.pieces[number]] and (not index or word[index - 1] == previous)
    ]
    for number in spelled:
        key = held.steps[number].astype(np.float64)
        cosines.append((unit(context) @ key[:C], unit(state) @ key[C:]))
    likeness = [part * of_context + (1 - part) * of_state for of_context, of_state in cosines]
    share = np.exp(np.array(likeness) / CONFIG.temperature)
    share /= share.sum()
    of_context, of_state = cosines[int(np.argmax(likeness))]
    weight = 1 / (1 + np.exp(0.5 - 0.75 * of_context - 1.5 * of_state))
    weight = weight if max(likeness) > CONFIG.threshold else 0.0
    p = np.exp(log_probs)
    words = [piece for piece in range(V) if WORDS[piece]]
    mass = sum(p[piece] for piece in words)
    inside = [held.places[number][1] > 0 for number in spelled]
    lost = sum(one for one, within in zip(share, inside, strict=True) if within)
    for piece in range(V):
        p[piece] *= 1 - weight * (1 if piece in words else lost)
    for number, one, within in zip(spelled, share, inside, strict=True):
        p[held.pieces[number]] += weight * one * (1 if within else mass)
    return np.log(p)


@pytest.mark.parametrize("part", [0.3, 0.0])
@pytest.mark.parametrize("held", [(contents(1), contents(2, 4)), (of_two_pieces(1), of_two_pieces(2))])
def test_mixing_follows_the_equations(
    features: Features, held: tuple[ConfirmedPieces, ConfirmedPieces], part: float
) -> None:
    config = replace(CONFIG, context_share=part)
    log_probs = torch.randn(B, T, V).log_softmax(-1)
    slots = gather_confirmed(held, WORDS)
    assert slots is not None
    mixed = read(features, slots, config=config).fuse_log_probs(log_probs)
    torch.testing.assert_close(mixed.exp().sum(-1), torch.ones(B, T))
    assert not torch.equal(mixed, log_probs)
    for row in range(B):
        for step in range(T):
            context, state = features.context[row, step].numpy(), features.state[row, step].numpy()
            given, before = log_probs[row, step].double().numpy(), int(PREVIOUS[row, step])
            expected = literal(given, context, state, held[row], part, before)
            np.testing.assert_allclose(mixed[row, step].numpy(), expected, atol=2e-3)


@pytest.mark.parametrize("held", [(contents(1), contents(2, 4)), (of_two_pieces(1), of_two_pieces(2))])
def test_given_pieces_need_no_vocabulary(
    features: Features, held: tuple[ConfirmedPieces, ConfirmedPieces]
) -> None:
    slots = gather_confirmed(held, WORDS)
    assert slots is not None
    log_probs, reading = torch.randn(B, T, V).log_softmax(-1), read(features, slots)
    mixed = reading.fuse_log_probs(log_probs)
    for piece in range(V):
        found = reading.fuse_target(log_probs, torch.full((B, T), piece))
        torch.testing.assert_close(found, mixed[..., piece])
    counted = torch.tensor([[True, False, True], [False, True, True]])
    steps = TargetSteps(features, PREVIOUS, torch.zeros(V, 2))
    some = memory().read(steps, slots, counted).fuse_log_probs(log_probs[counted])
    torch.testing.assert_close(some, mixed[counted])


def test_leaving_pieces_out_equals_a_memory_without_them(features: Features) -> None:
    one = Features(features.state[:1], features.context[:1], features.embedding[:1])
    held = contents(1)
    slots = gather_confirmed([held], WORDS)
    assert slots is not None
    log_probs = torch.randn(1, T, V).log_softmax(-1)
    groups = [[0], [1, 4], list(range(N))]
    left = read(one, slots, PREVIOUS[:1]).without(groups).fuse_log_probs(log_probs)
    for row, group in enumerate(groups):
        gathered = gather_confirmed([held.without(set(group))], WORDS)
        expected = log_probs
        if gathered is not None:
            expected = read(one, gathered, PREVIOUS[:1]).fuse_log_probs(log_probs)
        torch.testing.assert_close(left[row], expected[0])
    assert torch.equal(left[2], log_probs[0])


def test_attribution_equals_the_mixed_probability(features: Features) -> None:
    slots = gather_confirmed([of_two_pieces(1), of_two_pieces(2)], WORDS)
    assert slots is not None
    log_probs, target = torch.randn(B, T, V).log_softmax(-1), torch.tensor([[5, 6, 5], [4, 7, 3]])
    reading = read(features, slots)
    found = reading.attribution(log_probs, target)
    kept = 1 - reading.weight[..., 0]
    before, after = (
        each.gather(-1, target[..., None])[..., 0].exp()
        for each in (log_probs, reading.fuse_log_probs(log_probs))
    )
    torch.testing.assert_close(found.strengths.sum(-1), after - kept * before)
    # the total gain of words equals the offers, for any target
    gained = sum(
        (reading.attribution(log_probs, torch.full((B, T), piece)).strengths.sum(-1) for piece in range(V)),
        torch.zeros(B, T),
    )
    assert found.offers is not None
    torch.testing.assert_close(found.share, gained)
    torch.testing.assert_close(found.offers.sum(-1), gained)


def test_evidence_reproduces_the_mixture(features: Features) -> None:
    """λ and the mixture, computed literally from the evidence, equal those of the memory."""
    slots = gather_confirmed([of_two_pieces(1), of_two_pieces(2)], WORDS)
    assert slots is not None
    log_probs, target = torch.randn(B, T, V).log_softmax(-1), torch.tensor([[5, 6, 5], [4, 7, 3]])
    real = torch.tensor([[True, True, True], [True, False, True]])
    steps = TargetSteps(features, PREVIOUS, torch.zeros(V, 2))
    seen = memory().evidence(FittingSample(steps, slots, target, real, log_probs))
    logits = CONFIG.gate_bias + CONFIG.gate_context * seen.contexts + CONFIG.gate_state * seen.states
    weight = torch.sigmoid(logits) * seen.near
    mixed = (1 - weight) * seen.model + weight * seen.confirmed
    found = read(features, slots).fuse_target(log_probs, target)[real]
    torch.testing.assert_close(mixed, found.exp())
    assert bool((seen.confirmed > 0.01).any())
    marks = torch.full((B, T), 1)
    assert not memory().evidence(FittingSample(steps, slots, marks, real, log_probs)).near.any()
    nothing = memory().evidence(FittingSample(steps, None, target, real, log_probs))
    assert torch.equal(nothing.model, seen.model) and not nothing.confirmed.any() and not nothing.near.any()


def test_states_move_only_for_pieces_with_values(features: Features) -> None:
    generator = np.random.default_rng(1)
    contexts, states, values = (generator.normal(size=(N, width)) for width in (C, D, D))
    places = alone(generator.integers(3, 8, N))
    bare = ConfirmedPieces(50).write(contexts, states, places, 0)
    valued = ConfirmedPieces(50).write(contexts, states, places, 0, values=values)
    deep = replace(CONFIG, deep_strength=1.0, deep_threshold=0.0)
    follows = ConfirmedText(deep, Host(Words(), D, C, D))  # type: ignore[arg-type]
    steps = TargetSteps(features, PREVIOUS, torch.zeros(V, D))
    for held, moves in ((bare, False), (valued, True)):
        slots = gather_confirmed([held, held], WORDS, deep=True)
        assert slots is not None
        reading = follows.read(steps, slots)
        assert reading.deep is moves
        assert torch.equal(reading.fuse_state(features.state), features.state) is not moves


def test_one_step_equals_all_steps(features: Features) -> None:
    log_probs = torch.randn(B, T, V).log_softmax(-1)
    slots = gather_confirmed([contents(1), contents(2)], WORDS)
    assert slots is not None
    whole = read(features, slots).fuse_log_probs(log_probs)
    for step in range(T):
        one = Features(features.state[:, step], features.context[:, step], features.embedding[:, step])
        found = read_step(one, slots, PREVIOUS[:, step]).fuse_log_probs(log_probs[:, step])
        torch.testing.assert_close(found, whole[:, step])


def test_dissimilar_steps_change_nothing(features: Features) -> None:
    log_probs = torch.randn(B, T, V).log_softmax(-1)
    strict = ConfirmedConfig(threshold=0.999)
    slots = gather_confirmed([contents(1), ConfirmedPieces(50)], WORDS)
    assert slots is not None
    assert torch.equal(read(features, slots, config=strict).fuse_log_probs(log_probs), log_probs)
    assert torch.equal(read(features, slots).fuse_log_probs(log_probs)[1], log_probs[1]), "an empty row"
    one = Features(features.state[:, 0], features.context[:, 0], features.embedding[:, 0])
    stays = read_step(one, slots, PREVIOUS[:, 0], strict)
    assert torch.equal(stays.fuse_log_probs(log_probs[:, 0]), log_probs[:, 0])
    assert torch.equal(stays.fuse_state(one.state), one.state)
    changes = read_step(one, slots, PREVIOUS[:, 0]).fuse_log_probs(log_probs[:, 0])
    assert not torch.equal(changes, log_probs[:, 0])
    assert gather_confirmed([ConfirmedPieces(50)] * 2, WORDS) is None


def test_pieces_of_a_word_stay_together_without_its_beginning() -> None:
    places = [((5, 6), 0), ((5, 6), 1), ((7,), 0)]
    held = ConfirmedPieces(5).write(np.ones((3, C)), np.ones((3, D)), places, 8)
    held = held.write(np.ones((3, C)), np.ones((3, D)), places, 9)
    assert held.words() == [
        ((5, 6), 8, (0,)),
        ((7,), 8, (1,)),
        ((5, 6), 9, (2, 3)),
        ((7,), 9, (4,)),
    ]


def test_hypotheses_share_the_slots_of_their_sentence(features: Features) -> None:
    slots = gather_confirmed([contents(1), contents(2, 4)], WORDS)
    assert slots is not None
    shared = slots.reorder(torch.tensor([0, 0, 0, 1, 1, 1]))
    assert shared.steps is slots.steps and shared.reorder(torch.tensor([2, 1, 1, 3, 3, 5])) is shared
    log_probs = torch.randn(B, T, V).log_softmax(-1)
    whole = read(features, slots).fuse_log_probs(log_probs)
    hypotheses = Features(
        *(part.flatten(0, 1) for part in (features.state, features.context, features.embedding))
    )
    mixed = read_step(hypotheses, shared, PREVIOUS.flatten()).fuse_log_probs(log_probs.flatten(0, 1))
    torch.testing.assert_close(mixed, whole.flatten(0, 1))
    left = shared.reorder(torch.tensor([4, 3, 5]))
    assert torch.equal(left.steps, slots.steps[1:])


def test_pinned_words_stay_in_a_full_memory() -> None:
    def places(*words: tuple[int, ...]) -> list[tuple[tuple[int, ...], int]]:
        return [(word, index) for word in words for index in range(len(word))]

    held = ConfirmedPieces(4).write(
        np.ones((3, C)), np.ones((3, D)), places((3, 4), (5,)), 0, (2.0, 2.0, 1.0), (True, True, False)
    )
    held = held.write(np.ones((3, C)), np.ones((3, D)), places((6,), (7, 4)), 1)
    assert held.words() == [((3, 4), 0, (0, 1)), ((7, 4), 1, (2, 3))]
    assert held.weights.tolist() == [2, 2, 1, 1]
    held = held.write(np.ones((1, C)), np.ones((1, D)), places((5,)), 2)
    assert held.words() == [((3, 4), 0, (0, 1)), ((7, 4), 1, (2,)), ((5,), 2, (3,))], "half a word by itself"
    slots = gather_confirmed([held, ConfirmedPieces(4)], WORDS)
    assert slots is not None and slots.log_weights is not None
    assert slots.log_weights[0].tolist() == pytest.approx([np.log(2)] * 2 + [0, 0])


def test_the_latest_copy_of_each_word_and_use_stays_in_a_full_memory() -> None:
    generator = np.random.default_rng(3)
    use, other_use, third = generator.normal(size=(3, 2, C + D))

    def write(
        held: ConfirmedPieces, steps: np.ndarray, word: tuple[int, ...], segment: int
    ) -> ConfirmedPieces:
        nearly = steps[: len(word)] + 0.01 * generator.normal(size=(len(word), C + D))
        places = [(word, index) for index in range(len(word))]
        return held.write(nearly[:, :C], nearly[:, C:], places, segment)

    held = ConfirmedPieces(5, same_use=0.9)
    held = write(held, other_use, (3, 4), 0)  # "bank" of a river
    held = write(held, use, (3, 4), 1)  # "bank" of a street
    held = write(held, third, (5,), 2)
    assert [each.segment for each in held.sentences] == [0, 1, 2]
    held = write(held, use, (3, 4), 3)
    assert [each.segment for each in held.sentences] == [0, 2, 3], "the word of the street was repeated"
    assert len(held) == 5
    held = write(held, third, (6,), 4)
    assert [each.segment for each in held.sentences] == [0, 2, 3, 4], "the oldest loses a piece"
    assert held.places[0] == ((3, 4), 1)

    oldest = ConfirmedPieces(6)
    for segment, steps in enumerate((other_use, use, use, use)):
        oldest = write(oldest, steps, (3, 4), segment)
    assert [each.segment for each in oldest.sentences] == [1, 2, 3], "only the oldest are dropped"


def test_a_weight_multiplies_the_odds(features: Features) -> None:
    def nearest(reading: ConfirmedReading) -> torch.Tensor:
        assert reading.inputs is not None
        return reading.inputs[1].similarity.argmax(-1)

    plain = gather_confirmed([contents(1)] * 2, WORDS)
    assert plain is not None
    before = read(features, plain)
    chosen = int(nearest(before)[0, 0])
    weights = np.where(np.arange(N) == chosen, 3, 1).astype(np.float32)
    slots = gather_confirmed(
        [ConfirmedPieces(50, (replace(contents(1).sentences[0], weights=weights),))] * 2, WORDS
    )
    assert slots is not None
    after = read(features, slots)
    odds = [each.shares[..., chosen] / (1 - each.shares[..., chosen]) for each in (before, after)]
    there = before.shares[..., chosen] > 1e-6
    torch.testing.assert_close(odds[1][there], 3 * odds[0][there], rtol=1e-3, atol=1e-6)
    logits = [torch.logit(each.weight[..., 0]) for each in (before, after)]
    same, other = nearest(before) == chosen, nearest(after) != chosen
    assert bool(same.any()) and bool(other.any())
    torch.testing.assert_close(logits[1][same], logits[0][same] + np.log(3), check_dtype=False)
    torch.testing.assert_close(logits[1][other], logits[0][other])


def test_drafts_have_less_weight_and_are_dropped_before_confirmed_text(features: Features) -> None:
    contexts, states = features.context[0].numpy(), features.state[0].numpy()

    def given(word: int, origin: Origin) -> Contribution:
        words = ((word,),) * T
        steps = tuple((each, 0) for each in words)
        return Contribution(
            np.full(T, word, np.uint32), steps, (True,) * T, contexts, states, np.zeros((T, 0)), words, origin
        )

    without = ConfirmedPieces(2 * T).after(given(4, Origin.DRAFT), 0)
    assert len(without) == 0
    held = ConfirmedPieces(2 * T, draft_weight=0.05).after(given(4, Origin.DRAFT), 0)
    assert held.drafted.all() and held.weights.tolist() == pytest.approx([0.05] * T)
    sure = ConfirmedPieces(2 * T, draft_weight=0.05, draft_certainty=0.5)
    doubtful = replace(given(4, Origin.DRAFT), mean_prob=0.49)
    assert len(sure.after(doubtful, 0)) == 0
    assert len(sure.after(replace(doubtful, mean_prob=0.5), 0)) == T
    assert len(sure.after(replace(doubtful, origin=Origin.CONFIRMED), 0)) == T
    words = replace(sure, draft_sureness=0.6)
    mixed = replace(given(4, Origin.DRAFT), word_probs=(0.59, 0.6, 0.1))
    kept = words.after(mixed, 0)
    np.testing.assert_array_equal(kept.steps, sure.after(mixed, 0).steps[1:2])
    assert len(words.after(replace(mixed, origin=Origin.CONFIRMED), 0)) == T
    # Equals confirmed text with the weight of a rule.
    weighed = ConfirmedPieces(2 * T).after(replace(given(4, Origin.CONFIRMED), weights=(0.05,) * T), 0)
    even = torch.full((B, T, V), 1 / V).log()
    slots = [gather_confirmed([each, each], WORDS) for each in (held, weighed)]
    read_ = [read(features, each).fuse_log_probs(even) for each in slots if each is not None]
    assert torch.equal(read_[0], read_[1]) and not torch.equal(read_[0], even)

    held = held.after(given(5, Origin.CONFIRMED), 1)
    assert held.pieces.tolist() == [4] * T + [5] * T
    held = held.after(given(6, Origin.DRAFT), 2)
    assert held.pieces.tolist() == [5] * T + [6] * T
    held = held.after(given(7, Origin.CONFIRMED), 3)
    assert held.pieces.tolist() == [5] * T + [7] * T and not held.drafted.any()
    assert held.after(given(6, Origin.DRAFT), 4).pieces.tolist() == [5] * T + [7] * T


def test_the_view_lists_words_newest_first() -> None:
    def give(held: ConfirmedPieces, pieces: list[int], segment: int, drafted: bool) -> ConfirmedPieces:
        vectors = np.ones((len(pieces), C)), np.ones((len(pieces), D))
        return held.write(*vectors, alone(pieces), segment, drafted=drafted)

    held = give(ConfirmedPieces(3), [3, 4], 0, drafted=False)
    held = give(held, [4, 5], 2, drafted=True)  # drafts are dropped first
    reader = Reader(("a", "b", "c"), lambda number: False, lambda word: f"<{word[0]}>")
    (section,) = held.sections(reader)
    listed = [(one.label, one.segment, one.confirmed) for one in section.entries]
    assert listed == [("<5>", "c", False), ("<3>", "a", True), ("<4>", "a", True)]
    assert section.name == "slots" and section.of_segments
