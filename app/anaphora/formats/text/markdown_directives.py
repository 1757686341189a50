"""Directives of MyST: what they say and is not read as Markdown, to be counted for a note.

Read are the titles of boxes and the bodies of those that hold Markdown (`markdown_lines`). Options, such as
the alternative text of a figure, other arguments, and what stands in other directives is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.text.markdown_lines import end_of_options, reads_body, reads_title

_OPENS = re.compile(
    r"[ \t>]*(?P<fence>`{3,}|~{3,}|:{3,})(?P<rest>[ \t]*\{(?P<name>[\w:-]+)\}[ \t]*(?P<said>.*))"
)
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})(.*)")
_OPTION = re.compile(r"[ \t>]*:?(?P<name>[a-z][\w-]*):[ \t]+(?P<said>\S.*)")
_TEXTS = frozenset(
    ("alt", "caption", "title", "subtitle", "header", "footer", "description", "summary", "label-text")
)
"""Options that are text in every language; others are so where letters tell words from code."""
_SPEAK = re.compile(
    r"glossary|(?:list-|csv-)?table|rubric|centered|exercise|solution|pull-quote|highlights|eval-rst|prf:.*"
    r"|version(?:added|changed)|deprecated"
)
"""Directives whose argument and body are text."""
_CODE = re.compile(r"(?:code|math|mermaid|graphviz|raw|sourcecode|literalinclude|parsed-literal)\b.*")


def directives_left(lines: Sequence[str], words: SourceWords) -> int:
    """How many directives hold words of the language that stay as they are.

    Args:
        lines: of the file, without their ends.
    """
    return sum(any(_speaks(name, text, words) for name, text in said) for said in _said(lines))


def _speaks(name: str, text: str, words: SourceWords) -> bool:
    is_text = name in _TEXTS or _SPEAK.fullmatch(name) is not None
    return words.in_text(text) if is_text else words.in_code(text)


def _said(lines: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    """For each directive, what it says and nobody reads: options by their names, all else by its own."""
    row, code = 0, ""
    while row < len(lines):
        line = lines[row]
        row += 1
        if code:
            code = "" if _closes(line, code) else code
            continue
        opens = _OPENS.fullmatch(line) if "{" in line else None
        if opens is None:
            fence = _FENCE.fullmatch(line)
            # One that closes a directive which is read opens nothing.
            code = fence[1] if fence is not None and fence[2].strip() and "`" not in fence[2] else ""
            continue
        name, is_code = opens["name"], _CODE.fullmatch(opens["name"]) is not None
        said = [(name, opens["said"])] if not is_code and not reads_title(opens["rest"]) else []
        end = end_of_options(lines, row)
        options = filter(None, map(_OPTION.fullmatch, lines[row:end]))
        said += [(option["name"], option["said"]) for option in options]
        row = end
        if opens["fence"][0] != ":" and not reads_body(opens["rest"]):
            while row < len(lines) and not _closes(lines[row], opens["fence"]):
                said += [] if is_code else [(name, lines[row])]
                row += 1
            row += 1
        yield said


def _closes(line: str, fence: str) -> bool:
    found = _FENCE.fullmatch(line)
    return found is not None and found[1].startswith(fence) and not found[2].strip()
