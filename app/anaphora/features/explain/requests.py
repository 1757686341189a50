"""Requests to the engine about its memory: explanations, and drafts under other conditions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from anaphora.core.text import has_han
from anaphora.engine.jobs import Answer, EngineContext, Request, Urgency
from anaphora.features.explain.marking import needs_comparison
from anaphora_nmt.types import Explanation, MemoryView, Suggestion, WhatIf
from anaphora_text.chinese_words import segmenter


def explanation(document: str, segment: str, target: str, receive: Callable[[Explanation], None]) -> Request:
    """The explanation of a target, with the draft without memory if it is known already."""

    def run(context: EngineContext, answer: Answer) -> None:
        found = context.explain(document, segment, target)
        if needs_comparison(found):
            key = document, segment, target, context.all_terms(document, segment)
            found = replace(found, draft_without_memory=context.plain.get(key))
        if any(has_han(each.word) for each in found.source_words):
            segmenter()  # loads the dictionary here instead of in the window's thread
        answer(found)

    return Request(document, Urgency.INSPECT, run, receive, "current segment")


def memory_view(document: str, segment: str, receive: Callable[[MemoryView], None]) -> Request:
    """The remembered words before a segment without a text to explain."""

    def run(context: EngineContext, answer: Answer) -> None:
        answer(context.translator.memory(document, segment))

    return Request(document, Urgency.INSPECT, run, receive, "current segment")


def marks(document: str, segment: str, target: str, receive: Callable[[Explanation], None]) -> Request:
    """The explanation of a visible draft, with the draft without memory if a word comes from the memory."""

    def run(context: EngineContext, answer: Answer) -> None:
        found = context.explain(document, segment, target)
        if needs_comparison(found):
            key = document, segment, target, context.all_terms(document, segment)
            if key not in context.plain:
                (draft,) = context.draft_as_if(document, (segment,), WhatIf(), context.without_memory)
                context.plain[key] = draft.text
            found = replace(found, draft_without_memory=context.plain[key])
        answer(found)

    return Request(document, Urgency.MARK, run, receive, (segment, target))


def preview(
    document: str,
    segments: Sequence[str],
    question: WhatIf,
    receive: Callable[[tuple[Suggestion, ...]], None],
) -> Request:

    def run(context: EngineContext, answer: Answer) -> None:
        answer(context.draft_as_if(document, segments, question))

    return Request(document, Urgency.PREVIEW, run, receive, "preview")
