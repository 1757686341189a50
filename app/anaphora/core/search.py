"""Find, replace and concordance in segments; inline tags are not searched."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import regex

from anaphora.core.drafts import proposal_of
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.errors import Message, SearchError
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.tags import MARK, marks_of
from anaphora.core.text import shared_ends, without_marks
from anaphora_text.han import UNSPACED_LETTERS

_IN_WORD = rf"[^\W{UNSPACED_LETTERS}]"
"""A letter, digit or underscore; letters of scripts without spaces between words do not match."""
_MAX_SECONDS = 0.15
"""Maximum processor time for one search by a regular expression; `_SECONDS_PER_TEXT` is added per text."""
_SECONDS_PER_TEXT = 5e-5
_MAX_SECONDS_TO_SHOW = 0.02
"""Maximum processor time to find the hits in one text in the window's thread."""


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search.

    Attributes:
        text: the words, or, if `regex`, a regular expression of the library `regex`.
        whole_words: a hit neither begins nor ends inside a word of a script with spaces.
    """

    text: str
    match_case: bool = False
    regex: bool = False
    whole_words: bool = False


class _SearchedText:
    """A text that is searched without its tags; `offsets` locate its characters in the text with tags."""

    def __init__(self, whole: str, marks: Collection[str]) -> None:
        self._whole, self._marks = whole, marks
        self.text = without_marks(whole, marks)

    @cached_property
    def offsets(self) -> list[int]:
        tags = (range(*mark.span()) for mark in MARK.finditer(self._whole) if mark.group() in self._marks)
        in_tags = {*chain.from_iterable(tags)}
        return [offset for offset in range(len(self._whole)) if offset not in in_tags]

    def span(self, hit: regex.Match[str]) -> tuple[int, int]:
        return self.offsets[hit.start()], self.offsets[hit.end() - 1] + 1

    def with_replacements(self, hits: Iterable[tuple[regex.Match[str], str]]) -> str:
        """The text with its tags, in which each hit is replaced by its new text. A hit stays if a tag is
        inside the part that would change."""
        out, copied_end = [], 0
        for hit, new in hits:
            same_start, same_end = shared_ends(hit.group(), new)
            first, last = hit.start() + same_start, hit.end() - same_end
            start = self.offsets[first] if first < hit.end() else self.offsets[first - 1] + 1
            end = self.offsets[last - 1] + 1 if last > first else start
            if end - start == last - first:
                out += [self._whole[copied_end:start], new[same_start : len(new) - same_end]]
                copied_end = end
        return "".join([*out, self._whole[copied_end:]])


class Search:
    """A compiled query, and the time left for its regular expression."""

    def __init__(self, query: SearchQuery, seconds: float = _MAX_SECONDS) -> None:
        """Compile a query; raises SearchError if the text is empty or an invalid regular expression."""
        if not query.text:
            raise SearchError("The search text is empty.", "Type the text to find.")
        self._query, self._left = query, seconds
        pattern = query.text if query.regex else regex.escape(query.text)
        if query.whole_words:
            pattern = rf"(?:(?<!{_IN_WORD})|(?!{_IN_WORD}))(?:{pattern})(?:(?<!{_IN_WORD})|(?!{_IN_WORD}))"
        try:
            self._pattern = regex.compile(pattern, 0 if query.match_case else regex.IGNORECASE)
        except (regex.error, OverflowError, RecursionError, ValueError) as error:
            raise SearchError(
                Message("“{text}” is not a valid regular expression: {error}.", text=query.text, error=error),
                "Correct it, or turn off regular expressions to search for the exact text.",
            ) from error

    def hits(self, text: str) -> list[regex.Match[str]]:
        """The hits in a text without tags, except empty ones; raises SearchError if time runs out."""
        if not self._query.regex:
            return list(self._pattern.finditer(text))
        started = time.thread_time()
        self._left += _SECONDS_PER_TEXT
        try:
            if self._left <= 0:
                raise TimeoutError
            matches = self._pattern.finditer(text, timeout=self._left, concurrent=True)
            return [hit for hit in matches if hit.group()]
        except TimeoutError as error:
            raise SearchError(
                Message("The regular expression “{text}” takes too long.", text=self._query.text),
                "Simplify it, and avoid nested repetition.",
            ) from error
        finally:
            self._left -= time.thread_time() - started

    def spans(self, text: str, marks: Collection[str] = ()) -> tuple[tuple[int, int], ...]:
        searched = _SearchedText(text, marks)
        return tuple(map(searched.span, self.hits(searched.text)))

    def replaced(self, text: str, marks: Collection[str], replacement: str) -> str:
        """A text with its hits replaced; the old text if that would change its tags.

        Raises:
            SearchError: see `hits`, or the replacement has a group that the regular expression lacks.
        """
        searched = _SearchedText(text, marks)
        hits = self.hits(searched.text)
        new = searched.with_replacements((hit, self._replacement_for(hit, replacement)) for hit in hits)
        return new if _marks_in(new, marks) == _marks_in(text, marks) else text

    def _replacement_for(self, hit: regex.Match[str], replacement: str) -> str:
        if not self._query.regex:
            return replacement if self._query.match_case else with_capitals_of(hit.group(), replacement)
        try:
            return str(hit.expand(replacement))
        except (regex.error, IndexError) as error:
            raise SearchError(
                Message(
                    "The replacement “{replacement}” does not fit the regular expression: {error}.",
                    replacement=replacement,
                    error=error,
                ),
                "Use only groups that exist in the regular expression.",
            ) from error


def _marks_in(text: str, marks: Collection[str]) -> list[str]:
    return [mark.group() for mark in MARK.finditer(text) if mark.group() in marks]


def spans(text: str, query: SearchQuery, marks: Collection[str] = ()) -> tuple[tuple[int, int], ...]:
    """Offsets of the hits in one text; empty if the search takes too long. SearchError for a bad query."""
    search = Search(query, _MAX_SECONDS_TO_SHOW)
    try:
        return search.spans(text, marks)
    except SearchError:
        return ()


def searched_texts(segment: Segment) -> Iterator[str]:
    marks = marks_of(segment)
    texts = segment.source, segment.target, proposal_of(segment.state)
    return (without_marks(text, marks) for text in texts if text)


def find(segments: Iterable[Segment], query: SearchQuery) -> tuple[str, ...]:
    """Ids of the segments with a hit in the source, target or proposal; raises SearchError, see `Search`."""
    search = Search(query)
    return tuple(segment.id for segment in segments if any(map(search.hits, searched_texts(segment))))


def hits_only_in_proposals(segments: Iterable[Segment], query: SearchQuery) -> frozenset[str]:
    """The ids of the segments with a hit in the proposal only; each of `segments` must have a hit."""
    proposed = [segment for segment in segments if proposal_of(segment.state)]
    in_source = find((segment.with_state(SegmentState()) for segment in proposed), query)
    return frozenset(segment.id for segment in proposed) - {*in_source}


def replace(segments: Iterable[Segment], query: SearchQuery, replacement: str) -> ChangeSet:
    r"""Replace every hit in the text of targets; locked segments, proposals and all tags stay unchanged.

    A changed segment becomes EDITED. With `query.regex`, `\1` in the replacement is a group. A plain search
    that ignores case gives the replacement the capitals of each hit (`with_capitals_of`).

    Raises:
        SearchError: see `Search` and `Search.replaced`.
    """
    search = Search(query)
    edits = []
    for segment in segments:
        if segment.status is Status.LOCKED:
            continue
        target = search.replaced(segment.target, marks_of(segment), replacement)
        if target != segment.target:
            edits.append(Edit(segment.id, segment.state, SegmentState(target, Status.EDITED)))
    return ChangeSet(tuple(edits))


def with_capitals_of(old: str, replacement: str) -> str:
    """A replacement with capitals as in the old text: all letters, the first, or none. A replacement that has
    capitals, or that differs from the old text only in case, stays as it is."""
    if replacement != replacement.lower() or old == old.lower() or old.lower() == replacement:
        return replacement
    if old == old.upper() and sum(char.isalpha() for char in old) > 1:
        return replacement.upper()
    if not old[0].isupper():
        return replacement
    return replacement[:1].upper() + replacement[1:]


Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class FoundSegment:
    """A segment with the offsets (start, end) of the hits in its source and its target."""

    segment: Segment
    source_spans: Spans
    target_spans: Spans


@dataclass(frozen=True, slots=True)
class Concordance:
    """The total number of segments with the searched text, and a limited number of these in order."""

    total: int
    occurrences: tuple[FoundSegment, ...]


def find_occurrences(segments: Iterable[Segment], text: str, limit: int = 200) -> Concordance:
    """Find `text`, ignoring case, in sources and targets of started segments; list at most `limit`."""
    text = text.strip()
    if not text:
        return Concordance(0, ())
    search = Search(SearchQuery(text))
    lowered = text.lower()
    total = 0
    occurrences = []
    for segment in segments:
        if segment.status is Status.NOT_STARTED or not segment.target:
            continue
        if not any(lowered in each.lower() for each in searched_texts(segment)):
            continue
        total += 1
        if total <= limit:
            source, target = (
                search.spans(each, marks_of(segment)) for each in (segment.source, segment.target)
            )
            occurrences.append(FoundSegment(segment, source, target))
    return Concordance(total, tuple(occurrences))
