"""Data for jobs in the engine's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from anaphora_nmt.types import Explanation, SearchOptions, SourceTerm, Suggestion, WhatIf

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

TermsOf = Callable[[str], Sequence[SourceTerm]]
"""The terms of a segment, by its id; called in the engine's thread."""


class EngineContext:
    """The engine as the open document uses it: with its options, terms and hints.

    Attributes:
        options: of the drafts. Questions are asked with the same: what a draft was made without did nothing
            for it.
        hints: words of the dictionary that the last draft had to use, by document and segment.
        plain: drafts without memory, by document, segment, the text that they are compared with, and terms;
            forgotten when the memory changes, since a new word may be written otherwise.
    """

    def __init__(self, options: SearchOptions, terms: TermsOf, stop: Callable[[], bool]) -> None:
        self.loaded: Translator | None = None
        self.options = options
        self.stop = stop
        self.terms = terms
        self.hints: dict[tuple[str, str], tuple[SourceTerm, ...]] = {}
        self.plain: dict[tuple[str, str, str, tuple[SourceTerm, ...]], str] = {}

    @property
    def translator(self) -> Translator:
        """The model that is loaded; jobs are done only where there is one."""
        assert self.loaded is not None
        return self.loaded

    @property
    def without_memory(self) -> SearchOptions:
        """The options of drafts for which nothing is remembered."""
        return replace(self.options, memories=None)

    def all_terms(
        self, document: str, segment: str, terms: Sequence[SourceTerm] | None = None
    ) -> tuple[SourceTerm, ...]:
        """A segment's terms, or others, and the hints of its last draft."""
        held = tuple(self.terms(segment) if terms is None else terms)
        return (*held, *beside_terms(self.hints.get((document, segment), ()), held))

    def draft_as_if(
        self,
        document: str,
        segments: Sequence[str],
        question: WhatIf,
        options: SearchOptions | None = None,
        terms: Sequence[SourceTerm] | None = None,
    ) -> tuple[Suggestion, ...]:
        """Drafts as they would be with another memory or other terms; nothing is remembered of them."""
        held = {segment: self.all_terms(document, segment, terms) for segment in segments}
        return self.translator.preview(
            document, tuple(segments), question, options or self.options, self.stop, held
        )

    def explain(self, document: str, segment: str, target: str, influence: bool = True) -> Explanation:
        """Why a target reads as it does, with the options of the drafts."""
        return self.translator.explain(document, segment, target, influence, self.stop, self.options)


def beside_terms(words: Iterable[SourceTerm], terms: Sequence[SourceTerm]) -> tuple[SourceTerm, ...]:
    """The words outside terms."""
    return tuple(
        word for word in words if not any(word.start < term.end and term.start < word.end for term in terms)
    )
