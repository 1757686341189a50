"""The pause of the garbage collector ends, whatever happens in it."""

from __future__ import annotations

import gc

import pytest

from anaphora.core.gc_pause import gc_paused
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.registry import fill, find_blocks, read_bytes
from anaphora.formats.text import txt


def test_nothing_is_collected_while_a_document_is_read_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    enabled: list[bool] = []
    blocks = txt.FORMAT.blocks

    def watched(data: bytes, reading: Reading) -> Parsed:
        enabled.append(gc.isenabled())
        return blocks(data, reading)

    monkeypatch.setattr(type(txt.FORMAT), "blocks", lambda self, data, reading: watched(data, reading))
    read_bytes("一句话。".encode(), "a.txt")
    find_blocks("一句话。".encode(), "txt", Reading())
    assert enabled == [False, False]
    assert gc.isenabled()


def test_a_file_that_is_refused_ends_the_pause() -> None:
    with pytest.raises(FormatError):
        read_bytes(b"<x", "a.xlf")
    assert gc.isenabled()
    with pytest.raises(FormatError):
        fill(b"<x", "xliff", ())
    assert gc.isenabled()


def test_a_pause_in_a_pause_ends_with_the_outer_one() -> None:
    with gc_paused():
        with gc_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
