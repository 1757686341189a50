"""Sequences of ids as one tensor."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor

from anaphora_nmt.text.vocabulary import PAD


def padded(lines: Sequence[Sequence[int]], device: torch.device) -> Tensor:
    """Rows of ids [N, T] on a device, the shorter ones padded."""
    ids = np.full((len(lines), max(len(line) for line in lines)), PAD, np.int64)
    for row, line in enumerate(lines):
        ids[row, : len(line)] = line
    return torch.from_numpy(ids).to(device)
