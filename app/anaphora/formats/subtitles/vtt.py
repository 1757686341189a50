"""WebVTT subtitles (.vtt): texts are spliced in; ids, times, settings, NOTE, STYLE and REGION stay.

A target without line breaks gets those of its source again (`subtitles.break_lines`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base import plain_language
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import FormatError, Reading
from anaphora.formats.base.limits import check_lines
from anaphora.formats.base.pieces import Piece
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import TargetLanguage
from anaphora.formats.subtitles.cues import LINE_END, Cue, blocks_of, filled, make_cue, tagged_pieces

_STAMP = r"(?:\d{1,9}:)?\d{1,2}:\d{1,2}\.\d{1,3}"
_TIMES = re.compile(rf"[ \t]*({_STAMP})[ \t]+-->[ \t]+({_STAMP})(?=[ \t\r\n]|\Z)[^\r\n]*")
_BLOCK = re.compile(r"(?<![^\r\n])(?![ \t]*+[\r\n])((?:[^\r\n]++(?:\r\n|\n|\r|\Z))+)")
_TAG = re.compile(
    r"<(/?)([A-Za-z]{0,10})([^<>\r\n]*)>|\r\n|\n|\r|&(?:amp|lt|gt|nbsp|lrm|rlm|#\d{1,7}|#x[0-9A-Fa-f]{1,6});"
)
_LANGUAGE = re.compile(
    r"\AWEBVTT[^\r\n]*(?:\r\n|\n|\r)(?:[^\s][^\r\n]*(?:\r\n|\n|\r))*?Language:[ \t]*(?P<language>[\w-]+)"
)
_LABELS = {"i": "italic", "b": "bold", "u": "underlined", "c": "class", "v": "voice", "lang": "language"}
_VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]+([^<>\r\n]{1,200})>")


class WebVtt:
    """Reader and writer of WebVTT subtitles."""

    name = "vtt"
    label = "WebVTT subtitles"
    extensions: tuple[str, ...] = (".vtt",)

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`. A cue is a segment, whatever sentences it has."""
        decoded = decode(data, reading.language, reading.encoding)
        return Parsed(blocks_of(_cues(decoded.text)), decoded.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`."""
        decoded = decode(data, reading.language, reading.encoding)
        return decoded.encode(filled(decoded.text, _cues(decoded.text), fillings, _written))

    def name_language(self, data: bytes, reading: Reading, target: TargetLanguage) -> bytes:
        """See `NamesLanguage.name_language`: in the header."""
        return plain_language.with_language(data, reading, target, _LANGUAGE)


def _cues(text: str) -> Iterator[Cue]:
    """All cues: blocks of lines of which the first or the second says a time."""
    if not re.match(r"WEBVTT(?:[ \t\r\n]|\Z)", text):
        raise FormatError(
            "This is no WebVTT file: its first line is not “WEBVTT”.",
            "Check that it is the file you meant; other subtitles have other names.",
        )
    comment, number = "", 0
    for block in _BLOCK.finditer(text):
        found = _times(block[1])
        if found is None:
            is_comment = re.match(r"NOTE(?:[ \t\r\n]|\Z)", block[1]) is not None
            comment = " ".join(block[1][4:].split()) if is_comment else ""
            continue
        number += 1
        start = block.start(1) + found.end()
        line_end = LINE_END.match(text, start)
        start = line_end.end() if line_end else start
        content = text[start : block.end()].rstrip()
        check_lines(max(content.count("\n"), content.count("\r")))
        notes = [Note(NoteKind.TIME, f"{found[1]} → {found[2]}")]
        voices = dict.fromkeys(match[1].strip() for match in _VOICE.finditer(content))
        if voices:
            notes.append(Note(NoteKind.SPEAKER, ", ".join(voices)))
        if comment:
            notes.append(Note(NoteKind.COMMENT, comment))
        comment = ""
        yield make_cue(number, start, start + len(content), _pieces(content), notes)


def _times(block: str) -> re.Match[str] | None:
    """The time of a block that is a cue: in its first line, or in the second, below its id."""
    found = _TIMES.match(block)
    if found is None and (end := LINE_END.search(block)) is not None and "-->" not in block[: end.start()]:
        found = _TIMES.match(block, end.end())
    return found


def _pieces(content: str) -> list[Piece]:
    # Counted from 1: where a tag begins the text, too, its pair has a number.
    return tagged_pieces(content, _TAG, _LABELS, first=1)


def _written(text: str, line_end: str) -> str:
    """A translated text in this format."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\u00a0", "&nbsp;")
    return text.replace("\n", line_end)


FORMAT = WebVtt()
