"""Checksums of rows: a bit that flips in a text, or in a number, is sound for sqlite."""

from __future__ import annotations

import zlib

_PIECE = 1 << 18
"""Bytes that are written out at once: other threads have their turn between two pieces."""


def row_checksum(*values: object) -> int:
    """The CRC-32 of a row's values as they are stored, in the order in which they are given."""
    if bytes in map(type, values) and any(type(value) is bytes and len(value) > _PIECE for value in values):
        return _in_pieces(values)
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def state_checksum(segment: object, target: object, status: object, report: object) -> int:
    """The checksum of a segment's state; a report that is not there does not count."""
    return row_checksum(segment, target, status, *([report] if report else []))


def _in_pieces(values: tuple[object, ...]) -> int:
    """The same where bytes are among the values, which `str` would write out whole: 280 MB of 70."""
    checksum = 0
    for place, value in enumerate(values):
        checksum = zlib.crc32(b"\x1f" if place else b"", checksum)
        if not isinstance(value, bytes):
            checksum = zlib.crc32(str(value).encode("utf-8", "surrogatepass"), checksum)
            continue
        # Python escapes the apostrophe where both quotes occur, so each piece is written out with the other.
        is_double, is_single = b'"' in value, b"'" in value
        other = b'"' if is_double and is_single else b""
        quote = b'"' if is_single and not is_double else b"'"
        checksum = zlib.crc32(b"b" + quote, checksum)
        for begin in range(0, len(value), _PIECE):
            written = repr(value[begin : begin + _PIECE] + other).encode("ascii")
            checksum = zlib.crc32(written[2 : -1 - len(other)], checksum)
        checksum = zlib.crc32(quote, checksum)
    return checksum
