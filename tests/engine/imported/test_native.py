"""Imported decoders and encoders in the native library give the results of the torch modules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import nn

from anaphora_nmt.imported.architecture import Architecture, Stack
from anaphora_nmt.imported.layers import position_table
from anaphora_nmt.imported.model import ImportedDecoder, ImportedEncoder, build
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.native_decoder import NativeDecoder
from anaphora_nmt.native.library import native_library
from anaphora_nmt.native.stack import Activation
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import BOS, EOS

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")

PIECES = 210
STACK = Stack(3, 2, 80, PIECES)
USUAL = Architecture(64, STACK, STACK, False, Activation.SWISH, scale=8.0)
FORMS = {
    "Marian": USUAL,
    "M2M100": replace(USUAL, norm_before=True, activation=Activation.RELU, prefix=(5, 6)),
    "Bergamot": replace(
        USUAL, activation=Activation.RELU, shows_first_head=True, recurrent=True, epsilon=1e-6
    ),
    "gelu": replace(USUAL, activation=Activation.GELU, scale=1.0),
    "gelu with tanh": replace(USUAL, activation=Activation.GELU_TANH, norm_before=True),
    "gelu with a logistic function": replace(USUAL, activation=Activation.GELU_SIGMOID),
}


class Spells:
    """A vocabulary whose pieces after the marks spell words."""

    spells = (torch.arange(PIECES) > 13).float()


each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def made(kind: type[nn.Module], form: Architecture) -> nn.Module:
    torch.manual_seed(1)
    module = kind(form).eval()
    module.positions.copy_(position_table(form.width, form.half_minus_one, form.first_position))
    return module


def away(found: torch.Tensor, wanted: torch.Tensor) -> float:
    """The mean difference, relative to the usual size of the values."""
    return float((found - wanted).square().mean().sqrt() / wanted.square().mean().sqrt())


@each_form
@torch.inference_mode()
def test_encoders(form: Architecture) -> None:
    encoder = made(ImportedEncoder, form)
    native = encoder.native()
    assert native is not None
    pieces = torch.randint(4, PIECES, (2, 19))
    mask = torch.ones(2, 19, dtype=torch.bool)
    mask[1, 11:] = False
    assert away(native(pieces, mask)[mask], encoder(pieces, mask)[mask]) < 1e-3


@each_form
@torch.inference_mode()
def test_decoders(form: Architecture) -> None:
    decoder = made(ImportedDecoder, form)
    native = decoder.native()
    assert native is not None
    mask = torch.ones(2, 19, dtype=torch.bool)
    mask[1, 11:] = False
    encoded = Encoded(torch.randn(2, 19, 64), mask)
    given = torch.cat((torch.full((2, 1), BOS), torch.randint(4, PIECES, (2, 12))), 1)
    wanted, found = decoder(given, encoded, True), native(given, encoded, True)
    for name in ("state", "context", "embedding"):
        assert away(getattr(found, name), getattr(wanted, name)) < 0.02
    assert away(found.attention.exp(), wanted.attention.exp()) < 0.02
    assert torch.equal(found.attention == float("-inf"), ~mask[:, None].expand_as(found.attention))
    exact, log_probs = decoder.log_probs(wanted), native.log_probs(found)
    assert float((exact.exp() * (exact - log_probs)).sum(-1).mean()) < 1e-3
    rows = torch.tensor([0, 0, 1, 1])
    state, words = native.start(encoded).reorder(rows), given[rows]
    for step in range(words.shape[1]):
        features, state = native.step(words[:, step], state)
        torch.testing.assert_close(features.state, found.state[rows, step], rtol=0, atol=0.02)
        state = state.reorder(torch.tensor([1, 1, 3, 2]))


@each_form
@torch.inference_mode()
def test_searches(monkeypatch: pytest.MonkeyPatch, form: Architecture) -> None:
    """The library's search equals the search in Python with the library's steps, bit for bit."""
    sides = {"encoder": made(ImportedEncoder, form), "decoder": made(ImportedDecoder, form)}
    tensors = {f"{side}.{name}": each for side in sides for name, each in sides[side].state_dict().items()}
    tensors["decoder.output.bias"][EOS] += 1.0
    spells: Any = Spells()
    model = MemoryAugmentedModel(build(form, tensors), MemoryConfig(), spells).eval().native()
    state = model.start(model.encode(torch.randint(4, PIECES, (2, 11))), [MemorySnapshot()] * 2)
    found = beam_search(model, state, [20, 30], BeamOptions(4, 0.6, 4, with_attention=True))
    asked = []
    monkeypatch.setattr(NativeDecoder, "search", lambda *given: asked.append(given))
    assert found == beam_search(model, state, [20, 30], BeamOptions(4, 0.6, 4, with_attention=True)) and asked
    monkeypatch.undo()
    encoded = model.encode(torch.randint(4, PIECES, (1, 11)))
    one, again = (
        beam_search(model, model.start(each, [MemorySnapshot()]), [20], BeamOptions(size, 0.6, size))
        for each, size in ((replace(encoded), 6), (encoded, 3))
    )
    kept = beam_search(model, model.start(encoded, [MemorySnapshot()]), [20], BeamOptions(6, 0.6, 6))
    assert kept == one and again, "the steps of the narrower search were kept"


@each_form
@torch.inference_mode()
def test_outputs_of_some_pieces(form: Architecture) -> None:
    decoder = made(ImportedDecoder, form)
    native = decoder.native()
    assert native is not None
    states, pieces = torch.randn(7, 64), torch.tensor([2, 7, 40, 41, 63, 64, 209])
    whole = native.stack.log_probs(states)[:, pieces]
    found, wanted = (each.outputs(pieces).log_probs(states) for each in (native, decoder))
    assert torch.allclose(found, whole - whole.logsumexp(-1, keepdim=True), atol=1e-5)
    assert away(found, wanted) < 0.02
    for wrong in ([3, 3], [4, 2], [-1, 2], [5, PIECES]):
        with pytest.raises(ValueError):
            native.outputs(torch.tensor(wrong))
