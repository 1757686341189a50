"""Functions for `Translator`: serialise its calls, choose a device, and describe the loaded model."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
import torch

from anaphora_nmt.memory.registry import registered
from anaphora_nmt.models.bundle import Bundle
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.native.library import native_library
from anaphora_nmt.types import TORCH, EngineInfo

MIN_GPU_PARAMETERS = 100_000_000
"""Minimum number of decoder parameters for a GPU, estimated from the included model, which has 13 million."""
P = ParamSpec("P")
R = TypeVar("R")


def one_at_a_time(method: Callable[P, R]) -> Callable[P, R]:
    """Serialise a `Translator` method across threads, and repeat a call on the CPU if GPU memory runs out."""

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        translator: Any = args[0]
        with translator._lock:
            try:
                return method(*args, **kwargs)
            except torch.OutOfMemoryError:
                if translator._device.type == "cpu":
                    raise
                translator._leave_gpu()
            return method(*args, **kwargs)

    return call


def allocate_buffers() -> None:
    """Make OpenBLAS allocate its buffer now; a later failure would end the process."""
    matrix = np.ones((64, 64), np.float32)
    np.matmul(matrix, matrix)


def choose_device(bundle: Bundle, int8: bool = True) -> str:
    """The device that probably drafts a segment faster: "cuda" or "cpu".

    A search has many small steps, which a GPU executes slowly: the included model drafts half as fast on an
    H100 as on one core with the native library. With the library, only much larger decoders use the GPU.
    """
    size = sum(parameter.numel() for parameter in bundle.model.decoder.parameters())
    is_quick = int8 and native_library() is not None and size < MIN_GPU_PARAMETERS
    return "cuda" if torch.cuda.is_available() and not is_quick else "cpu"


def info_of(
    bundle: Bundle, device: torch.device, searcher: MemoryAugmentedModel, helpers: int = 0
) -> EngineInfo:
    """The loaded model and its device; `helpers`: number of threads that prepare the next segments."""
    on_gpu = device.type == "cuda"
    library = searcher.source().library
    read = bundle.memory.chosen()
    memories = [registered(name).title for name in bundle.memory.memories if name in read]
    if searcher.context is not None:
        memories.append("Context sentences")
    return EngineInfo(
        model=bundle.name,
        device=f"{device} ({torch.cuda.get_device_name(device)})" if on_gpu else "cpu",
        threads=torch.get_num_threads() + helpers,
        precision="float32" if library is None else "int8",
        source_language=bundle.languages[0],
        target_language=bundle.languages[1],
        memories=tuple(memories),
        unlike_below=None if bundle.quality is None else bundle.quality.thresholds.document,
        kernels=TORCH if library is None else library.name,
    )
