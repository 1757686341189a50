"""Inline tags of segments: the tags missing or misplaced in a target, and the display of tags."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from anaphora.core.segment import Segment
from anaphora_text.han import UNSPACED_LETTERS
from anaphora_text.tags import MARK as MARK
from anaphora_text.tags import closes as closes
from anaphora_text.tags import opens as opens
from anaphora_text.tags import partner as partner

_CODE_STARTS = tuple("`%${&\\[<")
"""The first characters of labels that are code or placeholders; other labels are words, such as "image"."""
_MAX_CAPTION_LENGTH = 28
_LETTER = rf"[^\W{UNSPACED_LETTERS}]"
_IN_WORD = re.compile(rf"(?<={_LETTER})(?={_LETTER}|['’]{_LETTER})|(?<={_LETTER}['’])(?={_LETTER})")
"""A place between two letters of a word. In scripts without spaces, a word may end after each letter."""


def marks_of(segment: Segment) -> tuple[str, ...]:
    """A segment's own tags in the order of its source, without text that only looks like a tag.

    In a segment without labels (from an old project), every text that looks like a tag counts as a tag.
    """
    if "{" not in segment.source:
        return ()
    marks = tuple(match.group() for match in MARK.finditer(segment.source))
    if not segment.tags:
        return marks
    labelled = {mark for mark, _ in segment.tags}
    return tuple(mark for mark in marks if mark.replace("{/", "{") in labelled)


def labels_of(segment: Segment) -> dict[str, str]:
    """The label of each tag, "" if it has none; a closing tag has the label of its opening tag."""
    labels = dict(segment.tags)
    return {mark: labels.get(mark.replace("{/", "{"), "") for mark in marks_of(segment)}


def is_code(label: str) -> bool:
    return label.startswith(_CODE_STARTS)


def caption_of(mark: str, label: str) -> str:
    """The text of a tag's chip: the code or placeholder of a single tag, otherwise the tag's number."""
    is_single = not (opens(mark) or closes(mark))
    code = " ".join(label.strip("`").split()) if is_single and is_code(label) else ""
    if len(code) > _MAX_CAPTION_LENGTH:
        code = code[: _MAX_CAPTION_LENGTH - 1] + "…"
    return code or mark.strip("{}/")


def readable_tags(text: str, labels: Mapping[str, str] = MappingProxyType({})) -> str:
    """A text for plain lists and screen readers, with tags as numbers, ‹1›, or as their code."""

    def readable(match: re.Match[str]) -> str:
        caption = caption_of(match.group(), labels.get(match.group(), ""))
        return f"‹{caption}›" if caption == match[2] else caption

    return MARK.sub(readable, text)


def missing_marks(own: Sequence[str], target: str) -> tuple[str, ...]:
    """The source's tags (`own`) that a target lacks or has too few times, in the order of the source."""
    left = Counter(match.group() for match in MARK.finditer(target))
    missing = []
    for mark in own:
        if left[mark]:
            left[mark] -= 1
        else:
            missing.append(mark)
    return tuple(missing)


def wrong_marks(own: Collection[str], marks: Sequence[str]) -> frozenset[int]:
    """The tags of a target that are surplus, close no open tag, are closed too early, or cross a pair.

    Args:
        own: the source's tags.
        marks: the target's tags, in order.
    Returns:
        indexes in `marks`.
    """
    allowed = Counter(own)
    opened: list[tuple[str, int]] = []
    wrong: set[int] = set()
    for index, mark in enumerate(marks):
        if not allowed[mark]:
            wrong.add(index)
            continue
        allowed[mark] -= 1
        if opens(mark):
            opened.append((mark, index))
        elif closes(mark):
            if opened and opened[-1][0] == partner(mark):
                opened.pop()
                continue
            wrong.add(index)
            crossed = [position for position, (name, _) in enumerate(opened) if name == partner(mark)]
            if crossed:
                wrong.add(opened.pop(crossed[-1])[1])
    present = set(marks)
    return frozenset(wrong | {index for mark, index in opened if partner(mark) in present})


def place_for_mark(text: str, offset: int, mark: str) -> int:
    """The position near an offset at which a tag can be inserted, outside words and other tags."""
    inside = {place.start() for place in _IN_WORD.finditer(text)}
    for found in MARK.finditer(text):
        inside.update(range(found.start() + 1, found.end()))
    before = next(place for place in range(offset, -1, -1) if place not in inside)
    after = next(place for place in range(offset, len(text) + 1) if place not in inside)
    if opens(mark) or closes(mark):
        return before if opens(mark) else after
    return before if offset - before <= after - offset else after


def marks_in_words(source: str) -> frozenset[str]:
    """The tags inside words of a source, such as the pair around the 2 in H₂O, with their partners. A target
    may also have these tags inside words."""
    plain = MARK.sub("", source)
    inside, removed = set(), 0
    for match in MARK.finditer(source):
        if _IN_WORD.match(plain, match.start() - removed):
            inside.add(match.group())
        removed += len(match.group())
    return frozenset(inside | {partner(mark) for mark in inside} - {""})
