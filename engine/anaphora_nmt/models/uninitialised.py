"""Modules without random weights, for those that are read from a file at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torch import Tensor
from torch.nn import init
from torch.overrides import TorchFunctionMode

_FILLS: frozenset[Callable] = frozenset(
    {
        init.kaiming_uniform_,
        init.normal_,
        init.uniform_,
        init.xavier_uniform_,
        Tensor.normal_,
        Tensor.uniform_,
    }
)


class Uninitialised(TorchFunctionMode):
    """Within it random numbers are not drawn, and parameters hold anything."""

    def __torch_function__(
        self, function: Callable, types: Sequence[type], given: tuple = (), named: dict | None = None
    ) -> Any:
        if function in _FILLS:
            return given[0] if given else (named or {})["tensor"]
        return function(*given, **(named or {}))
