"""The native library's reading of the dynamic and topic caches compared with Python's."""

from __future__ import annotations

from itertools import chain

import pytest
import torch

from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.word_caches import WordCachesConfig
from anaphora_nmt.memory.word_contents import DynamicWords, WordContents
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.models.native_decoder import NativeDecoder
from anaphora_nmt.native.library import native_library
from anaphora_nmt.search.beam import BeamOptions, Hypothesis, beam_search

pytestmark = pytest.mark.skipif(native_library() is None, reason="the native library is not built")

SOURCES = (
    "打开文件之后，程序会读取配置并连接服务器，服务器把数据发送给客户端。",
    "请检查网络设置。",
    "她把信放在桌上，没有再说一句话。",
)
RECENT = ("server", "client", "settings", "letter", "table", "programme", "network", "file", "hypertensor")
TOPICAL = ("data", "server", "reader", "database", "connects", "network-wide", "words", "said", "desk")
PLAIN = WordCachesConfig(dynamic_size=6, topic_size=20, scorer_hidden=(32, 16), gate_hidden=(16, 48))


def made_model(config: WordCachesConfig) -> MemoryAugmentedModel:
    """The included model with strong caches with random weights."""
    bundle = load_bundle(embedded_model())
    torch.manual_seed(4)
    memories = MemoryConfig({"word_caches": config})
    model = MemoryAugmentedModel(bundle.model, memories, WordVocabulary(bundle.target)).eval()
    caches = model.memories["word_caches"]
    torch.nn.init.normal_(caches.scorer.output.weight, std=3.0)  # type: ignore[union-attr,operator,arg-type]
    if config.fixed_gate is None:
        torch.nn.init.normal_(caches.gate.output.weight, std=2.0)  # type: ignore[union-attr,operator,arg-type]
    return model.native()


def snapshots(model: MemoryAugmentedModel, config: WordCachesConfig) -> list[MemorySnapshot]:
    """Full caches, a topic alone, and nothing."""
    encode = model.vocabulary.encode
    recent, topical = (tuple(word for text in each if (word := encode(text))) for each in (RECENT, TOPICAL))
    kept = recent[: config.dynamic_size]
    full = WordContents(DynamicWords(config.dynamic_size, kept, tuple(range(len(kept)))), topical)
    nothing = DynamicWords(config.dynamic_size)
    each = full, WordContents(nothing, topical[:3]), WordContents(nothing)
    return [MemorySnapshot({"word_caches": one}) for one in each]


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"model_score": False},
        {"fixed_gate": 0.6},
        {"dynamic_size": 0},
        {"dynamic_size": 2},
    ],
    ids=str,
)
@torch.inference_mode()
def test_native_word_caches_equal_python(monkeypatch: pytest.MonkeyPatch, changed: dict[str, object]) -> None:
    config = WordCachesConfig(**{**vars(PLAIN), **changed})  # type: ignore[arg-type]
    model = made_model(config)
    bundle = load_bundle(embedded_model())
    ids = [bundle.source.encode(text) for text in SOURCES]
    sources = torch.zeros(len(ids), max(map(len, ids)), dtype=torch.long)
    for row, each in enumerate(ids):
        sources[row, : len(each)] = torch.tensor(each)
    encoded, held = model.encode(sources), snapshots(model, config)

    def found(size: int, use: frozenset[str] | None = None) -> list[list[Hypothesis]]:
        state = model.start(encoded, held, use)
        return beam_search(model, state, [30, 20, 25], BeamOptions(size, 0.7, min(size, 3)))

    native = NativeDecoder.search
    calls: list[object] = []

    def watched(*given: object) -> object:
        calls.append(native(*given))  # type: ignore[arg-type]
        return calls[-1]

    monkeypatch.setattr(NativeDecoder, "search", watched)
    made = {size: found(size) for size in (1, 5)}
    without = found(5, frozenset())
    assert all(each is not None for each in calls)
    monkeypatch.setattr(NativeDecoder, "search", lambda *given: None)
    for size, one in made.items():
        wanted = found(size)
        for mine, other in zip(chain(*one), chain(*wanted), strict=True):
            assert mine.pieces == other.pieces
            assert mine.score == pytest.approx(other.score, abs=2e-4)
    assert made[5][0] != without[0], "the caches are read"
