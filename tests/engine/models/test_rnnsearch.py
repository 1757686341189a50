"""RNNSearch against a literal transcription of the papers' equations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from decoder_literals import array, linear, literal_gru, literal_weights

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.rnnsearch import ConditionalCell, RecurrentDecoder, TanhCell
from anaphora_nmt.nn.state import Encoded

CONFIG: dict[str, Any] = {"kind": "recurrent", "width": 4, "embedding": 3, "attention": 5}
PIECES, SOURCE_WIDTH = 11, 6


class Literal:
    """One sentence, step by step, a vector at a time."""

    def __init__(self, decoder: RecurrentDecoder, annotations: list[np.ndarray]) -> None:
        self.decoder = decoder
        self.annotations = annotations
        mean = sum(annotations) / len(annotations)
        self.state = np.tanh(linear(decoder.first, mean))

    def read(self, query: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        weights = literal_weights(self.decoder.attention, query, self.annotations)
        return sum(w * h for w, h in zip(weights, self.annotations, strict=True)), weights

    def step(self, previous: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """s_t, c_t, α_t and the scores of all words."""
        cell, e = self.decoder.cell, array(self.decoder.words.weight)[previous]
        if isinstance(cell, ConditionalCell):
            query = literal_gru(cell.intermediate, linear(cell.intermediate.input, e), self.state)
            context, weights = self.read(query)
            self.state = literal_gru(cell.final, linear(cell.final.input, context), query)
        else:
            assert isinstance(cell, TanhCell)
            query = linear(cell.from_state, self.state) + linear(cell.from_word, e)
            context, weights = self.read(np.tanh(query))
            joined = linear(cell.final.input, context) + linear(cell.gates_from_word, e)
            self.state = literal_gru(cell.final, joined, self.state)
        d = self.decoder
        deep = np.tanh(
            array(d.from_state.weight) @ self.state
            + array(d.from_state.bias)
            + array(d.from_context.weight) @ context
            + array(d.from_word.weight) @ e
        )
        return self.state, context, weights, array(d.output.weight) @ deep + array(d.output.bias)


def make(feedback: str) -> RecurrentDecoder:
    torch.manual_seed(3)
    decoder = RecurrentDecoder(DecoderConfig(**CONFIG, feedback=feedback), PIECES, SOURCE_WIDTH).double()
    for name, parameter in decoder.named_parameters():
        if "bias" in name:
            torch.nn.init.normal_(parameter)
    return decoder.eval()


@pytest.mark.parametrize("feedback", ["gru", "tanh"])
def test_decoding_follows_the_equations_with_padding(feedback: str) -> None:
    decoder = make(feedback)
    lengths = [5, 3]
    states = torch.randn(2, 5, SOURCE_WIDTH).double()
    mask = torch.tensor([[n < length for n in range(5)] for length in lengths])
    previous = torch.tensor([[1, 7, 4, 9], [1, 10, 10, 5]])
    features = decoder(previous, Encoded(states, mask), attention=True)
    logits = array(decoder.logits(features))
    assert features.attention is not None
    for row, length in enumerate(lengths):
        literal = Literal(decoder, [states[row, n].numpy() for n in range(length)])
        for step in range(4):
            state, context, weights, scores = literal.step(int(previous[row, step]))
            np.testing.assert_allclose(array(features.state[row, step]), state)
            np.testing.assert_allclose(array(features.context[row, step]), context)
            np.testing.assert_allclose(array(features.attention[row, step, :length].exp()), weights)
            np.testing.assert_allclose(logits[row, step], scores)


def test_unknown_feedback_is_an_error() -> None:
    with pytest.raises(ConfigError, match="gru, tanh"):
        make("lstm")
