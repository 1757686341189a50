"""Following what was confirmed: against a literal transcription, and where it must change nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from anaphora_nmt.memory.confirmed import ConfirmedConfig, ConfirmedReading, ConfirmedText
from anaphora_nmt.memory.confirmed_contents import (
    BEFORE,
    NOTHING,
    ConfirmedPieces,
    HeldConfirmed,
    gather_confirmed,
    latest_pieces,
)
from anaphora_nmt.memory.contents import Contribution, Origin
from anaphora_nmt.memory.fusion import of_targets, word_mass
from anaphora_nmt.memory.protocol import Host, TargetSteps
from anaphora_nmt.nn.state import Features

B, T, C, D, V, N = 2, 3, 4, 5, 9, 6
CPU = torch.device("cpu")
WORDS = torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
CONFIG = ConfirmedConfig(50, 4, -1.5, 0.75, 1.5, 0.4, 0.3, 0.2, 0.8, 0.5)
PREVIOUS = torch.tensor([[1, 4, 3], [1, 6, 5]])

Word = tuple[int, ...]


class Words:
    """All that the memory asks of a vocabulary."""

    spells = WORDS


def memory(config: ConfirmedConfig = CONFIG) -> ConfirmedText:
    return ConfirmedText(config, Host(Words(), D, C, 2))  # type: ignore[arg-type]


def gather(*held: ConfirmedPieces) -> HeldConfirmed:
    gathered = gather_confirmed(held, C, CPU)
    assert gathered is not None
    return gathered


def read(
    features: Features,
    held: HeldConfirmed,
    previous: torch.Tensor = PREVIOUS,
    config: ConfirmedConfig = CONFIG,
) -> ConfirmedReading:
    return memory(config).all_steps(TargetSteps(features, previous, torch.zeros(V, 2)), held)


def unit(vector: np.ndarray) -> np.ndarray:
    return vector / np.linalg.norm(vector)


def sentence(words: Sequence[Word], contexts: np.ndarray, states: np.ndarray) -> Contribution:
    """A confirmed one, of words alone; a piece is the less likely the higher its id."""
    pieces = np.array([piece for word in words for piece in word], np.uint32)
    return Contribution(
        pieces,
        tuple((word, index) for word in words for index in range(len(word))),
        np.arange(len(pieces)),
        (True,) * len(pieces),
        contexts.astype(np.float16),
        states.astype(np.float16),
        (-0.4 * pieces).astype(np.float16),
        (),
        Origin.CONFIRMED,
    )


def drawn(seed: int, words: Sequence[Word], segment: int = 0, size: int = 50) -> ConfirmedPieces:
    generator = np.random.default_rng(seed)
    count = sum(map(len, words))
    contexts, states = generator.normal(size=(count, C)), generator.normal(size=(count, D))
    return ConfirmedPieces(size).after(sentence(words, contexts, states), segment, 0)


ONE: tuple[Word, ...] = ((4, 3), (5,), (8,), (6, 7))
TWO: tuple[Word, ...] = ((6, 5), (4,), (3,))


@pytest.fixture()
def features() -> Features:
    torch.manual_seed(3)
    return Features(torch.randn(B, T, D), torch.randn(B, T, C), torch.randn(B, T, 2))


def literal(
    log_probs: np.ndarray,
    contexts: np.ndarray,
    states: np.ndarray,
    past: list[int],
    held: ConfirmedPieces,
) -> np.ndarray:
    """A step, written out; contexts, states: of all steps to it; past: the pieces before it, oldest first."""
    found: list[tuple[float, float, int, bool]] = []
    for number in range(len(held)):
        word, index = held.places[number]
        if not WORDS[held.pieces[number]] or (index and past[-index:] != list(word[:index])):
            continue
        first, then = number - index, len(past) - 1 - index
        begun = -1e4
        if index and first >= 0 and held.places[first] == (word, 0):
            begun = written_score(contexts[then], states[then], past[: then + 1], held, first)
        score = written_score(contexts[-1], states[-1], past, held, number)
        found.append((score, begun, int(held.pieces[number]), index > 0))
    weights = [
        (np.exp(max(score + 0.5 * max(log_probs[piece], -4.0), begun)), piece, inside)
        for score, begun, piece, inside in sorted(found, key=lambda each: -max(each[:2]))[:4]
    ]
    total = 1 + sum(weight for weight, _, _ in weights)
    going_on = sum(weight for weight, _, inside in weights if inside) / total
    begun = sum(weight for weight, _, inside in weights if not inside) / total
    p = np.exp(log_probs)
    mass = float(p @ WORDS.numpy())
    mixed = p * (1 - going_on - begun * WORDS.numpy())
    for weight, piece, inside in weights:
        mixed[piece] += weight / total * (1.0 if inside else mass)
    return np.log(mixed)


def written_score(
    context: np.ndarray, state: np.ndarray, past: list[int], held: ConfirmedPieces, number: int
) -> float:
    """Of a confirmed piece at a step, but for the model's own probability."""
    key = held.steps[number].astype(np.float64)
    alike_context, alike_state = unit(context) @ key[:C], unit(state) @ key[C:]
    run = 0
    while run < min(3, len(past)) and past[-1 - run] == held.before[number, run]:
        run += 1
    surprise = min(float(held.surprise[number]), 3.0) / 3.0
    score = -1.5 + 0.75 * alike_context + 1.5 * alike_state + 0.4 * run
    score += 0.3 * (held.places[number][1] > 0)
    return float(score + 0.2 * surprise + 0.8 * surprise * max(0.0, 2 * alike_context - 1))


