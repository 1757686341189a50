"""Lexical shortlists in Marian's format."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

MAGIC = 0xF11A48D5013417F5


def shortlist(first: int, lists: Sequence[Sequence[int]]) -> bytes:
    """The content of the file.

    Args:
        first: number of first target pieces that are always allowed.
        lists: target pieces of each source piece.
    """
    lengths = [len(each) for each in lists]
    starts = np.concatenate(([0], np.cumsum(lengths))).astype("<u8")
    pieces = np.concatenate([np.asarray(each, "<u4") for each in lists])
    body = struct.pack("<4Q", first, max(lengths), len(starts), len(pieces))
    body += starts.tobytes() + pieces.tobytes()
    checksum, whole = 0, len(body) // 8 * 8
    for (value,) in struct.iter_unpack("<Q", body[:whole]):
        checksum ^= (value + 0x9E3779B9 + (checksum << 6) + (checksum >> 2)) % 2**64
        checksum %= 2**64
    return struct.pack("<2Q", MAGIC, checksum) + body


def random_shortlist(source_pieces: int, target_pieces: int, first: int = 50, each: int = 34) -> bytes:
    """A random shortlist, with the mean number of pieces of Mozilla's zh-en `base` for each source piece."""
    drawn = np.random.default_rng(1).integers(0, target_pieces, (source_pieces, each))
    return shortlist(first, np.sort(drawn, 1))  # type: ignore[arg-type]
