"""Bounded reading of untrusted data: compressed bytes and JSON of projects and packs.

A few kilobytes can unpack to gigabytes, and a few megabytes of JSON can become gigabytes of lists or overflow
the stack. Data above a limit raise `ValueError`, like all unreadable data.
"""

from __future__ import annotations

import zlib

from anaphora_text.untrusted_json import MAX_JSON, read_json

__all__ = ("MAX_JSON", "MAX_TEXT_BYTES", "read_json", "unpack")

MAX_TEXT_BYTES = 4 * 2**20
"""Maximum size of one text of a segment, in bytes of UTF-8; longer texts are never translated."""


def unpack(packed: bytes, maximum: int = MAX_TEXT_BYTES) -> bytes:
    """Decompress zlib data; raises ValueError if they are damaged, incomplete or exceed `maximum` bytes."""
    reader = zlib.decompressobj()
    try:
        data = reader.decompress(packed, maximum + 1)
    except zlib.error as error:
        raise ValueError(f"compressed bytes are damaged: {error}") from error
    if len(data) > maximum:
        raise ValueError(f"compressed bytes are longer than {maximum} when they are unpacked")
    if not reader.eof:
        raise ValueError("compressed bytes are cut off")
    return data
