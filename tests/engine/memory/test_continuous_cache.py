"""Equations (5) to (8) of Tu et al. (2018)."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.config import ContinuousCacheConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.contents import CacheContents
from anaphora_nmt.memory.continuous_cache import ContinuousCache, Slots
from anaphora_nmt.nn.state import Features

B, T, K, C, D = 2, 3, 4, 5, 6


def build(matching: str = "dot", bias: float | None = None) -> ContinuousCache:
    torch.manual_seed(0)
    cache = ContinuousCache(ContinuousCacheConfig(matching=matching, gate_bias=bias), D, C).double()
    for parameter in cache.parameters():
        torch.nn.init.normal_(parameter)
    return cache


def inputs() -> tuple[Features, Slots]:
    generator = torch.Generator().manual_seed(1)

    def random(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, dtype=torch.float64, generator=generator)

    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    return Features(random(B, T, D), random(B, T, C), random(B, T, 2)), Slots(
        random(B, K, C), random(B, K, D), mask
    )


def transcription(
    cache: ContinuousCache, s: np.ndarray, c: np.ndarray, keys: np.ndarray, values: np.ndarray, scale: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One step, slot by slot."""
    u, v, w = (matrix.weight.detach().numpy() for matrix in (cache.u, cache.v, cache.w))
    matching = np.array([np.exp(scale * sum(c * key)) for key in keys])  # (5)
    matching = matching / matching.sum()
    m = sum(p * value for p, value in zip(matching, values, strict=True))
    bias = 0.0 if cache.bias is None else cache.bias.detach().numpy()
    gate = 1 / (1 + np.exp(-(u @ s + v @ c + w @ m + bias)))  # (8)
    return (1 - gate) * s + gate * m, matching, gate  # (6)


@pytest.mark.parametrize(
    ("matching", "bias"), [("dot", None), ("scaled", None), ("dot", -1.0), ("cosine", None)]
)
def test_reading_follows_the_equations(matching: str, bias: float | None) -> None:
    cache = build(matching, bias)
    features, slots = inputs()
    if matching == "cosine":
        slots = Slots(torch.nn.functional.normalize(slots.keys, dim=-1), slots.values, slots.mask)
    reading = cache(features, slots)
    scale = {"dot": 1.0, "scaled": 1 / np.sqrt(C), "cosine": np.sqrt(C)}[matching]
    for row in range(B):
        used = int(slots.mask[row].sum())
        keys, values = slots.keys[row, :used].numpy(), slots.values[row, :used].numpy()
        for step in range(T):
            s, c = features.state[row, step].numpy(), features.context[row, step].numpy()
            length = np.linalg.norm(c) if matching == "cosine" else 1.0
            state, match, gate = transcription(cache, s, c, keys, values, scale / length)
            np.testing.assert_allclose(reading.features.state[row, step].detach(), state)
            np.testing.assert_allclose(reading.matching[row, step, :used].detach(), match)
            np.testing.assert_allclose(reading.gate[row, step].detach(), gate)
    assert float(reading.matching[1, :, 2:].abs().max()) == 0.0


def test_one_step_equals_all_steps() -> None:
    cache, (features, slots) = build(), inputs()
    whole = cache(features, slots)
    for step in range(T):
        one = cache(
            Features(*(x[:, step] for x in (features.state, features.context, features.embedding))), slots
        )
        torch.testing.assert_close(one.features.state, whole.features.state[:, step])
        torch.testing.assert_close(one.matching, whole.matching[:, step])
        torch.testing.assert_close(one.gate, whole.gate[:, step])


def test_gradients() -> None:
    cache, (features, slots) = build(), inputs()

    def read(u: torch.Tensor, v: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        weights = {"u.weight": u, "v.weight": v, "w.weight": w}
        reading = torch.func.functional_call(cache, weights, (features, slots))
        return reading.features.state

    weights = tuple(matrix.weight.detach().requires_grad_() for matrix in (cache.u, cache.v, cache.w))
    assert torch.autograd.gradcheck(read, weights)


def test_gate_zero_is_the_state_bit_for_bit() -> None:
    cache, (features, slots) = build(bias=0.0).float(), inputs()
    assert cache.bias is not None
    with torch.no_grad():
        cache.bias.fill_(-1e4)
    features = Features(features.state.float(), features.context.float(), features.embedding.float())
    slots = Slots(slots.keys.float(), slots.values.float(), slots.mask)
    assert torch.equal(cache(features, slots).features.state, features.state)


def test_empty_caches_leave_the_state_bit_for_bit() -> None:
    cache, (features, slots) = build(), inputs()
    empty = Slots(slots.keys, slots.values, torch.zeros_like(slots.mask))
    assert torch.equal(cache(features, empty).features.state, features.state)
    none = cache.gather([CacheContents(4)] * B)
    assert none.keys.shape == (B, 0, C)
    assert torch.equal(cache(features, none).features.state, features.state)


def test_only_u_v_and_w_learn_as_printed() -> None:
    cache = ContinuousCache(ContinuousCacheConfig(matching="dot", gate_bias=None), D, C)
    assert {name: tuple(p.shape) for name, p in cache.named_parameters()} == {
        "u.weight": (D, D),
        "v.weight": (D, C),
        "w.weight": (D, D),
    }


def test_an_unknown_matching_is_refused() -> None:
    with pytest.raises(ConfigError, match="nearest"):
        ContinuousCache(ContinuousCacheConfig(matching="nearest"), D, C)


def test_cosine_keys_are_gathered_with_norm_one() -> None:
    cache = build("cosine").float()
    keys = np.arange(2 * C, dtype=np.float16).reshape(2, C)
    contents = CacheContents(4, (((5,), 0), ((6,), 0)), (0, 1), keys, np.ones((2, D), np.float16))
    slots = cache.gather([contents, CacheContents(4)])
    torch.testing.assert_close(slots.keys[0].norm(dim=-1), torch.ones(2))
    assert slots.mask.tolist() == [[True, True], [False, False]]