def test_mixing_as_written(features: Features) -> None:
    held = [drawn(1, ONE), drawn(2, TWO)]
    log_probs = (2 * torch.randn(B, T, V)).log_softmax(-1)
    mixed = read(features, gather(*held)).fuse_log_probs(log_probs)
    torch.testing.assert_close(mixed.exp().sum(-1), torch.ones(B, T))
    for row in range(B):
        for step in range(T):
            steps = slice(step + 1)
            context, state = features.context[row, steps].numpy(), features.state[row, steps].numpy()
            past = PREVIOUS[row, : step + 1].tolist()
            expected = literal(log_probs[row, step].double().numpy(), context, state, past, held[row])
            assert not np.allclose(mixed[row, step].numpy(), log_probs[row, step].numpy(), atol=5e-3)
            np.testing.assert_allclose(mixed[row, step].numpy(), expected, atol=2e-3)


def test_given_pieces_need_no_vocabulary(features: Features) -> None:
    held = gather(drawn(1, ONE), drawn(2, TWO))
    log_probs, reading = torch.randn(B, T, V).log_softmax(-1), read(features, held)
    mixed = reading.fuse_log_probs(log_probs)
    for piece in range(V):
        found = reading.fuse_target(log_probs, torch.full((B, T), piece))
        torch.testing.assert_close(found, mixed[..., piece])
    counted = torch.tensor([[True, False, True], [False, True, True]])
    steps = TargetSteps(features, PREVIOUS, torch.zeros(V, 2))
    some = memory().all_steps(steps, held, counted).fuse_log_probs(log_probs[counted])
    torch.testing.assert_close(some, mixed[counted])


