"""Drafts that were made without any memory, kept as long as they hold."""

from __future__ import annotations

from collections.abc import Callable

from anaphora_nmt.types import SourceTerm

Terms = tuple[SourceTerm, ...]


class PlainDrafts:
    """What segments read without memory, beside the text that was compared with it.

    A new word that somebody confirms may be written elsewhere, so whoever changes the memory clears this.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[str, Terms, str]] = {}

    def clear(self) -> None:
        """Forget them all."""
        self._kept.clear()

    def known(self, document: str, segment: str, target: str, terms: Terms) -> str | None:
        """The draft without memory that was made for a text, with these terms; None: there is none."""
        kept = self._kept.get((document, segment))
        return kept[2] if kept is not None and kept[:2] == (target, terms) else None

    def ask(self, document: str, segment: str, target: str, terms: Terms, make: Callable[[], str]) -> str:
        """The draft without memory, made now if it is not known."""
        found = self.known(document, segment, target, terms)
        if found is None:
            found = make()
            self._kept[document, segment] = (target, terms, found)
        return found
