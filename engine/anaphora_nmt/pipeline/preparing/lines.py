"""Segments as the model's input, with positions in the raw text."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from anaphora_nmt.text.latin_words import latin_words
from anaphora_nmt.text.line import Line, source_line, target_line, whole_line
from anaphora_nmt.text.protect import PLACEHOLDERS, FindNames, is_heading, no_names
from anaphora_nmt.text.tags import Tag
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.text.word_list import NO_WORDS, WordList
from anaphora_text.han import HAN
from anaphora_text.punctuation import (
    CLOSING,
    COLONS,
    COMMAS,
    OPENING,
    SEMICOLONS,
    SENTENCE_ENDS,
    WIDE_COMMAS,
    WIDE_SENTENCE_ENDS,
    one_of,
)
from anaphora_text.unspaced import is_of_spaced_word, is_unspaced, word_edges

CHUNK_PIECES = 120
"""Maximum length of a part of a source, in pieces; no training source was longer."""
MAX_SOURCE = 500
MAX_TARGET = 500
"""Maximum numbers of pieces of a source and of a target (the encoder has 512 positions)."""

_ENDS = SENTENCE_ENDS + WIDE_SENTENCE_ENDS + COLONS + SEMICOLONS
_LINE_END = re.compile(rf"{one_of(_ENDS)}{one_of(CLOSING)}*$")
_HEADED = re.compile(
    rf"(?P<number>[{PLACEHOLDERS[0]}-{PLACEHOLDERS[-1]}])(?P<mark>[ .{WIDE_COMMAS[1]}{COLONS}]*)(?=\S)"
)
_AFTER_AMOUNTS = "个倍米元年月日天小分秒公千百万亿克吨升度次件人版中的和至到或与及比以"
CLAUSE_NUMBER = re.compile(
    rf"\d{{1,2}}(?:\.\d{{1,2}})+[ {WIDE_COMMAS[1]}]\s*{one_of(OPENING)}?(?![{_AFTER_AMOUNTS}])[{HAN}]"
)
"""The number of a clause at the start of a Chinese text, but no amount or version: 3.5 倍, 3.5 GB."""
_MIN_HALF = 6  # characters
_STRETCH = 10 * CHUNK_PIECES
"""To find the end of the next part, this number of characters of a long source is encoded."""
_CLAUSE_ENDS = f"{WIDE_SENTENCE_ENDS}!?{SEMICOLONS}"
_CLAUSE_END = re.compile(rf"{one_of(_CLAUSE_ENDS)}+{one_of(CLOSING)}*|{one_of(COMMAS + COLONS)}\s*|\s")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, its character span in `Line.plain`, and its span of pieces without marks (first, last + 1)."""

    text: str
    start: int
    end: int
    pieces: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A context sentence of a source (Jiang et al., CAMN): its segment's id, and its pieces with marks."""

    segment: str
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PreparedLine:
    """A line in pieces.

    Attributes:
        raw: the original text with tags.
        line: the text without tags, normalised, with protected strings.
        ids: pieces without marks (language marks and </s>), at most `MAX_SOURCE` (or `MAX_TARGET`).
        words: words as readers see them, in order.
        context: a source's context sentences, c_1 first, None for missing ones; empty without CAMN.
        optional_words: lower-case Latin words that a translation of the source need not keep.
        confirmed_words: new words in the document's confirmed targets (`ConfirmedWords`).
        max_length: see `SourceSegment.most`.
    """

    raw: str
    line: Line
    ids: tuple[int, ...]
    words: tuple[Word, ...]
    context: tuple[ContextLine | None, ...] = ()
    optional_words: frozenset[str] = frozenset()
    confirmed_words: WordList = NO_WORDS
    max_length: int = 0

    @property
    def required(self) -> tuple[int, ...]:
        """The number of occurrences of each placeholder."""
        return tuple(self.line.text.count(chr(0xE000 + number)) for number in range(len(self.line.strings)))


@dataclass(frozen=True, slots=True)
class Part:
    """The input of one search: a source or a part of a source.

    Attributes:
        text, ids: the text with placeholders, and its source pieces with marks.
        strings, required: the strings of placeholders 0, 1, …, and the number of occurrences of each.
        separator: text between the translations of this part and the next: a space, ": " or line breaks.
        marks: number of marks among `ids`.
    """

    text: str
    ids: tuple[int, ...]
    strings: tuple[str, ...]
    required: tuple[int, ...]
    separator: str = " "
    marks: int = 2


