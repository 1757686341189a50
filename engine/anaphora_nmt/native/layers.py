"""Puts the layers of modules into a native stack."""

from __future__ import annotations

from typing import Protocol

import torch
from torch import nn

from anaphora_nmt.native.library import NativeLibrary, native_library
from anaphora_nmt.native.stack import NormPlace, Place, Stack, fits


class Projections(Protocol):
    """What attention multiplies by."""

    query: nn.Linear
    key: nn.Linear
    value: nn.Linear
    output: nn.Linear


def library_for(device: torch.device, width: int, heads: int, *others: int) -> NativeLibrary | None:
    """The library, where it has layers of such widths; None: it is not there, or they are elsewhere."""
    if device.type != "cpu" or width % heads or not fits(width, width // heads, *others):
        return None
    return native_library()


def put_own_attention(
    stack: Stack, number: int, attention: Projections, norm: nn.LayerNorm, two_parts: bool = False
) -> None:
    parts = attention.query, attention.key, attention.value
    stack.put(number, Place.OWN_IN, *parts, two_parts=two_parts)
    stack.put(number, Place.OWN_OUT, attention.output, two_parts=two_parts)
    stack.put_norm(number, NormPlace.OWN, norm)


def put_source_attention(stack: Stack, number: int, attention: Projections, norm: nn.LayerNorm) -> None:
    stack.put(number, Place.SOURCE_QUERY, attention.query)
    stack.put(number, Place.SOURCE_KEY_VALUE, attention.key, attention.value)
    stack.put(number, Place.SOURCE_OUT, attention.output)
    stack.put_norm(number, NormPlace.SOURCE, norm)


def put_feed_forward(
    stack: Stack,
    number: int,
    up: nn.Linear,
    down: nn.Linear,
    norm: nn.LayerNorm,
    two_parts: bool = False,
) -> None:
    stack.put(number, Place.UP, up, two_parts=two_parts)
    stack.put(number, Place.DOWN, down, two_parts=two_parts)
    stack.put_norm(number, NormPlace.FEED_FORWARD, norm)
