"""Products in 8 bits: a literal transcription, rows by themselves, layers near those in float32."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from anaphora_nmt.nn import int8, int8_kernels
from anaphora_nmt.nn.int8 import Int8Attention, Int8Linear, int8_layer, multiplies_int8
from anaphora_nmt.nn.transformer import Attention, TransformerDecoderLayer

pytestmark = pytest.mark.skipif(
    not multiplies_int8(torch.device("cpu")), reason="this processor searches in float32"
)


KERNELS = {"fbgemm": ("quantized", "linear_prepack"), "onednn": ("onednn", "qlinear_prepack")}


@pytest.fixture(params=[(name, largest) for name in KERNELS for largest in (127, 63)], ids=str)
def largest(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The largest input, with each kernel: with VNNI (where the processor has it), and as without it."""
    name, largest = request.param
    without(monkeypatch, *(other for other in KERNELS if other != name))
    found = int8_kernels.kernel.__wrapped__()
    if found is None:
        pytest.skip(f"this torch has no {name}")
    if largest > found.largest:
        pytest.skip("this processor has no VNNI")
    monkeypatch.setattr(int8, "kernel", lambda: replace(found, largest=largest))
    return int(largest)


def without(monkeypatch: pytest.MonkeyPatch, *kernels: str) -> None:
    """A torch that lacks some kernels."""
    for name in kernels:
        monkeypatch.setattr(torch.ops, KERNELS[name][0], SimpleNamespace())


def literal(layer: nn.Linear, row: np.ndarray, largest: int) -> list[float]:
    """Σ_i round(w_i / a) · (h_i + l_i / 2n) in whole numbers h and l, times a and s, plus the bias.

    s is the row's largest number over n, h_i = round(x_i / s), l_i = round(2n (x_i / s − h_i)).
    """
    scale = np.float32(np.abs(row).max() / largest)
    exact = [np.float32(value / scale) for value in row]
    whole = [int(np.round(value)) for value in exact]
    rest = [int(np.round((value - h) * 2 * largest)) for value, h in zip(exact, whole, strict=True)]
    found = []
    for weights, bias in zip(layer.weight.detach().numpy(), layer.bias.detach().numpy(), strict=True):
        step = np.float32(np.abs(weights).max() / np.float32(127))
        steps = [int(np.round(w / step)) for w in weights]
        high = sum(w * h for w, h in zip(steps, whole, strict=True))
        low = sum(w * r for w, r in zip(steps, rest, strict=True))
        found.append(float((high + low / (2 * largest)) * np.float64(step) * np.float64(scale) + bias))
    return found


def test_a_layer_equals_the_transcription(largest: int) -> None:
    torch.manual_seed(0)
    layer, states = nn.Linear(48, 32), torch.randn(3, 48) * torch.tensor([[0.01], [1.0], [300.0]])
    found = Int8Linear.of(layer)(states)
    for row, result in zip(states.numpy(), found.numpy(), strict=True):
        np.testing.assert_allclose(result, literal(layer, row, largest), rtol=1e-4, atol=1e-5)


def test_the_largest_numbers_do_not_overflow(largest: int) -> None:
    layer = nn.Linear(512, 16)
    nn.init.constant_(layer.weight, 0.5)
    nn.init.zeros_(layer.bias)
    found = Int8Linear.of(layer)(torch.full((2, 512), 2.0))
    torch.testing.assert_close(found, torch.full((2, 16), 512.0))


def test_a_row_does_not_depend_on_the_rows_beside_it(largest: int) -> None:
    torch.manual_seed(1)
    layer, states = Int8Linear.of(nn.Linear(384, 96)), torch.randn(2, 7, 384)
    states[1, 3] *= 1000
    together = layer(states)
    assert together.shape == (2, 7, 96)
    for row in range(7):
        torch.testing.assert_close(layer(states[:1, row : row + 1]), together[:1, row : row + 1])


def test_a_row_of_zeros_gives_the_bias() -> None:
    layer = nn.Linear(8, 16)
    torch.testing.assert_close(Int8Linear.of(layer)(torch.zeros(1, 8))[0], layer.bias.detach())


def test_outputs_stand_side_by_side() -> None:
    torch.manual_seed(2)
    first, second, states = nn.Linear(32, 16), nn.Linear(32, 24), torch.randn(5, 32)
    both = Int8Linear.of(first, second)(states)
    torch.testing.assert_close(both[:, :16], Int8Linear.of(first)(states))
    torch.testing.assert_close(both[:, 16:], Int8Linear.of(second)(states))


def near(found: torch.Tensor, expected: torch.Tensor) -> bool:
    """Within two hundredths of the usual size of the values."""
    return bool((found - expected).square().mean().sqrt() < 0.02 * expected.square().mean().sqrt())


def test_attention_is_near_the_one_in_float32() -> None:
    torch.manual_seed(3)
    attention, states = Attention(64, 4), torch.randn(2, 6, 64)
    quick = Int8Attention(attention)
    with torch.inference_mode():
        queries, memory = attention.project_all(states)
        quick_queries, quick_memory = quick.project_all(states)
        assert near(quick_queries, queries)
        assert all(near(one, other) for one, other in zip(quick_memory, memory, strict=True))
        assert near(quick.queries(states), queries)
        assert all(near(one, other) for one, other in zip(quick.project(states), memory, strict=True))
        assert near(quick.mix(queries, memory, None), attention.mix(queries, memory, None))


def test_a_source_of_another_width_is_read() -> None:
    attention = Attention(64, 4, source_width=48)
    quick, memory = Int8Attention(attention), torch.randn(1, 5, 48)
    with torch.inference_mode():
        assert all(
            near(one, other)
            for one, other in zip(quick.project(memory), attention.project(memory), strict=True)
        )


def test_a_decoder_layer_is_near_the_one_in_float32_and_leaves_it_alone() -> None:
    torch.manual_seed(4)
    layer = TransformerDecoderLayer(64, 4, 256, 64, 0.0).eval()
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    quick = int8_layer(layer)
    states, mask = torch.randn(3, 5, 64), torch.ones(3, 1, 1, 4, dtype=torch.bool)
    with torch.inference_mode():
        source = layer.cross_attention.project(torch.randn(3, 4, 64))
        for one, other in zip(
            quick(states, None, source, mask)[:3], layer(states, None, source, mask)[:3], strict=True
        ):
            assert near(one, other)
    assert isinstance(quick.up, Int8Linear) and isinstance(layer.up, nn.Linear)
    for name, value in layer.state_dict().items():
        assert torch.equal(value, before[name])
