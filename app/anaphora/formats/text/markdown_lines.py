"""Lines of Markdown's dialects in a form that a CommonMark parser understands.

Footnotes, definitions, abbreviations and the boxes of mkdocs become items of lists, which hold indented
blocks as they do; titles of boxes become headings, which end where their line ends.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CONTAINER = re.compile(r"(?P<indent>[ \t]*):{3,}(?P<rest>.*)")
_TITLED = (
    "admonition|note|tip|hint|important|warning|caution|danger|error|attention|seealso|dropdown|card|todo"
    "|topic|sidebar|tab-item|grid-item-card"
)
_FENCE = re.compile(r"(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})(?P<rest>[^`]*)")
_DIRECTIVE = re.compile(
    rf"[ \t]*\{{(?:{_TITLED}|margin|epigraph|tab-set|grid|grid-item|figure|version(?:added|changed)"
    r"|deprecated)\}.*"
)
_OPTION = re.compile(r"[ \t]*:[a-z][\w-]*:(?:[ \t].*)?")
"""An option of a directive, in a line below its first: `:class: wide`."""
_YAML_OPTION = re.compile(r"[ \t]*[a-z][\w-]*:(?:[ \t].*)?")
"""The same between two lines of hyphens: `class: wide`."""
_HYPHENS = re.compile(r"[ \t]*---[ \t]*")
_QUOTED = re.compile(
    r"[ \t]*[\w-]*\{[^{}]*?(?<![\w-])(?:title|summary|label|caption)="
    r"(?P<mark>[\"'])(?P<title>[^\"']+)(?P=mark)[^{}]*\}[ \t]*"
)
_NAMED = re.compile(
    rf"[ \t]*(?:\{{(?:{_TITLED})\}}|[\w-]+)(?:\[(?P<bracket>(?:[^\[\]]|\[(?:[^\[\]]|\[[^\[\]]*\])*\])+)\]"
    r"|[ \t]+(?P<title>[^\s{].*?))?"
    r"[ \t]*(?:\{[^{}]*\})?[ \t]*"
)
_FOOTNOTE = re.compile(r"(?P<indent>[ \t>]*)\[\^[^\]\s]+\]:(?:[ \t]+|(?=\S)|$)(?P<text>.*)")
_DEFINITION = re.compile(r"(?P<indent> {0,3})[:~][ \t]+(?P<text>\S.*)")
_ABBREVIATION = re.compile(r"(?P<indent> {0,3})\*\[[^\]]{1,200}\]:[ \t]*(?P<text>\S.*)")
_BOX = re.compile(
    r"(?P<indent>[ \t]*)(?:(?:!!!|\?\?\?\+?)(?:[ \t]+[\w-]+)+|===[!+]*(?=[ \t]+\"))"
    r"(?:[ \t]+\"(?P<title>.*?)\")?[ \t]*"
)
_TAB = re.compile(r"(?P<indent>[ \t]*)@tab(?::[\w-]+)?(?:[ \t]+(?P<title>\S.*?)(?:#[\w-]+)?)?[ \t]*")
"""VuePress's line between the tabs of a box; what follows a # links it to other boxes."""
_REFERENCE = re.compile(
    r"(?P<prefix>(?: {0,3}>)* {0,3})(?P<said>\[(?!\^)[^\[\]]{1,200}\]:[ \t]*(?:<[^<>]*>|[^\s<]\S*)"
    r"(?:[ \t]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?)[ \t]*"
)
_MARKS = ("@tab", ":", "~", "[!", "!!!", "???", "===", "*[", ")=", "+++", "%")
_MYST = re.compile(r"[ \t]*(?:`{3,}|~{3,}|:{3,})\{[\w:-]+\}.*|\([^()\s]+\)=[ \t]*")
"""What tells that a file is MyST's, in which a line that begins with % is a comment."""
_NO_TEXT = re.compile(r"[ \t]*\([^()\s]{1,200}\)=[ \t]*|\+\+\+(?:[ \t]*\{[^\n]*\})?[ \t]*")
"""A place that references name, and where the next cell begins."""
_COMMENT = re.compile(r"[ \t]*%(?!\}).*")
_ALERT = re.compile(r"(?P<prefix>[ \t]*(?:>[ \t]?)+)\[![\w-]+\][+-]?[ \t]*(?P<title>.*)")


