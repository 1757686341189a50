"""Beam search against exhaustive search, batching, cancelling, constraints."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.models.protocol import StepModel
from anaphora_nmt.nn.state import DecoderState
from anaphora_nmt.search.beam import BeamOptions, beam_search, length_norm
from anaphora_nmt.search.constraints import Constraints, PieceTable
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, UNK

VOCABULARY = 8
WORDS = range(UNK + 1, VOCABULARY)


@dataclass(frozen=True)
class ChainState(DecoderState):
    """The model of each row, and the word before the previous one."""

    model: Tensor
    before: Tensor


class ChainModel(StepModel):
    """Random p(y_t | y_{t−2}, y_{t−1}), small enough for exhaustive search."""

    device = torch.device("cpu")

    def __init__(self, models: int = 3) -> None:
        generator = torch.Generator().manual_seed(5)
        shape = (models, VOCABULARY, VOCABULARY, VOCABULARY)
        scores = torch.randn(shape, generator=generator) * 2
        scores[..., [PAD, BOS, UNK]] = -1e4
        self.log_probs = scores.log_softmax(-1)

    def start(self, models: list[int]) -> ChainState:
        return ChainState(torch.tensor(models), torch.zeros(len(models), dtype=torch.long))

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        assert isinstance(state, ChainState)
        return self.log_probs[state.model, state.before, previous], ChainState(state.model, previous)

    def attention(self, state: DecoderState) -> None:
        return None

    def score(self, model: int, words: tuple[int, ...]) -> float:
        before, previous, total = 0, BOS, 0.0
        for word in words:
            total += float(self.log_probs[model, before, previous, word])
            before, previous = previous, word
        return total


def exhaustive(model: ChainModel, number: int, limit: int, alpha: float) -> tuple[int, ...]:
    """The best of all sequences that end within the limit."""
    finished = ((*words, EOS) for length in range(limit) for words in itertools.product(WORDS, repeat=length))
    return max(finished, key=lambda words: model.score(number, words) / length_norm(len(words), alpha))


@pytest.mark.parametrize("alpha", [0.0, 0.8])
@pytest.mark.parametrize("number", [0, 1, 2])
def test_a_wide_beam_equals_exhaustive_search(number: int, alpha: float) -> None:
    model = ChainModel()
    found = beam_search(model, model.start([number]), [5], BeamOptions(size=700, length_penalty=alpha))
    assert found[0][0].pieces == exhaustive(model, number, 5, alpha)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_batched_equals_one_by_one(size: int) -> None:
    model = ChainModel()
    together = beam_search(model, model.start([0, 1, 2, 1]), [6, 3, 8, 8], BeamOptions(size))
    for place, (number, limit) in enumerate([(0, 6), (1, 3), (2, 8), (1, 8)]):
        alone = beam_search(model, model.start([number]), [limit], BeamOptions(size))
        assert alone[0][0].pieces == together[place][0].pieces


def test_cancelling_stops_before_the_next_step() -> None:
    model = ChainModel()
    checks = []

    def cancel() -> bool:
        checks.append(1)
        return len(checks) > 2

    with pytest.raises(Cancelled):
        beam_search(model, model.start([0]), [50], BeamOptions(2), cancel=cancel)
    assert len(checks) == 3


def table(placeholders: list[list[int]], words: tuple[int, ...] = ()) -> PieceTable:
    return PieceTable.of(placeholders, [n in words for n in range(VOCABULARY)])


def constraints(*required: list[int]) -> list[Constraints]:
    """Words 4 and 5 are placeholder 0, word 6 is placeholder 1."""
    return [Constraints(table([[4, 5], [6]]), required, unmet_penalty=30.0)]


@pytest.mark.parametrize("size", [1, 4])
def test_every_placeholder_is_carried_over_as_often_as_required(size: int) -> None:
    model = ChainModel()
    required = [[2, 1], [0, 1], [0, 0]]
    found = beam_search(model, model.start([0, 1, 2]), [12] * 3, BeamOptions(size), constraints(*required))
    for hypotheses, (first, second) in zip(found, required, strict=True):
        pieces = hypotheses[0].pieces
        assert sum(piece in (4, 5) for piece in pieces) == first
        assert pieces.count(6) == second


def test_a_third_repetition_is_forbidden() -> None:
    model = ChainModel(1)
    model.log_probs[...] = -20.0
    model.log_probs[..., 7] = -0.01  # a model that always chooses 7
    model.log_probs[..., EOS] = -9.0
    rules = Constraints(table([[4], [5]]), [[0, 0]])
    pieces = beam_search(model, model.start([0]), [12], BeamOptions(2), [rules])[0][0].pieces
    assert not any(pieces[n] == pieces[n + 1] == pieces[n + 2] for n in range(len(pieces) - 2))


@pytest.mark.parametrize(
    ("written", "next_piece", "doubles"),
    [
        ([6, 7], 7, False),  # 7 begins no word
        ([7, 6], 6, True),
        ([6, 7, 6], 7, True),  # a word of two pieces, and a phrase begins the same way
        ([5, 6, 7, 6], 7, True),
        ([7, 6, 7, 7], 6, False),
        ([7, 7, 6, 7, 7], 6, False),  # what comes twice begins inside a word
        ([6, 7, 7, 6, 7], 7, True),
        ([6, 6], 7, False),
    ],
)
def test_a_doubled_word_costs_a_penalty(written: list[int], next_piece: int, doubles: bool) -> None:
    rules = Constraints(table([[4], [5]], words=(6,)), [[0, 9]], repeat_penalty=2.5)
    state = rules.start(0)
    for piece in written:
        state = rules.advance(state, piece)
    plain = Constraints(rules.table, rules.required).changes(state).get(next_piece, 0.0)
    assert plain - rules.changes(state).get(next_piece, 0.0) == (2.5 if doubles else 0.0)


class LookingModel(ChainModel):
    """One chain, whose steps attend to three source pieces by their two words."""

    def __init__(self) -> None:
        super().__init__(1)
        weights = torch.rand(VOCABULARY, VOCABULARY, 3, generator=torch.Generator().manual_seed(8))
        self.attention_weights = weights.log()

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        assert isinstance(state, ChainState)
        both = state.before * VOCABULARY + previous
        return self.log_probs[0, state.before, previous], ChainState(both, previous)

    def attention(self, state: DecoderState) -> Tensor:  # type: ignore[override]
        assert isinstance(state, ChainState)
        return self.attention_weights.flatten(0, 1)[state.model]


def test_a_hypothesis_reports_the_attention_of_its_steps() -> None:
    one = LookingModel()
    (found,) = beam_search(one, one.start([0]), [6], BeamOptions(4, 0.8, 4, with_attention=True))
    assert len(found) == 4 and len({hypothesis.pieces for hypothesis in found}) == 4
    for hypothesis in found:
        before, previous, seen = 0, BOS, []
        for word in hypothesis.pieces:
            seen.append(one.attention_weights[before, previous])
            before, previous = previous, word
        assert hypothesis.seen is not None
        torch.testing.assert_close(hypothesis.seen, torch.stack(seen).amax(0))
    (blind,) = beam_search(one, one.start([0]), [6], BeamOptions(4, 0.8, 4))
    assert blind == found and all(hypothesis.seen is None for hypothesis in blind)
