"""MemDec against a literal transcription of Wang et al. (2016), eqs (4)–(15)."""

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
    softmax,
)

from anaphora_nmt.config import BufferConfig, DecoderConfig
from anaphora_nmt.models.memdec import BufferState, MemDecDecoder
from anaphora_nmt.models.rnnsearch import ConditionalCell, RecurrentDecoder, RecurrentState, TanhCell
from anaphora_nmt.nn.memory_cells import CellAddressing
from anaphora_nmt.nn.state import Encoded

PIECES, SOURCE_WIDTH, WIDTH, CELLS = 11, 6, 4, 3
PRINTED = {"combine": "replace", "addressing": "linear", "pooling": "outside"}
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "printed": ("tanh", PRINTED),
    "readable": ("tanh", {"combine": "replace"}),
    "own write weights": ("tanh", {"combine": "replace", "shared": False}),
    "attention": ("tanh", {"combine": "replace", "read_at": "attention"}),
    "state": ("tanh", {"combine": "replace", "read_at": "state"}),
    "added": ("tanh", {"combine": "add", "gate_bias": -1.0, "squash": "tanh"}),
    "conditional": ("gru", {"combine": "add", "shared": False}),
    "conditional, attention": ("gru", {"combine": "add", "read_at": "attention"}),
    "conditional, state": ("gru", {"combine": "replace", "read_at": "state"}),
}


class Literal:
    """One sentence, cell by cell."""

    def __init__(self, decoder: MemDecDecoder, annotations: list[np.ndarray]) -> None:
        self.decoder, self.annotations = decoder, annotations
        start, count = decoder.buffer_start, len(annotations)
        if start.pooling == "inside":
            m = np.tanh(linear(start.project, sum(annotations) / count))
        else:
            m = np.tanh(linear(start.project, sum(annotations))) / count  # (15)
        self.memory = [m + array(start.noise)[i] for i in range(CELLS)]  # (14)
        self.s = np.tanh(linear(decoder.first, sum(annotations) / count))
        self.read_weights = self.write_weights = np.full(CELLS, 1 / CELLS)

    def address(self, address: CellAddressing, s: np.ndarray, before: np.ndarray) -> np.ndarray:
        scores = []
        for cell in self.memory:
            inner = linear(address.cell, cell) + linear(address.state, s)
            inner = np.tanh(inner) if address.kind == "tanh" else inner
            scores.append(array(address.score.weight)[0] @ inner)  # (12)
        gate = sigmoid(linear(address.gate, s))
        return gate * before + (1 - gate) * softmax(np.array(scores))  # (11), (10)

    def read_source(self, query: np.ndarray) -> np.ndarray:
        weights = literal_weights(self.decoder.attention, query, self.annotations)
        return sum(w * h for w, h in zip(weights, self.annotations, strict=True))

    def vector_state(
        self, e: np.ndarray, query_state: np.ndarray, carried: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        cell = self.decoder.cell
        if isinstance(cell, ConditionalCell):
            word = linear(cell.intermediate.input, e)
            context = self.read_source(literal_gru(cell.intermediate, word, query_state))
            between = literal_gru(cell.intermediate, word, carried)
            return literal_gru(cell.final, linear(cell.final.input, context), between), context
        assert isinstance(cell, TanhCell)
        context = self.read_source(np.tanh(linear(cell.from_state, query_state) + linear(cell.from_word, e)))
        joined = linear(cell.final.input, context) + linear(cell.gates_from_word, e)  # (5), (6)
        return literal_gru(cell.final, joined, carried), context  # (7)

    def step(self, previous: int) -> tuple[np.ndarray, np.ndarray]:
        d, config = self.decoder, self.decoder.config
        self.read_weights = self.address(d.read_address, self.s, self.read_weights)
        reading = sum(w * cell for w, cell in zip(self.read_weights, self.memory, strict=True))  # (4)
        if d.from_memory is not None:
            reading = self.s + linear(d.from_memory, reading)
        self.s, context = self.vector_state(
            array(d.words.weight)[previous],
            self.s if config.read_at == "state" else reading,
            self.s if config.read_at == "attention" else reading,
        )
        self.write_weights = (
            self.read_weights
            if d.write_address is None
            else self.address(d.write_address, self.s, self.write_weights)
        )
        erase = sigmoid(linear(d.writer.erase, self.s))
        added = (np.tanh if config.squash == "tanh" else sigmoid)(linear(d.writer.add, self.s))
        for i in range(CELLS):
            erased = self.memory[i] * (1 - self.write_weights[i] * erase)  # (13)
            self.memory[i] = erased + self.write_weights[i] * added
        return self.s, context


def make(feedback: str = "tanh", **buffer: Any) -> MemDecDecoder:
    torch.manual_seed(3)
    config = BufferConfig(cells=CELLS, **buffer)
    decoder = MemDecDecoder(
        DecoderConfig("memdec", width=WIDTH, embedding=3, attention=5, feedback=feedback, buffer=config),
        PIECES,
        SOURCE_WIDTH,
    ).double()
    for name, parameter in decoder.named_parameters():
        if "bias" in name or "from_memory" in name:
            torch.nn.init.normal_(parameter)
    return decoder.eval()


@pytest.mark.parametrize("variant", list(VARIANTS))
def test_decoding_follows_the_equations_with_padding(variant: str) -> None:
    feedback, buffer = VARIANTS[variant]
    decoder, lengths = make(feedback, **buffer), [5, 3]
    states = torch.randn(2, 5, SOURCE_WIDTH).double()
    mask = torch.tensor([[n < length for n in range(5)] for length in lengths])
    previous = torch.tensor([[1, 7, 4, 9], [1, 10, 10, 5]])
    encoded = Encoded(states, mask)
    features = decoder(previous, encoded)
    state: RecurrentState = decoder.start(encoded)
    for step in range(4):
        _, state = decoder.step(previous[:, step], state)
    assert isinstance(state, BufferState)
    for row, length in enumerate(lengths):
        literal = Literal(decoder, [states[row, n].numpy() for n in range(length)])
        for step in range(4):
            expected, context = literal.step(int(previous[row, step]))
            np.testing.assert_allclose(array(features.state[row, step]), expected)
            np.testing.assert_allclose(array(features.context[row, step]), context)
        np.testing.assert_allclose(array(state.memory[row]), literal.memory)
        np.testing.assert_allclose(array(state.read_weights[row]), literal.read_weights)
        np.testing.assert_allclose(array(state.write_weights[row]), literal.write_weights)


@pytest.mark.parametrize("feedback", ["tanh", "gru"])
@pytest.mark.parametrize("buffer", [{"read_at": "none"}, {"combine": "add"}])
def test_an_unread_or_weightless_memory_equals_the_baseline(feedback: str, buffer: dict[str, str]) -> None:
    decoder = make(feedback, **buffer).float()
    if decoder.from_memory is not None:
        torch.nn.init.zeros_(decoder.from_memory.weight)
    config = DecoderConfig("recurrent", width=WIDTH, embedding=3, attention=5, feedback=feedback)
    baseline = RecurrentDecoder(config, PIECES, SOURCE_WIDTH).eval()
    encoded = Encoded(torch.randn(2, 5, SOURCE_WIDTH), torch.ones(2, 5, dtype=torch.bool))
    previous = torch.tensor([[1, 7, 4, 9], [1, 10, 10, 5]])
    check_equal(decoder, baseline, previous, encoded)
