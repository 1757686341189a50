"""Where two texts differ, word by word; Chinese character by character."""

from __future__ import annotations

import re

from rapidfuzz.distance import Levenshtein

from anaphora.core.folding import NUMBER
from anaphora.core.tags import MARK
from anaphora.core.text import HAN

Spans = tuple[tuple[int, int], ...]
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


def _joined(spans: list[tuple[int, int]]) -> Spans:
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and joined[-1][1] == start:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)
