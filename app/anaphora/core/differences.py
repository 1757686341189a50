"""Differences between two texts by word."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise

from rapidfuzz.distance import Levenshtein

from anaphora.core.folding import NUMBER
from anaphora.core.tags import MARK
from anaphora.core.text import HAN
from anaphora_text.unspaced import word_edges


class Change(Enum):
    """The change of a stretch of text; a deletion comes before an insertion in the same place."""

    SAME = 0
    GONE = 1
    NEW = 2


Spans = tuple[tuple[int, int], ...]
_LETTERS = rf"(?:(?!{HAN.pattern})[^\W\d_])+"
_TOKEN = re.compile(
    rf"{MARK.pattern}|{HAN.pattern}+|{NUMBER.pattern}|{_LETTERS}(?:['’-]{_LETTERS})*|\s+|.", re.DOTALL
)


def differences(old: str, new: str) -> tuple[Spans, Spans]:
    """The deleted spans of `old` and the new spans of `new`, as (start, end), neighbours joined."""
    gone: list[tuple[int, int]] = []
    come: list[tuple[int, int]] = []
    here = there = 0
    for change, text in merged(old, new):
        if change is not Change.NEW:
            here += len(text)
        if change is not Change.GONE:
            there += len(text)
        if change is Change.GONE:
            gone.append((here - len(text), here))
        elif change is Change.NEW:
            come.append((there - len(text), there))
    return tuple(gone), tuple(come)


def merged(old: str, new: str) -> list[tuple[Change, str]]:
    before, after = _tokens(old), _tokens(new)
    parts: list[tuple[Change, str]] = []
    gone = come = ""
    steps = list(Levenshtein.opcodes(before, after))
    for step in steps:
        text = "".join(before[step.src_start : step.src_end])
        # A blank between words that both differ belongs to them.
        if step.tag == "equal" and not (gone and come and text.isspace() and step is not steps[-1]):
            parts += [(Change.GONE, gone), (Change.NEW, come), (Change.SAME, text)]
            gone = come = ""
        else:
            gone += text
            come += "".join(after[step.dest_start : step.dest_end])
    parts += [(Change.GONE, gone), (Change.NEW, come)]
    return [part for part in parts if part[1]]


def _tokens(text: str) -> list[str]:
    starts = {*word_edges(text), *(match.start() for match in _TOKEN.finditer(text)), len(text)}
    return [text[start:end] for start, end in pairwise(sorted(starts))]
