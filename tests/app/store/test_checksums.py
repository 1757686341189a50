"""The checksum of a row: the same for all versions, and made in pieces where a stranger sends much."""

from __future__ import annotations

import tracemalloc
import zlib

import pytest

from anaphora.store.checksums import row_checksum, state_checksum

PLAIN = bytes(range(256)) * 2000


def written_out(*values: object) -> int:
    """As all versions have made it."""
    return zlib.crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize(
    "value",
    [
        b"",
        b"'\"",
        PLAIN,
        PLAIN.replace(b"'", b""),
        PLAIN.replace(b'"', b""),
        PLAIN.replace(b"'", b"").replace(b'"', b""),
        bytes(600_000) + b"'" + bytes(600_000) + b'"',
        bytes(600_000) + b"'" * 3,
    ],
    ids=["none", "quotes", "all", "no apostrophe", "no quote", "neither", "far apart", "at the end"],
)
def test_the_checksum_of_bytes_is_that_of_all_versions(value: bytes) -> None:
    for row in ((value,), ("账\ud800", value, 3), (1.5, value, None, value)):
        assert row_checksum(*row) == written_out(*row)


def test_many_bytes_are_not_written_out_at_once() -> None:
    """A stranger may send 70 MB in a setting: 280 MB of text, for which the window waited 1.2 s."""
    value = bytes(4_000_000)
    tracemalloc.start()
    try:
        row_checksum("x", value)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4_000_000  # 32 million before


def test_the_state_of_a_segment_without_a_report_has_the_checksum_of_older_versions() -> None:
    for none in ("", None):
        assert state_checksum("1", "ledger", 1, none) == written_out("1", "ledger", 1)
    assert state_checksum("1", "ledger", 1, "{}") == written_out("1", "ledger", 1, "{}")
