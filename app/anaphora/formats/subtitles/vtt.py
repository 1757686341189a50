"""WebVTT subtitles (.vtt): texts are replaced; ids, times, settings, NOTE, STYLE and REGION stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError, ReadOptions, check_lines
from anaphora.formats.base.readings import without_readings
from anaphora.formats.base.target_language import TargetLanguage, escapes_in, with_escapes, with_language
from anaphora.formats.markup.tokens import unescape
from anaphora.formats.subtitles import cues
from anaphora.formats.subtitles.cues import ARROW, BLANK, Cue, Subtitles

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


class WebVtt(Subtitles):
    name = "vtt"
    label = "WebVTT subtitles"
    extensions: tuple[str, ...] = (".vtt",)
    header = re.compile(rf"{BLANK}WEBVTT(?:[ \t\r\n]|\Z)")

    def cues(self, text: str, options: ReadOptions) -> Iterator[Cue]:
        """The texts below the lines with times, each up to a blank line or the next line with times."""
        if not self.header.match(text):
            raise FormatError(
                "This is not a WebVTT file: its first line is not “WEBVTT”.",
                "Check that this is the right file. Other subtitle formats use other extensions.",
            )
        comment, number = "", 0
        for block in _BLOCK.finditer(text):
            # A line with times begins a cue even without a blank line before it.
            times = list(_TIMES.finditer(text, block.start(1), block.end(1)))
            if not times:
                is_comment = _COMMENT.match(block[1]) is not None
                comment = " ".join(block[1][4:].split()) if is_comment else ""
            for next_index, time in enumerate(times, start=1):
                number += 1
                start, end = time.end(), block.end()
                if next_index < len(times):
                    end = times[next_index].start()
                    index = _NUMBER.search(text, start, end)
                    end = index.start() if index else end
                content = text[start:end].rstrip()
                check_lines(max(content.count("\n"), content.count("\r")))
                notes = [Note(NoteKind.TIME, f"{time[1]} → {time[2]}")]
                if voices := dict.fromkeys(match[1].strip() for match in _VOICE.finditer(content)):
                    notes.append(Note(NoteKind.SPEAKER, ", ".join(voices)))
                if comment:
                    notes.append(Note(NoteKind.COMMENT, comment))
                comment = ""
                # Numbers start at 1, because 0 means “no pair”.
                pieces = without_readings(cues.tagged_pieces(content, _TAG, _LABELS, first=1))
                yield cues.make_cue(number, start, start + len(content), list(pieces), notes)

    def writer(self, source: str, line_end: str) -> Callable[[str], str]:
        """A function that writes a text with the same character references as the cue's source."""
        table = escapes_in(_TAGS.sub("", source), _REFERENCE, unescape)
        if "\u00a0" in source:
            table.setdefault("\u00a0", "\u00a0")

        def write(text: str) -> str:
            return with_escapes(text, table, _escaped).replace("-->", "--&gt;").replace("\n", line_end)

        return write

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        return with_language(data, options, target, _LANGUAGE)


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\u00a0", "&nbsp;")


FORMAT = WebVtt()
