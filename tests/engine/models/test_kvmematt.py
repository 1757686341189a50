"""KVMemAtt against a literal transcription of Meng et al. (2018), eqs (6)–(16)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from decoder_literals import (
    array,
    check_equal,
    linear,
    literal_gru,
    literal_weights,
    sigmoid,
)

from anaphora_nmt.config import DecoderConfig, KeyMemoryConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.kvmematt import KeyMemoryState, KVMemAttDecoder
from anaphora_nmt.models.rnnsearch import ConditionalCell, RecurrentDecoder, RecurrentState
from anaphora_nmt.nn.attention import AdditiveAttention
from anaphora_nmt.nn.state import Encoded

PIECES, SOURCE_WIDTH, WIDTH = 11, 6, 4
PREVIOUS = torch.tensor([[1, 7, 4, 9], [1, 10, 10, 5]])


class Literal:
    """One sentence, slot by slot."""

    def __init__(self, decoder: KVMemAttDecoder, annotations: list[np.ndarray]) -> None:
        self.decoder, self.values, self.keys = decoder, annotations, list(annotations)
        self.s = np.tanh(linear(decoder.first, sum(annotations) / len(annotations)))

    def step(self, previous: int) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        d = self.decoder
        assert isinstance(d.cell, ConditionalCell)
        word = linear(d.cell.intermediate.input, array(d.words.weight)[previous])
        q = literal_gru(d.cell.intermediate, word, self.s)  # (6)
        attentions = [d.attention, *d.later_attentions]
        units = [d.cell.final, *d.later_units]
        all_weights = []
        for r in range(d.config.rounds):
            weights = literal_weights(attentions[r], q, self.keys)  # (7), (11)
            context = sum(a * v for a, v in zip(weights, self.values, strict=True))  # (8), (13)
            state = literal_gru(units[r], linear(units[r].input, context), q)  # (9)
            all_weights.append(weights)
            if d.config.update:
                self.update(r, attentions[r], state)  # (10)
        self.s = state
        return state, context, all_weights

    def update(self, r: int, attention: AdditiveAttention, state: np.ndarray) -> None:
        part: Any = self.decoder.writers[r]
        weights = literal_weights(part.address or attention, state, self.keys)  # (15)
        forget = sigmoid(linear(part.writer.erase, state))
        add = sigmoid(linear(part.writer.add, state))
        for i, key in enumerate(self.keys):
            forgotten = key * (1 - weights[i] * forget)  # (14)
            self.keys[i] = forgotten + weights[i] * add  # (16)


def make(**memory: Any) -> KVMemAttDecoder:
    torch.manual_seed(3)
    config = DecoderConfig(
        "kvmematt", width=WIDTH, embedding=3, attention=5, key_memory=KeyMemoryConfig(**memory)
    )
    decoder = KVMemAttDecoder(config, PIECES, SOURCE_WIDTH).double()
    for name, parameter in decoder.named_parameters():
        if "bias" in name:
            torch.nn.init.normal_(parameter)
    return decoder.eval()


def encode(rows: tuple[int, ...] = (5, 3)) -> Encoded:
    generator = torch.Generator().manual_seed(2)
    states = torch.randn(len(rows), max(rows), SOURCE_WIDTH, generator=generator, dtype=torch.float64)
    return Encoded(states, torch.tensor([[n < length for n in range(max(rows))] for length in rows]))


@pytest.mark.parametrize(
    "memory",
    [
        {"rounds": 1, "gate_bias": None},
        {"rounds": 2, "gate_bias": None},
        {"rounds": 2, "gate_bias": 0.0, "shared": True},
        {"rounds": 3, "update": False},
    ],
    ids=lambda memory: "-".join(map(str, memory.values())),
)
def test_decoding_follows_the_equations_with_padding(memory: dict[str, Any]) -> None:
    decoder, encoded = make(**memory), encode()
    features = decoder(PREVIOUS, encoded, attention=True)
    assert features.attention is not None
    state: RecurrentState = decoder.start(encoded)
    for step in range(4):
        _, state = decoder.step(PREVIOUS[:, step], state)
    assert isinstance(state, KeyMemoryState)
    for row, length in enumerate((5, 3)):
        literal = Literal(decoder, [encoded.states[row, n].numpy() for n in range(length)])
        for step in range(4):
            expected, context, weights = literal.step(int(PREVIOUS[row, step]))
            np.testing.assert_allclose(array(features.state[row, step]), expected)
            np.testing.assert_allclose(array(features.context[row, step]), context)
            np.testing.assert_allclose(array(features.attention[row, step, :length].exp()), weights[-1])
        if state.memory is not None:
            np.testing.assert_allclose(array(state.memory[row, :length]), literal.keys)
            assert torch.equal(state.memory[row, length:], encoded.states[row, length:])


def test_one_round_without_update_equals_the_baseline() -> None:
    decoder = make(rounds=1, update=False).float()
    config = DecoderConfig("recurrent", width=WIDTH, embedding=3, attention=5)
    baseline = RecurrentDecoder(config, PIECES, SOURCE_WIDTH).eval()
    encoded = Encoded(encode().states.float(), encode().mask)
    check_equal(decoder, baseline, PREVIOUS, encoded)


def test_unknown_settings_are_errors() -> None:
    with pytest.raises(ConfigError, match="at least 1"):
        make(rounds=0)
    with pytest.raises(ConfigError, match="feedback gru"):
        KVMemAttDecoder(DecoderConfig("kvmematt", feedback="tanh"), PIECES, SOURCE_WIDTH)
