"""YAML catalogues (Rails, Symfony, Hugo): string values change; keys, comments, anchors and quoting stay.

PyYAML gives the position of each value. Numbers, dates, true and null are not text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import yaml

from anaphora.formats.base.encoding import DecodedText, decode
from anaphora.formats.base.format import ReadOptions, check_markup
from anaphora.formats.base.pieces import text_of
from anaphora.formats.base.target_language import TargetLanguage, escapes_in, with_escapes, with_language
from anaphora.formats.localisation import texts
from anaphora.formats.localisation.texts import CatalogueString, Writer, with_plural_forms

_SYMBOL = re.compile(r":\w+")
_SYMBOLS = re.compile(r"(?m:(?<=[:-][ ])\[[ ]*:\w+(?:[ ]*,[ ]*:\w+){0,40}[ ]*\](?=[ \t\r]*(?:#[^\n]*)?$))")
"""Lists of Ruby symbols, which are not valid YAML."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TEXT = "tag:yaml.org,2002:str"
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*+\s*+)*+")
_HEADER = re.compile(r"([|>])([0-9+-]*+)([^\r\n]*+(?:\r\n|\n|\r))")
_INDENT = re.compile(r"(?<! ) *+(?=\S)")
_LINE = re.compile(r"([^\r\n]*+)(?:\r\n|\n|\r|\Z)")
_OUTERMOST = re.compile(r"^[^\s#%\-.][^\r\n]*", re.MULTILINE)
_ONLY_KEY = re.compile(
    r"""^["']?(?P<language>[A-Za-z][\w-]*)["']?[ \t]*:[ \t]*(?:#[^\r\n]*)?$""", re.MULTILINE
)
_LINE_END = re.compile(r"\r\n|\n|\r")
_SINGLE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]*")
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[^\r\n])")
_PLAIN = re.compile(r"[A-Za-z0-9 ]*")
_IN_BLOCK = re.compile(
    r"(?!\n)(?:(?! \n)[\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\U0010ffff])*"
)
_MAX_DEPTH = 200


@dataclass(slots=True)
class _OpenCollection:
    """An unfinished mapping or sequence; `key` is the current key of a mapping."""

    path: str
    is_mapping: bool
    key: str | None = None
    number: int = -1


class Yaml(texts.TextCatalogue):
    name = "yaml"
    label = "YAML strings"
    extensions: tuple[str, ...] = (".yml", ".yaml")

    def entries(self, source: DecodedText) -> Iterator[CatalogueString]:
        return with_plural_forms(_entries(source.text), source.text)

    def writer(self, source: DecodedText, entries: Sequence[CatalogueString]) -> Writer:
        text = source.text
        return lambda entry, pieces: _literal(text[entry.start : entry.end], text_of(pieces))

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        keys = _OUTERMOST.findall(decode(data, options.language, options.encoding).text)
        return with_language(data, options, target, _ONLY_KEY) if len(keys) == 1 else data


def _entries(text: str) -> Iterator[CatalogueString]:
    resolver = yaml.resolver.Resolver()
    opened: list[_OpenCollection] = []
    try:
        parsed = _SYMBOLS.sub(lambda match: _SYMBOL.sub(lambda symbol: "0" * len(symbol[0]), match[0]), text)
        for number, event in enumerate(yaml.parse(parsed, Loader=_LOADER)):
            check_markup(number)
            if isinstance(event, yaml.CollectionEndEvent):
                opened.pop()
                continue
            if not isinstance(event, yaml.NodeEvent):
                continue
            path, is_key = _next_path(opened, event)
            if isinstance(event, yaml.CollectionStartEvent):
                if len(opened) >= _MAX_DEPTH:
                    raise texts.damage_error("YAML", text, event.start_mark.index)
                opened.append(_OpenCollection(path, isinstance(event, yaml.MappingStartEvent)))
            elif isinstance(event, yaml.ScalarEvent) and not is_key:
                tag = event.tag or resolver.resolve(yaml.ScalarNode, event.value, event.implicit)
                if tag == _TEXT or (tag == "!" and event.value):
                    yield _entry(text, event, path)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise texts.damage_error("YAML", text, mark.index if mark is not None else 0) from error


