"""The file types of the program for Linux desktops, Windows and macOS: the registry's formats."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from installers import place

_TABLE = Path(__file__).with_name("documents.tsv")
"""Media types: registered ones, those of freedesktop.org's database, or ours. Where that does not know one,
it has a name, in Chinese too, and what it is a kind of."""
_UNNAMED = "application/x-anaphora-"
"""Before a suffix that is not in the table: desktops show it under its format's own label."""
_WEIGHTS = {".mdx": 60}
"""Suffixes that the desktops' database gives to something else (`.mdx`: memories of a game console)."""
_OLDER = {"application/yaml": "application/x-yaml"}
"""Names in databases before registration."""


@dataclass(frozen=True)
class Document:
    """A kind of files.

    Attributes:
        chinese, parent: its name, and what it is a kind of; empty if desktops' database knows it.
        owned: no other program opens it.
    """

    media_type: str
    extensions: tuple[str, ...]
    name: str
    chinese: str
    parent: str
    owned: bool = False


def documents() -> tuple[Document, ...]:
    """All kinds that the program opens: the project first, then the registry's formats in their order."""
    assert place.ROOT  # its tree comes first
    from anaphora.formats.registry import FORMATS

    with _TABLE.open(encoding="utf-8", newline="") as table:
        kinds = list(csv.DictReader(table, delimiter="\t"))
    rows = {suffix: kind for kind in kinds for suffix in kind["suffixes"].split()}
    found: dict[str, Document] = {}
    for label, suffixes in (("", (".anaphora",)), *((each.label, each.extensions) for each in FORMATS)):
        for suffix in suffixes:
            kind = rows.get(suffix) or {
                "type": _UNNAMED + suffix.removeprefix("."),
                "name": label,
                "chinese": label,
                "parent": "application/octet-stream",
            }
            before = found[kind["type"]].extensions if kind["type"] in found else ()
            told = kind["name"] or label, kind["chinese"], kind["parent"]
            found[kind["type"]] = Document(kind["type"], (*before, suffix), *told, owned=not label)
    return tuple(found.values())


def desktop_types(kinds: Iterable[Document]) -> str:
    """The value of `MimeType` in a desktop file."""
    names = (name for each in kinds for name in (each.media_type, _OLDER.get(each.media_type)) if name)
    return "".join(f"{name};" for name in names)


def mime_database(kinds: Iterable[Document]) -> str:
    """Those kinds that not every desktop knows, for the shared MIME database."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append('<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">')
    for each in kinds:
        if not each.parent:
            continue
        lines.append(f'  <mime-type type="{each.media_type}">')
        lines.append(f"    <comment>{escape(each.name)}</comment>")
        lines.append(f'    <comment xml:lang="zh_CN">{escape(each.chinese)}</comment>')
        if each.owned:
            lines.append('    <icon name="anaphora"/>')
        lines.append(f'    <sub-class-of type="{each.parent}"/>')
        for extension in each.extensions:
            weight = f' weight="{_WEIGHTS[extension]}"' if extension in _WEIGHTS else ""
            lines.append(f'    <glob{weight} pattern="*{extension}"/>')
        lines.append("  </mime-type>")
    return "\n".join([*lines, "</mime-info>", ""])


def windows_registry(kinds: Iterable[Document]) -> str:
    """Lines of Inno Setup's section Registry: projects are Anaphora's, all others offer it in “Open with”."""
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
            if each.owned:
                value = f'ValueType: string; ValueData: "{identity}"; Flags: uninsdeletevalue'
                lines.append(f'{classes}{extension}"; {value}')
    return "\n".join([*lines, ""])


def document_types(kinds: Iterable[Document]) -> list[dict[str, object]]:
    """`CFBundleDocumentTypes` of macOS's Info.plist."""
    return [
        {
            "CFBundleTypeName": each.name,
            "CFBundleTypeRole": "Editor",
            "LSHandlerRank": "Owner" if each.owned else "Alternate",
            "CFBundleTypeExtensions": [extension.removeprefix(".") for extension in each.extensions],
        }
        for each in kinds
    ]
