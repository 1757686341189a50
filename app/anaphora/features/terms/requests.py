"""Requests to the engine about terms: sentences with other terms, and renderings of source words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from anaphora.engine.context import EngineContext
from anaphora.engine.jobs import Answer, Request, Urgency
from anaphora.features.terms.first_sight import WordDraft
from anaphora_nmt.types import Explanation, SourceSegment, SourceTerm, WhatIf


def rewriting(
    document: str,
    segment: str,
    terms: Sequence[SourceTerm],
    take: Callable[[str], None],
    fail: Callable[[str], None],
) -> Request:
    """A segment's translation as if `terms` were its terms."""

    def run(context: EngineContext, answer: Answer) -> None:
        answer(context.draft_as_if(document, (segment,), WhatIf(), terms=terms)[0].text)

    return Request(document, Urgency.PROMPT, run, take, fail=fail)


def alignment(
    document: str,
    segment: str,
    target: str,
    stretches: Sequence[tuple[int, int]],
    take: Callable[[Explanation], None],
) -> Request:
    """A target aligned with its source: an explanation whose influences are those of stretches alone."""

    def run(context: EngineContext, answer: Answer) -> None:
        found = context.explain(document, segment, target, influence=False)
        influences = context.translator.stretch_influences(document, segment, target, stretches, context.stop)
        answer(replace(found, stretches=influences))

    return Request(document, Urgency.ALIGN, run, take)


def word_drafts(
    document: str, words: Sequence[str], take: Callable[[Mapping[str, WordDraft]], None]
) -> Request:
    """Translations of single words, in a separate document without memory."""
    own = f"words of {document}"
    # Finished drafts are kept if a more urgent job interrupts.
    drafts: dict[str, WordDraft] = {}

    def run(context: EngineContext, answer: Answer) -> None:
        translator, options = context.translator, context.without_memory
        translator.open_document(own, [SourceSegment(str(n), word) for n, word in enumerate(words)])
        try:
            for number, word in enumerate(words):
                if word not in drafts:
                    draft = translator.translate(own, str(number), options, context.stop)
                    expected = draft.quality.expected if draft.quality is not None else 0.0
                    drafts[word] = WordDraft(draft.text, expected)
        finally:
            translator.close_document(own)
        answer(drafts)

    return Request(document, Urgency.SUGGEST, run, take, key="words")
