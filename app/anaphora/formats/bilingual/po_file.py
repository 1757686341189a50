"""Parse a gettext catalogue into messages, with the positions of all parts that a translation changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from anaphora.core.errors import Message
from anaphora.core.long_work import check_cancelled
from anaphora.formats.base.format import FormatError, check_strings

Span = tuple[int, int]

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"[ \t\f\v]*')
_KEYWORD = re.compile(
    r'(msgctxt|msgid_plural|msgid|msgstr|domain)(?:[ \t]*\[[ \t]*([0-9]{1,3})[ \t]*\])?[ \t]*(?=")'
)
_ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,8})|(.))")
_SPACES = " \t\f\v"
_CHAR_BY_NAME = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_ESCAPE_BY_CHAR = {char: "\\" + name for name, char in _CHAR_BY_NAME.items()} | {"\\": "\\\\", '"': '\\"'}
_TO_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f]')


@dataclass(slots=True)
class PoMessage:
    """A message.

    Attributes:
        line: number of the first line, from 1.
        keyword_start: offset of the line with the first keyword; -1 before this line is read.
        context, singular, plural: msgctxt, msgid and msgid_plural, unescaped; None or "" if missing.
        strings: each msgstr, unescaped, by plural form (0 without plural).
        string_spans: the span of each msgstr, from the first to the last quotation mark, by plural form.
        flag_lines, previous_lines: spans of the `#,` and `#|` lines, including line ends.
        comments: (kind, text) of other comments; kind is "" (translator), "." (extracted), ":" (references).
    """

    line: int
    keyword_start: int = -1
    context: str | None = None
    singular: str = ""
    plural: str | None = None
    strings: dict[int, str] = field(default_factory=dict)
    string_spans: dict[int, Span] = field(default_factory=dict)
    flags: list[str] = field(default_factory=list)
    flag_lines: list[Span] = field(default_factory=list)
    previous_lines: list[Span] = field(default_factory=list)
    comments: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_header(self) -> bool:
        return not self.singular and self.context is None

    @property
    def is_fuzzy(self) -> bool:
        return "fuzzy" in self.flags


def read_entries(text: str) -> list[PoMessage]:
    """The messages of a catalogue in order, with the header but without obsolete messages (`#~`)."""
    return list(_Reader(text).entries())


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._entry: PoMessage | None = None
        self._keyword = ""
        self._number = 0
        self._values: list[str] = []
        self._span = (0, 0)

    def entries(self) -> Iterator[PoMessage]:
        line_number = 0
        for line_number, match in enumerate(_LINE.finditer(self._text), start=1):
            check_cancelled()
            line, line_start = match[1], match.start()
            content = line.strip(_SPACES)
            offset = line_start + len(line) - len(line.lstrip(_SPACES))
            if content.startswith("#~") or (content.startswith("#") and self._keyword):
                yield from self._finish(line_number)
            if content.startswith("#"):
                self._comment(content, (line_start, match.end()), line_number)
            elif content.startswith('"'):
                self._string(content, offset, line_number)
            elif content:
                yield from self._start(content, offset, line_start, line_number)
        yield from self._finish(line_number)

    def _comment(self, content: str, span: Span, line_number: int) -> None:
        kind = content[1:2]
        if kind == "~":
            return
        entry = self._entry = self._entry or PoMessage(line_number)
        if kind in (",", "="):
            entry.flags += [flag.strip() for flag in content[2:].split(",") if flag.strip()]
            if kind == ",":
                entry.flag_lines.append(span)
        elif kind == "|":
            entry.previous_lines.append(span)
        else:
            mark = kind if kind in (".", ":") else ""
            entry.comments.append((mark, content[1 + len(mark) :].strip()))
            check_strings(len(entry.comments))

    def _start(self, content: str, offset: int, line_start: int, line_number: int) -> Iterator[PoMessage]:
        keyword = _KEYWORD.match(content)
        if keyword is None:
            raise _bad_line(line_number, content)
        name = keyword[1]
        is_first = name in ("msgctxt", "domain") or (name == "msgid" and self._keyword != "msgctxt")
        if is_first and self._keyword:
            yield from self._finish(line_number)
        self._store(line_number)
        if name == "domain":
            self._entry = None
            return
        entry = self._entry = self._entry or PoMessage(line_number)
        if entry.keyword_start < 0:
            entry.keyword_start = line_start
        self._keyword, self._number = name, int(keyword[2] or 0)
        self._values, self._span = [], (offset + keyword.end(), offset + keyword.end())
        self._string(content[keyword.end() :], offset + keyword.end(), line_number)

    def _string(self, content: str, offset: int, line_number: int) -> None:
        position = 0
        while position < len(content):
            match = _STRING.match(content, position)
            if match is None or not self._keyword:
                raise _bad_line(line_number, content)
            self._values.append(match[1])
            check_strings(len(self._values))
            self._span = (self._span[0], offset + match.end(1) + 1)
            position = match.end()

    def _store(self, line_number: int) -> None:
        entry = self._entry
        if entry is None or not self._keyword:
            return
        value = unescape("".join(self._values))
        if self._keyword == "msgctxt":
            entry.context = value
        elif self._keyword == "msgid":
            entry.singular = value
        elif self._keyword == "msgid_plural":
            entry.plural = value
        elif self._number in entry.strings:
            raise _bad_line(line_number, f"msgstr[{self._number}]")
        else:
            entry.strings[self._number] = value
            entry.string_spans[self._number] = self._span
        self._keyword = ""

    def _finish(self, line_number: int) -> Iterator[PoMessage]:
        self._store(line_number)
        entry, self._entry = self._entry, None
        if entry is None or entry.keyword_start < 0:
            return
        if not entry.strings:
            raise FormatError(
                Message("The message on line {line} has no msgstr.", line=entry.line),
                "The catalogue is damaged or incomplete. Check it with msgfmt.",
            )
        yield entry


def unescape(raw: str) -> str:
    return _ESCAPE.sub(_unescaped, raw) if "\\" in raw else raw


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return chr(int(match[1], 8))
    if match[2]:
        code = int(match[2], 16)
        return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else match[0]
    return _CHAR_BY_NAME.get(match[3], match[3])


def escape(text: str) -> str:
    return _TO_ESCAPE.sub(lambda match: _ESCAPE_BY_CHAR.get(match[0]) or f"\\{ord(match[0]):03o}", text)


def _bad_line(number: int, content: str) -> FormatError:
    return FormatError(
        Message("Line {number} is not valid in a PO file: “{text}”.", number=number, text=content[:40]),
        "The file is damaged or in another format. Check it with msgfmt.",
    )
