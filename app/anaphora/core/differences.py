"""Differences between two texts by word."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from anaphora.core.tags import MARK
from anaphora.core.text import HAN, NUMBER
from anaphora_text.unspaced import word_edges


class Change(Enum):
    """The change of a stretch of text. A deletion comes before an insertion in the same place."""

    SAME = 0
    GONE = 1
    NEW = 2


Spans = tuple[tuple[int, int], ...]
_LETTERS = rf"(?:(?!{HAN.pattern})[^\W\d_])+"
_TOKEN = re.compile(
    rf"{MARK.pattern}|{HAN.pattern}+|{NUMBER.pattern}|{_LETTERS}(?:['’-]{_LETTERS})*|\s+|.", re.DOTALL
)


def differences(old: str, new: str) -> tuple[Spans, Spans]:
    """The deleted spans of `old` and the new spans of `new`, as (start, end); adjacent spans are joined."""
    gone: list[tuple[int, int]] = []
    added: list[tuple[int, int]] = []
    old_end = new_end = 0
    for change, text in merged(old, new):
        if change is not Change.NEW:
            old_end += len(text)
        if change is not Change.GONE:
            new_end += len(text)
        if change is Change.GONE:
            gone.append((old_end - len(text), old_end))
        elif change is Change.NEW:
            added.append((new_end - len(text), new_end))
    return tuple(gone), tuple(added)


def merged(old: str, new: str) -> list[tuple[Change, str]]:
    """Both texts as one sequence of unchanged, deleted and inserted parts."""
    before, after = _tokens(old), _tokens(new)
    parts: list[tuple[Change, str]] = []
    gone = added = ""
    steps = list(Levenshtein.opcodes(before, after))
    for step in steps:
        text = "".join(before[step.src_start : step.src_end])
        # White space between two changed words counts as changed, so that the words form one change.
        if step.tag == "equal" and not (gone and added and text.isspace() and step is not steps[-1]):
            parts += [(Change.GONE, gone), (Change.NEW, added), (Change.SAME, text)]
            gone = added = ""
        else:
            gone += text
            added += "".join(after[step.dest_start : step.dest_end])
    parts += [(Change.GONE, gone), (Change.NEW, added)]
    return [part for part in parts if part[1]]


def _tokens(text: str) -> list[str]:
    starts = {*word_edges(text), *(match.start() for match in _TOKEN.finditer(text)), len(text)}
    return [text[start:end] for start, end in pairwise(sorted(starts))]
