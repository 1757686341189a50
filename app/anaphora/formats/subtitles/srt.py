"""SubRip subtitles (.srt): texts are replaced; numbers, times and positions stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError, ReadOptions, check_lines
from anaphora.formats.subtitles import cues
from anaphora.formats.subtitles.cues import ARROW, BLANK, Cue, Subtitles
from anaphora_text.punctuation import COLONS, SEMICOLONS, WIDE_COMMAS

_DECIMAL = f"[.,{WIDE_COMMAS[0]}{COLONS}]"
_SEPARATOR = f"{BLANK}[{COLONS}{SEMICOLONS}]{BLANK}"
_STAMP = rf"-?\d{{1,3}}{_SEPARATOR}\d{{1,2}}{_SEPARATOR}\d{{1,2}}{BLANK}{_DECIMAL}{BLANK}\d{{1,3}}"
_TIMES = re.compile(
    rf"(?:^|(?<=\r)){BLANK}({_STAMP}){BLANK}{ARROW}{BLANK}({_STAMP})[^\r\n]*(?:\r\n|\n|\r|\Z)",
    re.MULTILINE,
)
_MARKED_NUMBER = rf"[^\w\s]?{BLANK}+\d{{1,9}}{BLANK}+[^\w\s]?"
"""A cue's number beside other characters, as in files edited by hand."""
_BLANK_LINE = r"(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)"
_NUMBER = re.compile(
    rf"(?:(?:\A|[\r\n]){BLANK}+\d{{1,9}}|(?:\A|{_BLANK_LINE}){BLANK}+{_MARKED_NUMBER}){BLANK}+"
    r"(?:(?:\r\n|\n|\r)[ \t]*)?(?:\r\n|\n|\r)\Z"
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]{0,20})(?:[ =][^<>\r\n]*)?>|\{\\[^{}\r\n]*\}|\r\n|\n|\r")
_LABELS = {"i": "italic", "b": "bold", "u": "underlined", "s": "struck out", "font": "font"}


class SubRip(Subtitles):
    name = "srt"
    label = "SubRip subtitles"
    extensions: tuple[str, ...] = (".srt",)
    header = re.compile(rf"(?:{BLANK}\d*{BLANK}[\r\n])*{BLANK}{_STAMP}{BLANK}{ARROW}")

    def cues(self, text: str, options: ReadOptions) -> Iterator[Cue]:
        """The texts between the lines with times, each without the number of the next cue."""
        times = list(_TIMES.finditer(text))
        if not times and text.strip():
            raise FormatError(
                "This file contains no subtitle times (00:00:01,000 --> 00:00:02,000).",
                "Check that it is a SubRip file. Other subtitle formats use other extensions.",
            )
        for number, match in enumerate(times, start=1):
            start = match.end()
            end = times[number].start() if number < len(times) else len(text)
            if number < len(times):
                index = _NUMBER.search(text, max(start - 1, end - 40), end)
                end = max(start, index.start()) if index else end
            content = text[start:end].rstrip()
            check_lines(max(content.count("\n"), content.count("\r")))
            notes = (Note(NoteKind.TIME, f"{match[1]} → {match[2]}"),)
            pieces = cues.tagged_pieces(content, _TAG, _LABELS)
            yield cues.make_cue(number, start, start + len(content), pieces, notes)

    def writer(self, source: str, line_end: str) -> Callable[[str], str]:
        return lambda text: text.replace("\n", line_end)


FORMAT = SubRip()
