"""User-defined placeholders: matches of a project's patterns become tags of their sentences.

A project from an unknown sender may contain slow patterns. Therefore the `regex` library limits their time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import regex

from anaphora.core.errors import Message
from anaphora.core.long_work import check_cancelled
from anaphora.core.reading_choices import MAX_PATTERN_LENGTH, MAX_PATTERNS
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK, marks_of
from anaphora.core.text import is_translatable
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.pieces import WORD, Block, Kind, Piece, Replaced
from anaphora.formats.base.segments import split_at, units_of
from anaphora_text.protected import TEMPLATE

SECONDS = 20.0
"""Time limit in seconds for all patterns together in one document."""


class PatternError(FormatError):
    """A pattern is not valid, too long or too slow, or there are too many patterns."""


class OwnPlaceholders:
    """A project's patterns, and the seconds left for them; with `templates`, template syntax also matches."""

    def __init__(self, patterns: Iterable[str], templates: bool = False, seconds: float = SECONDS) -> None:
        """Compile the patterns; PatternError if one is not valid or too long, or there are too many."""
        listed = tuple(patterns)
        if len(listed) > MAX_PATTERNS:
            raise PatternError(
                Message("There are more than {limit} regular expressions.", limit=MAX_PATTERNS),
                "Remove some of them.",
            )
        self._patterns = [(pattern, _compile(pattern)) for pattern in listed]
        self._has_templates = templates
        self._seconds_left = seconds

    def __bool__(self) -> bool:
        return bool(self._patterns) or self._has_templates

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Spans of placeholders, in order; raises PatternError if the time is up.

        If spans overlap, only the first counts; if they begin together, only the longest.
        """
        spans = [span for each in self._patterns for span in self._matches(*each, text)]
        if self._has_templates:
            spans += (match.span() for match in TEMPLATE.finditer(text))
        out: list[tuple[int, int]] = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            if not out or start >= out[-1][1]:
                out.append((start, end))
        return out

    def _matches(self, expression: str, pattern: regex.Pattern[str], text: str) -> list[tuple[int, int]]:
        start = time.monotonic()
        try:
            if self._seconds_left <= 0:
                raise TimeoutError
            matches = pattern.finditer(text, timeout=self._seconds_left)
            return [match.span() for match in matches if match.end() > match.start()]
        except TimeoutError as error:
            raise PatternError(
                Message("The regular expression “{pattern}” takes too long.", pattern=expression),
                "Simplify it, and avoid nested repetition.",
            ) from error
        finally:
            self._seconds_left -= time.monotonic() - start


def with_placeholders(block: Block, placeholders: OwnPlaceholders) -> tuple[Block, ...]:
    """A block with its placeholders as tags; an empty tuple for a unit that contains only placeholders."""
    check_cancelled()
    if not block.pieces:
        return (block,) if block.unit is None else _unit_with_placeholders(block, block.unit, placeholders)
    pieces = tag_placeholders(block.pieces, placeholders)
    if block.unit is None:
        return (block._replace(pieces=pieces),)
    return units_of((block._replace(pieces=pieces, unit=None),))


def tag_placeholders(pieces: Sequence[Piece], placeholders: OwnPlaceholders) -> tuple[Piece, ...]:
    """A text's pieces with placeholders as standalone tags; `splicing.assemble` turns them back into text."""
    out: list[Piece] = []
    for is_text, group in groupby(pieces, lambda piece: piece.kind is Kind.TEXT):
        run = list(group)
        out += _tag_texts(run, placeholders) if is_text else run
    return tuple(out)


def without_placeholders(unit: Segment, original: Segment, placeholders: OwnPlaceholders) -> Segment:
    """Undo `with_placeholders` for a unit; `original` is the unit with placeholders as text."""
    source, marks = _source_with_tags(original, placeholders)
    if not marks or unit.source != source:
        return unit
    raws = {mark: raw for raw, mark in marks.items()}
    target = MARK.sub(lambda match: raws.get(match.group(), match.group()), unit.target)
    return replace(unit, source=original.source, state=replace(unit.state, target=target))


def _compile(pattern: str) -> regex.Pattern[str]:
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise PatternError(
            Message("The regular expression is longer than {limit} characters.", limit=MAX_PATTERN_LENGTH),
            "Split it into several expressions.",
        )
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError, ValueError) as error:
        raise PatternError(
            Message(
                "The regular expression “{pattern}” is not valid: {error}.", pattern=pattern, error=error
            ),
            "To match one of these characters literally, put a backslash before it: \\{ \\[ \\( \\. \\* \\?",
        ) from error


def _tag_texts(texts: Sequence[Piece], placeholders: OwnPlaceholders) -> Iterator[Piece]:
    plain = "".join(piece.text for piece in texts)
    spans = placeholders.spans(plain)
    edges = sorted({edge for span in spans for edge in span})
    index = position = 0
    replaced: list[Piece] = []
    for piece in texts:
        for part in split_at(piece, position, edges):
            position += len(part.text)
            while index < len(spans) and spans[index][1] <= position - len(part.text):
                index += 1
            if index == len(spans) or spans[index][0] >= position:
                yield part
                continue
            replaced.append(part)
            if position >= spans[index][1]:
                label = plain[slice(*spans[index])]
                yield Piece(Kind.ALONE, _stand_in(label), Replaced(tuple(replaced)), label=label)
                replaced = []


def _stand_in(label: str) -> str:
    template = TEMPLATE.fullmatch(label)
    return WORD if template is None or template["output"] is not None else ""


def _unit_with_placeholders(block: Block, unit: Segment, placeholders: OwnPlaceholders) -> tuple[Block, ...]:
    source, marks = _source_with_tags(unit, placeholders)
    if not marks:
        return (block,)
    if not is_translatable(MARK.sub("", source)):
        return ()
    target = _with_tags(unit.target, _known_tags(unit), placeholders, lambda raw: marks.get(raw, raw))
    tags = (*unit.tags, *((mark, raw) for raw, mark in marks.items()))
    state = replace(unit.state, target=target)
    return (block._replace(unit=replace(unit, source=source, state=state, tags=tags, file_target=target)),)


def _source_with_tags(unit: Segment, placeholders: OwnPlaceholders) -> tuple[str, Mapping[str, str]]:
    used = {int(match[2]) for match in MARK.finditer(unit.source + unit.target)}
    numbers = (number for number in range(1, 10**9) if number not in used)
    marks: dict[str, str] = {}

    def mark_of(raw: str) -> str:
        if raw not in marks:
            marks[raw] = f"{{{next(numbers)}/}}"
        return marks[raw]

    return _with_tags(unit.source, _known_tags(unit), placeholders, mark_of), marks


def _known_tags(unit: Segment) -> frozenset[str]:
    return frozenset(marks_of(unit)) if unit.tags else frozenset()


def _with_tags(
    text: str, known: frozenset[str], placeholders: OwnPlaceholders, mark_of: Callable[[str], str]
) -> str:
    """A text with placeholders replaced by the tags that `mark_of` returns; the text's `known` tags stay."""
    out: list[str] = []
    copied_end = 0
    edges = [match.span() for match in MARK.finditer(text) if match.group() in known]
    for start, end in (*edges, (len(text), len(text))):
        part = text[copied_end:start]
        position = 0
        for first, last in placeholders.spans(part):
            out += (part[position:first], mark_of(part[first:last]))
            position = last
        out += (part[position:], text[start:end])
        copied_end = end
    return "".join(out)
