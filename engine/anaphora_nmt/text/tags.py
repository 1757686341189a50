"""Remove paired inline tags before translation, and restore them by word alignment.

Single tags (`{1/}`) stand for objects in the sentence, so they stay in the text and are protected.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anaphora_text.han import UNSPACED_LETTERS
from anaphora_text.punctuation import BRACKET_PAIRS, COMMAS, SEMICOLONS, WIDE_BRACKET_PAIRS, one_of
from anaphora_text.tags import PAIRED, SINGLE, closes, opens

UNSPACED = re.compile(f"[{UNSPACED_LETTERS}]")
_LETTER = re.compile(rf"[^\W_{UNSPACED_LETTERS}]")
"""A digit, or a letter of a script with spaces between words."""
_SIGN = re.compile(r"[-+−–]\d")
_JOINT = rf"(?<={_LETTER.pattern})[·.×/^_](?={_LETTER.pattern})"
_WORD_BEFORE = re.compile(rf"(?:{_LETTER.pattern}|{_JOINT})+\Z")
_WORD_AFTER = re.compile(rf"(?:{_LETTER.pattern}|{_JOINT})+")
_NUMBER = r"\d{1,4}[a-z]?"
_OPENED, _CLOSED = (one_of("".join(ends)) for ends in zip(*BRACKET_PAIRS, *WIDE_BRACKET_PAIRS, strict=True))
_BETWEEN = one_of(COMMAS + SEMICOLONS + "–~-")
_REFERENCE = re.compile(
    rf"{_OPENED}?{_NUMBER}(?:\s?{_BETWEEN}\s?{_NUMBER})*{_CLOSED}?[*†‡]*"
    rf"|[*†‡§¶#]+|{_OPENED}[a-z]{_CLOSED}"
)
"""A reference to a note or to a bibliography entry: 1; [3,4]; (a); *."""
_MAX_LETTERS = 60
"""Maximum number of letters to search on each side of a span; searching very long runs takes too long."""


def word_around(text: str, start: int, end: int) -> tuple[int, int]:
    """A span extended to whole words in scripts with spaces; in other scripts, the same span."""
    begin = start
    if _SIGN.match(text, start, end) or _LETTER.match(text, start, end):
        before = _WORD_BEFORE.search(text[max(0, start - _MAX_LETTERS) : start])
        begin = start - len(before.group()) if before else start
    if start < end and _LETTER.match(text, end - 1):
        after = _WORD_AFTER.match(text, end, end + _MAX_LETTERS)
        end = after.end() if after else end
    return begin, end


def unit_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The word of which a pair's span is a part, or the span if it is a reference; otherwise None."""
    if start >= end:
        return None
    begin, stop = word_around(text, start, end)
    if (begin, stop) == (start, end) and not _REFERENCE.fullmatch(text, start, end):
        return None
    # White space at the edges of the pair is not part of the word.
    head = text[begin : min(stop, begin + _MAX_LETTERS)]
    begin += len(head) - len(head.lstrip())
    tail = text[max(begin, stop - _MAX_LETTERS) : stop]
    stop -= len(tail) - len(tail.rstrip())
    return (begin, stop) if begin < stop else None


def word_positions(text: str, word: str) -> list[int]:
    """The positions of a word in a text, except inside longer words."""
    before = rf"(?<!{_LETTER.pattern})" if _LETTER.match(word) else ""
    after = rf"(?!{_LETTER.pattern})" if _LETTER.match(word[-1:]) else ""
    return [match.start() for match in re.finditer(before + re.escape(word) + after, text)]


ANY_TAG = re.compile(rf"{PAIRED.pattern}|{SINGLE.pattern}")


@dataclass(frozen=True, slots=True)
class Tag:
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


@dataclass(frozen=True, slots=True)
class Words:
    text: str
    spans: Sequence[tuple[int, int]]


def strip_tags(text: str, pattern: re.Pattern[str] = PAIRED) -> tuple[str, tuple[Tag, ...]]:
    """A text without its paired tags (or the tags that `pattern` matches), and the removed tags."""
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
    parts: list[str] = []
    last = 0
    for tag in sorted(tags, key=lambda tag: tag.position):
        parts += (text[last : tag.position], tag.text)
        last = tag.position
    return "".join((*parts, text[last:]))


