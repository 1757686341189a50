"""The processes that work together, on one machine or several, as torchrun or `--processes` starts them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

from anaphora_nmt.errors import AnaphoraNmtError

T = TypeVar("T")
_PATIENCE = timedelta(days=30)
"""How long processes wait for each other: memories are trained by the first alone."""


@dataclass(frozen=True)
class World:
    """The processes that work together: the number of this one, how many there are, and where it computes."""

    rank: int = 0
    size: int = 1
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))

    @classmethod
    def join(cls) -> World:
        """Join the group that torchrun describes in the environment; alone without one.

        Tensors of GPUs go by NCCL, all else by gloo.
        """
        size, rank = int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0"))
        cuda = torch.cuda.is_available()
        device = torch.device(f"cuda:{os.environ.get('LOCAL_RANK', '0')}" if cuda else "cpu")
        if size > 1 and not dist.is_initialized():
            if cuda:
                torch.cuda.set_device(device)
            dist.init_process_group("cpu:gloo,cuda:nccl" if cuda else "gloo", timeout=_PATIENCE)
        return cls(rank, size, device)

    def leave(self) -> None:
        if self.size > 1:
            dist.destroy_process_group()

    def sum(self, values: Tensor) -> Tensor:
        if self.size > 1:
            dist.all_reduce(values)
        return values

    def gathered(self, own: T) -> list[T]:
        """What each process has, in their order. All of them have to call it."""
        if self.size == 1:
            return [own]
        found: list[T | None] = [None] * self.size
        dist.all_gather_object(found, own)
        return found  # type: ignore[return-value]

    def first(self, work: Callable[[], T]) -> T:
        """What `work` returns, or raises, in the first process. The others wait; all have to call it."""
        if self.size == 1:
            return work()
        given: list[T | AnaphoraNmtError | None] = [None]
        if self.rank == 0:
            try:
                given = [work()]
            except AnaphoraNmtError as error:
                given = [error]
        dist.broadcast_object_list(given, device=torch.device("cpu"))
        if isinstance(given[0], AnaphoraNmtError):
            raise given[0]
        return given[0]  # type: ignore[return-value]
