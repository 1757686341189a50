"""The pause of the garbage collector ends, whatever happens in it."""

from __future__ import annotations

import gc

import pytest

from anaphora.core.collecting import collection_paused
from anaphora.formats.base.format import FormatError, Parsed
from anaphora.formats.registry import parse, read_bytes, render
from anaphora.formats.segmentation.segmenter import DEFAULT_SEGMENTER
from anaphora.formats.text import txt


def test_nothing_is_collected_while_a_document_is_read_and_written(monkeypatch: pytest.MonkeyPatch) -> None:
    enabled: list[bool] = []
    read = txt.FORMAT.parse

    def watched(data: bytes, segmenter: object) -> Parsed:
        enabled.append(gc.isenabled())
        return read(data, DEFAULT_SEGMENTER)

    monkeypatch.setattr(type(txt.FORMAT), "parse", lambda self, data, segmenter: watched(data, segmenter))
    read_bytes("一句话。".encode(), "a.txt")
    parse("一句话。".encode(), "txt", DEFAULT_SEGMENTER)
    assert enabled == [False, False]
    assert gc.isenabled()


def test_a_file_that_is_refused_ends_the_pause() -> None:
    with pytest.raises(FormatError):
        read_bytes(b"<x", "a.xlf")
    assert gc.isenabled()
    with pytest.raises(FormatError):
        render(b"<x", "xliff", {"1": "a"})
    assert gc.isenabled()


def test_a_pause_in_a_pause_ends_with_the_outer_one() -> None:
    with collection_paused():
        with collection_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
