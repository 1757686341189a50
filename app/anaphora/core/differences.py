"""Word-by-word differences between two texts."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from anaphora.core.tags import MARK
from anaphora.core.text import HAN, NUMBER
from anaphora_text.unspaced import word_edges


class Change(Enum):
    """The kind of a part in the result of `merged`: unchanged, deleted or inserted."""

    SAME = 0
    GONE = 1
    NEW = 2


Spans = tuple[tuple[int, int], ...]
"""Offsets (start, end) of stretches of a text."""
_LETTERS = rf"(?:(?!{HAN.pattern})[^\W\d_])+"
_TOKEN = re.compile(
    rf"{MARK.pattern}|{HAN.pattern}+|{NUMBER.pattern}|{_LETTERS}(?:['’-]{_LETTERS})*|\s+|.", re.DOTALL
)


def differences(old: str, new: str) -> tuple[Spans, Spans]:
    """The deleted stretches of `old` and the inserted stretches of `new`; see `merged`."""
    deleted: list[tuple[int, int]] = []
    inserted: list[tuple[int, int]] = []
    old_end = new_end = 0
    for change, text in merged(old, new):
        if change is not Change.NEW:
            old_end += len(text)
        if change is not Change.GONE:
            new_end += len(text)
        if change is Change.GONE:
            deleted.append((old_end - len(text), old_end))
        elif change is Change.NEW:
            inserted.append((new_end - len(text), new_end))
    return tuple(deleted), tuple(inserted)


def merged(old: str, new: str) -> list[tuple[Change, str]]:
    """Both texts as one sequence of unchanged, deleted and inserted parts; deletions precede insertions."""
    before, after = _tokens(old), _tokens(new)
    parts: list[tuple[Change, str]] = []
    deleted = inserted = ""
    steps = list(Levenshtein.opcodes(before, after))
    for step in steps:
        text = "".join(before[step.src_start : step.src_end])
        # White space between two changed words counts as changed, so that the words form one change.
        if step.tag == "equal" and not (deleted and inserted and text.isspace() and step is not steps[-1]):
            parts += [(Change.GONE, deleted), (Change.NEW, inserted), (Change.SAME, text)]
            deleted = inserted = ""
        else:
            deleted += text
            inserted += "".join(after[step.dest_start : step.dest_end])
    parts += [(Change.GONE, deleted), (Change.NEW, inserted)]
    return [part for part in parts if part[1]]


def _tokens(text: str) -> list[str]:
    starts = {*word_edges(text), *(match.start() for match in _TOKEN.finditer(text)), len(text)}
    return [text[start:end] for start, end in pairwise(sorted(starts))]
