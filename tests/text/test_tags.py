"""The notation of tags."""

from __future__ import annotations

import pytest

from anaphora_text.tags import MARK, PAIRED, SINGLE, closes, opens, partner


@pytest.mark.parametrize(
    ("mark", "paired", "is_open", "is_close", "other"),
    [
        ("{1}", True, True, False, "{/1}"),
        ("{/12}", True, False, True, "{12}"),
        ("{3/}", False, False, False, ""),
    ],
)
def test_mark_opens_closes_or_stands_alone(mark, paired, is_open, is_close, other) -> None:
    assert MARK.fullmatch(mark)
    assert bool(PAIRED.fullmatch(mark)) == paired != bool(SINGLE.fullmatch(mark))
    assert (opens(mark), closes(mark), partner(mark)) == (is_open, is_close, other)
