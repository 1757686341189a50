"""Devices: GPU memory shortages, and tests on a GPU if there is one."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import torch

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.native.library import native_library
from anaphora_nmt.pipeline import running
from anaphora_nmt.pipeline.running import choose_device
from anaphora_nmt.pipeline.suggesting.draft_maker import DraftMaker
from anaphora_nmt.types import SearchOptions, SourceSegment

LINES = (
    "本指南介绍张量和变量的基础知识。",
    "张量是多维数组。",
    "使用张量进行运算可能会很慢。",
    "变量保存模型的状态。",
    "请参阅张量指南，了解更多详细信息。",
)
CONFIRMED = "A tensor is a grid of numbers."
GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")


def drafts(translator: Translator) -> list[str]:
    """The drafts of all lines; the second is confirmed before the third is drafted."""
    translator.open_document("d", [SourceSegment(str(n), line) for n, line in enumerate(LINES)])
    found = []
    for number in range(len(LINES)):
        found.append(translator.translate("d", str(number)).text)
        if number == 1:
            translator.remember("d", "1", CONFIRMED)
    return found


@pytest.mark.device
@pytest.mark.slow
def test_the_processor_takes_over_if_gpu_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor plays the GPU, with its name and its errors."""
    wanted = drafts(Translator.load(embedded_model(), "cpu", threads=1))
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "a GPU")
    monkeypatch.setattr(MemoryAugmentedModel, "to", lambda model, device: model)
    translator = Translator.load(embedded_model(), "cuda", threads=1)
    translator.open_document("d", [SourceSegment(str(n), line) for n, line in enumerate(LINES)])
    found = [translator.translate("d", str(number)).text for number in range(2)]
    translator.remember("d", "1", CONFIRMED)
    suggest, failures = DraftMaker.suggest, iter([True])

    def fail_once(self: DraftMaker, *given: object) -> object:
        if next(failures, False):
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 MiB.")
        return suggest(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(DraftMaker, "suggest", fail_once)
    found += [translator.translate("d", str(number)).text for number in range(2, len(LINES))]
    assert found == wanted and translator.opened("d").memory.is_confirmed_before(3)
    assert translator.info.device == "cpu"
    failures = iter([True])
    with pytest.raises(torch.OutOfMemoryError):  # there is no other device
        translator.translate("d", "3")


@pytest.fixture(scope="module")
def on_both() -> Iterator[Sequence[Translator]]:
    """The included model on the GPU, and on the processor in float32."""
    yield [Translator.load(embedded_model(), "cuda"), Translator.load(embedded_model(), "cpu", int8=False)]


def test_a_small_model_stays_on_a_faster_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    bundle = load_bundle(embedded_model())
    quick = native_library() is not None
    assert choose_device(bundle) == ("cpu" if quick else "cuda")
    assert choose_device(bundle, int8=False) == "cuda"
    monkeypatch.setattr(running, "MIN_GPU_PARAMETERS", 1_000_000)
    assert choose_device(bundle) == "cuda"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device(bundle, int8=False) == "cpu"


@GPU
@pytest.mark.cuda
@pytest.mark.slow
def test_gpu_drafts_are_close_to_those_of_the_processor(on_both: Sequence[Translator]) -> None:
    """Sums have another order on a GPU, which may decide between equal candidates."""
    gpu, processor = map(drafts, on_both)
    assert sum(one == other for one, other in zip(gpu, processor, strict=True)) >= len(LINES) - 1


@GPU
@pytest.mark.cuda
@pytest.mark.slow
@pytest.mark.parametrize("sentences", [1, 16])
@torch.inference_mode()
def test_no_step_waits_for_the_gpu(on_both: Sequence[Translator], sentences: int) -> None:
    translator = on_both[0]
    drafts(translator)
    drafter, opened = translator.corpus().drafter, translator.opened("d")
    memory: MemorySnapshot = opened.memory.before(4)
    encoded = drafter.encode([drafter.source.marked(opened.source(4).ids)] * sentences)
    model = drafter.searcher
    state = model.start(encoded, [memory] * sentences)
    state = state.reorder(torch.arange(sentences, device="cuda").repeat_interleave(5))
    previous = torch.full((5 * sentences,), 5, device="cuda")
    model.step(previous, state)  # warm-up
    torch.cuda.set_sync_debug_mode("error")
    try:
        for _ in range(3):
            _, state = model.step(previous, state)
    finally:
        torch.cuda.set_sync_debug_mode("default")


def on_meta(held: Any) -> Any:
    """The same state with tensors without values."""
    if isinstance(held, torch.Tensor):
        return held.to("meta")
    if dataclasses.is_dataclass(held) and not isinstance(held, type):
        fields = [each.name for each in dataclasses.fields(held) if each.init]
        return dataclasses.replace(held, **{name: on_meta(getattr(held, name)) for name in fields})
    return type(held)(map(on_meta, held)) if isinstance(held, list | tuple) else held


@torch.no_grad()
def test_no_step_asks_for_values() -> None:
    """Values of "meta" tensors cannot be read, like values on a GPU before waiting."""
    translator = Translator.load(embedded_model(), "cpu", threads=1)
    drafts(translator)
    drafter, opened = translator.corpus().drafter, translator.opened("d")
    model: Any = drafter.model
    encoded = drafter.encode([drafter.source.marked(opened.source(4).ids)] * 2)
    state = model.start(encoded, [opened.memory.before(4)] * 2)
    state = state.reorder(torch.arange(2).repeat_interleave(5))
    previous = torch.full((10,), 5)
    _, state = model.step(previous, state)  # warm-up
    model.to("meta")
    state = on_meta(state)
    for _ in range(12):
        log_probs, state = model.step(previous.to("meta"), state)
    assert log_probs.shape[0] == 10


@GPU
@pytest.mark.cuda
@pytest.mark.slow
def test_batches_on_a_gpu(on_both: Sequence[Translator]) -> None:
    """The batch sizes of `bench_device.py`."""
    translator, options = on_both[0], SearchOptions(memories={"confirmed": False})
    alone = translator.corpus(batch=1).translate([list(LINES)] * 4, options)
    for batch in (16, 64):
        together = translator.corpus(batch=batch).translate([list(LINES)] * 4, options)
        pairs = zip(itertools.chain(*alone), itertools.chain(*together), strict=True)
        same = sum(one == other for one, other in pairs)
        assert same >= 0.8 * 4 * len(LINES)
