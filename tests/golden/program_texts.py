"""The texts of tables, WebVTT and catalogues of programs, as other libraries read them.

Each function gets the text of a file and returns the texts that a person might have to translate: all
strings, in any language, but not keys and comments.
"""

from __future__ import annotations

import csv
import io
import json
import plistlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml
from lxml import etree

from anaphora.core.document import SourceDocument

_TAGS = re.compile(r"<[^<>]*>")


def _strings(value: Any) -> Iterator[str]:
    """All strings in lists and objects, except keys that describe a message of Flutter or Chrome."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _strings(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if not str(key).startswith("@"):
                yield from _strings(each)


def _json(text: str, _: SourceDocument) -> Iterator[str]:
    yield from _strings(json.loads(text.lstrip("\ufeff")))


def _yaml(text: str, _: SourceDocument) -> Iterator[str]:
    class Strings(yaml.SafeLoader):
        """Nothing is a number or a date; what stands behind an alias is one text."""

    Strings.yaml_implicit_resolvers = {}
    for node in yaml.compose_all(text, Strings):
        seen: set[int] = set()
        waiting = [node]
        while waiting:
            each = waiting.pop()
            if id(each) in seen:
                continue
            seen.add(id(each))
            if isinstance(each, yaml.ScalarNode):
                yield each.value
            elif isinstance(each, yaml.SequenceNode):
                waiting += each.value
            elif isinstance(each, yaml.MappingNode):
                waiting += [value for _, value in each.value]


def _table(text: str, document: SourceDocument) -> Iterator[str]:
    """The cells of the columns that are translated."""
    columns = document.choices.columns
    if columns is None:
        return
    first = text.split("\n", 1)[0]
    delimiter = max("\t,;|", key=first.count)
    rows = csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=delimiter)
    for number, row in enumerate(rows):
        if number or not columns.has_header:
            yield from (row[column] for column in columns.sources if column < len(row))


def _vtt(text: str, _: SourceDocument) -> Iterator[str]:
    """The lines behind a line of times, to the next blank one."""
    for block in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = block.split("\n")
        row = next((row for row, line in enumerate(lines[:2]) if "-->" in line), None)
        if row is not None:
            yield _TAGS.sub("", "\n".join(lines[row + 1 :]))


def _properties(text: str, _: SourceDocument) -> Iterator[str]:
    """Values, as `java.util.Properties` describes them."""
    lines = iter(text.splitlines())
    for line in lines:
        line = line.lstrip(" \t\f")
        if not line or line[0] in "#!":
            continue
        while len(line) - len(line.rstrip("\\")) & 1:
            line = line[:-1] + next(lines, "").lstrip(" \t\f")
        found = re.match(r"((?:\\.|[^\s=:\\])*)[ \t\f]*[=:]?[ \t\f]*(.*)", line)
        value = found[2] if found else ""
        yield re.sub(r"\\u([0-9a-fA-F]{4})", lambda code: chr(int(code[1], 16)), value)


def _elements(*names: str) -> Callable[[str, SourceDocument], Iterator[str]]:
    def read(text: str, _: SourceDocument) -> Iterator[str]:
        root = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))
        for element in root.iter(*(f"{{*}}{name}" for name in names)):
            holder = element if element.get("translatable") else element.getparent()
            if holder is None or holder.get("translatable") != "false":
                yield "".join(element.itertext())

    return read


def _resx(text: str, _: SourceDocument) -> Iterator[str]:
    root = etree.fromstring(text.encode(), etree.XMLParser(resolve_entities=False))
    for data in root.iter("{*}data"):
        name = data.get("name", "")
        if not data.get("type") and not data.get("mimetype") and not name.startswith((">>", "$")):
            yield data.findtext("value") or ""


def _apple(text: str, _: SourceDocument) -> Iterator[str]:
    if text.lstrip().startswith("<?xml"):
        yield from _strings(plistlib.loads(text.encode()))
        return
    text = re.sub(r'("(?:\\.|[^"\\])*")|/\*[\s\S]*?\*/|//[^\n]*', lambda found: found[1] or "", text)
    for found in re.finditer(r'=\s*"((?:\\.|[^"\\])*)"\s*;', text):
        yield re.sub(r"\\[nrtU][0-9a-fA-F]{0,4}", "", found[1])


READERS: Mapping[str, Callable[[str, SourceDocument], Iterator[str]]] = {
    "json": _json,
    "yaml": _yaml,
    "csv": _table,
    "vtt": _vtt,
    "properties": _properties,
    "android": _elements("string", "item"),
    "resx": _resx,
    "strings": _apple,
    "qt": _elements("source"),
}
