"""The decoder in the native library compared with the torch module."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.config import DecoderConfig
from anaphora_nmt.models.native_decoder import NativeDecoder
from anaphora_nmt.models.transformer import TransformerDecoder
from anaphora_nmt.native.library import native_library
from anaphora_nmt.nn.state import Encoded, Features
from anaphora_nmt.text.vocabulary import BOS

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")
PIECES = 321


@pytest.fixture(scope="module")
def decoders() -> tuple[TransformerDecoder, NativeDecoder]:
    """A module with random weights, and the same in the library."""
    torch.manual_seed(1)
    config = DecoderConfig("transformer", width=64, layers=3, heads=2, feed_forward=96, embedding=64)
    decoder = TransformerDecoder(config, PIECES, 48).eval()
    native = decoder.native()
    assert native is not None
    return decoder, native


def sources(count: int = 3, words: int = 21) -> Encoded:
    torch.manual_seed(2)
    mask = torch.ones(count, words, dtype=torch.bool)
    for row in range(1, count):
        mask[row, words - 4 * row :] = False
    return Encoded(torch.randn(count, words, 48), mask)


def targets(count: int = 3, length: int = 40) -> torch.Tensor:
    torch.manual_seed(3)
    return torch.cat((torch.full((count, 1), BOS), torch.randint(4, PIECES, (count, length - 1))), 1)


def parts(features: Features) -> list[torch.Tensor]:
    assert features.attention is not None
    return [features.state, features.context, features.embedding, features.attention.exp()]


def near(found: torch.Tensor, wanted: torch.Tensor, share: float = 0.02) -> bool:
    """True if the difference is within a share of the values' typical size."""
    return bool((found - wanted).square().mean().sqrt() <= share * wanted.square().mean().sqrt())


@torch.inference_mode()
def test_whole_targets_are_close_to_torchs(decoders: tuple[TransformerDecoder, NativeDecoder]) -> None:
    decoder, native = decoders
    wanted, found = (each(targets(), sources(), True) for each in decoders)
    for one, other in zip(parts(found), parts(wanted), strict=True):
        assert one.shape == other.shape and near(one, other)
    log_probs = native.log_probs(found)
    torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(log_probs.shape[:-1]))
    exact = decoder.log_probs(wanted)
    assert float((exact.exp() * (exact - log_probs)).sum(-1).mean()) < 1e-3
    assert native(targets(), sources()).attention is None


@torch.inference_mode()
def test_single_steps_equal_whole_targets(decoders: tuple[TransformerDecoder, NativeDecoder]) -> None:
    _, native = decoders
    given, encoded = targets(), sources()
    whole, state = native(given, encoded, True), native.start(encoded)
    for step in range(given.shape[1]):
        features, state = native.step(given[:, step], state)
        for one, other in zip(parts(features), parts(whole), strict=True):
            torch.testing.assert_close(one, other[:, step], rtol=0, atol=0.02)


@torch.inference_mode()
def test_reordering_hypotheses_keeps_old_states_valid(
    decoders: tuple[TransformerDecoder, NativeDecoder],
) -> None:
    """Steps of reordered hypotheses equal a decoding from the beginning."""
    _, native = decoders
    encoded = sources(2)
    torch.manual_seed(4)
    state = native.start(encoded).reorder(torch.arange(2).repeat_interleave(5))
    words, kept = torch.full((10, 1), BOS), []
    for step in range(80):
        features, after = native.step(words[:, -1], state)
        if step % 20 == 5:
            kept.append((state, words, features))
        rows = torch.cat([torch.randint(5, (5,)), 5 + torch.randint(5, (5,))])
        state, words = after.reorder(rows), torch.cat((words[rows], torch.randint(4, PIECES, (10, 1))), 1)
    for old, before, features in kept:
        again, _ = native.step(before[:, -1], old)
        assert all(map(torch.equal, parts(again), parts(features)))
        alone = native.start(encoded.repeat(5))
        for step in range(before.shape[1]):
            exact, alone = native.step(before[:, step].contiguous(), alone)
        assert all(map(torch.equal, parts(exact), parts(features)))
    assert state.cache.values.shape[1] < 10 * 80  # unused entries are dropped


@torch.inference_mode()
def test_wrong_shapes_are_refused(decoders: tuple[TransformerDecoder, NativeDecoder]) -> None:
    _, native = decoders
    state = native.start(sources(1))
    for piece in (-1, PIECES):
        with pytest.raises(ValueError, match="invalid arguments"):
            native.step(torch.tensor([piece]), state)
    with pytest.raises(ValueError, match="expected contiguous"):
        native.step(torch.tensor([3], dtype=torch.int32), state)
    with pytest.raises(ValueError, match="expected contiguous"):
        native.start(Encoded(torch.zeros(1, 4, 64), torch.ones(1, 4, dtype=torch.bool)))
    with pytest.raises(ValueError, match="invalid arguments"):
        native(torch.full((1, 513), BOS), sources(1))