def test_leaving_pieces_out_equals_never_having_had_them(features: Features) -> None:
    """Also where others become candidates in their place: there are four."""
    one = Features(features.state[:1], features.context[:1], features.embedding[:1])
    held = drawn(1, ONE)
    log_probs = torch.randn(1, T, V).log_softmax(-1)
    groups = [[0], [1, 4], [2, 3], list(range(N))]
    reading = read(one, gather(held), PREVIOUS[:1])
    left = reading.without(groups).fuse_log_probs(log_probs)
    for row, group in enumerate(groups):
        fewer = held.without(set(group))
        expected = log_probs
        if len(fewer):
            expected = read(one, gather(fewer), PREVIOUS[:1]).fuse_log_probs(log_probs)
        torch.testing.assert_close(left[row], expected[0], atol=1e-5, rtol=1e-5)
        steps = torch.arange(T)
        at_each = reading.without([group] * T, steps).fuse_log_probs(log_probs[0][:, None])
        torch.testing.assert_close(at_each[:, 0], left[row])
    assert torch.equal(left[3], log_probs[0])


def test_strengths_add_up_to_what_the_memory_gives_a_piece(features: Features) -> None:
    held, log_probs = gather(drawn(1, ONE), drawn(2, TWO)), torch.randn(B, T, V).log_softmax(-1)
    reading, target = read(features, held), torch.tensor([[4, 3, 5], [6, 5, 4]])
    found = reading.attribution(log_probs, target)
    of_words, of_all = reading.follow(log_probs).weights()
    kept = (1 - of_words - of_all)[..., 0] * of_targets(log_probs, target).exp()  # all targets spell words
    torch.testing.assert_close((found.strengths.sum(-1) + kept).log(), reading.fuse_target(log_probs, target))
    assert found.offers is not None and found.strengths.any()
    torch.testing.assert_close(found.offers.sum(-1), found.share)


def test_whether_a_word_comes_is_left_to_the_model(features: Features) -> None:
    log_probs = torch.randn(B, T, V).log_softmax(-1)
    single: tuple[Word, ...] = ((4,), (5,), (3,))
    mixed = read(features, gather(drawn(1, single), drawn(2, single))).fuse_log_probs(log_probs)
    marks = WORDS == 0
    torch.testing.assert_close(mixed[..., marks], log_probs[..., marks])
    assert not torch.allclose(mixed[..., ~marks], log_probs[..., ~marks], atol=1e-3)
    torch.testing.assert_close(word_mass(mixed, WORDS), word_mass(log_probs, WORDS))


def test_one_step_equals_all_steps(features: Features) -> None:
    """Hypotheses of one sentence share what it confirmed, and each has its own pieces before."""
    held = gather(drawn(1, ONE), drawn(2, TWO))
    log_probs = torch.randn(B, T, V).log_softmax(-1)
    whole = read(features, held).fuse_log_probs(log_probs)
    follows, state = memory(), held.reorder(torch.tensor([0, 0, 1, 1]))
    assert state.slots.pieces is held.slots.pieces
    for step in range(T):
        rows = torch.tensor([0, 0, 1, 1])
        now = Features(*(one[rows, step] for one in (features.state, features.context, features.embedding)))
        previous = PREVIOUS[rows, step]
        reading, state = follows.step(TargetSteps(now, previous, torch.zeros(V, 2)), state)
        mixed = reading.fuse_log_probs(log_probs[rows, step])
        torch.testing.assert_close(mixed, whole[rows, step])
        state = state.reorder(torch.tensor([1, 0, 3, 3]))
    left = state.reorder(torch.tensor([3, 2]))
    assert torch.equal(left.slots.pieces, held.slots.pieces[1:])


def test_batched_equals_one_by_one_and_nothing_confirmed_is_the_model_itself(features: Features) -> None:
    log_probs = torch.randn(B, T, V).log_softmax(-1)
    held = drawn(1, ONE)
    mixed = read(features, gather(held, ConfirmedPieces(50))).fuse_log_probs(log_probs)
    alone = Features(features.state[:1], features.context[:1], features.embedding[:1])
    torch.testing.assert_close(
        mixed[:1], read(alone, gather(held), PREVIOUS[:1]).fuse_log_probs(log_probs[:1])
    )
    assert torch.equal(mixed[1], log_probs[1]), "an empty row"
    assert gather_confirmed([ConfirmedPieces(50)] * 2, C, CPU) is None


