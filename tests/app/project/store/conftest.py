"""A small document to make projects from."""

from __future__ import annotations

from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.segment import Segment


@pytest.fixture
def source() -> SourceDocument:
    """Twenty segments of a text file."""
    segments = tuple(Segment(f"s{number}", f"第{number}句。") for number in range(20))
    data = "\n".join(segment.source for segment in segments).encode()
    return SourceDocument("说明.txt", Path("/tmp/说明.txt"), "txt", "utf-8", data, segments)
