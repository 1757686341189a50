"""CAMN in drafts and explanations of documents, which depend only on the neighbours' source text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.config import (
    CamnConfig,
    DecoderConfig,
    EncoderConfig,
    ModelConfig,
)
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.document_context import context_places
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.word_caches import WordCachesConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import Bundle, load_bundle, save_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.text.vocabulary import SegmentedVocabulary, Vocabulary, vocabulary_from_pieces
from anaphora_nmt.types import SearchOptions, SourceSegment

SOURCES = [(letter, -2.0) for letter in "▁服务器数据模型文件打开保存的和，。"]
WORDS = ("the", "server", "data", "model", "file", "open", "save", "and", "of", "a", "to", "is")
TARGETS = [(f"▁{word}", -2.0) for word in WORDS]
LINES = ["打开服务器。", "保存数据和模型。", "打开文件", "模型的数据，文件", "", "保存服务器的模型。"]
GREEDY = SearchOptions(beam_size=1, max_length_ratio=0.5)
MEMORY = MemoryConfig(
    {
        "continuous_cache": ContinuousCacheConfig(size=8, gate_bias=0.0),
        "word_caches": WordCachesConfig(
            dynamic_size=8, topic_size=0, scorer_hidden=(8, 6), gate_hidden=(8, 6), gate_start=0.6
        ),
    }
)


def make(
    camn: CamnConfig | None, decoder: str = "transformer", memory: MemoryConfig = MemoryConfig()
) -> Bundle:
    source, target = (
        SegmentedVocabulary(vocabulary_from_pieces(SOURCES)),
        Vocabulary(vocabulary_from_pieces(TARGETS)),
    )
    config = ModelConfig(
        len(source),
        len(target),
        EncoderConfig("transformer", width=16, layers=1, heads=2, feed_forward=24),
        DecoderConfig(decoder, width=16, layers=1, heads=2, feed_forward=24, embedding=12, attention=8),
        camn,
    )
    torch.manual_seed(0)
    model = TranslationModel(config).eval()
    if model.camn is not None:
        with torch.no_grad():
            model.camn.norm.weight.mul_(3.0)
    torch.manual_seed(1)
    tensors = MemoryAugmentedModel(model, memory, WordVocabulary(target)).memory_state()
    return Bundle("toy", model, source, target, memory, tensors, Path())


def camn(**changes: object) -> CamnConfig:
    return CamnConfig(**{"size": 2, "heads": 2, "feed_forward": 12, "gate_bias": 0.0, **changes})  # type: ignore[arg-type]


def open_lines(translator: Translator, lines: list[str]) -> list[str]:
    names = [f"s{number}" for number in range(len(lines))]
    translator.open_document(
        "d", [SourceSegment(name, line) for name, line in zip(names, lines, strict=True)]
    )
    return names


def drafts(bundle: Bundle, lines: list[str]) -> list[str]:
    translator = Translator(bundle, None, torch.device("cpu"))
    return [translator.translate("d", name, GREEDY).text for name in open_lines(translator, lines)]


def scores(bundle: Bundle, lines: list[str], order: list[int]) -> dict[int, float]:
    translator = Translator(bundle, None, torch.device("cpu"))
    names = open_lines(translator, lines)
    return {n: translator.translate("d", names[n], GREEDY).score for n in order}


@pytest.mark.parametrize("decoder", ["transformer", "recurrent", "memdec", "kvmematt"])
@pytest.mark.parametrize("memory", [MemoryConfig(), MEMORY], ids=["alone", "with caches"])
@pytest.mark.slow
def test_corpora_equal_single_segments(decoder: str, memory: MemoryConfig) -> None:
    bundle = make(camn(), decoder, memory)
    lines = [line for line in LINES if line]
    documents = [lines, lines[2:], list(reversed(lines)), lines[:1]]
    together = Translator(bundle, None, torch.device("cpu")).corpus(batch=5).translate(documents, GREEDY)
    for document, found in zip(documents, together, strict=True):
        assert drafts(bundle, document) == found


@pytest.mark.parametrize("selection", ["previous", "next", "random"])
@pytest.mark.slow
def test_only_the_neighbours_text_counts(selection: str) -> None:
    bundle = make(camn(selection=selection, size=1))
    whole = scores(bundle, LINES, list(range(6)))
    assert scores(bundle, LINES, [5, 3, 0, 2, 1, 4]) == whole
    changed = ["打开", "打开", "打开文件", "打开", "", "打开"]
    assert scores(bundle, changed, [2])[2] != pytest.approx(whole[2], abs=1e-4)
    left = context_places(2, 6, bundle.model.config.camn or CamnConfig())[0]
    changed[left] = LINES[left]
    assert scores(bundle, changed, [2])[2] == pytest.approx(whole[2], abs=1e-6)


@pytest.mark.slow
def test_a_document_of_one_segment_equals_the_baseline() -> None:
    bundle = make(camn())
    assert drafts(bundle, LINES[1:2]) == drafts(make(None), LINES[1:2])
    assert drafts(bundle, LINES) != drafts(make(None), LINES)


@pytest.mark.slow
def test_a_closed_gate_equals_the_baseline_in_every_draft() -> None:
    bundle = make(camn(), memory=MEMORY)
    model = TranslationModel(replace(bundle.model.config, camn=camn(gate=0.0))).eval()
    model.load_state_dict(bundle.model.state_dict(), strict=False)
    shut = replace(bundle, model=model)
    plain = make(None, memory=MEMORY)
    assert drafts(shut, LINES) == drafts(plain, LINES)


def test_a_model_folder_saves_camn(tmp_path: Path) -> None:
    bundle = make(camn(merging="concatenation"))
    save_bundle(tmp_path, bundle, None, None)
    loaded = load_bundle(tmp_path)
    assert loaded.model.config == bundle.model.config
    assert isinstance(loaded.source, SegmentedVocabulary)
    assert "Context sentences" in Translator.load(tmp_path, device="cpu").info.memories
    for name, parameter in bundle.model.named_parameters():
        kept, step = loaded.model.get_parameter(name), torch.tensor(2e-3)
        if parameter.dim() == 2:  # in 8 bits, rounded by half a step of its row at most
            step = parameter.detach().abs().amax(1, keepdim=True) / 127 / 2 + 1e-6
        assert ((kept - parameter).abs() <= step).all()
