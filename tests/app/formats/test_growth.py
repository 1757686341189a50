"""A file ten times as long takes about ten times as long to read and to write."""

from __future__ import annotations

import time

import growing_files
import pytest
from growth import takes_less_than

from anaphora.core.segment import SegmentState, Status
from anaphora.core.tags import MARK
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.registry import fill, read_bytes
from anaphora.system.garbage import gc_paused

FEW, MANY = 400, 4_000
MAX_FACTOR = 14
"""Maximum factor of the time for ten times the size; with quadratic time it is over 20."""
SUFFIXES = (
    "csv", "json", "mdx", "po", "properties", "resx", "strings", "stringsdict", "ts", "vtt", "xcstrings",
    "xml", "yml",
)  # fmt: skip


def words_between_tags(source: str) -> str:
    return f"x{''.join(f'{found[0]}x' for found in MARK.finditer(source))}"


def seconds(suffix: str, data: bytes) -> float:
    """Processor time to read a file and to write it translated, without garbage of other tests."""
    with gc_paused():
        begun = time.process_time()
        document = read_bytes(data, f"a.{suffix}")
        translated = [
            each.with_state(SegmentState(words_between_tags(each.source), Status.CONFIRMED))
            for each in document.segments
        ]
        result = fill(data, document.format, translated, ReadOptions(document.language, document.encoding))
        taken = time.process_time() - begun
    assert result != data
    return taken


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_time_grows_with_the_file(suffix: str) -> None:
    check_growth(suffix, growing_files.with_texts(suffix, FEW), growing_files.with_texts(suffix, MANY))


def test_time_grows_with_the_tags() -> None:
    check_growth("vtt", growing_files.with_tags(FEW), growing_files.with_tags(MANY))


def check_growth(suffix: str, few: bytes, many: bytes) -> None:
    """Check that the time grows about linearly with the size."""
    assert takes_less_than(MAX_FACTOR, lambda: seconds(suffix, few), lambda: seconds(suffix, many))
