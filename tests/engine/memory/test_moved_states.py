"""Deep reading: a literal transcription, the gradient, and pieces left out."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.confirmed import ConfirmedConfig, ConfirmedReading, ConfirmedText
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.memory.confirmed_slots import gather_confirmed
from anaphora_nmt.memory.moved_states import moved_values
from anaphora_nmt.memory.protocol import Host, TargetSteps
from anaphora_nmt.nn.state import Features

T, C, D, V, N = 3, 4, 5, 9, 7
WORDS = torch.tensor([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])
CONFIG = ConfirmedConfig(
    50,
    0.1,
    0.2,
    0.3,
    gate_bias=-0.5,
    deep_strength=1.5,
    deep_threshold=0.4,
    deep_temperature=0.25,
    deep_steps=3,
)


class Words:
    """The part of a vocabulary that the memory uses."""

    spells = WORDS


@pytest.fixture()
def embeddings() -> torch.Tensor:
    torch.manual_seed(1)
    return torch.randn(V, D)


def contents(weights: tuple[float, ...] = ()) -> ConfirmedPieces:
    generator = np.random.default_rng(4)
    contexts, states, values = (generator.normal(size=(N, width)) for width in (C, D, D))
    places = [((int(piece),), 0) for piece in generator.integers(3, 8, N)]
    return ConfirmedPieces(50).write(contexts, states, places, 0, weights, values=values)


def reading(
    held: ConfirmedPieces, embeddings: torch.Tensor, config: ConfirmedConfig = CONFIG
) -> tuple[ConfirmedReading, Features]:
    torch.manual_seed(2)
    features = Features(torch.randn(1, T, D), torch.randn(1, T, C), torch.randn(1, T, D))
    memory = ConfirmedText(config, Host(Words(), D, C, D))  # type: ignore[arg-type]
    slots = gather_confirmed([held], WORDS, deep=True)
    assert slots is not None
    reading = memory.read(TargetSteps(features, torch.tensor([[1, 4, 3]]), embeddings), slots)
    assert isinstance(reading, ConfirmedReading)
    return reading, features


def test_values_are_the_gradient_of_the_words_likelihood(embeddings: torch.Tensor) -> None:
    state = torch.randn(1, T, D, requires_grad=True)
    target = torch.tensor([[3, 5, 7]])
    logits = state @ embeddings.T
    of_words = logits.masked_fill(WORDS == 0, float("-inf")).log_softmax(-1)
    of_words.gather(-1, target[..., None]).sum().backward()
    assert state.grad is not None
    found = moved_values(logits.detach().log_softmax(-1), target, embeddings, WORDS)
    torch.testing.assert_close(found, state.grad)


@pytest.mark.parametrize("weights", [(), (1.0, 0.2, 3.0, 1.0, 0.5, 1.0, 2.0)])
def test_states_move_by_the_equations(embeddings: torch.Tensor, weights: tuple[float, ...]) -> None:
    held = contents(weights)
    found, features = reading(held, embeddings)
    moved = found.fuse_state(features.state)
    for step in range(T):
        unit = [part[0, step] / part[0, step].norm() for part in (features.context, features.state)]
        likeness = []
        for key in held.steps.astype(np.float64):
            of_context, of_state = key[:C] @ unit[0].numpy(), key[C:] @ unit[1].numpy()
            likeness.append(0.3 * of_context + 0.7 * of_state)
        log_weights = np.log(held.weights)
        # as in the mixture, weights count as similarity in the choice of steps
        order = np.argsort(-(np.array(likeness) + CONFIG.temperature * log_weights))[:3]
        odds = [np.exp((likeness[i] - 0.4) / 0.25 + log_weights[i]) for i in order]
        expected = features.state[0, step].numpy().copy()
        for number, odd in zip(order, odds, strict=True):
            if likeness[number] + CONFIG.temperature * log_weights[number] > CONFIG.threshold:
                expected += 1.5 * odd / (1 + sum(odds)) * held.sentences[0].values[number].astype(np.float64)
        np.testing.assert_allclose(moved[0, step].numpy(), expected, atol=3e-3)


def test_leaving_out_equals_a_memory_without_the_piece(embeddings: torch.Tensor) -> None:
    held = contents()
    found, features = reading(held, embeddings)
    for group in ([0], [1, 3], list(range(N))):
        left = found.without([group], torch.tensor([1])).fuse_state(features.state[:, 1:2])
        fewer = held.without(frozenset(group))
        expected = features.state
        if len(fewer):
            expected = reading(fewer, embeddings)[0].fuse_state(features.state)
        torch.testing.assert_close(left[:, 0], expected[:, 1])


@pytest.mark.parametrize(("embedding", "scores_states"), [(D + 1, True), (D, False)])
def test_a_decoder_with_another_output_layer_is_refused(embedding: int, scores_states: bool) -> None:
    with pytest.raises(ConfigError, match="deep_strength"):
        ConfirmedText(CONFIG, Host(Words(), D, C, embedding, scores_states))  # type: ignore[arg-type]
