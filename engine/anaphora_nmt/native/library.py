"""Finds the native library, chooses its fastest accurate kernels, and calls its functions."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from anaphora_nmt.errors import Cancelled
from anaphora_nmt.native.build import library_path

CANCELLED_TYPE = ctypes.CFUNCTYPE(ctypes.c_int)
_NEVER = CANCELLED_TYPE()
_CANCELLED: ContextVar[Any] = ContextVar("cancelled", default=_NEVER)


@contextmanager
def cancelled_by(cancel: Callable[[], bool] | None) -> Iterator[None]:
    """In this context, library calls raise Cancelled soon after `cancel` (unless None) returns True."""
    if cancel is None:
        yield
        return
    token = _CANCELLED.set(CANCELLED_TYPE(cancel))
    try:
        yield
    finally:
        _CANCELLED.reset(token)


def cancel_check() -> Any:
    """The current context's `cancel` as a C function, for calls that can be cancelled."""
    return _CANCELLED.get()


def address(values: Tensor, kind: torch.dtype, *shape: int) -> int:
    """The address of a tensor's values. ValueError if the type, shape, device or layout is wrong."""
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
    """Call a library function. Raises Cancelled, ValueError (invalid arguments) or MemoryError on failure."""
    status = function(*arguments)
    if status:
        raise _error(status, function.__name__)


def free_with(owner: object, free: Callable[[Any], None], handle: Any) -> None:
    """Free an object of the library when its owner is deleted.

    It is not freed at the end of the process, when a daemon thread may still use it.
    """
    weakref.finalize(owner, free, handle).atexit = False


def _error(status: int, name: str) -> Exception:
    if status == 1:
        return Cancelled("the computation was cancelled")
    if status == 3:
        return MemoryError(f"{name} has no memory left")
    return ValueError(f"{name} got invalid arguments")


SWITCH = "ANAPHORA_NATIVE"
"""Environment variable; `0` switches the library off."""

_POINTER, _INT, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_STATUS = _INT
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "kernels_name": (ctypes.c_char_p, (_INT,)),
    "kernels_run": (_INT, (_INT,)),
    "product": (_STATUS, (_INT, _POINTER, _POINTER, _INT, _INT, _INT, _POINTER, _INT, _POINTER)),
    "stack_new": (_STATUS, (_POINTER, _INT, _POINTER)),
    "stack_free": (None, (_POINTER,)),
    "stack_product": (_STATUS, (_POINTER, _INT, _INT, _POINTER, _POINTER, _INT, _INT, _INT)),
    "stack_norm": (_STATUS, (_POINTER, _INT, _INT, _POINTER, _POINTER, _INT)),
    "stack_tables": (_STATUS, (_POINTER, _POINTER, _INT, _POINTER, _INT)),
    "stack_complete": (_INT, (_POINTER,)),
    "encode": (_STATUS, (_POINTER, _POINTER, _POINTER, _INT, _INT, _INT, _INT, CANCELLED_TYPE)),
    "last_norm": (_STATUS, (_POINTER, _POINTER, _INT)),
    "source_floats": (_SIZE, (_POINTER, _INT)),
    "read_source": (_STATUS, (_POINTER, _POINTER, _INT, _POINTER, _SIZE, CANCELLED_TYPE)),
    "step": (_STATUS, (_POINTER, _POINTER, CANCELLED_TYPE)),
    "search": (_STATUS, (_POINTER, _POINTER, CANCELLED_TYPE)),
    "force": (_STATUS, (_POINTER, _POINTER, CANCELLED_TYPE)),
    "largest": (_STATUS, (_INT, _POINTER, _INT, _INT, _INT, _POINTER, _POINTER)),
    "read": (_STATUS, (_INT, _POINTER, _POINTER, _POINTER)),
    "blend": (_STATUS, (_INT, _POINTER, _INT, _INT, *(_POINTER,) * 5, _INT, _POINTER)),
    "outputs_new": (_STATUS, (_POINTER, _POINTER, _INT, _POINTER)),
    "outputs_free": (None, (_POINTER,)),
    "trace_new": (_STATUS, (_POINTER, _INT, _INT, _POINTER)),
    "trace_free": (None, (_POINTER,)),
    "log_probs": (_STATUS, (_POINTER, _POINTER, _POINTER, _INT, _POINTER, CANCELLED_TYPE)),
}


