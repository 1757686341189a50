"""Whether drafts render a term as the translator rendered it before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TermUptake:
    """How often a settled rendering was taken up.

    Attributes:
        taken: drafts that hold the rendering.
        chances: repeated terms that the reference renders as it did the time before.
    """

    taken: int
    chances: int

    @property
    def share(self) -> float:
        """taken / chances; 0 where there was no chance."""
        return self.taken / self.chances if self.chances else 0.0

    def __add__(self, other: TermUptake) -> TermUptake:
        return TermUptake(self.taken + other.taken, self.chances + other.chances)


def term_uptake(
    renderings: Sequence[Mapping[str, str]], drafts: Sequence[str], measured: Iterable[int]
) -> TermUptake:
    """Count one document's repeated terms.

    A term counts where the reference renders it by the same words as at its last occurrence, so that
    to be consistent is right there.

    Args:
        renderings: for each segment its source terms and the words of the reference that render each,
            lower-cased, separated by single spaces.
        drafts: for each segment its draft.
        measured: the segments whose drafts count, ascending.
    """
    chosen = set(measured)
    last: dict[str, str] = {}
    taken = chances = 0
    for number, (terms, draft) in enumerate(zip(renderings, drafts, strict=True)):
        if number in chosen:
            words = f" {' '.join(words_of(draft))} "
            settled = [rendering for term, rendering in terms.items() if last.get(term) == rendering]
            chances += len(settled)
            taken += sum(f" {rendering} " in words for rendering in settled)
        last.update(terms)
    return TermUptake(taken, chances)


def words_of(text: str) -> list[str]:
    """The lower-cased words of an English text, punctuation stripped from their edges."""
    stripped = (word.strip(".,;:!?()[]{}\"'“”‘’`*") for word in text.lower().split())
    return [word for word in stripped if word]
