"""JSON: the strings of a document with their places, and how strings are written."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from anaphora.formats.base.limits import check_markup
from anaphora.formats.base.spellings import spelled, spellings
from anaphora.formats.localisation.texts import below, damaged

_TOKEN = re.compile(
    r'(?P<blank>[ \t\r\n]++)|(?P<string>"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*+")'
    r"|(?P<mark>[{}\[\],:])|(?P<other>-?\d[\d.eE+-]*+|true\b|false\b|null\b)"
    r"|(?P<comment>//[^\r\n]*+|/\*.*?\*/)",
    re.DOTALL,
)
_DEEPEST = 200
_HALF = re.compile("[\ud800-\udfff]")
_ESCAPED = re.compile(r"\\u(?!00[0-7])[0-9A-Fa-f]{4}")
_CODE = re.compile(r"(\\u|\\.)((?<=u)[0-9a-f]{4}|)")
_UPPER = re.compile(r"\\u(?=[0-9A-Fa-f]{4})[0-9]{0,3}[A-F]")
_LOWER = re.compile(r"\\u(?=[0-9A-Fa-f]{4})[0-9A-F]{0,3}[a-f]")
_STRING = re.compile(r'"((?:[^"\\\r\n]|\\.)*+)"')
_ADDRESS = re.compile(r"(?<=:)//")
_ESCAPE = re.compile(
    r'\\(?:u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|["\\/bfnrt])'
)


@dataclass(slots=True)
class Text:
    """A string that is a value.

    Attributes:
        path: see `below`.
        key: its key in its object; its number in an array.
        start: offset of its first quotation mark.
        end: offset behind its last one.
        value: as a program reads it.
    """

    path: str
    key: str
    start: int
    end: int
    value: str


@dataclass(slots=True, eq=False)
class Container:
    """An object or an array.

    Attributes:
        path, key: as of a text.
        start: offset of its first bracket.
        end: offset behind its last one.
        items: strings and containers in it, in order.
        named: what stands behind each key; None for what is neither string nor container.
        refused: the keys that say "false".
    """

    path: str
    key: str
    start: int
    is_array: bool
    end: int = 0
    items: list[Text | Container] = field(default_factory=list)
    named: dict[str, Text | Container | None] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)

    def text(self, key: str) -> str:
        """The string with a key; "" where there is none."""
        found = self.named.get(key)
        return found.value if isinstance(found, Text) else ""

    def child(self, key: str) -> Container | None:
        """The container with a key."""
        found = self.named.get(key)
        return found if isinstance(found, Container) else None

    def add(self, item: Text | Container) -> None:
        """Put an item behind the others."""
        self.items.append(item)
        self.named[item.key] = item


def read_json(text: str) -> Container:
    """The outermost container; comments, and commas behind the last item, are read over.

    Raises:
        FormatError: it is no JSON, has none, or is nested too deeply.
    """
    return _Reader(text).read()


class Spelling:
    """How a file writes its strings: other letters than ASCII as escapes, slashes as PHP does, or neither."""

    def __init__(self, text: str) -> None:
        """That of the strings of a file."""
        said = _ADDRESS.sub("", "".join(_STRING.findall(text)))
        self._plain_ascii = text.isascii() and _ESCAPED.search(text) is not None
        self._is_upper = _UPPER.search(text) is not None and _LOWER.search(text) is None
        self._table = spellings(said, _ESCAPE, _meaning)

    def literal(self, value: str, old: str = "") -> str:
        """A string as the file writes it.

        Args:
            old: the string that it takes the place of, as it stands in the file.
        """
        table = self._table | spellings(old[1:-1], _ESCAPE, _meaning) if "\\" in old else self._table
        return f'"{spelled(value, table, self._usual)}"'

    def _usual(self, text: str) -> str:
        found = json.dumps(text, ensure_ascii=self._plain_ascii)[1:-1]
        return _CODE.sub(lambda code: code[1] + code[2].upper(), found) if self._is_upper else found


def _meaning(escape: str) -> str:
    return str(json.loads(f'"{escape}"'))


class _Reader:
    """One pass over a document."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._opened: list[Container] = []
        self._key: str | None = None
        self._wants = "value"
        self._count = 0
        self._root: Container | None = None

    def read(self) -> Container:
        """See `read_json`."""
        place = tokens = 0
        while place < len(self._text):
            match = _TOKEN.match(self._text, place)
            if match is None or match.end() == place:
                raise self._damaged(place)
            place = match.end()
            kind = match.lastgroup
            if kind in ("blank", "comment"):
                continue
            tokens += 1
            check_markup(tokens, 2_000_000)
            if kind == "mark":
                self._mark(match.group(), match.start())
            elif kind == "string" and self._wants in ("key", "key or end"):
                self._key, self._wants = _value(match.group()), "colon"
            else:
                self._value(match.group(), match.start(), place)
        if self._root is None or self._opened:
            raise self._damaged(len(self._text))
        return self._root

    def _mark(self, mark: str, place: int) -> None:
        if mark == ":" and self._wants == "colon":
            self._wants = "value"
        elif mark == "," and self._wants == "comma" and self._opened:
            self._wants = "value or end" if self._opened[-1].is_array else "key or end"
        elif mark in "{[" and self._wants in ("value", "value or end"):
            self._open(mark, place)
        elif mark in "}]" and self._opened and self._wants in ("comma", "value or end", "key or end"):
            container = self._opened[-1]
            if container.is_array != (mark == "]"):
                raise self._damaged(place)
            container.end = place + 1
            self._opened.pop()
            self._wants = "comma" if self._opened else "nothing"
        else:
            raise self._damaged(place)

    def _open(self, mark: str, place: int) -> None:
        if len(self._opened) >= _DEEPEST:
            raise self._damaged(place)
        key, path = self._place()
        container = Container(path, key, place, mark == "[")
        if self._opened:
            self._opened[-1].add(container)
        else:
            self._root = container
        self._opened.append(container)
        self._wants = "value or end" if container.is_array else "key or end"

    def _value(self, raw: str, start: int, end: int) -> None:
        if self._wants not in ("value", "value or end") or not self._opened:
            raise self._damaged(start)
        key, path = self._place()
        if raw == "false":
            self._opened[-1].refused.add(key)
        elif raw[0] == '"':
            self._opened[-1].add(Text(path, key, start, end, _value(raw)))
        self._wants = "comma"

    def _place(self) -> tuple[str, str]:
        """The key and the path of the value that begins."""
        if not self._opened:
            return "", ""
        holder = self._opened[-1]
        key = str(len(holder.named)) if holder.is_array else self._key or ""
        holder.named[key] = None
        return key, below(holder.path, key)

    def _damaged(self, place: int) -> Exception:
        return damaged("JSON", self._text, place)


def _value(raw: str) -> str:
    """What a string says; halves of pairs that stand alone are no characters."""
    if "\\" not in raw:
        return raw[1:-1]
    found: str = json.loads(raw)
    return _HALF.sub("\ufffd", found)
