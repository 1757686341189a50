"""Measures without references: loops, empty and overlong outputs; lost numbers, identifiers and addresses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from anaphora_nmt.data.binary_corpus import length_ratio
from anaphora_nmt.text.loops import has_loop
from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_text.protected import find_protected

_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LETTER = re.compile("[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Kept:
    """Numbers of strings in the sources, and of those found in the outputs."""

    found: int
    total: int

    @property
    def share(self) -> float:
        """found / total; 1 if `total` is 0."""
        return self.found / self.total if self.total else 1.0


@dataclass(frozen=True, slots=True)
class Copying:
    """Counts of copied items.

    Attributes:
        numbers: numbers of two or more digits, or with a point, comma or percent sign ("1,000" = "1000").
        identifiers: code-like tokens, file names, options and addresses with an ASCII letter.
    """

    numbers: Kept
    identifiers: Kept


def measure_copying(sources: Iterable[str], outputs: Iterable[str]) -> Copying:
    """Count the strings of every source in its output; each counts at most as often as in the source."""
    found: Counter[bool] = Counter()
    total: Counter[bool] = Counter()
    for source, output in zip(sources, outputs, strict=True):
        output = _THOUSANDS.sub("", normalize_target(output))
        for string, times in _strings(source).items():
            is_number = _LETTER.search(string) is None
            total[is_number] += times
            found[is_number] += min(times, _occurrences(string, output))
    return Copying(Kept(found[True], total[True]), Kept(found[False], total[False]))


def _strings(source: str) -> Counter[str]:
    source = _THOUSANDS.sub("", normalize_source(source))
    return Counter(source[start:end] for start, end in find_protected(source))


def _occurrences(string: str, output: str) -> int:
    return len(re.findall(rf"(?<![A-Za-z0-9_]){re.escape(string)}(?![A-Za-z0-9_])", output))


_LONGEST_OUTPUT = 3.0


@dataclass(frozen=True, slots=True)
class Repetition:
    """Numbers of broken outputs of a test set.

    Attributes:
        outputs: all outputs.
        looping: outputs that repeat an n-gram immediately (see `has_loop`).
        empty: outputs without text.
        runaway: outputs more than three times as long as expected for their source.
    """

    outputs: int
    looping: int
    empty: int
    runaway: int

    @property
    def share(self) -> float:
        return self.looping / self.outputs if self.outputs else 0.0


def measure_repetition(sources: Iterable[str], outputs: Iterable[str]) -> Repetition:
    """Count the broken outputs; loops do not count if the source has one too."""
    pairs = list(zip(sources, outputs, strict=True))
    return Repetition(
        len(pairs),
        sum(has_loop(output) and not has_loop(source) for source, output in pairs),
        sum(not output.strip() for _, output in pairs),
        sum(is_runaway(source, output) for source, output in pairs),
    )


def is_runaway(source: str, output: str) -> bool:
    """True if the output is far longer than a plausible translation of the source."""
    return length_ratio(source, output) > _LONGEST_OUTPUT
