"""The model with encoder and decoder in the native library and all other parts shared."""

from __future__ import annotations

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.native.library import native_library
from anaphora_nmt.text.vocabulary import BOS, EOS

PAIRS = [
    ("张量是多维数组。", "A tensor is a multidimensional array."),
    ("请参阅张量指南，了解更多详细信息。", "See the tensor guide for more information."),
]


@pytest.fixture
def searcher(translator: Translator) -> MemoryAugmentedModel:
    if translator.info.device != "cpu" or native_library() is None:
        pytest.skip("the native library is not built, or not used")
    return translator.corpus().drafter.searcher


@pytest.mark.slow
def test_the_distribution_is_close_to_torchs(translator: Translator, searcher: MemoryAugmentedModel) -> None:
    drafter = translator.corpus().drafter
    base, quick = drafter.model.base, searcher.base
    assert quick.decoder is not base.decoder
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


def test_memories_and_embeddings_are_shared(translator: Translator, searcher: MemoryAugmentedModel) -> None:
    drafter = translator.corpus().drafter
    assert drafter.model.memories
    assert searcher.attached is drafter.model.attached
    shared = searcher.base.decoder.embeddings
    assert shared.data_ptr() == drafter.model.base.decoder.embeddings.data_ptr()
