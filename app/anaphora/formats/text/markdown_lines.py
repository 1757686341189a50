"""Lines of Markdown's dialects in a form that a CommonMark parser understands.

Footnotes, definitions, abbreviations and the boxes of mkdocs become items of lists, which hold indented
blocks as they do; titles of boxes become headings, which end where their line ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CONTAINER = re.compile(r"(?P<indent>[ \t]*):{3,}(?P<rest>.*)")
_TITLED = "admonition|note|tip|hint|important|warning|caution|danger|error|attention|seealso|dropdown|card"
_QUOTED = re.compile(r"[ \t]*\{[^{}]*?\btitle=\"(?P<title>[^\"]+)\"[^{}]*\}[ \t]*")
_NAMED = re.compile(
    rf"[ \t]*(?:\{{(?:{_TITLED})\}}|[\w-]+)(?:\[(?P<bracket>[^\[\]]+)\]|[ \t]+(?P<title>[^\s{{].*?))?"
    r"[ \t]*(?:\{[^{}]*\})?[ \t]*"
)
_FOOTNOTE = re.compile(r"(?P<indent> {0,3})\[\^[^\]\s]+\]:(?:[ \t]+|(?=\S)|$)(?P<text>.*)")
_DEFINITION = re.compile(r"(?P<indent> {0,3}):[ \t]+(?P<text>\S.*)")
_ABBREVIATION = re.compile(r"(?P<indent> {0,3})\*\[[^\]]{1,200}\]:[ \t]*(?P<text>\S.*)")
_BOX = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:!!!|\?\?\?\+?)(?:[ \t]+[\w-]+)+|===[!+]*(?=[ \t]+\"))"
    r"(?:[ \t]+\"(?P<title>[^\"]*)\")?[ \t]*"
)
_MARKS = (":", "[!", "!!!", "???", "===", "*[")
_ALERT = re.compile(r"(?P<prefix>[ \t]*(?:>[ \t]?)+)\[![\w-]+\][+-]?[ \t]*(?P<title>.*)")


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line as the parser reads it.

    Attributes:
        text: what it reads.
        title: where its text begins in the source line; -1 where the text is the end of that.
        holder: what its text stands in, for a person; "" for an ordinary line.
    """

    text: str
    title: int = -1
    holder: str = ""


def read_lines(lines: Sequence[str]) -> list[ReadLine]:
    """Lines for the parser, as many as there are."""
    return [_read(line) if any(mark in line for mark in _MARKS) else ReadLine(line) for line in lines]


def _read(line: str) -> ReadLine:
    if match := _CONTAINER.fullmatch(line):
        named = _NAMED.fullmatch(match["rest"]) or _QUOTED.fullmatch(match["rest"])
        group = "bracket" if named and named.groupdict().get("bracket") else "title"
        if named and named[group]:
            return _title(match["indent"], named[group], match.start("rest") + named.start(group))
        return ReadLine("")
    if match := _FOOTNOTE.fullmatch(line):
        return ReadLine(f"{match['indent']}+ {match['text']}".rstrip(), holder="Footnote")
    if match := _BOX.fullmatch(line):
        return _title(f"{match['indent']}+ ", match["title"] or "", match.start("title"))
    if match := _DEFINITION.fullmatch(line) or _ABBREVIATION.fullmatch(line):
        return ReadLine(f"{match['indent']}+ {match['text']}", holder="Definition")
    if match := _ALERT.fullmatch(line):
        if match["title"]:
            return _title(match["prefix"], match["title"], match.start("title"))
        return ReadLine(match["prefix"].rstrip())
    return ReadLine(line)


def _title(prefix: str, title: str, start: int) -> ReadLine:
    return ReadLine(f"{prefix}# {title}".rstrip(), start, "Title")
