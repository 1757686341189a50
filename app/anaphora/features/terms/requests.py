"""Requests to the engine: to redraft a segment with given terms, to align, and to translate single words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from anaphora.engine.jobs import EngineContext, Receiver, Request, Urgency
from anaphora.features.terms.first_sight import WordDraft
from anaphora_nmt.types import Explanation, SourceSegment, SourceTerm, WhatIf


def rewriting(
    document: str,
    segment: str,
    terms: Sequence[SourceTerm],
    receive: Callable[[str], None],
    fail: Callable[[str], None],
) -> Request:
    """A request for a draft with `terms` instead of the term bases' terms; `fail` gets an error message."""

    def run(context: EngineContext, answer: Receiver) -> None:
        answer(context.draft_as_if(document, (segment,), WhatIf(), terms=terms)[0].text)

    return Request(document, Urgency.PROMPT, run, receive, fail=fail)


def alignment(
    document: str,
    segment: str,
    target: str,
    stretches: Sequence[tuple[int, int]],
    receive: Callable[[Explanation], None],
) -> Request:
    """A request to align a target with its source, and to measure the influence of source `stretches`."""

    def run(context: EngineContext, answer: Receiver) -> None:
        found = context.explain(document, segment, target, influence=False)
        influences = context.translator.stretch_influences(document, segment, target, stretches, context.stop)
        answer(replace(found, stretches=influences))

    return Request(document, Urgency.ALIGN, run, receive)


def word_drafts(
    document: str, words: Sequence[str], receive: Callable[[Mapping[str, WordDraft]], None]
) -> Request:
    """A request to translate single words without memory; `receive` gets the drafts by word."""
    words_key = f"words of {document}"
    # Finished drafts stay here if a more urgent request interrupts this one.
    drafts: dict[str, WordDraft] = {}

    def run(context: EngineContext, answer: Receiver) -> None:
        translator, options = context.translator, context.memoryless_options
        translator.open_document(words_key, [SourceSegment(str(n), word) for n, word in enumerate(words)])
        try:
            for number, word in enumerate(words):
                if word not in drafts:
                    draft = translator.translate(words_key, str(number), options, context.stop)
                    expected = draft.quality.expected if draft.quality is not None else 0.0
                    drafts[word] = WordDraft(draft.text, expected)
        finally:
            translator.close_document(words_key)
        answer(drafts)

    return Request(document, Urgency.SUGGEST, run, receive, key="words")
