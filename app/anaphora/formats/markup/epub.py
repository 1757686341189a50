"""EPUB books: title, description, subjects, pages in reading order, and tables of contents."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote

from anaphora.formats.base import xml
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.package import Package
from anaphora.formats.base.target_language import SourceWords, TargetLanguage
from anaphora.formats.markup.blocks import PagePart, find_runs, open_all
from anaphora.formats.markup.dialect import LabelDialect
from anaphora.formats.markup.html import HtmlDialect, decode_html, omission_notes
from anaphora.formats.markup.page_language import with_book_language, with_language

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_MIME = b"application/epub+zip"
_OPF = "{http://www.idpf.org/2007/opf}"
_XHTML = "application/xhtml+xml"
_NCX = "application/x-dtbncx+xml"
_SVG = "image/svg+xml"
_PAGES = (_XHTML, _SVG)
_FONT_ALGORITHMS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Prefixes of the names of algorithms that obfuscate only fonts."""
_BOOK_TEXTS = {"title": "Title of the book", "description": "Description of the book", "subject": "Subject"}
_LABEL_TEXTS = {"text": "Table of contents"}


class _BookFile(NamedTuple):
    """A file of the book: its entry in the package and its media type ("opf" for the package file)."""

    name: str
    kind: str


class Epub:
    name = "epub"
    label = "EPUB book"
    extensions: tuple[str, ...] = (".epub",)

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        package = Package(data)
        parts = list(_parts(package))
        pages = [part.decoded.text for part in parts if isinstance(part.dialect, HtmlDialect)]
        return open_all(parts, package, partial(omission_notes, pages, True, SourceWords(options.language)))

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        package = Package(data)
        changed: dict[str, bytes] = {}
        for entry in _entries(package):
            decoded = decode_html(package.read(entry.name))
            text = with_language(decoded.text, True, target)
            if entry.kind == "opf":
                text = with_book_language(text, target)
            if text != decoded.text:
                changed[entry.name] = decoded.encode_markup(text)
        return package.rewrite(changed)


def _parts(package: Package) -> Iterator[PagePart]:
    for entry in _entries(package):
        decoded = decode_html(package.read(entry.name))
        labels = LabelDialect(_LABEL_TEXTS if entry.kind == _NCX else _BOOK_TEXTS)
        dialect = HtmlDialect(True) if entry.kind in _PAGES else labels
        yield PagePart(entry.name, decoded, dialect, find_runs(decoded.text, dialect))


def _entries(package: Package) -> list[_BookFile]:
    """The files with text: the package file, the pages in reading order, other pages, tables of contents."""
    is_other = "mimetype" in package.names and package.read("mimetype").strip() != _MIME
    if _CONTAINER not in package.names or is_other:
        raise FormatError("The file is a ZIP archive, but not an EPUB book.", "Open it in another program.")
    _check_locks(package)
    container = xml.parse(package.read(_CONTAINER), _CONTAINER, doctype=True)
    roots = [unquote(file.get("full-path", "")) for file in container.getroot().iter("{*}rootfile")]
    name = next((root for root in roots if root in package.names), "")
    if not name:
        raise FormatError("The book's .opf file is missing.", "The file is damaged. Get a new copy.")
    root = xml.parse(package.read(name), name, doctype=True).getroot()
    return [_BookFile(name, "opf"), *_manifest(package, root, posixpath.dirname(name))]


def _manifest(package: Package, root: xml.Element, folder: str) -> list[_BookFile]:
    """The book's pages (those of the spine first, in reading order), then its tables of contents."""
    names = frozenset(package.names)
    items: dict[str, _BookFile] = {}
    for item in root.iter(_OPF + "item"):
        path = posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
        kind = item.get("media-type", "")
        if path in names and kind in (*_PAGES, _NCX):
            items.setdefault(item.get("id", ""), _BookFile(path, kind))
    spine = [reference.get("idref", "") for reference in root.iter(_OPF + "itemref")]
    order = dict.fromkeys((*spine, *items))
    entries = dict.fromkeys(items[identifier] for identifier in order if identifier in items)
    return sorted(entries, key=lambda entry: entry.kind == _NCX)


def _check_locks(package: Package) -> None:
    """Raise FormatError for a copy-protected book; obfuscated fonts are no copy protection."""
    locked = FormatError(
        "The book is copy-protected (DRM), so its text cannot be read.",
        "Ask the publisher or author for an unprotected copy.",
    )
    if _ENCRYPTION not in package.names:
        return
    root = xml.parse(package.read(_ENCRYPTION), _ENCRYPTION, doctype=True).getroot()
    methods = [method.get("Algorithm", "") for method in root.iter("{*}EncryptionMethod")]
    if "META-INF/rights.xml" in package.names or any(
        not method.startswith(_FONT_ALGORITHMS) for method in methods
    ):
        raise locked


FORMAT = Epub()
