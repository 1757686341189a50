"""Drafts of a document as they are where nothing is confirmed, kept as long as they hold."""

from __future__ import annotations

from collections.abc import Callable

from anaphora_nmt.pipeline.drafting import Draft


class PlainDrafts:
    """One draft a segment, with what it was made from."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, Draft]] = {}

    def get(self, segment: int, made_from: object, make: Callable[[], Draft]) -> Draft:
        """A segment's draft, made now if it is not known."""
        known = self._kept.get(segment)
        if known is None or known[0] != made_from:
            known = self._kept[segment] = made_from, make()
        return known[1]

    def fork(self) -> PlainDrafts:
        """The same drafts, to go their own way."""
        other = PlainDrafts()
        other._kept = dict(self._kept)
        return other
