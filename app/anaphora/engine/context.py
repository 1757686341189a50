"""Data for jobs in the engine's thread."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from anaphora_nmt.types import Explanation, SearchOptions, SourceTerm, Suggestion, WhatIf

if TYPE_CHECKING:
    from anaphora_nmt.api import Translator

TermsOf = Callable[[str], Sequence[SourceTerm]]
"""Returns the terms of a segment by id; called in the engine's thread."""


class EngineContext:
    """The loaded engine with options, terms and hints for the open document.

    Attributes:
        options: the options of drafts. Explanations use the same options, because only these affected the
            draft.
        hints: dictionary words that the last draft had to use, by document and segment.
        plain: a cache of drafts without memory, by document, segment, compared text and terms. It is cleared
            when the memory changes, since the spelling of new words may change.
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
        """The loaded model; jobs run only after a model has been loaded."""
        assert self.loaded is not None
        return self.loaded

    @property
    def without_memory(self) -> SearchOptions:
        """The options of drafts without memory."""
        return replace(self.options, memories=None)

    def all_terms(
        self, document: str, segment: str, terms: Sequence[SourceTerm] | None = None
    ) -> tuple[SourceTerm, ...]:
        """The given terms, by default a segment's own, and the hints of its last draft."""
        known = tuple(self.terms(segment) if terms is None else terms)
        return (*known, *beside_terms(self.hints.get((document, segment), ()), known))

    def draft_as_if(
        self,
        document: str,
        segments: Sequence[str],
        question: WhatIf,
        options: SearchOptions | None = None,
        terms: Sequence[SourceTerm] | None = None,
    ) -> tuple[Suggestion, ...]:
        """Hypothetical drafts with another memory or other terms, which do not enter the memory."""
        known = {segment: self.all_terms(document, segment, terms) for segment in segments}
        return self.translator.preview(
            document, tuple(segments), question, options or self.options, self.stop, known
        )

    def explain(self, document: str, segment: str, target: str, influence: bool = True) -> Explanation:
        """Explain a target, with the options of drafts."""
        return self.translator.explain(document, segment, target, influence, self.stop, self.options)


def beside_terms(words: Iterable[SourceTerm], terms: Sequence[SourceTerm]) -> tuple[SourceTerm, ...]:
    """The words that do not overlap with terms."""
    return tuple(
        word for word in words if not any(word.start < term.end and term.start < word.end for term in terms)
    )