def test_the_same_step_brings_the_confirmed_piece_back(features: Features) -> None:
    contexts, states = features.context[0].numpy(), features.state[0].numpy()
    held = ConfirmedPieces(50).after(sentence([(4,), (5,), (6,)], contexts, states), 0, 0)
    even = torch.full((B, T, V), 1 / V).log()
    assert read(features, gather(held, held)).fuse_log_probs(even)[0].argmax(-1).tolist() == [4, 5, 6]


def test_what_was_surprising_is_followed_further(features: Features) -> None:
    contexts, states = features.context[0].numpy(), features.state[0].numpy()
    given = sentence([(4,), (5,), (6,)], contexts, states)
    expected = replace(given, log_probs=np.zeros(3, np.float16))
    even = torch.full((1, T, V), 1 / V).log()
    one = Features(features.state[:1], features.context[:1], features.embedding[:1])
    likely = [
        read(one, gather(ConfirmedPieces(50).after(each, 0, 0)), PREVIOUS[:1]).fuse_log_probs(even)
        for each in (given, expected)
    ]
    for step, piece in enumerate((4, 5, 6)):
        assert likely[0][0, step, piece] > likely[1][0, step, piece] + 0.05


def test_only_the_last_are_kept() -> None:
    held = ConfirmedPieces(4)
    for segment in range(3):
        words = [(3 + segment,), (3 + segment,)]
        held = held.after(sentence(words, np.ones((2, C)), np.ones((2, D))), segment, segment)
    assert held.pieces.tolist() == [4, 4, 5, 5] and len(held.steps) == len(held.surprise) == 4
    assert held.words() == [((4,), 1, (0,)), ((4,), 1, (1,)), ((5,), 2, (2,)), ((5,), 2, (3,))]
    nothing = sentence([(4,)], np.ones((1, C)), np.ones((1, D)))
    assert len(ConfirmedPieces(0).after(nothing, 0, 0)) == 0
    assert held.after(replace(nothing, origin=Origin.DRAFT), 3, 3) is held


def test_the_pieces_of_a_word_stay_together_even_where_its_beginning_is_gone() -> None:
    given = sentence([(5, 6), (7,)], np.ones((3, C)), np.ones((3, D)))
    held = ConfirmedPieces(5).after(given, 8, 0).after(given, 9, 1)
    assert held.words() == [
        ((5, 6), 8, (0,)),
        ((7,), 8, (1,)),
        ((5, 6), 9, (2, 3)),
        ((7,), 9, (4,)),
    ]


def test_what_stands_before_a_piece_and_how_surprising_its_word_was(
    give: Callable[[str], Contribution],
) -> None:
    """Marks count among the pieces before, and only a word's own pieces for its surprise."""
    given = replace(give("the data, server"), origin=Origin.CONFIRMED)
    held = ConfirmedPieces(50).after(given, 0, 0)
    assert [index for _, index in held.places] == [0, 0, 0, 1, 2]
    the, data, comma, s, er, ver = given.pieces.tolist()
    rows = [row[row != NOTHING].tolist() for row in held.before]
    assert rows == [[], [the], [comma, data, the], [s, comma, data, the], [er, s, comma, data, the]]
    assert held.pieces.tolist() == [the, data, s, er, ver] and held.before.shape[1] == BEFORE
    surprise = -given.log_probs.astype(np.float32)
    expected = [surprise[0], surprise[1], *[surprise[2:].sum()] * 3]
    np.testing.assert_allclose(held.surprise, expected, rtol=1e-2)


