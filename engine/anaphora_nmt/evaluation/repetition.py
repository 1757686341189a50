"""Outputs that went wrong in ways that need no reference: loops, empty and runaway outputs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from anaphora_nmt.data.binary_corpus import length_ratio
from anaphora_nmt.text.loops import has_loop

_LONGEST_OUTPUT = 3.0


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


def is_runaway(source: str, output: str) -> bool:
    """Whether the output is far longer than a translation of the source would be."""
    return length_ratio(source, output) > _LONGEST_OUTPUT
