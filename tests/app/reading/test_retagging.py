"""Where the sentences of an earlier reader stand in a text in which something has become tags."""

from __future__ import annotations

import time

import pytest

from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.formats.base.format import Reading
from anaphora.formats.registry import find_blocks
from anaphora.reading.retagging import as_text, places_now, retagged

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


def test_a_place_in_the_midst_of_what_is_a_tag_now_goes_to_its_edge() -> None:
    (block,) = find_blocks("你好${name}。再见".encode(), "txt", Reading()).blocks
    before = "".join(piece.text for piece in as_text(block.pieces))
    middle, stop = before.index("name"), before.index("。")
    width = sum(piece.width for piece in block.pieces)
    cut, rest = places_now(block.pieces, [(0, middle), (middle, len(before))])
    assert rest[1] == width == len(before) - len("${name}") + cut[1] - 2
    assert cut == (0, cut[1]) and rest[0] == 2, "both have the whole tag"
    assert places_now(block.pieces, [(0, 2), (2, stop), (stop, stop + 1)]) == [
        (0, 2),
        (2, cut[1]),
        (cut[1], cut[1] + 1),
    ]


def test_pieces_without_a_character_move_no_place() -> None:
    (block,) = find_blocks("<p>一<b>二</b><i><u>三</u></i>四${x}五</p>".encode(), "html", Reading()).blocks
    before = "".join(piece.text for piece in as_text(block.pieces) if piece.width)
    after = "".join(piece.text for piece in block.pieces if piece.width)
    for letter in "一二三四五":
        old, new = before.index(letter), after.index(letter)
        assert places_now(block.pieces, [(old, old + 1)]) == [(new, new + 1)]
    assert places_now(block.pieces, [(len(before), len(before))]) == [(len(after), len(after))]
    assert places_now((), [(0, 0)]) == [(0, 0)]


X = {"{1/}": "${x}"}
TWICE = dict.fromkeys(("{1/}", "{2/}"), "${x}")


@pytest.mark.parametrize(
    ("old", "target", "source", "labels", "expected"),
    [
        ("你好${x}。", "Hello, ${x}.", "你好{1/}。", X, "Hello, {1/}."),
        ("你好${x}。", "", "你好{1/}。", X, ""),
        # the tags of the same text one after the other; where there are more, the last once more
        ("${x}和${x}", "${x}, ${x}, ${x}", "{1/}和{2/}", TWICE, "{1/}, {2/}, {2/}"),
        # a tag that there was already has another number now
        ("${x}和{1}粗{/1}", "{1}bold{/1} ${x}", "{1/}和{2}粗{/2}", X | {"{2}": "b"}, "{2}bold{/2} {1/}"),
        ("<b>粗</b>", "<b>bold</b>", "{1}粗{/1}", {"{1}": "<b>"}, "{1}bold{/1}"),
        ("你好${x}。", "Hello, ${x}.", "你好{1/}！", X, None),  # another end
        ("你好${x}。", "Hello, ${x}.", "您好{1/}。", X, None),  # another beginning
        ("你好${x}。", "Hello, ${x}.", "你好{1/}。", {"{1/}": "${y}"}, None),
        ("你好${x}。", "Hello, ${x}.", "你好{1/}。", {}, None),
        ("你好{1/}。", "Hello, {1/}.", "你好{1/}。", X, None),  # nothing was text
        ("你好", "Hello", "你好", {}, None),
    ],
)
def test_a_translation_is_kept_where_text_has_become_tags(
    old: str, target: str, source: str, labels: dict[str, str], expected: str | None
) -> None:
    segment = Segment("1", old, SegmentState(target, Status.CONFIRMED))
    found = retagged(segment, source, labels)
    if expected is None:
        assert found is None
    else:
        assert found == Segment("1", source, SegmentState(expected, Status.CONFIRMED))
