"""The model that search steps with: its decoder in 8 bits, everything else shared."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.shared.embedded_model import embedded_model
from anaphora_nmt.models import int8_decoder
from anaphora_nmt.models.int8_decoder import with_int8_decoder, writes_what_it_searches
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.native_decoder import NativeDecoder
from anaphora_nmt.models.transformer import TransformerDecoder
from anaphora_nmt.native.library import native_library
from anaphora_nmt.nn.int8 import multiplies_int8
from anaphora_nmt.nn.int8_kernels import kernel
from anaphora_nmt.text.vocabulary import BOS, EOS
from anaphora_nmt.types import SourceSegment

needs_int8 = pytest.mark.skipif(
    not multiplies_int8(torch.device("cpu")), reason="this processor searches in float32"
)
PAIRS = [
    ("张量是多维数组。", "A tensor is a multidimensional array."),
    ("请参阅张量指南，了解更多详细信息。", "See the tensor guide for more information."),
]


@pytest.mark.parametrize(
    "operations",
    [SimpleNamespace(), SimpleNamespace(linear_prepack=lambda weight: 1, qlinear_prepack=lambda weight: 1)],
)
@pytest.mark.slow
def test_a_torch_without_the_operations_searches_in_float32(
    translator: Translator, monkeypatch: pytest.MonkeyPatch, operations: SimpleNamespace
) -> None:
    for library in ("quantized", "onednn"):
        monkeypatch.setattr(torch.ops, library, operations)
    monkeypatch.setattr("anaphora_nmt.nn.int8.kernel", kernel.__wrapped__)
    assert not multiplies_int8(torch.device("cpu"))
    model = translator.corpus().drafter.model
    assert with_int8_decoder(model, native=False) is model
    plain = Translator.load(embedded_model(), device="cpu", threads=1, native=False)
    assert plain.info.precision == "float32"
    plain.open_document("d", [SourceSegment("0", PAIRS[0][0])])
    assert "dimensional array" in plain.translate("d", "0").text


@pytest.fixture
def translator(translator: Translator) -> Translator:
    """On the processor: a GPU computes neither in 8 bits nor by the native library."""
    if translator.info.device != "cpu":
        pytest.skip("of the processor")
    return translator


@pytest.fixture(params=[False, True], ids=["torch", "native"])
def searcher(request: pytest.FixtureRequest, translator: Translator) -> MemoryAugmentedModel:
    """With the decoder of torch's kernels, and with that of the native library."""
    if request.param and native_library() is None:
        pytest.skip("the native library is not built")
    found = with_int8_decoder(translator.corpus().drafter.model, request.param)
    assert isinstance(found.base.decoder, NativeDecoder) == request.param
    return found


@needs_int8
@pytest.mark.slow
def test_the_distribution_is_that_of_the_model(
    translator: Translator, searcher: MemoryAugmentedModel
) -> None:
    drafter = translator.corpus().drafter
    base, quick = drafter.model.base, searcher.base
    assert quick.decoder is not base.decoder
    assert (quick.encoder is base.encoder) == (quick.decoder.library is None)
    for source, target in PAIRS:
        pieces = torch.tensor([[BOS, *drafter.source.encode(source), EOS]])
        words = torch.tensor([[*drafter.target.encode(target), EOS]])
        with torch.inference_mode():
            encoded = base.encode(pieces)
            exact, found = (
                model.decoder.logits(model.force_decode(encoded, words)).log_softmax(-1)
                for model in (base, quick)
            )
            divergence = (exact.exp() * (exact - found)).sum(-1)
        assert not torch.equal(exact, found) and abs(float(divergence.mean())) < 1e-3


@needs_int8
def test_a_step_equals_whole_sentences(translator: Translator, searcher: MemoryAugmentedModel) -> None:
    drafter = translator.corpus().drafter
    model = searcher.base
    words = torch.tensor([[*drafter.target.encode(PAIRS[0][1]), EOS]])
    with torch.inference_mode():
        encoded = model.encode(torch.tensor([[BOS, *drafter.source.encode(PAIRS[0][0]), EOS]]))
        whole = model.decoder.logits(model.force_decode(encoded, words))
        state, previous = model.decoder.start(encoded), torch.tensor([BOS])
        for number, word in enumerate(words[0]):
            features, state = model.decoder.step(previous, state)
            torch.testing.assert_close(model.decoder.logits(features)[0], whole[0, number], rtol=0, atol=0.02)
            previous = word[None]


@needs_int8
def test_memories_and_embeddings_are_shared(translator: Translator, searcher: MemoryAugmentedModel) -> None:
    drafter = translator.corpus().drafter
    assert drafter.model.memories
    assert searcher.attached is drafter.model.attached
    shared = searcher.base.decoder.embeddings
    assert shared.data_ptr() == drafter.model.base.decoder.embeddings.data_ptr()


def test_where_8_bits_are_not_quicker_the_model_is_left_as_it_is(
    translator: Translator, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = translator.corpus().drafter.model
    decoder = model.base.decoder
    assert isinstance(decoder, TransformerDecoder) and decoder.projection is None
    monkeypatch.setattr(int8_decoder, "multiplies_int8", lambda device: False)
    assert with_int8_decoder(model, native=False) is model


class Layers(torch.nn.Module):
    """An encoder or decoder; what stands for it in 8 bits, where there is something."""

    def __init__(self, native: bool, int8: bool = False) -> None:
        super().__init__()
        self.others = [Layers(False) if there else None for there in (native, int8)]
        self.library = object() if native else None

    def native(self) -> torch.nn.Module | None:
        return self.others[0]

    def int8(self) -> torch.nn.Module | None:
        return self.others[1]


class Base(torch.nn.Module):
    """Encoder and decoder, or what attaches to them."""

    device = torch.device("cpu")

    def __init__(self, **parts: torch.nn.Module) -> None:
        super().__init__()
        for name, part in parts.items():
            self.add_module(name, part)


@pytest.mark.parametrize("quicker", [False, True])
@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("encoder", "decoder"), [(True, True), (False, True), (True, False)])
def test_the_library_comes_first_and_takes_the_encoder_only_with_the_decoder(
    monkeypatch: pytest.MonkeyPatch, quicker: bool, native: bool, encoder: bool, decoder: bool
) -> None:
    monkeypatch.setattr(int8_decoder, "multiplies_int8", lambda device: quicker)
    parts = {"encoder": Layers(encoder), "decoder": Layers(decoder, int8=True)}
    other = torch.nn.Linear(1, 1)
    model = Base(base=Base(**parts), other=other)
    found = with_int8_decoder(model, native)  # type: ignore[arg-type]
    by_library = native and decoder
    if not (by_library or quicker):
        assert found is model  # type: ignore[comparison-overlap]
        return
    changed = parts["decoder"].others[0 if by_library else 1]
    assert found.base.decoder is changed and found.other is other
    kept = parts["encoder"] if not (by_library and encoder) else parts["encoder"].others[0]
    assert found.base.encoder is kept
    assert model.base.decoder is parts["decoder"] and model.base.encoder is parts["encoder"], "as it was"


def test_only_the_library_writes_what_it_searches() -> None:
    for native in (True, False):
        model = Base(base=Base(decoder=Layers(native)))
        assert writes_what_it_searches(model) is native  # type: ignore[arg-type]
