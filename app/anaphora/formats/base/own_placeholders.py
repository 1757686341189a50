"""User-defined placeholders: matches of a project's patterns become tags of their sentences.

Template syntax in letters and slides, which another program fills in, is treated in the same way. The
`regex` library limits the patterns' time, because a project of an unknown sender may contain slow ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

import regex

from anaphora.core.errors import Message
from anaphora.core.long_work import check_cancelled
from anaphora.core.reading_choices import LONGEST_PATTERN, MOST_PATTERNS
from anaphora.core.segment import Segment
from anaphora.core.tags import MARK, marks_of
from anaphora.core.text import is_translatable
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.pieces import WORD, Block, Kind, Piece, Replaced
from anaphora.formats.base.segments import split_at, units_of
from anaphora_text.protected import TEMPLATE

SECONDS = 20.0
"""Time limit for all patterns in one document."""


class PatternError(FormatError):
    """A pattern is not valid, or takes too long."""


class OwnPlaceholders:
    """A project's patterns and their remaining time; with `templates`, template syntax also matches."""

    def __init__(self, patterns: Iterable[str], templates: bool = False, seconds: float = SECONDS) -> None:
        """Compile the patterns; PatternError if one is not valid, or there are too many."""
        listed = tuple(patterns)
        if len(listed) > MOST_PATTERNS:
            raise PatternError(
                Message("There are more than {limit} regular expressions.", limit=MOST_PATTERNS),
                "Remove some of them.",
            )
        self._patterns = [(pattern, _compiled(pattern)) for pattern in listed]
        self._has_templates = templates
        self._left = seconds

    def __bool__(self) -> bool:
        return bool(self._patterns) or self._has_templates

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Positions of placeholders, in order; of overlapping ones, only the one that begins first."""
        spans = [span for name, pattern in self._patterns for span in self._matches(name, pattern, text)]
        if self._has_templates:
            spans += (match.span() for match in TEMPLATE.finditer(text))
        out: list[tuple[int, int]] = []
        for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            if not out or start >= out[-1][1]:
                out.append((start, end))
        return out

    def _matches(self, name: str, pattern: regex.Pattern[str], text: str) -> list[tuple[int, int]]:
        start = time.monotonic()
        try:
            if self._left <= 0:
                raise TimeoutError
            matches = pattern.finditer(text, timeout=self._left)
            return [match.span() for match in matches if match.end() > match.start()]
        except TimeoutError as error:
            raise PatternError(
                Message("The regular expression “{pattern}” takes too long.", pattern=name),
                "Simplify it, and avoid nested repetition.",
            ) from error
        finally:
            self._left -= time.monotonic() - start


def with_placeholders(block: Block, own: OwnPlaceholders) -> tuple[Block, ...]:
    """A block with its placeholders as tags; an empty tuple if it contains nothing else."""
    check_cancelled()
    if not block.pieces:
        return (block,) if block.unit is None else _unit(block, block.unit, own)
    pieces = protected(block.pieces, own)
    if block.unit is None:
        return (block._replace(pieces=pieces),)
    return units_of((block._replace(pieces=pieces, unit=None),))


def protected(pieces: Sequence[Piece], own: OwnPlaceholders) -> tuple[Piece, ...]:
    """A text's pieces with placeholders as standalone tags; `splicing.assemble` turns them back into text."""
    out: list[Piece] = []
    for is_text, found in groupby(pieces, lambda piece: piece.kind is Kind.TEXT):
        run = list(found)
        out += _in_texts(run, own) if is_text else run
    return tuple(out)


def without_placeholders(unit: Segment, whole: Segment, own: OwnPlaceholders) -> Segment:
    """Undo `with_placeholders` for a unit; `whole` is the unit as its format read it."""
    source, marks = _marked(whole, own)
    if not marks or unit.source != source:
        return unit
    raws = {mark: raw for raw, mark in marks.items()}
    target = MARK.sub(lambda match: raws.get(match.group(), match.group()), unit.target)
    return replace(unit, source=whole.source, state=replace(unit.state, target=target))


def _compiled(pattern: str) -> regex.Pattern[str]:
    if len(pattern) > LONGEST_PATTERN:
        raise PatternError(
            Message("The regular expression is longer than {limit} characters.", limit=LONGEST_PATTERN),
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


def _in_texts(texts: Sequence[Piece], own: OwnPlaceholders) -> Iterator[Piece]:
    """Turn placeholders in consecutive text pieces into tags; a piece that cannot be split joins the tag."""
    plain = "".join(piece.text for piece in texts)
    spans = own.spans(plain)
    edges = sorted({edge for span in spans for edge in span})
    row = position = 0
    replaced: list[Piece] = []
    for piece in texts:
        for part in split_at(piece, position, edges):
            position += len(part.text)
            while row < len(spans) and spans[row][1] <= position - len(part.text):
                row += 1
            if row == len(spans) or spans[row][0] >= position:
                yield part
                continue
            replaced.append(part)
            if position >= spans[row][1]:
                label = plain[slice(*spans[row])]
                yield Piece(Kind.ALONE, _stand_in(label), Replaced(tuple(replaced)), label=label)
                replaced = []


def _stand_in(label: str) -> str:
    """The stand-in text of a placeholder: a word, or "" for a template's statement."""
    template = TEMPLATE.fullmatch(label)
    return WORD if template is None or template["output"] is not None else ""


def _unit(block: Block, unit: Segment, own: OwnPlaceholders) -> tuple[Block, ...]:
    source, marks = _marked(unit, own)
    if not marks:
        return (block,)
    if not is_translatable(MARK.sub("", source)):
        return ()
    target = _with_marks(unit.target, _known(unit), own, lambda raw: marks.get(raw, raw))
    tags = (*unit.tags, *((mark, raw) for raw, mark in marks.items()))
    state = replace(unit.state, target=target)
    return (block._replace(unit=replace(unit, source=source, state=state, tags=tags, given=target)),)


def _marked(unit: Segment, own: OwnPlaceholders) -> tuple[str, Mapping[str, str]]:
    """A unit's source with placeholders as tags, and the tag of each placeholder."""
    taken = {int(match[2]) for match in MARK.finditer(unit.source + unit.target)}
    numbers = (number for number in range(1, 10**9) if number not in taken)
    marks: dict[str, str] = {}

    def mark_of(raw: str) -> str:
        if raw not in marks:
            marks[raw] = f"{{{next(numbers)}/}}"
        return marks[raw]

    return _with_marks(unit.source, _known(unit), own, mark_of), marks


def _known(unit: Segment) -> frozenset[str]:
    return frozenset(marks_of(unit)) if unit.tags else frozenset()


def _with_marks(text: str, known: frozenset[str], own: OwnPlaceholders, mark_of: Callable[[str], str]) -> str:
    """A text with placeholders as tags; its `known` tags stay."""
    out: list[str] = []
    done = 0
    edges = [match.span() for match in MARK.finditer(text) if match.group() in known]
    for start, end in (*edges, (len(text), len(text))):
        part = text[done:start]
        place = 0
        for first, last in own.spans(part):
            out += (part[place:first], mark_of(part[first:last]))
            place = last
        out += (part[place:], text[start:end])
        done = end
    return "".join(out)
