"""Rewrite the lines of Markdown's dialects for a CommonMark parser.

Footnotes, definitions, abbreviations and the admonitions of mkdocs become list items, because these may also
contain indented blocks. Titles of blocks become headings, because these also end with the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CONTAINER = re.compile(r"(?P<indent>[ \t]*):{3,}(?P<rest>.*)")
_QUOTED = re.compile(
    r"[ \t]*[\w-]*\{[^{}]*?(?<![\w-])(?:title|summary|label|caption)="
    r"(?P<mark>[\"'])(?P<title>[^\"']+)(?P=mark)[^{}]*\}[ \t]*"
)
_NAMED = re.compile(
    r"[ \t]*[\w-]+(?:\[(?P<bracket>(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])+)\]"
    r"|[ \t]+(?P<title>[^\s{].*?))?[ \t]*(?:\{[^{}]*\})?[ \t]*"
)
_FOOTNOTE = re.compile(r"(?P<indent>[ \t>]*)\[\^[^\]\s]+\]:(?:[ \t]+|(?=\S)|$)(?P<text>.*)")
_DEFINITION = re.compile(r"(?P<indent>[ \t]*)(?:[:~][ \t]+|\*\[[^\]]{1,200}\]:[ \t]*)(?P<text>\S.*)")
_ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])[ \t]")
_CODE_INDENT = 8
"""The number of columns by which code in a definition or list item is indented more than the item."""
_HEAD = re.compile(r"(?:%[ \t]*|[ \t]+(?=\S))(?P<title>.*)")
"""A line of Pandoc's title block: title, authors, date; continuation lines are indented."""
_ADMONITION = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:!!!|\?\?\?\+?)(?:[ \t]+[\w-]+)+|===[!+]*(?=[ \t]+\"))"
    r"(?:[ \t]+\"(?P<title>.*?)\")?[ \t]*"
)
_REFERENCE = re.compile(
    r"(?P<prefix>(?: {0,3}>)* {0,3})(?P<reference>\[(?!\^)[^\[\]]{1,200}\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)"
    r"(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?)[ \t]*"
)
_MARKS = (":", "~", "[!", "!!!", "???", "===", "*[")
_ALERT = re.compile(r"(?P<prefix>[ \t]*(?:>[ \t]?)+)\[![\w-]+\][+-]?[ \t]*(?P<title>.*)")
_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})(?P<rest>[^`]*)")


@dataclass(frozen=True, slots=True)
class TextLine:
    """A line as it is rewritten for the parser.

    Attributes:
        text: the rewritten text.
        title: the offset of a title in the source line; -1 if the line has no title.
        holder: the name of the block that the line begins, for the user; "" for an ordinary line.
        reference: a link definition that the parser would treat as text here; otherwise "".
    """

    text: str
    title: int = -1
    holder: str = ""
    reference: str = ""


def rewrite_lines(lines: Sequence[str]) -> list[TextLine]:
    read: list[TextLine] = []
    code = ""
    limit, heads = 4, 0
    for line in lines:
        if heads == len(read) and (heads or line[:1] == "%") and (head := _HEAD.fullmatch(line)):
            read.append(_title_line("", head["title"], head.start("title")))
            heads += 1
            continue
        fence = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
        if fence is not None and not code:
            code = fence["fence"]
        elif fence is not None and fence["fence"].startswith(code) and not fence["rest"].strip():
            code = ""
        if not code and read and _may_continue(read[-1]) and (defined := _REFERENCE.fullmatch(line)):
            read.append(TextLine(defined["prefix"].rstrip(), reference=defined["reference"]))
        else:
            read.append(_rewrite(line, limit) if any(mark in line for mark in _MARKS) else TextLine(line))
            limit = _limit(read[-1], line, limit)
    return read


def _limit(read: TextLine, line: str, limit: int) -> int:
    """The indentation at which text below this line is code; larger after a list item or rewritten block."""
    if read.holder or _ITEM.match(line):
        return _indent(line) + _CODE_INDENT
    return limit if not line.strip() or _indent(line) else 4


def _indent(line: str) -> int:
    return len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())


def _may_continue(before: TextLine) -> bool:
    return bool(before.reference or (before.holder and before.text.strip()))


def _rewrite(line: str, limit: int) -> TextLine:
    if match := _CONTAINER.fullmatch(line):
        name = _NAMED.fullmatch(match["rest"])
        titles = (
            (name, "bracket" if name and name["bracket"] else "title"),
            (_QUOTED.fullmatch(match["rest"]), "title"),
        )
        for title, group in titles:
            if title is not None and title[group]:
                return _title_line(match["indent"], title[group], match.start("rest") + title.start(group))
        return TextLine("")
    if match := _FOOTNOTE.fullmatch(line):
        return TextLine(f"{match['indent']}+ {match['text']}".rstrip(), holder="Footnote")
    if match := _ADMONITION.fullmatch(line):
        return _title_line(f"{match['indent']}+ ", match["title"] or "", match.start("title"))
    if (match := _DEFINITION.fullmatch(line)) and _indent(line) < limit:
        return TextLine(f"{match['indent']}+ {match['text']}", holder="Definition")
    if match := _ALERT.fullmatch(line):
        if match["title"]:
            return _title_line(match["prefix"], match["title"], match.start("title"))
        return TextLine(match["prefix"].rstrip())
    return TextLine(line)


def _title_line(prefix: str, title: str, start: int) -> TextLine:
    return TextLine(f"{prefix}# {title}".rstrip(), start, "Title")
