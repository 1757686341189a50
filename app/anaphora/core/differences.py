"""Where two texts differ, word by word; Chinese character by character."""

from __future__ import annotations

import re
from enum import Enum

from rapidfuzz.distance import Levenshtein

from anaphora.core.folding import NUMBER
from anaphora.core.shortening import ELLIPSIS
from anaphora.core.tags import MARK
from anaphora.core.text import HAN


class Change(Enum):
    """What becomes of a stretch of text; of two in one place the one that goes comes first."""

    SAME = 0
    GONE = 1
    NEW = 2


Spans = tuple[tuple[int, int], ...]
AROUND = 60
"""Characters beside a difference that tell where it is."""
_TOKEN = re.compile(
    rf"{MARK.pattern}|{HAN.pattern}|{NUMBER.pattern}|(?:(?!{HAN.pattern})[^\W\d_])+|\s+|.", re.DOTALL
)


def differences(old: str, new: str) -> tuple[Spans, Spans]:
    """What was left out of `old` and what is new in `new`.

    Returns:
        spans (start, end) in `old` and in `new`, neighbours joined.
    """
    tokens = [[(match.start(), match.end()) for match in _TOKEN.finditer(text)] for text in (old, new)]
    words = [
        [text[start:end] for start, end in spans] for text, spans in zip((old, new), tokens, strict=True)
    ]
    gone: list[tuple[int, int]] = []
    come: list[tuple[int, int]] = []
    for step in Levenshtein.opcodes(words[0], words[1]):
        if step.tag != "equal":
            if step.src_end > step.src_start:
                gone.append((tokens[0][step.src_start][0], tokens[0][step.src_end - 1][1]))
            if step.dest_end > step.dest_start:
                come.append((tokens[1][step.dest_start][0], tokens[1][step.dest_end - 1][1]))
    return _joined(gone), _joined(come)


def merged(old: str, new: str, gone: Spans, come: Spans) -> list[tuple[Change, str]]:
    """Both texts as one, in which the differences can be shown.

    Args:
        gone, come: what `differences` gave for them.
    """
    parts: list[tuple[Change, str]] = []
    here = there = 0
    for side, (start, end) in sorted(
        [(Change.GONE, span) for span in gone] + [(Change.NEW, span) for span in come],
        key=lambda part: (_common(part, gone, come), part[0].value),
    ):
        equal = start - (here if side is Change.GONE else there)
        parts.append((Change.SAME, old[here : here + equal]))
        here, there = here + equal, there + equal
        if side is Change.GONE:
            parts.append((side, old[start:end]))
            here = end
        else:
            parts.append((side, new[start:end]))
            there = end
    parts.append((Change.SAME, old[here:]))
    return [part for part in parts if part[1]]


def at_a_glance(parts: list[tuple[Change, str]], most: int) -> list[tuple[Change, str]]:
    """The parts of a long text about its differences; of a short one all.

    Args:
        most: about how many characters are shown. Of a longer text only `AROUND` characters beside each
            difference are kept, and if that is still too long its end is cut off.
    """
    if sum(len(text) for _, text in parts) <= most:
        return parts
    shown: list[tuple[Change, str]] = []
    room = most
    for number, (change, text) in enumerate(parts):
        before = AROUND if number else (0 if len(parts) > 1 else most)
        after = AROUND if number + 1 < len(parts) else 0
        if change is Change.SAME and len(text) > before + after + len(ELLIPSIS):
            text = text[:before] + ELLIPSIS + text[len(text) - after :]
        if len(text) > room:
            return [*shown, (change, text[:room] + ELLIPSIS)]
        shown.append((change, text))
        room -= len(text)
    return shown


def _common(part: tuple[Change, tuple[int, int]], gone: Spans, come: Spans) -> int:
    """How many characters that both texts share stand before a difference."""
    side, (start, _) = part
    spans = gone if side is Change.GONE else come
    return start - sum(end - begin for begin, end in spans if end <= start)


def _joined(spans: list[tuple[int, int]]) -> Spans:
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)
