"""Read the strings of a JSON document with their positions; write strings in its style of escaping."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from anaphora.formats.base.format import check_markup
from anaphora.formats.base.target_language import escapes_in, with_escapes
from anaphora.formats.localisation.texts import SURROGATE, damage_error, key_path

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r\n]++|//[^\r\n]*+|/\*.*?\*/)"
    r'|"(?:[^"\\\x00-\x1f]++|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*+"'
    r"|[{}\[\],:]|-?\d[\d.eE+-]*+|true\b|false\b|null\b",
    re.DOTALL,
)
_END = re.compile("")
_NO_VALUES = ("", "}", "]", ",", ":")
_MAX_DEPTH = 200
_MAX_TOKENS = 2_000_000
_ESCAPED = re.compile(r"\\u(?!00[0-7])[0-9A-Fa-f]{4}")
_STRING = re.compile(r'"((?:[^"\\\r\n]|\\.)*+)"')
_ADDRESS = re.compile(r"(?<=:)//")
_ESCAPE = re.compile(
    r'\\(?:u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|["\\/bfnrt])'
)


@dataclass(slots=True)
class Text:
    """A string that is a value.

    Attributes:
        path: see `key_path`.
        key: the key in an object, or the index in an array.
        start, end: the literal's span, including the quotation marks.
        value: the text with escapes resolved.
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
        items: the strings and containers in it, in order.
        by_key: the string or container by key (in an array, by index); None for a value of another type.
        false_keys: the keys with the value `false`.
    """

    path: str
    key: str
    start: int
    is_array: bool
    end: int = 0
    items: list[Text | Container] = field(default_factory=list)
    by_key: dict[str, Text | Container | None] = field(default_factory=dict)
    false_keys: set[str] = field(default_factory=set)

    def text(self, key: str) -> str:
        item = self.by_key.get(key)
        return item.value if isinstance(item, Text) else ""

    def child(self, key: str) -> Container | None:
        item = self.by_key.get(key)
        return item if isinstance(item, Container) else None


def read_json(text: str) -> Container:
    """The outermost container; comments, and commas after the last item, are accepted.

    Raises:
        FormatError: the text is not JSON, is a single value, is nested too deeply, or has too many tokens.
    """
    reader = _Reader(text)
    root = reader.value(reader.next_token(), Container("", "", 0, True), "", 0)
    end = reader.next_token()
    if not isinstance(root, Container) or end[0]:
        raise damage_error("JSON", text, end.start())
    return root


class StringEscapes:
    """The characters that a file escapes: for example letters outside ASCII, or slashes in files from PHP."""

    def __init__(self, text: str) -> None:
        strings = _ADDRESS.sub("", "".join(_STRING.findall(text)))
        self._plain_ascii = text.isascii() and _ESCAPED.search(text) is not None
        self._table = escapes_in(strings, _ESCAPE, _meaning)

    def literal(self, value: str, old: str = "") -> str:
        """A new literal in the style of the file and of the literal that it replaces."""
        table = self._table | escapes_in(old[1:-1], _ESCAPE, _meaning) if "\\" in old else self._table
        return f'"{with_escapes(value, table, self._escape_rest)}"'

    def _escape_rest(self, text: str) -> str:
        return json.dumps(text, ensure_ascii=self._plain_ascii)[1:-1]


def _meaning(escape: str) -> str:
    return str(json.loads(f'"{escape}"'))


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._position = self._count = 0

    def next_token(self) -> re.Match[str]:
        """The next token; an empty match at the end."""
        while (match := _TOKEN.match(self._text, self._position)) is not None:
            self._position = match.end()
            if match["blank"] is None:
                self._count += 1
                check_markup(self._count, _MAX_TOKENS)
                return match
        if self._position < len(self._text):
            raise damage_error("JSON", self._text, self._position)
        return _END.match(self._text, self._position)  # type: ignore[return-value]

    def value(self, token: re.Match[str], holder: Container, key: str, depth: int) -> Text | Container | None:
        raw, path = token[0], key_path(holder.path, key) if depth else ""
        if raw in ("{", "["):
            return self._container(token, path, key, depth)
        if raw[:1] == '"':
            return Text(path, key, *token.span(), _unescaped(raw))
        if raw in _NO_VALUES:
            raise damage_error("JSON", self._text, token.start())
        if raw == "false":
            holder.false_keys.add(key)
        return None

    def _container(self, token: re.Match[str], path: str, key: str, depth: int) -> Container:
        container = Container(path, key, token.start(), token[0] == "[")
        if depth >= _MAX_DEPTH:
            raise damage_error("JSON", self._text, token.start())
        end = "]" if container.is_array else "}"
        token = self.next_token()
        while token[0] != end:
            name = str(len(container.by_key))
            if not container.is_array:
                colon = self.next_token()
                if token[0][:1] != '"' or colon[0] != ":":
                    raise damage_error("JSON", self._text, token.start())
                name, token = _unescaped(token[0]), self.next_token()
            item = container.by_key[name] = self.value(token, container, name, depth + 1)
            if item is not None:
                container.items.append(item)
            token = self.next_token()
            if token[0] == ",":
                token = self.next_token()
            elif token[0] != end:
                raise damage_error("JSON", self._text, token.start())
        container.end = token.end()
        return container


def _unescaped(raw: str) -> str:
    return SURROGATE.sub("\ufffd", json.loads(raw)) if "\\" in raw else raw[1:-1]
