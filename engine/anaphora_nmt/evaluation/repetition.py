"""Outputs that went wrong in ways that need no reference: loops, empty and runaway outputs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from anaphora_nmt.data.prepare import length_ratio

_TOKEN = re.compile(r"[\u4e00-\u9fff]|[^\W\u4e00-\u9fff]+|[^\w\s]")
_LONGEST_OUTPUT = 3.0
_LONGEST_LOOP = 12


@dataclass(frozen=True, slots=True)
class Repetition:
    """How many outputs of a test set are broken.

    Attributes:
        outputs: all of them.
        looping: those that repeat an n-gram at once (see `has_loop`).
        empty: those without any text.
        runaway: those more than three times as long as their source lets expect.
    """

    outputs: int
    looping: int
    empty: int
    runaway: int

    @property
    def share(self) -> float:
        """Share of the looping outputs."""
        return self.looping / self.outputs if self.outputs else 0.0


def measure_repetition(sources: Iterable[str], outputs: Iterable[str]) -> Repetition:
    """Count the broken outputs; a source that repeats itself excuses its output."""
    pairs = list(zip(sources, outputs, strict=True))
    return Repetition(
        len(pairs),
        sum(has_loop(output) and not has_loop(source) for source, output in pairs),
        sum(not output.strip() for _, output in pairs),
        sum(is_runaway(source, output) for source, output in pairs),
    )


def has_loop(text: str) -> bool:
    """Whether words follow one another again and again: one word four times, or 2 to 12 three times.

    Repeated punctuation (dots, rules, table borders) is no loop.
    """
    tokens = _TOKEN.findall(text.lower())
    return any(_repeats(tokens, size, 4 if size == 1 else 3) for size in range(1, _LONGEST_LOOP + 1))


def is_runaway(source: str, output: str) -> bool:
    """Whether the output is far longer than a translation of the source would be."""
    return length_ratio(source, output) > _LONGEST_OUTPUT


def _repeats(tokens: list[str], size: int, times: int) -> bool:
    """Whether some `size` tokens, one of them a word, stand `times` times in a row."""
    run = 0  # tokens in a row that equal the one `size` before them
    for position in range(size, len(tokens)):
        run = run + 1 if tokens[position] == tokens[position - size] else 0
        if run >= size * (times - 1) and any(
            token[0].isalnum() for token in tokens[position - size + 1 : position + 1]
        ):
            return True
    return False
