"""Every registered memory: all ways of reading equal its definition, `Memory.read`."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from unittest.mock import patch

import pytest
import torch

from anaphora_nmt.config import DecoderConfig, EncoderConfig, ModelConfig
from anaphora_nmt.memory.contents import DocumentInfo, MemorySnapshot, Origin
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.memory.protocol import Source
from anaphora_nmt.memory.registry import MEMORIES, MemoryConfig
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.native_decoder import NativeDecoder
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.native.library import native_library
from anaphora_nmt.search.beam import BeamOptions, beam_search
from anaphora_nmt.text.vocabulary import BOS, EOS, PAD, Vocabulary

SENTENCES = (
    "the server sends data to the client",
    "a client connects to the database server and reads the tables",
    "tables of the database hold rows, and the server holds pages",
)
HYPOTHESES = 2
every_memory = pytest.mark.parametrize("name", MEMORIES)
natively = pytest.mark.parametrize(
    "native",
    [
        False,
        pytest.param(True, marks=pytest.mark.skipif(native_library() is None, reason="it is not built")),
    ],
)


def build(name: str, vocabulary: WordVocabulary, native: bool) -> MemoryAugmentedModel:
    """A small model with one memory in its default configuration."""
    torch.manual_seed(1)
    encoder = EncoderConfig("transformer", width=32, layers=1, heads=2, feed_forward=64, embedding=32)
    decoder = DecoderConfig("transformer", width=32, layers=2, heads=2, feed_forward=64, embedding=32)
    base = TranslationModel(ModelConfig(40, len(vocabulary), encoder, decoder))
    model = MemoryAugmentedModel(base, MemoryConfig({name: MEMORIES[name].config_type()}), vocabulary).eval()
    with torch.no_grad():
        for parameter in model.attached.parameters():
            parameter.add_(torch.randn_like(parameter) * 0.3)
    return model.native() if native else model


def targets(pieces: Vocabulary) -> torch.Tensor:
    ids = [[*pieces.encode(text), EOS] for text in SENTENCES]
    longest = max(map(len, ids))
    return torch.tensor([row + [PAD] * (longest - len(row)) for row in ids])


def sources() -> torch.Tensor:
    ids = torch.randint(4, 40, (len(SENTENCES), 9), generator=torch.Generator().manual_seed(3))
    ids[1:, 7:] = PAD
    return ids


def snapshots(model: MemoryAugmentedModel, target: torch.Tensor) -> list[MemorySnapshot]:
    """Memories in which all earlier sentences are confirmed."""
    topic = Topic(0, (("page", 0.1), ("client", 0.1)), "pages")
    snapshot = model.config.empty(DocumentInfo(model.vocabulary, topic))
    for number, given in enumerate(model.contributions(model.encode(sources()), target)):
        snapshot = snapshot.after(replace(given, origin=Origin.CONFIRMED), number)
    return [snapshot] * len(SENTENCES)


@every_memory
@natively
@torch.inference_mode()
def test_single_steps_equal_whole_targets(
    name: str, native: bool, pieces: Vocabulary, vocabulary: WordVocabulary
) -> None:
    model, target = build(name, vocabulary, native), targets(pieces)
    encoded, before = model.encode(sources()), snapshots(model, target)
    both = torch.stack((target, target.roll(1, 0)), 1).flatten(0, 1)
    owners = torch.arange(len(SENTENCES)).repeat_interleave(HYPOTHESES)
    rows = encoded.select(owners), both, [before[number] for number in owners.tolist()]
    forced = model.force_decode(*rows)
    assert list(forced.readings) == [name]
    assert not torch.equal(forced.target_log_probs, model.force_decode(*rows, frozenset()).target_log_probs)
    state = model.start(encoded, before).reorder(owners)
    previous, picked = torch.full((len(both),), BOS), []
    for step in range(both.shape[1]):
        log_probs, state = model.step(previous, state)
        torch.testing.assert_close(log_probs.exp().sum(-1), torch.ones(len(both)))
        picked.append(log_probs.gather(1, both[:, step : step + 1])[:, 0])
        previous = both[:, step]
    found = torch.stack(picked, 1) * (both != PAD)
    torch.testing.assert_close(found, forced.target_log_probs, atol=2e-2 if native else 1e-5, rtol=1e-5)


@every_memory
@natively
@torch.inference_mode()
def test_ready_tensors_are_read_like_gathered_ones(
    name: str, native: bool, pieces: Vocabulary, vocabulary: WordVocabulary
) -> None:
    model, target = build(name, vocabulary, False), targets(pieces)
    memory, steps = model.memories[name], model.steps(model.decode(model.encode(sources()), target), target)
    source = Source(steps.embeddings, native_library() if native else None)
    held = memory.gather([each.contents[name] for each in snapshots(model, target)], source)
    wanted, found = memory.read(steps, held), memory.read(steps, memory.ready(held, source))
    states, log_probs = steps.features.state, model.log_probs_after(steps.features, ())
    torch.testing.assert_close(found.fuse_state(states), wanted.fuse_state(states), atol=1e-4, rtol=1e-4)
    mixed = wanted.fuse_log_probs(log_probs)
    torch.testing.assert_close(found.fuse_log_probs(log_probs), mixed, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(found.fuse_target(log_probs, target), target_log_probs(mixed, target))


@every_memory
@torch.inference_mode()
def test_selected_steps_equal_those_of_all_steps(
    name: str, pieces: Vocabulary, vocabulary: WordVocabulary
) -> None:
    model, target = build(name, vocabulary, False), targets(pieces)
    steps = model.steps(model.decode(model.encode(sources()), target), target)
    given = steps, model.source(), snapshots(model, target)
    counted = torch.rand(target.shape, generator=torch.Generator().manual_seed(2)) < 0.5
    (whole,), (some,) = (model.read(*given, counted=each).values() for each in (None, counted))
    states, log_probs = steps.features.state, model.log_probs_after(steps.features, ())
    torch.testing.assert_close(some.fuse_state(states[counted]), whole.fuse_state(states)[counted])
    torch.testing.assert_close(
        some.fuse_log_probs(log_probs[counted]), whole.fuse_log_probs(log_probs)[counted]
    )


@every_memory
@pytest.mark.skipif(native_library() is None, reason="the native library is not built")
@torch.inference_mode()
def test_a_search_in_one_call_equals_single_steps(
    name: str, pieces: Vocabulary, vocabulary: WordVocabulary
) -> None:
    model, target = build(name, vocabulary, True), targets(pieces)
    encoded, before = model.encode(sources()), snapshots(model, target)
    given = [12] * len(SENTENCES), BeamOptions(4, 0.7, 2)
    found = beam_search(model, model.start(encoded, before), *given)
    with patch.object(NativeDecoder, "search", return_value=None):
        wanted = beam_search(model, model.start(encoded, before), *given)
    for one, other in zip(chain(*found), chain(*wanted), strict=True):
        assert one.pieces == other.pieces and one.score == pytest.approx(other.score, abs=2e-4)
