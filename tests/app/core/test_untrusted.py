"""Bounds for reading untrusted data."""

from __future__ import annotations

import json
import time
import zlib

import pytest

from anaphora.core.untrusted import MAX_TEXT_BYTES, read_json, unpack


def test_packed_data_is_unpacked() -> None:
    text = "账本保存每个交易。".encode() * 1000
    assert unpack(zlib.compress(text)) == text
    assert unpack(zlib.compress(b"x" * MAX_TEXT_BYTES)) == b"x" * MAX_TEXT_BYTES


@pytest.mark.parametrize(
    "packed",
    [b"", b"no zlib", zlib.compress(b"x" * 100)[:-5], zlib.compress(b"x" * (MAX_TEXT_BYTES + 1))],
    ids=["nothing", "another file", "cut off", "too long"],
)
def test_damaged_or_oversized_data_is_not_unpacked(packed: bytes) -> None:
    with pytest.raises(ValueError, match="compressed"):
        unpack(packed)


def test_json_is_read_as_before() -> None:
    plain = {"a": [[1, 2.5, None], ["[[[[" * 50, '\\"', "账本"]], "b": {"c": [True] * 100}}
    assert read_json(json.dumps(plain)) == plain
    many = [["账本", "ledger]["]] * 100_000
    assert read_json(json.dumps(many)) == many


@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000,
        "[" * 200_000 + "]" * 200_000,
        '{"a":' * 100_000,
        "[" + "[]," * 2_000_000 + "[]]",
        "[" + "1," * 6_000_000 + "1]",
        '["' + r"\"" * 2_000_000 + "[" * 100,
        '["' + r"\"" * 2_000_000 + "\\",
        "no json",
        "",
    ],
)
def test_json_that_is_too_deep_or_too_long_is_refused(text: str) -> None:
    begun = time.process_time()
    with pytest.raises(ValueError):
        read_json(text)
    assert time.process_time() - begun < 1


def test_json_longer_than_the_limit_is_not_read() -> None:
    with pytest.raises(ValueError, match="at most 10"):
        read_json("[1, 2, 3, 4]", 10)
