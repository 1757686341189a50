"""Steps with a shared cache equal forced decoding of each hypothesis in all cases of search."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.models.transformer import TransformerDecoder
from anaphora_nmt.nn.state import Encoded

PIECES, STEPS = 50, 50


@pytest.fixture(scope="module")
def decoder() -> TransformerDecoder:
    torch.manual_seed(0)
    config = DecoderConfig(kind="transformer", layers=2, width=32, heads=4, feed_forward=64)
    return TransformerDecoder(config, PIECES, 32).double().eval()


def sources(count: int) -> Encoded:
    mask = torch.ones(count, 7, dtype=torch.bool)
    mask[-1, 5:] = False
    return Encoded(torch.randn(count, 7, 32).double(), mask)


@torch.inference_mode()
@pytest.mark.parametrize(("sentences", "beam"), [(1, 5), (3, 4), (2, 1)])
def test_each_hypothesis_reads_its_own_words(decoder: TransformerDecoder, sentences: int, beam: int) -> None:
    torch.manual_seed(1)
    encoded = sources(sentences)
    owners = torch.arange(sentences).repeat_interleave(beam)
    state = decoder.start(encoded).reorder(owners)
    written = torch.full((len(owners), 1), 1)
    entries = []
    for _ in range(STEPS):
        features, state = decoder.step(written[:, -1], state)
        whole = decoder.forward(written, encoded.select(owners))
        torch.testing.assert_close(features.state, whole.state[:, -1])
        # the best two replace the others
        parents = owners * beam + torch.randint(0, min(beam, 2), (len(owners),))
        state = state.reorder(parents)
        written = torch.cat((written[parents], torch.randint(3, PIECES, (len(owners), 1))), dim=1)
        entries.append(state.own.read.shape[1])
    assert state.own.read.sum(1).tolist() == [STEPS] * len(owners)
    assert max(entries) <= 2 * STEPS + 5 * beam, "dropped words are removed"
    assert len(state.own.layers[0][0]) == sentences, "hypotheses share their sentence's words"


@torch.inference_mode()
def test_finished_sentences_leave_the_search(decoder: TransformerDecoder) -> None:
    torch.manual_seed(2)
    encoded = sources(3)
    owners = torch.tensor([0, 0, 1, 1, 2, 2])
    state = decoder.start(encoded).reorder(owners)
    written = torch.full((6, 1), 1)
    for index in ([0, 0, 3, 2, 4, 5], [1, 0, 5, 4], [3, 3], [0, 1]):
        features, state = decoder.step(written[:, -1], state)
        torch.testing.assert_close(
            features.state, decoder.forward(written, encoded.select(owners)).state[:, -1]
        )
        places = torch.tensor(index)
        state, owners = state.reorder(places), owners[places]
        written = torch.cat((written[places], torch.randint(3, PIECES, (len(places), 1))), dim=1)
    assert len(state.own.layers[0][0]) == 1