def test_a_word_goes_on_only_after_its_own_beginning(features: Features) -> None:
    contexts, states = features.context[0].numpy(), features.state[0].numpy()
    held = gather(ConfirmedPieces(50).after(sentence([(4, 6, 7)], contexts, states), 0, 0))
    even = torch.full((1, T, V), 1 / V).log()
    one = Features(features.state[:1], features.context[:1], features.embedding[:1])
    after = read(one, held, torch.tensor([[1, 4, 6]])).fuse_log_probs(even)
    assert after[0].argmax(-1).tolist() == [4, 6, 7]
    astray = read(one, held, torch.tensor([[1, 3, 6]])).fuse_log_probs(even)
    assert astray[0, 1, 6] < even[0, 1, 6], "another piece came before"
    assert astray[0, 2, 7] < even[0, 2, 7], "the piece before is the same, the beginning is not"


def test_a_word_that_has_begun_goes_on_even_where_the_model_would_end_there(features: Features) -> None:
    contexts, states = features.context[0].numpy(), features.state[0].numpy()
    held = gather(ConfirmedPieces(50).after(sentence([(4, 6), (5,)], contexts, states), 0, 0))
    mark = int((WORDS == 0).nonzero()[-1])
    sure = torch.full((1, T, V), 0.01)
    sure[..., mark] = 1.0
    log_probs = (sure / sure.sum(-1, keepdim=True)).log()
    one = Features(features.state[:1], features.context[:1], features.embedding[:1])
    reading = read(one, held, torch.tensor([[1, 4, 6]]))
    mixed = reading.fuse_log_probs(log_probs)[0]
    assert mixed.argmax(-1).tolist() == [mark, 6, mark]
    torch.testing.assert_close(mixed.exp().sum(-1), torch.ones(T))
    torch.testing.assert_close(mixed[[0, 2], mark], log_probs[0, [0, 2], mark])
    astray = read(one, held, torch.tensor([[1, 3, 6]])).fuse_log_probs(log_probs)
    assert astray[0, 1].argmax() == mark, "another word has begun"


def test_the_pieces_before_each_step() -> None:
    found = latest_pieces(PREVIOUS)
    assert found.shape == (B, T, BEFORE) and found[0, :, :4].tolist() == [
        [1, -2, -2, -2],
        [4, 1, -2, -2],
        [3, 4, 1, -2],
    ]


def test_what_is_pinned_stays_when_the_memory_is_full() -> None:
    def alike(*words: Word) -> Contribution:
        count = sum(map(len, words))
        return sentence(words, np.ones((count, C)), np.ones((count, D)))

    steered = replace(alike((3, 4), (5,)), weights=(2.0, 2.0, 1.0), pinned=(True, True, False))
    held = ConfirmedPieces(4).after(steered, 0, 0).after(alike((6,), (7, 4)), 1, 1)
    assert held.words() == [((3, 4), 0, (0, 1)), ((7, 4), 1, (2, 3))]
    assert held.weights.tolist() == [2, 2, 1, 1] and held.pinned.tolist() == [True, True, False, False]
    held = held.after(alike((5,)), 2, 2)
    assert held.words() == [((3, 4), 0, (0, 1)), ((7, 4), 1, (2,)), ((5,), 2, (3,))], "half a word by itself"
    slots = gather(held, ConfirmedPieces(4)).slots
    assert slots.log_weights is not None
    assert slots.log_weights[0].tolist() == pytest.approx([np.log(2)] * 2 + [0, 0])


def test_a_weight_multiplies_the_odds_of_following(features: Features) -> None:
    """Those of a piece are its share of the whole, with "none", against the rest's."""
    held = replace(drawn(1, ONE), weights=np.where(np.arange(N) == 2, 3, 1).astype(np.float32))
    even = torch.full((B, T, V), 1 / V).log()
    wide = replace(CONFIG, candidates=N)
    found = [read(features, gather(each, each), config=wide).follow(even) for each in (drawn(1, ONE), held)]
    odds = []
    for each in found:
        share = (each.weight * each.shares * (each.columns == 2)).sum(-1)
        odds.append(share / (1 - share))
    torch.testing.assert_close(odds[1], 3 * odds[0])
    assert bool((odds[0] > 0).all())
