"""Encoders in the native library compared with the torch modules."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.config import EncoderConfig
from anaphora_nmt.errors import Cancelled
from anaphora_nmt.models.encoders import PretrainedTransformerEncoder, TransformerEncoder
from anaphora_nmt.models.native_decoder import NativeEncoder
from anaphora_nmt.models.protocol import Encoder
from anaphora_nmt.native.library import cancelled_by, native_library
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")
PIECES = 200


@pytest.fixture
def translator(translator: Translator) -> Translator:
    """On the processor, as the native library does not support GPUs."""
    if translator.info.device != "cpu":
        pytest.skip("of the processor")
    return translator


@pytest.fixture(params=["pretrained", "transformer"])
def encoders(request: pytest.FixtureRequest) -> tuple[Encoder, Encoder]:
    """A module with random weights, and the same in the library."""
    torch.manual_seed(1)
    config = EncoderConfig(request.param, 64, layers=4, frozen_layers=2, heads=4, feed_forward=160)
    made = PretrainedTransformerEncoder if request.param == "pretrained" else TransformerEncoder
    encoder = made(config, PIECES).eval()
    native = encoder.native()
    assert isinstance(native, NativeEncoder)
    return encoder, native


def sentences(*lengths: int) -> torch.Tensor:
    torch.manual_seed(2)
    rows = torch.randint(4, PIECES, (len(lengths), max(lengths)))
    for row, length in zip(rows, lengths, strict=True):
        row[length:] = PAD
    return rows


def away(found: torch.Tensor, wanted: torch.Tensor) -> float:
    """The mean difference relative to the values' typical size."""
    return float((found - wanted).square().mean().sqrt() / wanted.square().mean().sqrt())


@torch.inference_mode()
def test_annotations_are_close_to_torchs(encoders: tuple[Encoder, Encoder]) -> None:
    encoder, native = encoders
    given = sentences(31, 7, 18)
    mask = given != PAD
    assert away(native(given, mask)[mask], encoder(given, mask)[mask]) < 0.02
    lower = encoder.lower(given, mask)
    assert away(native.lower(given, mask)[mask], lower[mask]) < 1e-3  # two parts of the weights
    assert away(native.upper(lower, mask)[mask], encoder.upper(lower, mask)[mask]) < 0.02


@torch.inference_mode()
def test_a_cancelled_encoding_ends_soon(encoders: tuple[Encoder, Encoder]) -> None:
    _, native = encoders
    given = sentences(*[500] * 40)
    answers = iter([False, False, True])
    with pytest.raises(Cancelled), cancelled_by(lambda: next(answers)):
        native(given, given != PAD)
    assert not list(answers)
    native(sentences(4), sentences(4) != PAD)


@torch.inference_mode()
def test_the_embedded_models_frozen_layers_are_nearly_exact(translator: Translator) -> None:
    drafter = translator.corpus().drafter
    exact, native = drafter.model.base.encoder, drafter.searcher.base.encoder
    pieces = torch.tensor([[BOS, *drafter.source.encode("请参阅张量指南，了解更多详细信息。"), EOS]])
    mask = pieces != PAD
    assert away(native.lower(pieces, mask), exact.lower(pieces, mask)) < 1e-3
    assert away(native(pieces, mask), exact(pieces, mask)) < 2e-3
