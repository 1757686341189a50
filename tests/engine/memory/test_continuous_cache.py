"""Equations (5) to (8) of Tu et al. (2018), and the shallow fusion of their section 4.4."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.continuous_cache import (
    CacheContents,
    ContinuousCache,
    ContinuousCacheConfig,
    Slots,
)
from anaphora_nmt.memory.protocol import Host, Reading, Source, TargetSteps
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.nn.state import Features
from anaphora_nmt.text.vocabulary import Vocabulary, vocabulary_from_pieces

B, T, K, C, D, V = 2, 3, 4, 5, 6, 9
HOST = Host(WordVocabulary(Vocabulary(vocabulary_from_pieces([("▁a", -1.0)]))), D, C, 2)
PIECES = [[5, 7, 5, 8], [4, 4, 0, 0]]


def build(matching: str = "dot", bias: float | None = None, fusion: str = "deep") -> ContinuousCache:
    torch.manual_seed(0)
    config = ContinuousCacheConfig(matching=matching, gate_bias=bias, fusion=fusion)
    cache = ContinuousCache(config, HOST).double()
    for parameter in cache.parameters():
        torch.nn.init.normal_(parameter)
    return cache


def inputs() -> tuple[Features, Slots]:
    generator = torch.Generator().manual_seed(1)

    def random(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, dtype=torch.float64, generator=generator)

    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    return Features(random(B, T, D), random(B, T, C), random(B, T, 2)), Slots(
        random(B, K, C), random(B, K, D), mask, torch.tensor(PIECES)
    )


def step(cache: ContinuousCache, features: Features, slots: Slots) -> Reading:
    previous = torch.zeros(len(features.state), dtype=torch.long)
    return cache.step(TargetSteps(features, previous, torch.zeros(1, 2)), slots)[0]


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
    reading = cache.read_slots(features, slots)
    scale = {"dot": 1.0, "scaled": 1 / np.sqrt(C), "cosine": np.sqrt(C)}[matching]
    for row in range(B):
        used = int(slots.mask[row].sum())
        keys, values = slots.keys[row, :used].numpy(), slots.values[row, :used].numpy()
        for step in range(T):
            s, c = features.state[row, step].numpy(), features.context[row, step].numpy()
            length = np.linalg.norm(c) if matching == "cosine" else 1.0
            state, match, gate = transcription(cache, s, c, keys, values, scale / length)
            np.testing.assert_allclose(reading.fuse_state(features.state)[row, step].detach(), state)
            np.testing.assert_allclose(reading.matching[row, step, :used].detach(), match)
            np.testing.assert_allclose(reading.gate[row, step].detach(), gate)
    assert float(reading.matching[1, :, 2:].abs().max()) == 0.0


def test_one_step_equals_all_steps() -> None:
    cache, (features, slots) = build(), inputs()
    whole = cache.read_slots(features, slots)
    for place in range(T):
        now = Features(*(x[:, place] for x in (features.state, features.context, features.embedding)))
        one = step(cache, now, slots)
        state = whole.fuse_state(features.state)[:, place]
        torch.testing.assert_close(one.fuse_state(now.state), state)


class _Reading(torch.nn.Module):
    """The states after a reading of all steps, as a forward method."""

    def __init__(self, cache: ContinuousCache) -> None:
        super().__init__()
        self.cache = cache

    def forward(self, features: Features, slots: Slots) -> torch.Tensor:
        return self.cache.read_slots(features, slots).fuse_state(features.state)


def test_gradients() -> None:
    cache, (features, slots) = build(), inputs()

    def read(u: torch.Tensor, v: torch.Tensor, w: torch.Tensor) -> torch.Tensor:
        weights = {"cache.u.weight": u, "cache.v.weight": v, "cache.w.weight": w}
        return torch.func.functional_call(_Reading(cache), weights, (features, slots))

    weights = tuple(matrix.weight.detach().requires_grad_() for matrix in (cache.u, cache.v, cache.w))
    assert torch.autograd.gradcheck(read, weights)


def test_a_zero_gate_keeps_the_state_bit_for_bit() -> None:
    cache, (features, slots) = build(bias=0.0).float(), inputs()
    assert cache.bias is not None
    with torch.no_grad():
        cache.bias.fill_(-1e4)
    features = Features(features.state.float(), features.context.float(), features.embedding.float())
    slots = Slots(slots.keys.float(), slots.values.float(), slots.mask)
    assert torch.equal(cache.read_slots(features, slots).fuse_state(features.state), features.state)


def test_empty_caches_keep_the_state_bit_for_bit() -> None:
    cache, (features, slots) = build(), inputs()
    empty = Slots(slots.keys, slots.values, torch.zeros_like(slots.mask))
    assert torch.equal(cache.read_slots(features, empty).fuse_state(features.state), features.state)
    assert cache.gather([CacheContents(4)] * B, Source(torch.zeros(1, 2))) is None


@pytest.mark.parametrize("fusion", ["deep", "shallow"])
def test_leaving_slots_out_equals_empty_slots(fusion: str) -> None:
    """A group is left out in each row; the rows read all steps or one step each."""
    cache, (features, slots) = build(fusion=fusion), inputs()
    one = Features(*(part[:1] for part in (features.state, features.context, features.embedding)))

    def without(*group: int) -> Slots:
        """The slots of the first sentence."""
        kept = torch.tensor([number for number in range(K) if number not in group])
        assert slots.pieces is not None
        keys, values, mask, pieces = (
            part[:1, kept] for part in (slots.keys, slots.values, slots.mask, slots.pieces)
        )
        return Slots(keys, values, mask, pieces)

    reading, groups = cache.read_slots(one, without()), [(0, 2), (), (3,)]
    steps = torch.tensor([2, 0, 1])
    log_probs = torch.randn(3, T, V, dtype=torch.float64).log_softmax(-1)
    everywhere, somewhere = reading.without(groups), reading.without(groups, steps)
    states = one.state.expand(3, -1, -1), one.state[0, steps][:, None]
    fused = [each.fuse_state(state) for each, state in zip((everywhere, somewhere), states, strict=True)]
    mixed = everywhere.fuse_log_probs(log_probs)
    for row, group in enumerate(groups):
        fewer = cache.read_slots(one, without(*group))
        state = fewer.fuse_state(one.state)[0]
        torch.testing.assert_close(fused[0][row], state)
        torch.testing.assert_close(fused[1][row, 0], state[steps[row]])
        torch.testing.assert_close(mixed[row], fewer.fuse_log_probs(log_probs[row : row + 1])[0])


def test_an_unknown_matching_or_fusion_is_refused() -> None:
    with pytest.raises(ConfigError, match="nearest"):
        ContinuousCache(ContinuousCacheConfig(matching="nearest"), HOST)
    with pytest.raises(ConfigError, match="cold"):
        ContinuousCache(ContinuousCacheConfig(fusion="cold"), HOST)


@pytest.mark.parametrize("bias", [None, -1.0])
def test_shallow_fusion_follows_the_equations(bias: float | None) -> None:
    cache = build(bias=bias, fusion="shallow")
    features, slots = inputs()
    assert {name: p.shape[0] for name, p in cache.named_parameters() if name != "bias"} == {
        "u.weight": 1,
        "v.weight": 1,
        "w.weight": 1,
    }
    log_probs = torch.randn(B, T, V, dtype=torch.float64).log_softmax(-1)
    reading = cache.read_slots(features, slots)
    mixed = reading.fuse_log_probs(log_probs).exp()
    torch.testing.assert_close(mixed.sum(-1), torch.ones(B, T, dtype=torch.float64))
    assert reading.fuse_state(features.state) is features.state and not reading.deep
    for row in range(B):
        used = int(slots.mask[row].sum())
        keys, values = slots.keys[row, :used].numpy(), slots.values[row, :used].numpy()
        for step in range(T):
            s, c = features.state[row, step].numpy(), features.context[row, step].numpy()
            _, match, gate = transcription(cache, s, c, keys, values, 1.0)
            p = np.zeros(V)
            for word in range(V):
                p_vocab = float(log_probs[row, step, word].exp())
                p_cache = sum(match[i] for i in range(used) if PIECES[row][i] == word)
                p[word] = (1 - gate[0]) * p_vocab + gate[0] * p_cache
            # the logit of λ is mixed in single precision
            np.testing.assert_allclose(mixed[row, step].detach(), p, rtol=1e-6)
    target = torch.tensor([[5, 8, 6], [4, 0, 3]])
    likelihood = reading.fuse_target(log_probs, target)
    expected = mixed.gather(-1, target[..., None])[..., 0].log()
    torch.testing.assert_close(likelihood, expected, rtol=1e-6, atol=1e-9)
    counted = torch.tensor([[True, False, True], [False, True, True]])
    some = reading.select(counted)
    torch.testing.assert_close(some.fuse_log_probs(log_probs[counted]).exp(), mixed[counted])