def _next_path(opened: list[_OpenCollection], event: yaml.NodeEvent) -> tuple[str, bool]:
    if not opened:
        return "", False
    holder = opened[-1]
    if not holder.is_mapping:
        holder.number += 1
        return texts.key_path(holder.path, holder.number), False
    if holder.key is None:
        holder.key = event.value if isinstance(event, yaml.ScalarEvent) else "?"
        return texts.key_path(holder.path, holder.key), True
    key, holder.key = holder.key, None
    return texts.key_path(holder.path, key), False


def _entry(text: str, event: yaml.ScalarEvent, path: str) -> CatalogueString:
    start, end = event.start_mark.index, event.end_mark.index
    start += len(_PROPERTIES.match(text, start, end)[0])  # type: ignore[index]
    if event.style in ("|", ">"):
        # PyYAML ends a block where the next node begins; line ends and comments between them must stay.
        end = _end_of_block(text, start, end, event.value)
    return CatalogueString(path, start, end, event.value, texts.notes_of(texts.dotted_path(path)))


def _end_of_block(text: str, start: int, end: int, value: str) -> int:
    """The end of the last line with content in a block; `value`, its text, may begin with spaces."""
    header = _HEADER.match(text, start, end)
    if header is None:
        return end
    first = _INDENT.search(text, header.end(), end)
    leading = _INDENT.search(value)
    indent = len(first[0]) - len(leading[0]) if first and leading else 0
    last = header.end()
    for line in _LINE.finditer(text, header.end(), end):
        spaces = len(line[1]) - len(line[1].lstrip(" "))
        if line[1].strip() and spaces < indent:
            break
        if line[1].strip():
            last = line.end(1)
    return last


def _literal(old: str, new: str) -> str:
    """A new value in the style of the old value, or in quotation marks if this style cannot express it."""
    style = old[:1]
    if style in ("|", ">") and (block := _block(old, new)) is not None:
        return block
    if style == "'" and "\n" not in new and _SINGLE.fullmatch(new):
        return "'" + new.replace("'", "''") + "'"
    if style not in ('"', "'", "|", ">") and _is_plain(new):
        return new
    if style not in ('"', "|", ">") and _SINGLE.fullmatch(new):
        return "'" + new.replace("'", "''") + "'"
    table = escapes_in(old[1:-1], _ESCAPE, _meaning) if old[:1] == '"' else {}
    return f'"{with_escapes(new, table, _quoted)}"'


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    quoted: str = yaml.dump(text, Dumper=yaml.SafeDumper, default_style='"', allow_unicode=True, width=10**9)
    return quoted.rstrip("\n")[1:-1]


@lru_cache(maxsize=1024)
def _meaning(escape: str) -> str:
    return str(yaml.load(f'"{escape}"', _LOADER))


def _is_plain(text: str) -> bool:
    if not _SINGLE.fullmatch(text) or text != text.strip():
        return False
    try:
        return bool(
            yaml.load(f"a: {text}\n", _LOADER) == {"a": text}
            and yaml.load(f"[{text}, 0]", yaml.SafeLoader) == [text, 0]  # stricter than `_LOADER`
        )
    except (yaml.YAMLError, ValueError, RecursionError):
        return False


def _block(old: str, new: str) -> str | None:
    """A block with the header and indentation of an old block; None if a block cannot contain the text."""
    header = _HEADER.match(old)
    lines = [line for line in _LINE_END.split(old)[1:] if line.strip()]
    body = new.rstrip("\n")
    if header is None or not lines or body != body.strip(" ") or not _IN_BLOCK.fullmatch(body):
        return None
    indent = lines[0][: len(lines[0]) - len(lines[0].lstrip(" "))]
    end = _LINE_END.search(old)[0]  # type: ignore[index]
    if header[1] == ">":
        if re.search(r"\n[ \t]", body):
            return None
        body = re.sub(r"\n+", lambda breaks: breaks[0] + "\n", body)
    return header[0] + end.join(indent + line if line else "" for line in body.split("\n"))


FORMAT = Yaml()
