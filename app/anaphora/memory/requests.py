"""Questions to the engine about its memory: why a text reads as it does, and what it would read without."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from anaphora.core.influence import needs_comparison
from anaphora.core.text import has_han
from anaphora.engine.context import EngineContext
from anaphora.engine.jobs import Answer, Request, Urgency
from anaphora_nmt.types import Explanation, MemoryView, Suggestion, WhatIf
from anaphora_text.chinese_words import segmenter


def explanation(document: str, segment: str, target: str, take: Callable[[Explanation], None]) -> Request:
    """Why a target reads as it does, with the draft without memory if that is known already."""

    def run(context: EngineContext, answer: Answer) -> None:
        found = context.explain(document, segment, target)
        if needs_comparison(found):
            terms = context.all_terms(document, segment)
            plain = context.plain.known(document, segment, target, terms)
            found = replace(found, draft_without_memory=plain)
        if any(has_han(each.word) for each in found.source_words):
            segmenter()  # Whoever shows it asks for words: the dictionary is not to be read in that thread.
        answer(found)

    return Request(document, Urgency.INSPECT, run, take, "current segment")


def memory_view(document: str, segment: str, take: Callable[[MemoryView], None]) -> Request:
    """What is remembered before a segment that has no text to be explained."""

    def run(context: EngineContext, answer: Answer) -> None:
        answer(context.translator.memory(document, segment))

    return Request(document, Urgency.INSPECT, run, take, "current segment")


def source_influences(
    document: str, segment: str, target: str, word: int, take: Callable[[tuple[float, ...]], None]
) -> Request:
    """What one word of a target loses without each source word: of its log-probability, in nats.

    Args:
        word: its number, as of `Explanation.tokens`.
    """

    def run(context: EngineContext, answer: Answer) -> None:
        answer(context.translator.source_influences(document, segment, target, word, context.stop))

    return Request(document, Urgency.SOURCE, run, take, "word of the current segment")


def marks(document: str, segment: str, target: str, take: Callable[[Explanation], None]) -> Request:
    """The explanation of a draft in view, compared with the draft without memory where a word stands there
    because of the memory."""

    def run(context: EngineContext, answer: Answer) -> None:
        found = context.explain(document, segment, target)
        if needs_comparison(found):

            def make() -> str:
                options = context.without_memory
                return context.draft_as_if(document, (segment,), WhatIf(), options)[0].text

            terms = context.all_terms(document, segment)
            plain = context.plain.ask(document, segment, target, terms, make)
            found = replace(found, draft_without_memory=plain)
        answer(found)

    return Request(document, Urgency.MARK, run, take, (segment, target))


def preview(
    document: str,
    segments: Sequence[str],
    question: WhatIf,
    take: Callable[[tuple[Suggestion, ...]], None],
    without_memory: bool = False,
) -> Request:
    """Drafts as they would be with another memory.

    Args:
        without_memory: as if nothing were remembered at all.
    """

    def run(context: EngineContext, answer: Answer) -> None:
        options = context.without_memory if without_memory else context.options
        answer(context.draft_as_if(document, segments, question, options))

    return Request(document, Urgency.PREVIEW, run, take, "preview")
