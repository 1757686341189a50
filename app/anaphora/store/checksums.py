"""Checksums of rows: a bit that flips in a text, or in a number, is sound for sqlite."""

from __future__ import annotations

import zlib


def row_checksum(*values: object) -> int:
    """The CRC-32 of a row's values as they are stored, in the order in which they are given."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def state_checksum(segment: object, target: object, status: object, report: object) -> int:
    """The checksum of a segment's state; a report that is not there does not count."""
    return row_checksum(segment, target, status, *([report] if report else []))
