"""The program's file types for Linux desktops, Windows and macOS, from the registry of formats."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from installers import paths

_TABLE = Path(__file__).with_name("documents.tsv")
"""File with the media types of suffixes. Types that freedesktop.org's database lacks also have a name, a
Chinese name and a parent type."""
_OWN_PREFIX = "application/x-anaphora-"
"""Prefix of media types for suffixes that the table lacks. Such a type has the format's label as its name."""
_WEIGHTS = {".mdx": 60}
"""Weights (default: 50) for suffixes that freedesktop.org's database assigns to another type."""
_OLDER_NAMES = {"application/yaml": "application/x-yaml"}
"""Former names of media types, which some desktops still use."""


@dataclass(frozen=True)
class Document:
    """A file type. Types in freedesktop.org's database have no Chinese name and no parent here.

    Attributes:
        is_owned: True for the project's own type, which Anaphora opens by default.
    """

    media_type: str
    extensions: tuple[str, ...]
    name: str
    chinese: str
    parent: str
    is_owned: bool = False


def documents() -> tuple[Document, ...]:
    assert paths.ROOT  # `paths` has put this tree on the search path
    from anaphora.formats.registry import FORMATS

    with _TABLE.open(encoding="utf-8", newline="") as table:
        kinds = list(csv.DictReader(table, delimiter="\t"))
    rows = {suffix: kind for kind in kinds for suffix in kind["suffixes"].split()}
    types: dict[str, Document] = {}
    for label, suffixes in (("", (".anaphora",)), *((each.label, each.extensions) for each in FORMATS)):
        for suffix in suffixes:
            kind = rows.get(suffix) or {
                "type": _OWN_PREFIX + suffix.removeprefix("."),
                "name": label,
                "chinese": label,
                "parent": "application/octet-stream",
            }
            earlier = types[kind["type"]].extensions if kind["type"] in types else ()
            names = kind["name"] or label, kind["chinese"], kind["parent"]
            types[kind["type"]] = Document(kind["type"], (*earlier, suffix), *names, is_owned=not label)
    return tuple(types.values())


def desktop_types(kinds: Iterable[Document]) -> str:
    names = (name for each in kinds for name in (each.media_type, _OLDER_NAMES.get(each.media_type)) if name)
    return "".join(f"{name};" for name in names)


def mime_database(kinds: Iterable[Document]) -> str:
    """XML for the shared MIME database: the types that freedesktop.org's database lacks."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for each in kinds:
        if not each.parent:
            continue
        lines.append(f'  <mime-type type="{each.media_type}">')
        lines.append(f"    <comment>{escape(each.name)}</comment>")
        lines.append(f'    <comment xml:lang="zh_CN">{escape(each.chinese)}</comment>')
        if each.is_owned:
            lines.append('    <icon name="anaphora"/>')
        lines.append(f'    <sub-class-of type="{each.parent}"/>')
        for extension in each.extensions:
            weight = f' weight="{_WEIGHTS[extension]}"' if extension in _WEIGHTS else ""
            lines.append(f'    <glob{weight} pattern="*{extension}"/>')
        lines.append("  </mime-type>")
    return "\n".join([*lines, "</mime-info>", ""])


def windows_registry(kinds: Iterable[Document]) -> str:
    """Registry lines for Inno Setup: Anaphora opens projects; “Open with” offers it for the other types."""
    lines = []
    classes = 'Root: HKA; Subkey: "Software\\Classes\\'
    for each in kinds:
        identity = f"Anaphora{each.extensions[0]}"
        lines.append(
            f'{classes}{identity}"; ValueType: string; ValueData: "{each.name}"; Flags: uninsdeletekey'
        )
        lines.append(
            f'{classes}{identity}\\DefaultIcon"; ValueType: string; ValueData: "{{app}}\\anaphora.exe,0"'
        )
        command = '"""{app}\\anaphora.exe"" ""%1"""'
        lines.append(f'{classes}{identity}\\shell\\open\\command"; ValueType: string; ValueData: {command}')
        for extension in each.extensions:
            lines.append(
                f'{classes}{extension}\\OpenWithProgids"; ValueType: string; ValueName: "{identity}"; '
                'ValueData: ""; Flags: uninsdeletevalue'
            )
            lines.append(
                f'{classes}Applications\\anaphora.exe\\SupportedTypes"; ValueType: string; '
                f'ValueName: "{extension}"; ValueData: ""; Flags: uninsdeletekey'
            )
            if each.is_owned:
                value = f'ValueType: string; ValueData: "{identity}"; Flags: uninsdeletevalue'
                lines.append(f'{classes}{extension}"; {value}')
    return "\n".join([*lines, ""])


def document_types(kinds: Iterable[Document]) -> list[dict[str, object]]:
    """The value of `CFBundleDocumentTypes` in Info.plist (macOS)."""
    return [
        {
            "CFBundleTypeName": each.name,
            "CFBundleTypeRole": "Editor",
            "LSHandlerRank": "Owner" if each.is_owned else "Alternate",
            "CFBundleTypeExtensions": [extension.removeprefix(".") for extension in each.extensions],
        }
        for each in kinds
    ]
