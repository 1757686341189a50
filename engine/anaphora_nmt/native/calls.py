"""How the library is called: what it is given is checked, and it asks whether anybody still waits."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import torch
from torch import Tensor

from anaphora_nmt.errors import Cancelled

CANCELLED_TYPE = ctypes.CFUNCTYPE(ctypes.c_int)
_NEVER = CANCELLED_TYPE()
_CANCELLED: ContextVar[Any] = ContextVar("cancelled", default=_NEVER)


@contextmanager
def cancelled_by(cancel: Callable[[], bool] | None) -> Iterator[None]:
    """Calls of the library in this context end with `Cancelled` milliseconds after `cancel()` is true."""
    if cancel is None:
        yield
        return
    token = _CANCELLED.set(CANCELLED_TYPE(cancel))
    try:
        yield
    finally:
        _CANCELLED.reset(token)


def cancelled() -> Any:
    return _CANCELLED.get()


def address(values: Tensor, kind: torch.dtype, *shape: int) -> int:
    """Where a tensor's numbers lie; ValueError: another type or shape, not contiguous, or not in memory."""
    if (
        values.dtype is not kind
        or values.shape != shape
        or not values.is_contiguous()
        or values.device.type != "cpu"
    ):
        raise ValueError(
            f"expected contiguous {kind} {shape} on the CPU, not {values.dtype} {tuple(values.shape)}"
            f" with strides {values.stride()} on {values.device}"
        )
    return values.data_ptr()


def call(function: Any, *arguments: Any) -> None:
    """Call a function that gives a status: Cancelled, ValueError (what it cannot take) or MemoryError."""
    status = function(*arguments)
    if status:
        raise _error(status, function.__name__)


def free_with(owner: object, free: Callable[[Any], None], handle: Any) -> None:
    """Give back what the library made when its owner goes; not at the end of the process.

    The end of the process does not wait for a daemon thread that still computes with it.
    """
    weakref.finalize(owner, free, handle).atexit = False


def _error(status: int, name: str) -> Exception:
    if status == 1:
        return Cancelled("the computation was cancelled")
    if status == 3:
        return MemoryError(f"{name} has no memory left")
    return ValueError(f"{name} was given what it does not take")
