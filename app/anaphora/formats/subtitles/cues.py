"""The common base of subtitle formats: each cue with text is one segment, which may contain line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import regex

from anaphora.core.length_limits import limits_by_letters
from anaphora.core.notes import Note
from anaphora.core.tags import MARK
from anaphora.formats.base.encoding import DecodedText, decode
from anaphora.formats.base.format import ReadOptions, check_sentences
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.pieces import Block, Kind, Piece, without_broken_pairs
from anaphora.formats.base.segments import units_of
from anaphora.formats.base.splicing import Fillings, assemble, spliced
from anaphora.formats.markup.tokens import unescape
from anaphora_text.punctuation import (
    PAUSES,
    SENTENCE_ENDS,
    WIDE_BRACKET_PAIRS,
    WIDE_PAUSES,
    WIDE_QUOTE_PAIRS,
    WIDE_SENTENCE_ENDS,
)

BLANK = r"[ \t\u00a0\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\u3000\ufeff]*"
"""Any number of spaces and invisible characters, such as byte order marks inside concatenated files."""
ARROW = "(?:(?<![-=~–—])[-=~–—]+ ?>|- ->|[→⇒➔➜➞])"
"""The arrow between the times of a cue, including variants that people or word processors write."""
MAX_LINES = 8
"""Maximum number of lines into which a target is broken; cues of damaged files may have thousands."""
_BLANK_LINES = re.compile(r"\n[ \t]*(?=\n)")
_DASHED = re.compile(r"\s*[-–—－]")
_NEXT_SPEAKER = re.compile(r"(?<=\S)[ \t]+(?=[-–—] ?[^\W_])")
_MARKS = SENTENCE_ENDS + PAUSES + "…" + WIDE_SENTENCE_ENDS + WIDE_PAUSES
_LETTERS = r"\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}"
_PAIRS = ("“”", *WIDE_BRACKET_PAIRS, *WIDE_QUOTE_PAIRS)
_MAY_BREAK = regex.compile(
    rf" |(?<=[{_LETTERS}ー…{WIDE_PAUSES}{WIDE_SENTENCE_ENDS}{''.join(pair[1] for pair in _PAIRS)}])"
    rf"(?=[{_LETTERS}{''.join(pair[0] for pair in _PAIRS)}])"
)
"""A possible line end: a space, or a place between two wide characters that may be separated."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A subtitle: the offsets of its text in the file, its pieces and its notes."""

    start: int
    end: int
    pieces: tuple[Piece, ...]
    notes: tuple[Note, ...]


def make_cue(number: int, start: int, end: int, pieces: Sequence[Piece], notes: Iterable[Note]) -> Cue:
    """A cue with broken pairs as standalone tags; FormatError if the file has too many cues."""
    check_sentences(number)
    return Cue(start, end, tuple(without_broken_pairs(pieces)), tuple(notes))


class Subtitles:
    """A format of subtitles: finds the cues and writes new texts; `header` matches the start of a file."""

    header: re.Pattern[str]

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        decoded = decode(data, options.language, options.encoding)
        # Each cue with text is one segment, because its times are fixed.
        cues = list(self.cues(decoded.text, options))
        blocks = units_of(Block(f"#{cue.start}", cue.pieces, cue.notes) for cue in cues)
        return Opened(lambda: blocks, partial(self._fill, decoded, cues), encoding=decoded.encoding)

    def _fill(self, decoded: DecodedText, cues: Sequence[Cue], fillings: Fillings) -> bytes:
        text = decoded.text
        changes: list[tuple[int, int, str]] = []
        for cue in cues:
            if (translated := fillings.of(f"#{cue.start}", cue.pieces)) is None:
                continue
            (sentence,) = translated.sentences
            target = break_lines(_BLANK_LINES.sub("", sentence.target), sentence.source)
            pieces = assemble(replace(translated, sentences=(sentence._replace(target=target),)))
            write = self.writer(text[cue.start : cue.end], decoded.line_end)
            new = (piece.raw if piece.raw is not None else write(piece.text) for piece in pieces)
            changes.append((cue.start, cue.end, "".join(new)))
        return decoded.encode(spliced(text, changes))

    def cues(self, text: str, options: ReadOptions) -> Iterator[Cue]:
        """All cues, in order; FormatError for a file in another format, or a cue with too many lines."""
        raise NotImplementedError

    def writer(self, source: str, line_end: str) -> Callable[[str], str]:
        """A function that writes a new text in the format's notation; `source` is the cue's old text."""
        raise NotImplementedError


def break_lines(target: str, source: str) -> str:
    """Add line breaks to a target without line breaks, such as a machine draft, if its source has some.

    If every line of the source begins with a dash, for a speaker, the target is broken before its dashes.
    Otherwise, a target longer than the line limit for its script is broken into lines of similar length, at
    most as many as in the source.
    """
    lines = source.split("\n")
    if "\n" in target or len(lines) < 2:
        return target
    if all(_DASHED.match(MARK.sub("", line)) for line in lines):
        return _NEXT_SPEAKER.sub("\n", target, count=len(lines) - 1)
    limits = limits_by_letters(MARK.sub("", target))
    for remaining in range(min(len(lines), MAX_LINES), 1, -1):
        head, _, last = target.rpartition("\n")
        if limits.length(MARK.sub("", last)) <= limits.line:
            break
        at = _best_break(last, len(last) / remaining)
        if at < 0:
            break
        broken = f"{last[:at].rstrip(' ')}\n{last[at:].lstrip(' ')}"
        target = f"{head}\n{broken}" if head else broken
    return target


def _best_break(line: str, wanted: float) -> int:
    places = [match.start() for match in _MAY_BREAK.finditer(line) if 0 < match.start() < len(line) - 1]
    if not places:
        return -1
    bonus = 8 if " " in line else 3
    return min(places, key=lambda at: abs(at - wanted) - (bonus if line[at - 1] in _MARKS else 0))


def tagged_pieces(
    content: str, tag: re.Pattern[str], labels: Mapping[str, str], first: int = 0
) -> list[Piece]:
    """A cue's text, markup and line breaks as pieces.

    Args:
        tag: matches elements (group 1: the slash of a closing tag, group 2: the name), character references,
            line breaks and other markup.
        labels: descriptions of elements, by name.
        first: a pair's number is the offset of its opening tag plus `first`; projects store these numbers.
    """
    pieces: list[Piece] = []
    opened: dict[str, list[int]] = {}
    done = 0
    for match in tag.finditer(content):
        if match.start() > done:
            part = content[done : match.start()]
            pieces.append(Piece(Kind.TEXT, part, part))
        raw, done = match.group(), match.end()
        name, number = (match[2] or "").lower(), match.start() + first
        label = labels.get(name, raw)
        if raw[0] == "&":
            pieces.append(Piece(Kind.TEXT, unescape(raw), raw))
        elif raw[0] in "\r\n":
            pieces.append(Piece(Kind.TEXT, "\n", raw))
        elif match[1] and opened.get(name):
            pieces.append(Piece(Kind.CLOSE, raw=raw, pair=opened[name].pop(), label=label))
        elif match[1] or not name:
            pieces.append(Piece(Kind.ALONE, raw=raw, label=raw))
        else:
            opened.setdefault(name, []).append(number)
            pieces.append(Piece(Kind.OPEN, raw=raw, pair=number, label=label))
    if done < len(content):
        pieces.append(Piece(Kind.TEXT, content[done:], content[done:]))
    return pieces