def prepare_source(raw: str, pieces: Vocabulary, names: FindNames = no_names) -> PreparedLine:
    """Prepare a source segment for encoding; `names` finds its proper names."""
    # The estimators of Anaphora's own models were fitted with each piece of an unspaced script as a word.
    ours = pieces.has_placeholders
    return _prepare(raw, source_line(raw, names) if ours else whole_line(raw), pieces, MAX_SOURCE, not ours)


def prepare_target(raw: str, strings: Sequence[str], pieces: Vocabulary) -> PreparedLine:
    """Prepare a target segment for forced decoding; `strings` are the source's protected strings."""
    line = target_line(raw, strings) if pieces.has_placeholders else whole_line(raw)
    return _prepare(raw, line, pieces, MAX_TARGET)


def prepare_pairs(
    pairs: Sequence[tuple[str, str]], source: Vocabulary, target: Vocabulary
) -> tuple[list[PreparedLine], list[PreparedLine]]:
    sources = [prepare_source(raw, source) for raw, _ in pairs]
    targets = [
        prepare_target(raw, line.line.strings, target) for line, (_, raw) in zip(sources, pairs, strict=True)
    ]
    return sources, targets


def _prepare(raw: str, line: Line, pieces: Vocabulary, limit: int, segmented: bool = True) -> PreparedLine:
    ids, spans = pieces.encode_with_spans(line.text)
    ids, spans = ids[:limit], spans[:limit]
    words: list[Word] = []
    for first, last in _group(line.text, spans, word_edges(line.text) if segmented else None):
        start, end = line.span(spans[first][0], spans[last - 1][1])
        if end > start:
            words.append(Word(line.plain[start:end], start, end, (first, last)))
        elif words:
            previous = words.pop()
            words.append(Word(previous.text, previous.start, previous.end, (previous.pieces[0], last)))
    return PreparedLine(raw, line, tuple(ids), tuple(words))


def _group(text: str, spans: Sequence[tuple[int, int]], edges: Set[int] | None) -> list[tuple[int, int]]:
    """Join pieces into words: letters and digits continue a word, other characters are single words.

    Args:
        edges: word edges in scripts without spaces; with None, each piece of such scripts is a word.
    """
    groups: list[tuple[int, int]] = []
    open_word = False
    for number, (start, end) in enumerate(spans):
        piece = text[start:end]
        body = piece.strip()
        within = edges is not None and start not in edges and _joins_unspaced(text, start)
        if groups and ((open_word and piece == body and _is_spaced(body)) or within or not piece):
            groups[-1] = (groups[-1][0], number + 1)
        elif groups and not text[spans[groups[-1][0]][0] : spans[number - 1][1]].strip():
            groups[-1] = (groups[-1][0], number + 1)  # a single space belongs to the next word
            open_word = _is_spaced(body)
        else:
            groups.append((number, number + 1))
            open_word = _is_spaced(body)
    return groups


def _is_spaced(text: str) -> bool:
    return bool(text) and all(map(is_of_spaced_word, text))


def _joins_unspaced(text: str, place: int) -> bool:
    return 0 < place < len(text) and all(map(is_unspaced, text[place - 1 : place + 1]))


def chunks(prepared: PreparedLine, pieces: Vocabulary) -> list[Part]:
    """Split a source into parts to translate separately.

    The placeholders of each part begin with 0, because the model knows low numbers better. Every source is
    split into lines (see `_lines`). A line of more than `CHUNK_PIECES` pieces is cut after the last sentence
    or semicolon that fits, or else after the last comma, colon or space, or else after the last piece.
    """
    strings = prepared.line.strings
    lines = _lines(prepared.line)
    if len(lines) == 1 and len(prepared.ids) <= CHUNK_PIECES:
        marked, marks = pieces.marked(prepared.ids), len(pieces.marked(()))
        return [Part(prepared.line.text, marked, strings, prepared.required, marks=marks)]
    parts: list[Part] = []
    for text, breaks in lines:
        parts += [_part(part, strings, pieces) for part in _split(text, pieces)]
        parts[-1] = replace(parts[-1], separator=breaks)
    return parts


