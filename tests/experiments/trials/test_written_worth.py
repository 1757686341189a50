"""What a memory that is written within a sentence is worth: small decoders with random weights."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.models.kvmematt import KVMemAttDecoder
from anaphora_nmt.models.memdec import MemDecDecoder
from anaphora_nmt.models.rnnsearch import RecurrentDecoder
from anaphora_nmt.nn.state import Encoded, shift_right
from anaphora_nmt.text.vocabulary import BOS
from experiments.trials.written_worth import Worth, _explained, walk

PIECES, WIDTH = 20, 8


def decoder(kind: str) -> RecurrentDecoder:
    torch.manual_seed(3)
    config = DecoderConfig(
        kind=kind, width=WIDTH, embedding=WIDTH, attention=WIDTH, feedback="gru", dropout=0.0
    )
    made = {"recurrent": RecurrentDecoder, "memdec": MemDecDecoder, "kvmematt": KVMemAttDecoder}[kind]
    found = made(config, PIECES, WIDTH).eval()
    if isinstance(found, MemDecDecoder) and found.from_memory is not None:
        torch.nn.init.eye_(found.from_memory.weight)  # it starts as nothing
    return found


@pytest.fixture
def encoded() -> Encoded:
    torch.manual_seed(4)
    return Encoded(torch.randn(3, 6, WIDTH), torch.ones(3, 6, dtype=torch.bool))


@pytest.fixture
def target() -> torch.Tensor:
    torch.manual_seed(5)
    return torch.randint(4, PIECES, (3, 7))


@pytest.mark.parametrize("kind", ["recurrent", "memdec", "kvmematt"])
@torch.inference_mode()
def test_a_walk_has_the_losses_of_forced_decoding(kind: str, encoded: Encoded, target: torch.Tensor) -> None:
    made = decoder(kind)
    features = made(shift_right(target, BOS), encoded)
    expected = -made.logits(features).log_softmax(-1).gather(2, target[..., None]).squeeze(2)
    walked = walk(made, encoded, target)
    assert torch.allclose(walked.losses, expected, atol=1e-5)
    assert torch.allclose(walked.states, features.state, atol=1e-5)
    assert len(walked.memories) == (0 if kind == "recurrent" else target.shape[1] + 1)


@pytest.mark.parametrize("kind", ["memdec", "kvmematt"])
@torch.inference_mode()
def test_the_memory_that_is_given_is_read(kind: str, encoded: Encoded, target: torch.Tensor) -> None:
    made = decoder(kind)
    written = walk(made, encoded, target)
    again = walk(made, encoded, target, written.memories)
    assert torch.allclose(again.losses, written.losses, atol=1e-5), "its own changes nothing"
    never = walk(made, encoded, target, [written.memories[0]] * target.shape[1])
    assert torch.allclose(never.losses[:, 0], written.losses[:, 0], atol=1e-5)
    assert not torch.allclose(never.losses[:, 1:], written.losses[:, 1:], atol=1e-4)


def test_losses_are_summed_by_place_and_length() -> None:
    found = Worth()
    losses, counted = torch.ones(2, 12), torch.ones(2, 12, dtype=torch.bool)
    counted[1, 5:] = False
    losses[0] = 2.0
    found.add("written", losses, counted, torch.tensor([30, 4]))
    means = found.means()["written"]
    assert means["all"] == round((24 + 5) / 17, 4)
    assert means["long sources"] == 2.0 and means["from 10"] == 2.0 and means["from 0"] == round(25 / 15, 4)


def test_a_probe_finds_what_is_there_and_nothing_else() -> None:
    torch.manual_seed(6)
    inputs = torch.randn(4000, 5)
    assert _explained(inputs, inputs @ torch.randn(5, 3)) > 0.99
    assert abs(_explained(inputs, torch.randn(4000, 3))) < 0.02
