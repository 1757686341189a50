"""Drafts of a document that nothing confirmed was read for, kept as long as they hold."""

from __future__ import annotations

from collections.abc import Callable

from anaphora_nmt.pipeline.drafting import Draft


class PlainDrafts:
    """One draft a segment, with what it was made from.

    Names and words that somebody confirms are written otherwise even where no memory is read, but they stand
    in the prepared source. What a steady memory held was read as it was the first time (`Memory.is_steady`).
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, Draft]] = {}

    def get(self, segment: int, made_from: object, make: Callable[[], Draft]) -> Draft:
        """A segment's draft, made now if it is not known."""
        known = self.known(segment, made_from)
        if known is None:
            known = make()
            self._kept[segment] = made_from, known
        return known

    def known(self, segment: int, made_from: object) -> Draft | None:
        """A segment's draft, if it is known."""
        kept = self._kept.get(segment)
        return None if kept is None or kept[0] != made_from else kept[1]

    def fork(self) -> PlainDrafts:
        """The same drafts, to go their own way."""
        other = PlainDrafts()
        other._kept = dict(self._kept)
        return other
