"""Office Open XML packages (docx, pptx, xlsx): content types, relationships, and the "strict" variant.

Strict and ordinary ("transitional") documents have different namespaces. `load` replaces strict
namespaces, and `Part.data` restores them, so that formats handle only one variant.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass

from anaphora.core.errors import Message
from anaphora.formats.base import xml
from anaphora.formats.base.format import MAX_RUNS, FormatError, check_markup
from anaphora.formats.base.package import Package

_TYPES = "[Content_Types].xml"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_STRICT = re.compile(
    rb"http://purl\.oclc\.org/ooxml/"
    rb"(wordprocessingml|presentationml|spreadsheetml|drawingml|officeDocument)/"
    rb"(main|relationships|math|chart|diagram|picture|wordprocessingDrawing|spreadsheetDrawing|chartDrawing)"
)
KEEP_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@dataclass(frozen=True, slots=True)
class Part:
    """An XML part; `namespaces` are the pairs (transitional, strict) of namespaces that `load` replaced."""

    name: str
    tree: xml.Tree
    namespaces: tuple[tuple[bytes, bytes], ...] = ()

    def data(self) -> bytes:
        """The part's bytes, with the original namespaces."""
        data = xml.serialize(self.tree)
        for ordinary, strict in self.namespaces:
            data = data.replace(b'"' + ordinary + b'"', b'"' + strict + b'"')
        return data


@dataclass(frozen=True, slots=True)
class Relation:
    """A link to another part: the last component of the link's type ("slide"), and the part's entry."""

    kind: str
    target: str


def load(package: Package, name: str) -> Part:
    """Read a part; FormatError if it is missing, damaged, too large or unsafe XML, or has too many runs."""
    data = package.read(name)
    namespaces = {}
    for match in _STRICT.finditer(data):
        ordinary = b"http://schemas.openxmlformats.org/" + match[1] + b"/2006/" + match[2]
        if ordinary not in data:
            namespaces[ordinary] = match[0]
    for ordinary, strict in namespaces.items():
        data = data.replace(b'"' + strict + b'"', b'"' + ordinary + b'"')
    tree = xml.parse(data, name)
    check_markup(sum(1 for _ in tree.iter("{*}r")), MAX_RUNS)
    return Part(name, tree, tuple(namespaces.items()))


def content_types(package: Package) -> dict[str, str]:
    """Content types by entry; a type declared for the entry takes precedence over that of its extension."""
    entry = package.find(_TYPES)
    if not entry:
        return {}
    root = xml.parse(package.read(entry), _TYPES).getroot()
    types: dict[str, str] = {}
    for override in root.iter("{*}Override"):
        name = package.find(override.get("PartName", "").lstrip("/"))
        if name:
            types.setdefault(name, override.get("ContentType", ""))
    defaults = {
        default.get("Extension", "").lower(): default.get("ContentType", "")
        for default in root.iter("{*}Default")
    }
    for name in package.names:
        kind = defaults.get(name.rpartition(".")[2].lower())
        if kind and name != entry:
            types.setdefault(name, kind)
    return types


def main_part(package: Package, pattern: re.Pattern[str], document_type: str) -> str:
    """The main document, whose content type matches `pattern`, or else FormatError with `document_type`."""
    types = content_types(package)
    for name in (*linked(package, "", "officeDocument"), *types):
        if pattern.search(types.get(name, "")):
            return name
    raise FormatError(
        Message(
            "This is not a valid {program}: the file is another kind of ZIP archive.", program=document_type
        ),
        "Open it in another program.",
    )


def relations(package: Package, name: str) -> dict[str, Relation]:
    """By id, the links from a part, or from the package (""), to existing parts in the package."""
    folder, _, base = name.replace("\\", "/").rpartition("/")
    entry = package.find(f"{folder}/_rels/{base}.rels" if folder else f"_rels/{base}.rels")
    if not entry:
        return {}
    links = {}
    for relation in xml.parse(package.read(entry), entry).getroot().iter(_RELATION):
        target = relation.get("Target", "").replace("\\", "/")
        if relation.get("TargetMode") == "External" or not target:
            continue
        if not target.startswith("/"):
            target = posixpath.join(folder, target)
        target = package.find(posixpath.normpath(target).lstrip("/"))
        if target:
            kind = relation.get("Type", "").rpartition("/")[2]
            links[relation.get("Id", "")] = Relation(kind, target)
    return links


def linked(package: Package, name: str, kind: str) -> list[str]:
    """The parts of a kind that are linked from a part, or from the package ("")."""
    return [link.target for link in relations(package, name).values() if link.kind == kind]


def core_properties(package: Package) -> Part | None:
    """The part with the document's title and other properties; None without such a part."""
    names = linked(package, "", "core-properties")
    return load(package, names[0]) if names else None


def sorted_by_number(names: Iterable[str]) -> list[str]:
    """Entries sorted by the numbers in their names: header2 before header10."""
    return sorted(names, key=lambda name: ([int(run) for run in re.findall(r"[0-9]{1,9}", name)], name))
