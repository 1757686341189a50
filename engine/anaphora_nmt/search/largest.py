"""The largest of many values, quicker than `Tensor.topk` finds them on a CPU."""

from __future__ import annotations

import torch
from torch import Tensor

from anaphora_nmt.native.library import native_library

_CHUNK = 128


_MOST = 256
"""More are quicker found otherwise."""


def _is_plain(values: Tensor) -> bool:
    return values.dtype is torch.float32 and values.device.type == "cpu" and values.is_contiguous()


def largest(values: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The `count` largest values of each row [N, M] and their places, largest first; [N, count] each.

    They lie in the chunks with the largest maxima, so only those are sorted. Equal values come in any order.
    """
    library = native_library() if _is_plain(values) and count <= _MOST else None
    if library is not None:
        return library.largest(values, count)
    chunks = values.shape[1] // _CHUNK
    if chunks <= 2 * count:
        return values.topk(count, dim=1)
    whole = values[:, : chunks * _CHUNK].unflatten(1, (chunks, _CHUNK))
    at = whole.amax(2).topk(count, dim=1).indices
    some = whole.gather(1, at[..., None].expand(-1, -1, _CHUNK)).flatten(1)
    rest = values[:, chunks * _CHUNK :]
    found, places = torch.cat((some, rest), dim=1).topk(count, dim=1)
    within = places < some.shape[1]
    chunk = at.gather(1, torch.where(within, places // _CHUNK, 0))
    behind = chunks * _CHUNK + places - some.shape[1]
    return found, torch.where(within, chunk * _CHUNK + places % _CHUNK, behind)
