"""A file ten times as long takes about ten times as long to read and to write."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from growth import takes_less_than

from anaphora.core.gc_pause import gc_paused
from anaphora.core.segment import SegmentState, Status
from anaphora.core.tags import MARK
from anaphora.formats.base.format import Reading
from anaphora.formats.registry import fill, read_bytes

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
FEW, MANY = 400, 4_000
MOST = 14
"""Times as long for ten times the size: where each string looks through its whole file it is over 20."""
FRAGMENTS = (
    ("csv", "rows"), ("json", "strings"), ("mdx", "paragraphs"), ("po", "messages"), ("properties", "values"),
    ("resx", "strings"), ("strings", "strings"), ("stringsdict", "strings"), ("ts", "messages"),
    ("vtt", "cues"), ("vtt", "tags"), ("xcstrings", "strings"), ("xml", "strings"), ("yml", "strings"),
)  # fmt: skip


def words_between_tags(source: str) -> str:
    return f"x{''.join(f'{found[0]}x' for found in MARK.finditer(source))}"


def seconds(suffix: str, data: bytes) -> float:
    """Processor time to read a file and to write it translated; what other tests left is not searched."""
    with gc_paused():
        begun = time.process_time()
        document = read_bytes(data, f"a.{suffix}")
        translated = [
            each.with_state(SegmentState(words_between_tags(each.source), Status.CONFIRMED))
            for each in document.segments
        ]
        result = fill(data, document.format, translated, Reading(document.language, document.encoding))
        taken = time.process_time() - begun
    assert result != data
    return taken


@pytest.mark.parametrize(("suffix", "name"), FRAGMENTS)
def test_time_grows_with_the_file(monkeypatch: pytest.MonkeyPatch, suffix: str, name: str) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import fuzz_growth

    build = fuzz_growth.FRAGMENTS[suffix][name]
    few, many = build(FEW), build(MANY)
    assert takes_less_than(MOST, lambda: seconds(suffix, few), lambda: seconds(suffix, many))
