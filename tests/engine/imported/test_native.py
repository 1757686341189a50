"""Imported decoders and encoders of every form in the native library, beside the modules."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import nn

from anaphora_nmt.imported.architecture import Activation, Alignment, Architecture, Norm, Stack
from anaphora_nmt.imported.decoder import ImportedDecoder
from anaphora_nmt.imported.encoder import ImportedEncoder
from anaphora_nmt.imported.layers import position_table
from anaphora_nmt.native.library import native_library
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.text.vocabulary import BOS

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")

PIECES = 210
STACK = Stack(3, 2, 80, PIECES)
USUAL = Architecture(64, STACK, STACK, Norm.AFTER, Activation.SWISH, scale=8.0)
FORMS = {
    "Marian": USUAL,
    "M2M100": replace(USUAL, norm=Norm.BEFORE, activation=Activation.RELU, prefix=(5, 6)),
    "Bergamot": replace(
        USUAL, activation=Activation.RELU, alignment=Alignment.FIRST_HEAD, recurrent=True, epsilon=1e-6
    ),
    "gelu": replace(USUAL, activation=Activation.GELU, scale=1.0),
    "gelu with tanh": replace(USUAL, activation=Activation.GELU_TANH, norm=Norm.BEFORE),
    "gelu with a logistic function": replace(USUAL, activation=Activation.GELU_SIGMOID),
}
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def made(kind: type[nn.Module], form: Architecture) -> nn.Module:
    torch.manual_seed(1)
    module = kind(form).eval()
    module.positions.copy_(position_table(form.width, form.positions, form.first_position))
    return module


def away(found: torch.Tensor, wanted: torch.Tensor) -> float:
    """The mean difference as a share of the usual size of the values."""
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
