"""Where the sentences of an earlier reader stand in a text in which something has become tags."""

from __future__ import annotations

import time

from anaphora.formats.base.format import Reading
from anaphora.formats.registry import find_blocks
from anaphora.reading.retagging import as_text, places_now

SECONDS = 4.0
"""A search from the start of the text for each place took ten."""


def test_each_place_of_a_text_full_of_tags_is_found_at_once() -> None:
    count = 15_000
    (block,) = find_blocks(("你好${x}。" * count).encode(), "txt", Reading()).blocks
    assert "".join(piece.text for piece in as_text(block.pieces)) == "你好${x}。" * count
    begun = time.process_time()
    places = places_now(block.pieces, [(7 * row, 7 * row + 7) for row in range(count)])
    assert time.process_time() - begun < SECONDS
    width = places[0][1]
    assert places == [(width * row, width * row + width) for row in range(count)]
