"""Detect endless repetition in drafts."""

from __future__ import annotations

import re

from anaphora_text.han import HAN

_TOKEN = re.compile(rf"[{HAN}]|[^\W{HAN}]+|[^\w\s]")
_MAX_PHRASE = 12  # tokens


def has_loop(text: str) -> bool:
    """True if a word occurs four times in a row, or a phrase of 2 to 12 words or marks three times."""
    tokens = _TOKEN.findall(text.lower())
    return any(_repeats(tokens, size, 4 if size == 1 else 3) for size in range(1, _MAX_PHRASE + 1))


def _repeats(tokens: list[str], size: int, times: int) -> bool:
    run = 0  # number of consecutive tokens that equal the token `size` positions before
    for position in range(size, len(tokens)):
        run = run + 1 if tokens[position] == tokens[position - size] else 0
        if run >= size * (times - 1) and any(
            token[0].isalnum() for token in tokens[position - size + 1 : position + 1]
        ):
            return True
    return False