def _lines(line: Line) -> list[tuple[str, str]]:
    """Split at empty lines, line breaks after a sentence, and the number of a chapter, article or clause.

    A break inside a sentence (a subtitle's second line) does not count. Returns (line, separator after it).
    """
    lines: list[tuple[str, str]] = []
    start = 0
    if headed := _HEADED.match(line.text):
        string = line.strings[PLACEHOLDERS.index(headed["number"])]
        if is_heading(string) or CLAUSE_NUMBER.match(line.plain):
            lines.append((headed["number"], ": " if headed["mark"].strip() in tuple(COLONS) else " "))
            start = headed.end()
    for index, char in enumerate(line.text):
        if index < start:
            continue
        end = line.spans[index + 1][0] if index + 1 < len(line.spans) else line.spans[index][1]
        breaks = "\n" * line.plain[line.spans[index][0] : end].count("\n")
        text = line.text[start : index + (not char.isspace())].strip() if breaks else ""
        if text and (len(breaks) > 1 or _LINE_END.search(text)):
            lines.append((text, breaks))
            start = index + 1
    last = line.text[start:].strip()
    return [*lines, (last, " ")] if last or not lines else lines


def halves(part: Part, pieces: Vocabulary) -> tuple[Part, Part] | None:
    """Cut a part at its middlemost clause end; None if no end has `_MIN_HALF` characters on both sides."""
    text = part.text
    ends = [
        match.end()
        for match in _CLAUSE_END.finditer(text)
        if not match.group().isspace() and _MIN_HALF <= match.end() <= len(text) - _MIN_HALF
    ]
    if not ends:
        return None
    cut = min(ends, key=lambda end: abs(2 * end - len(text)))
    first, second = (_part(half.strip(), part.strings, pieces) for half in (text[:cut], text[cut:]))
    return first, replace(second, separator=part.separator)


def with_words_protected(part: Part, words: Sequence[str], pieces: Vocabulary) -> Part:
    """Replace some words of a part by placeholders, until all placeholders are in use."""
    strings = (*part.strings, *words)[: len(PLACEHOLDERS)]
    text = part.text
    for number, word in enumerate(strings[len(part.strings) :], len(part.strings)):
        for start, end in reversed(latin_words(text)):
            if text[start:end] == word:
                text = text[:start] + PLACEHOLDERS[number] + text[end:]
    return replace(_part(text, strings, pieces), separator=part.separator)


def _part(text: str, strings: Sequence[str], pieces: Vocabulary) -> Part:
    known = frozenset(PLACEHOLDERS[: len(strings)])
    marks = [*dict.fromkeys(letter for letter in text if letter in known)]  # in order, as in training
    renumbered = text.translate({ord(mark): PLACEHOLDERS[number] for number, mark in enumerate(marks)})
    used = tuple(strings[PLACEHOLDERS.index(mark)] for mark in marks)
    counts = tuple(text.count(mark) for mark in marks)
    ids = pieces.marked(pieces.encode(renumbered))
    return Part(renumbered, ids, used, counts, marks=len(pieces.marked(())))


def _split(text: str, pieces: Vocabulary) -> list[str]:
    parts: list[str] = []
    while text:
        ids, spans = pieces.encode_with_spans(text[:_STRETCH])
        if len(ids) <= CHUNK_PIECES and len(text) > _STRETCH:
            ids, spans = pieces.encode_with_spans(text)
        if len(ids) <= CHUNK_PIECES:
            parts.append(text)
            break
        limit = max(1, spans[CHUNK_PIECES][0])
        ends = [match.end() for match in _CLAUSE_END.finditer(text, 0, limit)]
        strong = [end for end in ends if text[end - 1] in _CLAUSE_ENDS + CLOSING and end > limit // 3]
        weak = [end for end in ends if end > limit // 3]
        cut = (strong or weak or [limit])[-1]
        parts.append(text[:cut].strip())
        text = text[cut:].strip()
    return [part for part in parts if part]


def raw_span(tags: Sequence[Tag], start: int, end: int) -> tuple[int, int]:
    """Convert a span of the text without tags to the text with tags; tags at its edges stay outside."""
    before = sum(len(tag.text) for tag in tags if tag.position <= start)
    inside = sum(len(tag.text) for tag in tags if start < tag.position < end)
    return start + before, end + before + inside
