"""The corrections of a document, learned from confirmed segments or brought in from packs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from anaphora_nmt.corrections import Correction, reassign


@dataclass(frozen=True, slots=True)
class CorrectedPhrase:
    """A phrase of a segment's source with corrections.

    Attributes:
        start, end: character positions in the source without tags.
        corrections: the corrections in force.
    """

    start: int
    end: int
    corrections: tuple[Correction, ...]


class DocumentCorrections:
    """A document's corrections, and the search for those that apply to a segment.

    Attributes:
        all: the document's own corrections, even revoked ones, in the order of learning.
    """

    def __init__(self, own: Iterable[Correction] = (), brought: Iterable[Correction] = ()) -> None:
        self.all = tuple(own)
        self._brought = tuple(brought)
        self._released: dict[Correction, Correction] = {}  # removed corrections by `_as_learned`

    def fork(self) -> DocumentCorrections:
        return DocumentCorrections(self.all, self._brought)

    def replace(self, corrections: Iterable[Correction]) -> None:
        self.all = tuple(corrections)

    def change(self, removed: Sequence[Correction], added: Sequence[Correction]) -> None:
        """Remove some corrections and add others."""
        kept = [each for each in self.all if each not in removed]
        self.all = (*kept, *(each for each in dict.fromkeys(added) if each not in kept))

    def bring_in(self, corrections: Iterable[Correction]) -> None:
        """Replace the corrections of packs."""
        self._brought = tuple(corrections)

    def learn(
        self, segment: str, source: str, target: str, learned: Iterable[Correction], draft: str = ""
    ) -> None:
        """Add the corrections of a confirmed segment, and revoke those that its target contradicts.

        A target with only the rejected rendering contradicts a correction, unless the draft has the rejected
        rendering too, which the user may have overlooked. A correction that the segment had before keeps
        `scope` and `everywhere`.

        Args:
            source: the source without tags.
            draft: the draft that was edited.
        """
        self.release(segment)
        before = [(each, self._released.get(_as_learned(each), each)) for each in learned]
        learned = [replace(each, scope=old.scope, everywhere=old.everywhere) for each, old in before]
        pairs = {(each.source, each.chosen) for each in learned}
        kept = (
            replace(each, revoked_by=segment)
            if not each.rejected_in(draft) and self._is_revoked(each, segment, source, target, pairs)
            else each
            for each in self.all
        )
        self.all = (*kept, *learned)

    def release(self, segment: str) -> None:
        """Remove an unconfirmed segment's corrections; corrections that the segment revoked apply again."""
        self._released |= {_as_learned(each): each for each in self.all if each.segment == segment}
        self.all = tuple(
            replace(each, revoked_by="") if each.revoked_by == segment else each
            for each in self.all
            if each.segment != segment
        )

    def adopt(self, other: DocumentCorrections, segments: Mapping[str, str]) -> None:
        """Take over the corrections of the former segmentation; `segments` has the new ids by old ids."""
        self.all, self._brought = reassign(other.all, segments), other._brought

    def find(self, segment: str, source: str) -> list[CorrectedPhrase]:
        """The phrases of a source with corrections from elsewhere; shorter overlapping ones are left out.

        Args:
            source: the source without tags.
        """
        by_phrase: dict[str, list[Correction]] = {}
        for each in (*self.all, *self._brought):
            if each.source in source and each.applies_in(segment) and each.segment != segment:
                by_phrase.setdefault(each.source, []).append(each)
        phrases: list[CorrectedPhrase] = []
        for phrase in sorted(by_phrase, key=len, reverse=True):
            for start, end in by_phrase[phrase][0].places_in(source):
                if not any(start < other.end and other.start < end for other in phrases):
                    phrases.append(CorrectedPhrase(start, end, tuple(by_phrase[phrase])))
        return sorted(phrases, key=lambda each: each.start)

    @staticmethod
    def _is_revoked(
        each: Correction, segment: str, source: str, target: str, pairs: set[tuple[str, str]]
    ) -> bool:
        """True if a target contradicts a correction whose source and chosen rendering are not in `pairs`."""
        if not each.applies_in(segment) or (each.source, each.chosen) in pairs or not each.places_in(source):
            return False
        return each.rejected_in(target) and not each.chosen_in(target)


def _as_learned(correction: Correction) -> Correction:
    """A correction without the attributes that are set after it was learned."""
    return replace(correction, scope="", revoked_by="", everywhere=False, fit=None)
