"""Readings of confirmed text by the native library, compared with torch's in float32."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from anaphora_nmt.memory.confirmed import ConfirmedConfig, ConfirmedReading, ConfirmedText
from anaphora_nmt.memory.confirmed_pieces import WORD_START
from anaphora_nmt.memory.confirmed_slots import NEVER, ConfirmedSlots, NativeReading
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.memory.protocol import Host, Reading, Source, TargetSteps
from anaphora_nmt.native.library import native_library
from anaphora_nmt.nn.state import Features

LIBRARY = native_library()
pytestmark = pytest.mark.skipif(LIBRARY is None, reason="the native library is not built")

WIDTH, CONTEXT, PIECES, SLOTS = 64, 32, 150, 77
PLAIN = ConfirmedConfig(threshold=0.2, gate_bias=-1.0, gate_context=0.75, gate_state=2.5)
DEEP = replace(PLAIN, context_share=0.0, deep_strength=1.5, deep_threshold=0.6)


class Words:
    """Two thirds of the pieces spell words."""

    spells = (torch.arange(PIECES) % 3 > 0).float()


def slots(seed: int, sentences: int, uneven: bool) -> ConfirmedSlots:
    torch.manual_seed(seed)
    parts = [torch.randn(sentences, SLOTS, width) for width in (CONTEXT, WIDTH)]
    steps = torch.cat([part / part.norm(dim=-1, keepdim=True) for part in parts], -1).half()
    pieces = torch.randint(PIECES, (sentences, SLOTS))
    before = torch.where(torch.rand(sentences, SLOTS) < 0.6, WORD_START, torch.randint(8, (sentences, SLOTS)))
    before[Words.spells[pieces] == 0] = NEVER
    values = torch.randn(sentences, SLOTS, WIDTH).half()
    weights = torch.rand(sentences, SLOTS).log() if uneven else None
    inert = torch.rand(sentences, SLOTS) < 0.3 if uneven else None
    return ConfirmedSlots(steps, pieces, before, weights, values=values, inert=inert)


def steps_near(held: ConfirmedSlots, hypotheses: int) -> TargetSteps:
    """Steps that are similar to some slots, with `hypotheses` hypotheses for each sentence."""
    rows = len(held.pieces) * hypotheses
    sentence = torch.arange(len(held.pieces)).repeat_interleave(hypotheses)
    near = held.steps[sentence, torch.randint(SLOTS, (rows,))].float() + 0.05 * torch.randn(
        rows, CONTEXT + WIDTH
    )
    features = Features(3 * near[:, CONTEXT:].contiguous(), near[:, :CONTEXT].contiguous(), near)
    return TargetSteps(features, torch.randint(8, (rows,)), torch.zeros(PIECES, WIDTH))


def read(config: ConfirmedConfig, held: ConfirmedSlots, steps: TargetSteps, native: bool) -> Reading:
    """Read the hypotheses of each sentence together."""
    memory = ConfirmedText(config, Host(Words(), WIDTH, CONTEXT, WIDTH))  # type: ignore[arg-type]
    ready = memory.ready(held, Source(steps.embeddings, LIBRARY if native else None))
    return memory.read(steps.by_sentence(len(held.pieces)), ready)


@torch.inference_mode()
@pytest.mark.parametrize("uneven", [False, True])
@pytest.mark.parametrize("config", [PLAIN, DEEP], ids=["plain", "deep"])
@pytest.mark.parametrize(("sentences", "hypotheses"), [(1, 1), (1, 5), (3, 7)])
def test_native_readings_equal_torchs(
    config: ConfirmedConfig, uneven: bool, sentences: int, hypotheses: int
) -> None:
    held = slots(1, sentences, uneven)
    steps = steps_near(held, hypotheses)
    wanted, found = (read(config, held, steps, native) for native in (False, True))
    assert isinstance(wanted, ConfirmedReading) and isinstance(found, NativeReading)
    assert found.deep == wanted.deep == (config is DEEP)
    torch.testing.assert_close(found.weight, wanted.weight.flatten(), rtol=1e-4, atol=1e-6)
    torch.testing.assert_close(found.shares, wanted.shares.flatten(0, 1), rtol=1e-3, atol=1e-6)
    states = torch.randn(sentences, hypotheses, WIDTH)
    torch.testing.assert_close(found.fuse_state(states), wanted.fuse_state(states), rtol=1e-3, atol=1e-4)
    log_probs = torch.randn(sentences, hypotheses, PIECES).log_softmax(-1)
    after = found.fuse_log_probs(log_probs)
    torch.testing.assert_close(after, wanted.fuse_log_probs(log_probs), rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(after.exp().sum(-1), torch.ones(sentences, hypotheses))


@torch.inference_mode()
def test_dissimilar_steps_change_nothing() -> None:
    held = slots(2, 1, True)
    steps = steps_near(held, 5)
    for native in (False, True):
        reading = read(replace(PLAIN, threshold=2.0), held, steps, native)
        states, log_probs = torch.randn(1, 5, WIDTH), torch.randn(1, 5, PIECES)
        assert torch.equal(reading.fuse_state(states), states)
        assert torch.equal(reading.fuse_log_probs(log_probs), log_probs)


@torch.inference_mode()
def test_unknown_pieces_are_refused() -> None:
    held = slots(4, 1, False)
    steps = steps_near(held, 2)
    found = read(PLAIN, replace(held, pieces=held.pieces + PIECES), steps, True)
    with pytest.raises(ValueError, match="invalid arguments"):
        found.fuse_log_probs(torch.zeros(1, 2, PIECES))


@torch.inference_mode()
def test_given_pieces_need_no_vocabulary() -> None:
    held = slots(6, 2, True)
    steps, log_probs = steps_near(held, 11), torch.randn(2, 11, PIECES).log_softmax(-1)
    found, target = read(DEEP, held, steps, True), torch.randint(PIECES, (2, 11))
    torch.testing.assert_close(
        found.fuse_target(log_probs, target), target_log_probs(found.fuse_log_probs(log_probs), target)
    )
