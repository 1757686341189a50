"""The remembered words behind an output word, from the continuous cache or from confirmed text."""

from __future__ import annotations

from dataclasses import dataclass

from anaphora_nmt.types import MemoryView, TokenTrace


@dataclass(frozen=True, slots=True)
class RememberedWord:
    """A word of the document's history behind an output word.

    Attributes:
        word: the remembered word. segment: id of the segment that it stands in.
        share: how much of it was read, 0 to 1: the match of a slot, or the share of confirmed text.
        influence: on the output word's log-probability; None where it was not probed.
        confirmed: whether it was followed as confirmed text, not matched in the continuous cache.
    """

    word: str
    segment: str
    share: float
    influence: float | None
    confirmed: bool

    @property
    def place(self) -> tuple[str, str]:
        """Word and segment: where the reader sees it."""
        return self.word, self.segment


def remembered_words(token: TokenTrace, view: MemoryView) -> tuple[RememberedWord, ...]:
    """Confirmed words that an output word follows, then slots that it matched."""
    followed = [
        RememberedWord(use.word, use.segment, use.share, use.influence, True) for use in token.confirmed
    ]
    matched = []
    for use in token.slots:
        slot = view.slots[use.slot]
        matched.append(RememberedWord(slot.word, slot.segment, use.matching, use.influence, False))
    return (*followed, *matched)
