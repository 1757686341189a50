"""Requests to the engine while the user writes: completions and alternatives."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from anaphora.engine.jobs import Answer, EngineContext, Request, Urgency
from anaphora.features.drafting.completions import without_faults
from anaphora_nmt.types import Completion, Suggestion, WhatIf

MAX_TOKENS = (5, 16)
"""Maximum number of tokens in the first and in the final version of a completion."""


def suggestions(document: str, segment: str, receive: Callable[[Suggestion], None]) -> Request:
    """Several translations of a segment with the current memory, without changing it."""

    def run(context: EngineContext, answer: Answer) -> None:
        options = replace(context.options, n_best=context.options.beam_size)
        terms = {segment: context.terms(segment)}
        answer(context.translator.preview(document, (segment,), WhatIf(), options, context.stop, terms)[0])

    return Request(document, Urgency.SUGGEST, run, receive, "suggestions")


def completion(
    document: str,
    segment: str,
    source: str,
    typed: str,
    receive: Callable[[Completion], None],
    invented: Callable[[str], Collection[str]] = lambda _: (),
) -> Request:
    """The continuation of a translation: first a few words, then more.

    The engine reuses the steps of the first version for the second.

    Args:
        typed: the text before the caret.
        invented: finds invented words, before which the text is cut; called in the engine's thread.
    """

    def run(context: EngineContext, answer: Answer) -> None:
        terms = context.all_terms(document, segment)
        for most in MAX_TOKENS:
            found = context.translator.complete(
                document, segment, typed, most, context.options, context.stop, terms
            )
            found = without_faults(source, typed, found, invented)
            answer(found)
            if found.ended:
                return

    return Request(document, Urgency.COMPLETE, run, receive, "completion")