@dataclass(frozen=True, slots=True)
class ReadLine:
    """A line as the parser reads it.

    Attributes:
        text: what it reads.
        title: where its text begins in the source line; -1 where the text is the end of that.
        holder: what its text stands in, for a person; "" for an ordinary line.
        reference: the definition of a link that stood where the parser would take it for text; else "".
    """

    text: str
    title: int = -1
    holder: str = ""
    reference: str = ""


def read_lines(lines: Sequence[str]) -> list[ReadLine]:
    """Lines for the parser, as many as there are.

    MyST's directives may stand between the fences of code: those whose body is Markdown are read as it.
    """
    found: list[ReadLine] = []
    opened: list[str] = []
    code, options_end = "", 0
    is_myst = any(map(_MYST.fullmatch, lines))
    for row, line in enumerate(lines):
        if row < options_end:
            found.append(ReadLine(""))
            continue
        fence = _FENCE.fullmatch(line) if "```" in line or "~~~" in line else None
        is_end = fence is not None and not fence["rest"].strip()
        if code:
            code = "" if is_end and fence is not None and fence["fence"].startswith(code) else code
        elif fence is not None and is_end and opened and fence["fence"] == opened[-1]:
            opened.pop()
            found.append(ReadLine(""))
            continue
        elif fence is not None and reads_body(fence["rest"]):
            opened.append(fence["fence"])
            found.append(_container(fence))
            options_end = end_of_options(lines, row + 1)
            continue
        elif fence is not None:
            code = fence["fence"]
        if not code and found and _goes_on(found[-1]) and (defined := _REFERENCE.fullmatch(line)):
            found.append(ReadLine(defined["prefix"].rstrip(), reference=defined["said"]))
            continue
        if not code and is_myst and _COMMENT.fullmatch(line):
            line = ""
        found.append(_read(line) if any(mark in line for mark in _MARKS) else ReadLine(line))
        if not code and _CONTAINER.fullmatch(line):
            options_end = end_of_options(lines, row + 1)
    return found


def _goes_on(before: ReadLine) -> bool:
    """Whether the paragraph of a note or a definition would go on behind a line of it."""
    return bool(before.reference or (before.holder and before.text.strip()))


def end_of_options(lines: Sequence[str], start: int) -> int:
    """The row behind a directive's options, of which the first would stand at `start`."""
    is_yaml = start < len(lines) and _HYPHENS.fullmatch(lines[start]) is not None
    row, is_option = start + is_yaml, _YAML_OPTION.fullmatch if is_yaml else _OPTION.fullmatch
    while row < len(lines) and is_option(lines[row]):
        row += 1
    if not is_yaml:
        return row
    return row + 1 if row < len(lines) and _HYPHENS.fullmatch(lines[row]) else start


def reads_body(rest: str) -> bool:
    """Whether a directive between the fences of code is read as Markdown, by what stands behind its fence."""
    return _DIRECTIVE.fullmatch(rest) is not None


def _read(line: str) -> ReadLine:
    if _NO_TEXT.fullmatch(line):
        return ReadLine("")
    if match := _CONTAINER.fullmatch(line):
        return _container(match)
    if match := _FOOTNOTE.fullmatch(line):
        return ReadLine(f"{match['indent']}+ {match['text']}".rstrip(), holder="Footnote")
    if match := _TAB.fullmatch(line):
        return _title(match["indent"], match["title"] or "", match.start("title"))
    if match := _BOX.fullmatch(line):
        return _title(f"{match['indent']}+ ", match["title"] or "", match.start("title"))
    if match := _DEFINITION.fullmatch(line) or _ABBREVIATION.fullmatch(line):
        return ReadLine(f"{match['indent']}+ {match['text']}", holder="Definition")
    if match := _ALERT.fullmatch(line):
        if match["title"]:
            return _title(match["prefix"], match["title"], match.start("title"))
        return ReadLine(match["prefix"].rstrip())
    return ReadLine(line)


def _container(match: re.Match[str]) -> ReadLine:
    """The first line of a box: its title, if it has one."""
    found = (_NAMED.fullmatch(match["rest"]), _QUOTED.fullmatch(match["rest"]))
    for named in filter(None, found):
        group = "bracket" if named.groupdict().get("bracket") else "title"
        if named[group]:
            return _title(match["indent"], named[group], match.start("rest") + named.start(group))
    return ReadLine("")


def _title(prefix: str, title: str, start: int) -> ReadLine:
    return ReadLine(f"{prefix}# {title}".rstrip(), start, "Title")