def whole_strings(text: str, tags: Sequence[Tag]) -> list[tuple[int, int]]:
    """(start, end) of words that a translation must keep whole, such as CO₂ with a pair around the 2."""
    units: list[tuple[int, int]] = []
    for word in sorted(word for pair in _pairs(tags) if (word := unit_around(text, *pair))):
        if units and word[0] < units[-1][1]:
            word = (units[-1][0], max(word[1], units.pop()[1]))
        units.append(word)
    return units


def transfer_tags(
    tags: Sequence[Tag], source: Words, target: Words, links: Sequence[int | None]
) -> list[Tag]:
    """Place a source's tags in its translation, each exactly once and with pairs in the right order.

    A pair encloses its text where the translation contains it unchanged. Otherwise, it encloses the target
    words that are aligned with its words, from the first to the last one. A tag without aligned words stands
    before the first target word that is aligned with a later source word, or else at the end.

    Args:
        links: for each target word, the index of the aligned source word, or None.
    """

    def point(position: int) -> int:
        after = {n for n, (first, _) in enumerate(source.spans) if first >= position}
        if len(after) == len(source.spans):
            return 0
        hits = (target.spans[n][0] for n, link in enumerate(links) if link in after)
        return min(hits, default=len(target.text))

    def span(start: int, end: int) -> tuple[int, int]:
        inside = {n for n, (first, last) in enumerate(source.spans) if first < end and last > start}
        if inside and len(inside) == len(source.spans):
            return 0, len(target.text)
        hits = [target.spans[n] for n, link in enumerate(links) if link in inside]
        if not hits:
            return point(start), point(start)
        return min(first for first, _ in hits), max(last for _, last in hits)

    placed: list[tuple[int, int, Tag]] = []
    opened: dict[int, tuple[int, int, Tag]] = {}
    for order, tag in enumerate(tags):
        if tag.opens:
            opened[tag.number] = (order, tag.position, tag)
        elif tag.closes and tag.number in opened:
            first_order, start, opening = opened.pop(tag.number)
            aligned = span(start, tag.position)
            same = _same_text(start, tag.position, source.text, target.text, aligned)
            begin, end = same or aligned
            inner = [position for number, position, _ in placed if number > first_order]
            if begin < end and inner:
                begin, end = min(begin, *inner), max(end, *inner)
                begin, end = (begin, end) if same else word_around(target.text, begin, end)
            placed += ((first_order, begin, opening), (order, end, tag))
        else:
            placed.append((order, point(tag.position), tag))
    placed += ((order, point(position), tag) for order, position, tag in opened.values())
    return _nested([(position, order, tag) for order, position, tag in placed])


def _pairs(tags: Sequence[Tag]) -> Iterator[tuple[int, int]]:
    opened: dict[int, int] = {}
    for tag in tags:
        if tag.opens:
            opened[tag.number] = tag.position
        elif tag.closes and tag.number in opened:
            yield opened.pop(tag.number), tag.position


def _same_text(
    start: int, end: int, source: str, target: str, aligned: tuple[int, int]
) -> tuple[int, int] | None:
    """The span of a pair's unchanged text; None if `transfer_tags` must use the alignment."""
    text = source[start:end]
    if not text.strip() or UNSPACED.search(text):
        return None
    first, last = word_around(source, start, end)
    if text.isalpha() and (first, last) == (start, end) and not UNSPACED.search(source):
        return None  # a whole word may be the same in both languages by chance
    in_source, in_target = (word_positions(each, source[first:last]) for each in (source, target))
    if not in_target:
        return None
    if len(in_source) == len(in_target) and first in in_source:
        begin = in_target[in_source.index(first)]
    else:
        begin = min(in_target, key=lambda place: abs(place - aligned[0]))
    return begin + start - first, begin + end - first


def _nested(placed: list[tuple[int, int, Tag]]) -> list[Tag]:
    def rank(item: tuple[int, int, Tag]) -> tuple[int, int, int]:
        position, order, tag = item
        partner = next(
            (p for p, _, other in placed if other.number == tag.number and other.text != tag.text), position
        )
        empty = partner == position
        return position, 1 if empty or not tag.closes else 0, order

    return [Tag(tag.text, position) for position, _, tag in sorted(placed, key=rank)]
