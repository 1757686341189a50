"""The corrections of a document: learned from confirmed segments, brought in from elsewhere, taken back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from anaphora_nmt.corrections import Correction, moved


@dataclass(frozen=True, slots=True)
class CorrectedPhrase:
    """A phrase of a segment's source that corrections speak of.

    Attributes:
        start, end: its characters in the source without tags.
        corrections: those in force for it.
    """

    start: int
    end: int
    corrections: tuple[Correction, ...]


class DocumentCorrections:
    """Holds corrections, and finds those that a segment is to follow.

    Attributes:
        all: the document's own, those that are revoked among them, in the order in which they were learned.
    """

    def __init__(self, own: Iterable[Correction] = (), brought: Iterable[Correction] = ()) -> None:
        self.all = tuple(own)
        self._brought = tuple(brought)

    def fork(self) -> DocumentCorrections:
        """The same corrections, which go their own way."""
        return DocumentCorrections(self.all, self._brought)

    def replace(self, corrections: Iterable[Correction]) -> None:
        """Put corrections in place of the document's own."""
        self.all = tuple(corrections)

    def change(self, removed: Sequence[Correction], added: Sequence[Correction]) -> None:
        """Take some away, and add others in their place."""
        kept = [each for each in self.all if each not in removed]
        self.all = (*kept, *(each for each in dict.fromkeys(added) if each not in kept))

    def bring_in(self, corrections: Iterable[Correction]) -> None:
        """Take those of packs, instead of the old ones."""
        self._brought = tuple(corrections)

    def learn(
        self, segment: str, source: str, target: str, learned: Iterable[Correction], draft: str = ""
    ) -> None:
        """A segment was confirmed: it brings corrections, and revokes those whose rejected rendering it has.

        A rejected rendering that the draft also has revokes nothing: the user may have overlooked it.

        Args:
            source: without tags.
            draft: that was edited.
        """
        self.release(segment)
        learned = tuple(learned)
        rejected = {(each.source, each.chosen) for each in learned}
        kept = (
            replace(each, revoked_by=segment)
            if not each.rejected_in(draft) and self._is_revoked(each, segment, source, target, rejected)
            else each
            for each in self.all
        )
        self.all = (*kept, *learned)

    def release(self, segment: str) -> None:
        """A segment is unconfirmed: its corrections go, and those that it revoked apply again."""
        self.all = tuple(
            replace(each, revoked_by="") if each.revoked_by == segment else each
            for each in self.all
            if each.segment != segment
        )

    def adopt(self, other: DocumentCorrections, segments: Mapping[str, str]) -> None:
        """Take over those of the same document as it was cut before; `segments`: by old id, the new one."""
        self.all, self._brought = moved(other.all, segments), other._brought

    def find(self, segment: str, source: str) -> list[CorrectedPhrase]:
        """The phrases of a source that corrections speak of, the longest where they overlap.

        Args:
            source: without tags.
        """
        by_phrase: dict[str, list[Correction]] = {}
        for each in (*self.all, *self._brought):
            if each.source in source and each.holds_in(segment) and each.segment != segment:
                by_phrase.setdefault(each.source, []).append(each)
        found: list[CorrectedPhrase] = []
        for phrase in sorted(by_phrase, key=len, reverse=True):
            for start, end in by_phrase[phrase][0].places_in(source):
                if not any(start < other.end and other.start < end for other in found):
                    found.append(CorrectedPhrase(start, end, tuple(by_phrase[phrase])))
        return sorted(found, key=lambda each: each.start)

    @staticmethod
    def _is_revoked(
        each: Correction, segment: str, source: str, target: str, kept: set[tuple[str, str]]
    ) -> bool:
        """True if a confirmed text has a correction's rejected rendering, and not the chosen one."""
        if not each.holds_in(segment) or (each.source, each.chosen) in kept or not each.places_in(source):
            return False
        return each.rejected_in(target) and not each.chosen_in(target)
