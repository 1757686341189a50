"""Prepare a raw line for the model: remove tags, normalise it, protect strings, and record positions."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from anaphora_nmt.text.normalize import normalize_source, normalize_target
from anaphora_nmt.text.protect import (
    FIRST_PLACEHOLDER,
    FindNames,
    Protected,
    no_names,
    protect,
    protect_target,
)
from anaphora_nmt.text.tags import ANY_TAG, Tag, strip_tags, whole_strings


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, prepared for the model.

    Attributes:
        plain: the raw text without tags.
        tags: the removed tags, with positions in `plain`.
        text: the normalised text with placeholders, which the model reads.
        spans: (start, end) in `plain` of each character of `text`.
        strings: the protected strings.
    """

    plain: str
    tags: tuple[Tag, ...]
    text: str
    spans: tuple[tuple[int, int], ...]
    strings: tuple[str, ...]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Convert a span of `text`, without its outer spaces, to a span of `plain`."""
        while start < end and self.text[start] == " ":
            start += 1
        while end > start and self.text[end - 1] == " ":
            end -= 1
        if start == end:
            at = self.spans[start][0] if start < len(self.spans) else len(self.plain)
            return at, at
        return self.spans[start][0], self.spans[end - 1][1]


def source_line(raw: str, names: FindNames = no_names) -> Line:
    """Prepare a source line; `names` finds the proper names to protect."""
    plain, tags = strip_tags(raw)
    normal, spans = _with_spans(plain, normalize_source)
    extra = _to_normalized(whole_strings(plain, tags), spans)
    return _line(plain, tags, spans, protect(normal, names=names, extra_spans=extra))


def target_line(raw: str, strings: Sequence[str]) -> Line:
    """Prepare a target line; `strings` are the protected strings of its source."""
    plain, tags = strip_tags(raw)
    normal, spans = _with_spans(plain, normalize_target)
    text = protect_target(normal, strings)
    covered: list[tuple[int, int, int]] = []
    at = 0
    for character in text:
        number = ord(character) - FIRST_PLACEHOLDER
        is_placeholder = 0 <= number < len(strings)
        size = len(strings[number]) if is_placeholder else 1
        if is_placeholder:
            covered.append((at, at + size, number))
        at += size
    return _line(plain, tags, spans, Protected(text, tuple(strings), tuple(covered)))


def whole_line(raw: str) -> Line:
    """Prepare a line for a vocabulary without placeholders: remove even single tags, and protect nothing."""
    plain, tags = strip_tags(raw, ANY_TAG)
    normal, spans = _with_spans(plain, str)
    return _line(plain, tags, spans, Protected(normal, (), ()))


def _line(plain: str, tags: tuple[Tag, ...], spans: list[tuple[int, int]], protected: Protected) -> Line:
    result: list[tuple[int, int]] = []
    at = 0
    for start, end, _ in protected.spans:
        result += [*spans[at:start], (spans[start][0], spans[end - 1][1])]
        at = end
    result += spans[at:]
    return Line(plain, tags, protected.text, tuple(result), protected.strings)


def _to_normalized(raw: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Convert spans of the raw text to spans of the normalised text, and drop empty results."""
    if not raw:
        return []
    starts = [start for start, _ in spans]
    converted = ((bisect_left(starts, start), bisect_left(starts, end)) for start, end in raw)
    return [(start, end) for start, end in converted if start < end]


def _with_spans(raw: str, normalize: Callable[[str], str]) -> tuple[str, list[tuple[int, int]]]:
    """The normalised text, and for each of its characters the span in `raw`."""
    text: list[str] = []
    spans: list[tuple[int, int]] = []
    for start, end, character in _composed(raw):
        if character.isspace():
            if text and text[-1] != " ":
                text.append(" ")
                spans.append((start, end))
            continue
        for part in normalize(character):
            text.append(part)
            spans.append((start, end))
    if text and text[-1] == " ":
        text.pop()
        spans.pop()
    return "".join(text), spans


def _composed(raw: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, character) of the NFC form, with spans in `raw`; a letter and its marks share a span."""
    start = 0
    while start < len(raw):
        end = start + 1
        while end < len(raw) and unicodedata.combining(raw[end]):
            end += 1
        for character in unicodedata.normalize("NFC", raw[start:end]):
            yield start, end, character
        start = end
