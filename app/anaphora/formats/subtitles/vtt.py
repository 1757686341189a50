"""WebVTT subtitles (.vtt): texts are spliced in; ids, times, settings, NOTE, STYLE and REGION stay.

A target without line breaks gets those of its source again (`subtitles.break_lines`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base import plain_language
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.base.limits import check_lines
from anaphora.formats.base.pieces import Piece
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.readings import without_readings
from anaphora.formats.base.spellings import spelled, spellings
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.markup.tokens import unescape
from anaphora.formats.subtitles.cues import (
    ARROW,
    BLANK,
    NO_ARROW,
    Cue,
    blocks_of,
    filled,
    make_cue,
    tagged_pieces,
)

_STAMP = rf"(?:\d{{1,9}}{BLANK}:{BLANK})?\d{{1,2}}{BLANK}:{BLANK}\d{{1,2}}{BLANK}[.,]{BLANK}\d{{1,3}}"
_TIMES = re.compile(
    rf"(?:^|(?<=\r)){BLANK}({_STAMP}){BLANK}{ARROW}{BLANK}({_STAMP})(?![\d.,:])[^\r\n]*(?:\r\n|\n|\r|\Z)",
    re.MULTILINE,
)
_BLOCK = re.compile(r"(?<![^\r\n])(?![ \t]*+[\r\n])((?:[^\r\n]++(?:\r\n|\n|\r|\Z))+)")
_NUMBER = re.compile(rf"(?<![^\r\n]){BLANK}\d{{1,9}}{BLANK}(?:\r\n|\n|\r)\Z")
_TAG = re.compile(
    r"<(/?)([A-Za-z]{0,10})([^<>\r\n]*)>|\r\n|\n|\r|&(?:[A-Za-z]{1,10}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});"
)
_TAGS = re.compile(r"<[^<>]*>")
_REFERENCE = re.compile(r"&(?:[A-Za-z]{1,10}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});")
_LANGUAGE = re.compile(
    r"\AWEBVTT[^\r\n]*(?:\r\n|\n|\r)(?:[^\s][^\r\n]*(?:\r\n|\n|\r))*?Language:[ \t]*(?P<language>[\w-]+)"
)
_LABELS = {"i": "italic", "b": "bold", "u": "underlined", "c": "class", "v": "voice", "lang": "language"}
_COMMENT = re.compile(r"NOTE(?:[ \t\r\n]|\Z)")
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>\r\n]{1,200})>")


class WebVtt:
    """Reader and writer of WebVTT subtitles."""

    name = "vtt"
    label = "WebVTT subtitles"
    extensions: tuple[str, ...] = (".vtt",)

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`. A cue is a segment, whatever sentences it has."""
        decoded = decode(data, reading.language, reading.encoding)
        cues = _cues(decoded.text)
        return Parsed(blocks_of(cues), decoded.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`."""
        decoded = decode(data, reading.language, reading.encoding)
        cues = _cues(decoded.text)
        return decoded.encode(filled(decoded.text, cues, fillings, _writer))

    def name_language(self, data: bytes, reading: Reading, target: TargetLanguage) -> bytes:
        """See `NamesLanguage.name_language`: in the header."""
        return plain_language.with_language(data, reading, target, _LANGUAGE)


def _cues(text: str) -> Iterator[Cue]:
    """All cues: what stands below a line that says a time, up to a blank line or the next such line."""
    if not re.match(rf"{BLANK}WEBVTT(?:[ \t\r\n]|\Z)", text):
        raise FormatError(
            "This is no WebVTT file: its first line is not “WEBVTT”.",
            "Check that it is the file you meant; other subtitles have other names.",
        )
    comment, number = "", 0
    for block in _BLOCK.finditer(text):
        times = _times(text, block)
        if not times:
            is_comment = _COMMENT.match(block[1]) is not None
            comment = " ".join(block[1][4:].split()) if is_comment else ""
        for row, found in enumerate(times):
            number += 1
            start, end = found.end(), times[row + 1].start() if row + 1 < len(times) else block.end()
            if row + 1 < len(times) and (index := _NUMBER.search(text, start, end)) is not None:
                end = index.start()
            content = text[start:end].rstrip()
            check_lines(max(content.count("\n"), content.count("\r")))
            notes = [Note(NoteKind.TIME, f"{found[1]} → {found[2]}")]
            voices = dict.fromkeys(match[1].strip() for match in _VOICE.finditer(content))
            if voices:
                notes.append(Note(NoteKind.SPEAKER, ", ".join(voices)))
            if comment:
                notes.append(Note(NoteKind.COMMENT, comment))
            comment = ""
            yield make_cue(number, start, start + len(content), _pieces(content), notes)


def _times(text: str, block: re.Match[str]) -> list[re.Match[str]]:
    """The times in a block of lines: in its first line, or in the second, below an id, and in later ones.

    A line with times begins a cue wherever it stands; where no blank line is before it, programs see it, too.
    """
    return list(_TIMES.finditer(text, block.start(1), block.end(1)))


def _pieces(content: str) -> list[Piece]:
    # Counted from 1: where a tag begins the text, too, its pair has a number.
    pieces = tagged_pieces(content, _TAG, _LABELS, first=1)
    return list(without_readings(pieces))


def _writer(said: str, line_end: str) -> Callable[[str], str]:
    """What writes translated texts of a cue, whose references are those that it has in the file."""
    table = spellings(_TAGS.sub("", said), _REFERENCE, unescape)
    if "\u00a0" in said:
        table.setdefault("\u00a0", "\u00a0")
    return partial(_written, table=table, line_end=line_end)


def _written(text: str, table: Mapping[str, str], line_end: str) -> str:
    """A translated text in this format: a line that would be read as a cue's times gets a dash."""
    lines = (
        spelled(re.sub(ARROW, NO_ARROW, line) if _TIMES.match(line) else line, table, _usual)
        for line in text.split("\n")
    )
    return line_end.join(lines).replace("-->", "--&gt;")


def _usual(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\u00a0", "&nbsp;")


FORMAT = WebVtt()