@dataclass(frozen=True)
class NativeLibrary:
    """The loaded library with one of its kernel tables.

    Attributes:
        functions: functions of `source/interface.cpp`, by their names without `anaphora_`.
        number, name: number and name of the kernel table.
    """

    functions: Any
    number: int
    name: str

    def product(self, weight: Tensor, bias: Tensor, rows: Tensor, two_parts: bool = False) -> Tensor:
        """W x + b of the rows (the function `product`), in float32: [out, in], [out], [N, in] → [N, out]."""
        (out, inputs), count = weight.shape, len(rows)
        result = torch.empty(count, out)
        layer = address(weight, torch.float32, out, inputs), address(bias, torch.float32, out)
        arguments = address(rows, torch.float32, count, inputs), count, result.data_ptr()
        call(self.functions.product, self.number, *layer, out, inputs, two_parts, *arguments)
        return result

    def largest(self, values: Tensor, count: int) -> tuple[Tensor, Tensor]:
        """The `count` largest values in each row of `values` [N, M], and their columns; each [N, count]."""
        rows, columns = values.shape
        largest_values, places = torch.empty(rows, count), torch.empty(rows, count, dtype=torch.int32)
        arguments = address(values, torch.float32, rows, columns), rows, columns, count
        call(self.functions.largest, self.number, *arguments, largest_values.data_ptr(), places.data_ptr())
        return largest_values, places.long()


class _Functions:
    def __init__(self, path: Path) -> None:
        loaded = ctypes.CDLL(str(path))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(loaded, f"anaphora_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)


def tables(path: Path) -> Iterator[NativeLibrary]:
    """The library in `path` with each kernel table that this processor supports, fastest first.

    Raises:
        OSError, AttributeError: the library is missing or incompatible.
    """
    functions: Any = _Functions(path)
    for number in range(16):
        name = functions.kernels_name(number)
        if name and functions.kernels_run(number):
            yield NativeLibrary(functions, number, name.decode().replace("_", "-"))


@cache
def native_library() -> NativeLibrary | None:
    """The library with its fastest accurate kernels; None if it is missing, switched off or inaccurate."""
    path = library_path()
    if os.environ.get(SWITCH) == "0" or not path.exists():
        return None
    try:
        return next((table for table in tables(path) if is_accurate(table)), None)
    except (OSError, AttributeError):
        return None


def is_accurate(table: NativeLibrary) -> bool:
    """True if the kernels' products equal `product`, also for an odd number of rows and for large inputs."""
    random = torch.Generator().manual_seed(1)
    weight, bias = torch.randn(80, 144, generator=random), torch.randn(80, generator=random)
    rows = torch.randn(11, 144, generator=random) * torch.logspace(-3, 3, 11)[:, None]
    weight[:2], rows[-1] = 1.0, -1.0
    for two_parts in (False, True):
        result = table.product(weight, bias, rows, two_parts)
        expected = product(weight, bias, rows, two_parts)
        if not torch.allclose(result.double(), expected, rtol=1e-5, atol=1e-5):
            return False
    return True


def product(weight: Tensor, bias: Tensor, rows: Tensor, two_parts: bool = False) -> Tensor:
    """The definition of the kernels' product W x + b, in float64, for testing the kernels.

    W is in 8 bits with a scale for each output. x is in two 8-bit parts with a scale for each row. The second
    part is the rounding error of the first part, in finer steps. If x had only one part, it would cause most
    of the error. With `two_parts`, W has a second part, too, which multiplies the first part of x.
    """
    scales = rows.abs().amax(1, keepdim=True).clamp_min(1e-8) / 127
    first = (rows / scales).round()
    second = ((rows / scales - first) * 254).round()
    integers, rest, scale = _rounded(weight)
    result = (first.double() + second.double() / 254) @ (integers * scale).T
    if two_parts:
        finer, _, finer_scale = _rounded(rest)
        result = result + first.double() @ (finer * finer_scale).T
    return result * scales.double() + bias.double()


def _rounded(weight: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    scale = weight.abs().amax(1, keepdim=True).clamp_min(1e-8) / 127
    integers = (weight / scale).round()
    return integers.double(), weight - integers * scale, scale.double()
