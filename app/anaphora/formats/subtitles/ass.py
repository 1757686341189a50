r"""Substation Alpha subtitles (.ass, .ssa): Dialogue lines and the title are translated.

Overrides (`{…}`) and drawings are tags; `\N` is a line break, `\h` a no-break space, `\n` a space.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError, ReadOptions, check_lines
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.target_language import SourceWords
from anaphora.formats.subtitles.cues import BLANK, Cue, Subtitles, make_cue

_LINE = re.compile(r"[^\r\n]+")
_SECTION = re.compile(rf"{BLANK}\[([^\]]{{1,60}})\]")
_KEY = re.compile(rf"{BLANK}(Format|Dialogue){BLANK}:[ \t]*", re.IGNORECASE)
_TITLE = re.compile(r"^[ \t]*Title[ \t]*:[ \t]*(?P<title>[^\s\r\n](?:[^\r\n]*[^\s])?)", re.MULTILINE)
_FIELDS = ("layer", "start", "end", "style", "name", "marginl", "marginr", "marginv", "effect", "text")
_MARK = re.compile(r"(?<!\\)\{[^{}]*\}|\\[Nnh{}]")
_ACCIDENTAL_ESCAPE = re.compile(r"\\(?=[Nnh{}])")
"""A backslash that would form an escape with the next character; a word joiner is put between the two."""
_SWITCH = re.compile(r"\{\\([ibus])(0|1|[2-9]00)\}")
_DRAWING = re.compile(r"\\p(\d+)")
_LABELS = {"i": "italic", "b": "bold", "u": "underlined", "s": "struck out"}
_ESCAPES = {"\\N": "\n", "\\n": " ", "\\h": "\u00a0", "\\{": "{", "\\}": "}"}


class SubstationAlpha(Subtitles):
    name = "ass"
    label = "Substation Alpha subtitles"
    extensions: tuple[str, ...] = (".ass", ".ssa")
    header = re.compile(rf"(?:{BLANK}(?:;[^\r\n]*)?[\r\n])*{BLANK}\[(?:Script Info|Events)\]", re.IGNORECASE)

    def cues(self, text: str, options: ReadOptions) -> Iterator[Cue]:
        """The title, if it contains words of the document's language, and the Dialogue lines."""
        words = SourceWords(options.language)
        section, number = "", 0
        fields: tuple[str, ...] = _FIELDS
        has_events = False
        for match in _LINE.finditer(text):
            line = match[0]
            if heading := _SECTION.match(line):
                section = heading[1].strip().lower()
                has_events = has_events or section == "events"
            elif section == "script info":
                title = _TITLE.match(line)
                if title is not None and words.in_text(title["title"]):
                    number += 1
                    piece = Piece(Kind.TEXT, title["title"], title["title"])
                    start, end = (match.start() + at for at in title.span("title"))
                    yield make_cue(number, start, end, [piece], [Note(NoteKind.PLACE, "Title")])
            key = _KEY.match(line) if section == "events" else None
            if key is None:
                continue
            if key[1].lower() == "format":
                fields = tuple(name.strip().lower() for name in line[key.end() :].split(","))
                continue
            values = line[key.end() :].split(",", len(fields) - 1)
            if len(values) < len(fields) or fields[-1] != "text":
                continue
            number += 1
            start = match.end() - len(values[-1])
            check_lines(values[-1].count("\\N") + values[-1].count("\\n"))
            yield make_cue(number, start, match.end(), _pieces(values[-1]), _notes(fields, values))
        if not has_events and text.strip():
            raise FormatError(
                "This file has no [Events] section.",
                "Check that it is a Substation Alpha file. Other subtitle formats use other extensions.",
            )

    def writer(self, source: str, line_end: str) -> Callable[[str], str]:
        return _escaped


def _notes(fields: Sequence[str], values: Sequence[str]) -> Iterator[Note]:
    value = dict(zip(fields, (value.strip() for value in values), strict=False))
    yield Note(NoteKind.TIME, f"{value.get('start', '')} → {value.get('end', '')}")
    speaker = value.get("name") or value.get("actor")
    if speaker:
        yield Note(NoteKind.SPEAKER, speaker)
    if value.get("style"):
        yield Note(NoteKind.STYLE, value["style"])


def _pieces(content: str) -> list[Piece]:
    """A line's text as pieces: overrides and drawings are tags; `\\i1`…`\\i0` are a pair."""
    pieces: list[Piece] = []
    opened: dict[str, int] = {}
    done, is_drawing = 0, False
    for match in [*_MARK.finditer(content), None]:
        start = match.start() if match else len(content)
        if start > done:
            part = content[done:start]
            drawing = Piece(Kind.ALONE, raw=part, label="drawing")
            pieces.append(drawing if is_drawing else Piece(Kind.TEXT, part, part))
        if match is None:
            break
        raw, done = match.group(), match.end()
        switch = _SWITCH.fullmatch(raw)
        if raw in _ESCAPES:
            pieces.append(Piece(Kind.TEXT, _ESCAPES[raw], raw))
        elif switch is None or (switch[2] == "0" and switch[1] not in opened):
            pieces.append(Piece(Kind.ALONE, raw=raw, label=raw))
        elif switch[2] == "0":
            label = _LABELS[switch[1]]
            pieces.append(Piece(Kind.CLOSE, raw=raw, pair=opened.pop(switch[1]), label=label))
        else:
            opened[switch[1]] = start
            pieces.append(Piece(Kind.OPEN, raw=raw, pair=start, label=_LABELS[switch[1]]))
        modes = _DRAWING.findall(raw) if raw[0] == "{" else []
        is_drawing = modes[-1].strip("0") != "" if modes else is_drawing
    return pieces


def _escaped(text: str) -> str:
    text = _ACCIDENTAL_ESCAPE.sub("\\\u2060", text)
    text = text.replace("{", r"\{").replace("}", r"\}")
    return text.replace("\n", r"\N").replace("\u00a0", r"\h")


FORMAT = SubstationAlpha()
