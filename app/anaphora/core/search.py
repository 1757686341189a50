"""Find and replace over a document's segments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import Message, SearchError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora_text.han import UNSPACED_LETTERS

_SIGNS = (
    r"\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09d7"
    r"\u0bbe-\u0bcd"
)
"""Signs on letters, which `re` does not count among a word's characters."""
_IN_WORD = rf"(?:[^\W{UNSPACED_LETTERS}]|[{_SIGNS}])"
"""What a word of a script with spaces is made of; what stands beside letters of another is whole."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search.

    Attributes:
        text: the words, or a regular expression if `regex`.
        regex: `text` is a Python regular expression.
        whole_words: a hit neither begins nor ends inside a word of a script with spaces.
    """

    text: str
    match_case: bool = False
    regex: bool = False
    whole_words: bool = False


def compile_query(query: SearchQuery) -> re.Pattern[str]:
    """The query as a compiled pattern.

    Raises:
        SearchError: the text is empty or is no valid regular expression.
    """
    if not query.text:
        raise SearchError("There is nothing to search for.", "Type a word first.")
    pattern = query.text if query.regex else re.escape(query.text)
    if query.whole_words:
        pattern = rf"(?:(?<!{_IN_WORD})|(?!{_IN_WORD}))(?:{pattern})(?:(?<!{_IN_WORD})|(?!{_IN_WORD}))"
    try:
        return re.compile(pattern, 0 if query.match_case else re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise SearchError(
            Message("“{text}” is not a valid regular expression: {error}.", text=query.text, error=error),
            "Correct it, or switch regular expressions off to search for it as it stands.",
        ) from error


def spans(text: str, query: SearchQuery) -> tuple[tuple[int, int], ...]:
    """Offsets (start, end) of each hit in one text, empty matches left out."""
    return tuple(hit.span() for hit in compile_query(query).finditer(text) if hit.group())


def find(segments: Iterable[Segment], query: SearchQuery) -> tuple[str, ...]:
    """Ids of the segments with a hit, in document order (pass a `Document`).

    What is only proposed is found where targets are looked in; it is nobody's text, and not replaced.

    Raises:
        SearchError: see `compile_query`.
    """
    pattern = compile_query(query)

    def hit(text: str) -> bool:
        return any(match.group() for match in pattern.finditer(text))

    return tuple(
        segment.id
        for segment in segments
        if hit(segment.source) or hit(segment.target) or hit(proposal_of(segment.state))
    )


def replace(
    segments: Iterable[Segment],
    query: SearchQuery,
    replacement: str,
    confirmed: bool = True,
) -> ChangeSet:
    r"""Replace every hit in target texts; locked segments are never touched.

    A changed segment becomes EDITED. With `query.regex`, `\1` in the replacement is a group. A plain search
    that does not tell upper from lower case gives a replacement in small letters the capitals of each hit.

    Args:
        confirmed: change confirmed segments, too.
    Raises:
        SearchError: the query, or the replacement's group references, are wrong.
    """
    pattern = compile_query(query)
    edits = []
    for segment in segments:
        if segment.status is Status.LOCKED or (segment.status is Status.CONFIRMED and not confirmed):
            continue
        target = _replace_in(segment.target, pattern, replacement, query)
        if target != segment.target:
            edits.append(Edit(segment.id, segment.state, SegmentState(target, Status.EDITED)))
    return ChangeSet(tuple(edits))


def _with_capitals_of(found: str, replacement: str) -> str:
    """A replacement with the capitals of what it stands for.

    Capitals of its own were meant so, and who replaces a word by itself wants other capitals.
    """
    if replacement != replacement.lower() or found == found.lower() or found.lower() == replacement:
        return replacement
    if found == found.upper() and sum(char.isalpha() for char in found) > 1:
        return replacement.upper()
    if not found[0].isupper():
        return replacement
    return replacement[:1].upper() + replacement[1:]


def _replace_in(
    text: str,
    pattern: re.Pattern[str],
    replacement: str,
    query: SearchQuery,
) -> str:
    def new_text(match: re.Match[str]) -> str:
        if not match.group():
            return match.group()
        if query.regex:
            return match.expand(replacement)
        return replacement if query.match_case else _with_capitals_of(match.group(), replacement)

    try:
        return pattern.sub(new_text, text)
    except (re.error, IndexError) as error:
        raise SearchError(
            Message(
                "The replacement “{replacement}” does not fit the pattern: {error}.",
                replacement=replacement,
                error=error,
            ),
            "Refer only to groups that the pattern has.",
        ) from error


Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A segment that holds the words.

    Attributes:
        source_spans: offsets (start, end) of the hits in its source.
    """

    segment: Segment
    source_spans: Spans
    target_spans: Spans


@dataclass(frozen=True, slots=True)
class Concordance:
    """The result of a search."""

    total: int
    occurrences: tuple[Occurrence, ...]


def find_occurrences(segments: Iterable[Segment], text: str, limit: int = 200) -> Concordance:
    """Translated segments (drafts included) that hold `text` in source or target, upper or lower case."""
    text = text.strip()
    if not text:
        return Concordance(0, ())
    pattern = compile_query(SearchQuery(text))
    cased, lowered = text.lower() != text.upper(), text.lower()
    total = 0
    found = []
    for segment in segments:
        if segment.status is Status.NOT_STARTED or not segment.target:
            continue
        # Quicker than the pattern, which is left to say where the words stand.
        texts = (segment.source, segment.target)
        if not any(lowered in (held.lower() if cased else held) for held in texts):
            continue
        total += 1
        if total <= limit:
            source = tuple(hit.span() for hit in pattern.finditer(segment.source))
            target = tuple(hit.span() for hit in pattern.finditer(segment.target))
            found.append(Occurrence(segment, source, target))
    return Concordance(total, tuple(found))
