"""Paired inline tags leave the text before translation and come back by word alignment.

A pair is `{1}` … `{/1}` around a span. A tag by itself, `{1/}`, stands for something in the sentence (code,
an image, a field): it stays in the text and is protected like a number (`text.protect`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from anaphora_text.tags import PAIRED, SINGLE, closes, opens

ANY = re.compile(rf"{PAIRED.pattern}|{SINGLE.pattern}")


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag in a text without tags.

    Attributes:
        text: as it is written, `{1}`.
        position: offset in the text without tags before which it stands.
    """

    text: str
    position: int

    @property
    def number(self) -> int:
        return int(self.text.strip("{}/"))

    @property
    def opens(self) -> bool:
        return opens(self.text)

    @property
    def closes(self) -> bool:
        return closes(self.text)


def strip_tags(text: str, pattern: re.Pattern[str] = PAIRED) -> tuple[str, tuple[Tag, ...]]:
    """The text without its paired tags (or those of another pattern), and these."""
    parts: list[str] = []
    tags: list[Tag] = []
    last = length = 0
    for match in pattern.finditer(text):
        part = text[last : match.start()]
        parts.append(part)
        length += len(part)
        tags.append(Tag(match.group(), length))
        last = match.end()
    parts.append(text[last:])
    return "".join(parts), tuple(tags)


def insert_tags(text: str, tags: Sequence[Tag]) -> str:
    """Put tags into a text at their positions; tags at one position keep their order."""
    parts: list[str] = []
    last = 0
    for tag in sorted(tags, key=lambda tag: tag.position):
        parts += (text[last : tag.position], tag.text)
        last = tag.position
    return "".join((*parts, text[last:]))


def transfer_tags(
    tags: Sequence[Tag],
    source_words: Sequence[tuple[int, int]],
    target_words: Sequence[tuple[int, int]],
    links: Sequence[int | None],
    target_length: int,
) -> list[Tag]:
    """Place a source's tags in its translation.

    A pair encloses the target words from the first to the last that align into it; a tag without its
    partner, or a pair that nothing aligns into, stands before the first target word that aligns at or
    after it. Every tag of the source comes back exactly once, pairs in the right order.

    Args:
        tags: of the source.
        source_words, target_words: (start, end) offsets in the texts without tags.
        links: for each target word the source word that it comes from.
        target_length: length of the target text.
    """
    placed: list[tuple[int, int, Tag]] = []
    opened: dict[int, tuple[int, int, Tag]] = {}
    for order, tag in enumerate(tags):
        if tag.opens:
            opened[tag.number] = (order, tag.position, tag)
        elif tag.closes and tag.number in opened:
            first_order, start, opening = opened.pop(tag.number)
            begin, end = _span(start, tag.position, source_words, target_words, links, target_length)
            placed += ((first_order, begin, opening), (order, end, tag))
        else:
            placed.append(
                (order, _point(tag.position, source_words, target_words, links, target_length), tag)
            )
    for order, position, tag in opened.values():
        placed.append((order, _point(position, source_words, target_words, links, target_length), tag))
    return _nested([(position, order, tag) for order, position, tag in placed])


def _span(
    start: int,
    end: int,
    source_words: Sequence[tuple[int, int]],
    target_words: Sequence[tuple[int, int]],
    links: Sequence[int | None],
    target_length: int,
) -> tuple[int, int]:
    inside = {n for n, (first, last) in enumerate(source_words) if first < end and last > start}
    hits = [target_words[n] for n, link in enumerate(links) if link in inside]
    if inside and len(inside) == len(source_words):
        return 0, target_length
    if not hits:
        point = _point(start, source_words, target_words, links, target_length)
        return point, point
    return min(first for first, _ in hits), max(last for _, last in hits)


def _point(
    position: int,
    source_words: Sequence[tuple[int, int]],
    target_words: Sequence[tuple[int, int]],
    links: Sequence[int | None],
    target_length: int,
) -> int:
    after = {n for n, (first, _) in enumerate(source_words) if first >= position}
    if len(after) == len(source_words):
        return 0
    hits = [target_words[n][0] for n, link in enumerate(links) if link in after]
    return min(hits, default=target_length)


def _nested(placed: list[tuple[int, int, Tag]]) -> list[Tag]:
    """Order tags so that at one position those that close come before those that open."""

    def rank(item: tuple[int, int, Tag]) -> tuple[int, int, int]:
        position, order, tag = item
        partner = next(
            (p for p, _, other in placed if other.number == tag.number and other.text != tag.text), position
        )
        empty = partner == position
        return position, 1 if empty or not tag.closes else 0, order

    return [Tag(tag.text, position) for position, _, tag in sorted(placed, key=rank)]
