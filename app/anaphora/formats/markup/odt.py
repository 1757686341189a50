"""OpenDocument texts: body, notes, comments, frames, alternative texts, headers, footers, charts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from anaphora.core.counting import WordCount, count_words
from anaphora.core.errors import Message
from anaphora.core.segment import Segment
from anaphora.core.text import has_han
from anaphora.formats.base import xml
from anaphora.formats.base.format import FormatError, Parsed
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import check_ids, is_translated
from anaphora.formats.markup.blocks import Located, find_runs, locate, segments, splice
from anaphora.formats.markup.dialect import Dialect, Element, Role
from anaphora.formats.markup.labels import LabelDialect
from anaphora.formats.markup.texts import escape
from anaphora.formats.markup.tokens import Attribute
from anaphora.formats.segmentation.segmenter import Segmenter

_NAMESPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
}
_STYLE, _TEXT, _FO = (f"{{{_NAMESPACES[prefix]}}}" for prefix in ("style", "text", "fo"))
_TEXTS = frozenset(("text:p", "text:h", "svg:title", "svg:desc", "text:index-title-template"))
_PAIRS = frozenset(("text:span", "text:a", "text:meta", "text:meta-field", "text:ruby", "text:ruby-base"))
_INPUTS = frozenset(("text:placeholder", "text:text-input"))
_CLOSED = frozenset(
    ("text:tracked-changes", "office:scripts", "office:forms", "office:binary-data", "math:math")
)
_PLACES = re.compile(
    r"text:(?:bookmark|reference-mark|change|toc-mark|alphabetical-index-mark|user-index-mark)(?:-start|-end)?"
    r"|text:soft-page-break|office:annotation-end"
)
_EMBEDDED = frozenset(("text:note", "office:annotation", "style:header", "style:footer"))
_FIRST_PAGES = re.compile(r"style:(header|footer)-(left|first)")
_LABELS = {
    "text:a": "link", "text:tab": "tab", "text:s": "blanks", "text:note": "note", "text:ruby": "ruby",
    "office:annotation": "comment", "draw:frame": "frame", "text:ruby-text": "ruby", "draw:a": "picture",
}  # fmt: skip
_NOTES = {
    "office:annotation": "Comment", "style:header": "Header", "style:footer": "Footer",
    "draw:frame": "Text box", "svg:title": "Alternative text of a picture",
    "svg:desc": "Description of a picture",
}  # fmt: skip
_UNSEEN = re.compile(r"(?:rsid|language|country|script|rfc-language-tag|.*-asian|.*-complex)")
_LOOKS = {
    "font-weight": "bold", "font-style": "italic", "text-underline-style": "underlined", "color": "colour",
    "text-line-through-style": "struck out", "text-position": "raised or lowered",
}  # fmt: skip
_SPECIAL = re.compile(r"(\r\n|\r|\n|\t| {2,})")
_PARTS = re.compile(r"(?:Object [0-9]+/)?(?:content|styles)\.xml")
_META = "meta.xml"
_PROPERTIES = {
    "title": "Title of the document", "subject": "Subject of the document",
    "keyword": "Keyword of the document", "description": "Comments on the document",
}  # fmt: skip
_MIME = re.compile(rb"application/vnd\.oasis\.opendocument\.text(-template|-master|-web)?\s*")


@dataclass(frozen=True, slots=True)
class _Part:
    """A part with text.

    Attributes:
        name: its entry.
        source: as it stands there.
        dialect: knows its styles.
        root: parsed, for looking things up.
        located: its texts.
    """

    name: str
    source: str
    dialect: Dialect
    root: xml.Element
    located: list[Located]

    def count(self) -> WordCount:
        """Its words, found by another walk."""
        return _count_properties(self.root) if self.name == _META else _count(self.root)


class OdfDialect:
    """What OpenDocument's elements are.

    Attributes: see `markup_blocks.Dialect`.
    """

    is_xml = True
    text_anywhere = False
    collapses = True

    def __init__(self, looks: Mapping[str, str]) -> None:
        """Make a dialect for a part.

        Args:
            looks: what its automatic character styles look like, by name; "" for like nothing.
        """
        self._looks = looks

    def role(self, element: Element) -> Role:
        """See `Dialect.role`."""
        name = element.name
        if name in _TEXTS:
            return Role.BLOCK
        if name in _CLOSED:
            return Role.CLOSED
        if name in _EMBEDDED or name.startswith("draw:") or _FIRST_PAGES.fullmatch(name):
            return Role.EMBEDDED
        if not element.in_text:
            return Role.STRUCTURE
        if name == "text:span":
            return Role.INLINE if self._look(element) else Role.HIDDEN
        if name in _PAIRS or name in _INPUTS:
            return Role.INLINE
        if name in ("text:s", "text:tab"):
            return Role.SPACE
        if name == "text:line-break":
            return Role.BREAK
        if _PLACES.fullmatch(name):
            return Role.ANCHOR
        return Role.STANDING if name in ("text:ruby-text", "text:number") else Role.PROTECTED

    def label(self, element: Element) -> str:
        """See `Dialect.label`."""
        name = element.name
        if name == "text:span":
            return self._look(element)
        if _PLACES.fullmatch(name):
            return "end" if name.endswith("-end") else "start"
        if name not in _LABELS and name.startswith("text:"):
            return f"field: {name.removeprefix('text:')}"
        return _LABELS.get(name, name.partition(":")[2])

    def note(self, element: Element) -> str:
        """See `Dialect.note`."""
        if element.name == "text:note":
            kind = element.attributes().get("text:note-class")
            return "Endnote" if kind is not None and kind.value == "endnote" else "Footnote"
        name = _FIRST_PAGES.sub(r"style:\1", element.name)
        return _NOTES.get(name, "")

    def texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        """See `Dialect.texts`: no attribute holds text."""
        return ()

    def written(self, text: str, spelled: dict[str, str], holder: str) -> str:
        """See `Dialect.written`: tabs, line breaks and wide gaps have elements of their own in paragraphs."""
        if holder not in ("text:p", "text:h"):
            return escape(re.sub(r"\s+", " ", text), spelled)
        out = []
        for part in _SPECIAL.split(text):
            if part == "\t":
                out.append("<text:tab/>")
            elif part[:1] in ("\r", "\n"):
                out.append("<text:line-break/>")
            elif part.startswith("  "):
                out.append(f' <text:s text:c="{len(part) - 1}"/>')
            else:
                out.append(escape(part, spelled))
        return "".join(out)

    def _look(self, element: Element) -> str:
        style = element.attributes().get("text:style-name")
        if style is None:
            return ""
        return self._looks.get(style.value, re.sub(r"_([0-9a-f]{2})_", _unquoted, style.value))


class Odt:
    """Reader and writer of OpenDocument texts (LibreOffice Writer)."""

    name = "odt"
    label = "OpenDocument text"
    extensions: tuple[str, ...] = (".odt", ".ott")

    def parse(self, data: bytes, segmenter: Segmenter) -> Parsed:
        """See `Format.parse`."""
        found: tuple[Segment, ...] = ()
        counted = WordCount()
        for part in _parts(Package(data), segmenter):
            found += segments(part.located)
            counted += part.count()
        return Parsed(found, counted=counted)

    def render(self, data: bytes, translations: Mapping[str, str], segmenter: Segmenter) -> bytes:
        """See `Format.render`. Parts without translations keep their bytes."""
        package = Package(data)
        parts = list(_parts(package, segmenter))
        check_ids([each.block for part in parts for each in part.located], translations)
        return package.rewrite(
            {
                part.name: splice(part.source, part.located, translations, part.dialect).encode("utf-8")
                for part in parts
                if any(is_translated(each.block, translations) for each in part.located)
            }
        )


def _parts(package: Package, segmenter: Segmenter) -> Iterator[_Part]:
    """The parts with text: the body first, then headers and footers, then charts."""
    _check_kind(package)
    names = sorted(
        (name for name in package.names if _PARTS.fullmatch(name)), key=lambda name: ("/" in name, name)
    )
    if _META in package.names:
        names.append(_META)
    first = 1
    for name in names:
        data = package.read(name)
        root = xml.parse(data, name).getroot()
        if name.startswith("Object") and not any(True for _ in root.iter(_TEXT + "p")):
            continue
        try:
            source = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise _unusual(name) from error
        if any(root.nsmap.get(prefix, uri) != uri for prefix, uri in _NAMESPACES.items()):
            raise _unusual(name)
        dialect: Dialect = OdfDialect(_automatic_looks(root))
        runs = find_runs(source, dialect)
        if name == _META:
            dialect = LabelDialect(_PROPERTIES)
            runs = [run for run in find_runs(source, dialect) if has_han(source[run.start : run.end])]
        located = locate(runs, segmenter, first)
        first += len(located)
        yield _Part(name, source, dialect, root, located)


def _check_kind(package: Package) -> None:
    """Refuse other packages, and documents with a password."""
    if "mimetype" not in package.names or not _MIME.fullmatch(package.read("mimetype")):
        raise FormatError("The file is a package, but no OpenDocument text.", "Open it with its own program.")
    manifest = "META-INF/manifest.xml"
    if manifest in package.names and b"encryption-data" in package.read(manifest):
        raise FormatError("The document is protected by a password.", "Save it without a password first.")


def _automatic_looks(root: xml.Element) -> dict[str, str]:
    """What the automatic character styles look like, for a person; "" for those that show nothing."""
    looks = {}
    for style in root.iter(_STYLE + "style"):
        if style.get(_STYLE + "family") != "text":
            continue
        seen = []
        parent = style.get(_STYLE + "parent-style-name")
        for properties in style.iter(_STYLE + "text-properties"):
            names = (name.rpartition("}")[2] for name in properties.attrib)
            seen += [_LOOKS.get(name, "formatted") for name in names if not _UNSEEN.fullmatch(name)]
        named = [look for look in dict.fromkeys(seen) if look != "formatted"]
        looks[style.get(_STYLE + "name", "")] = ", ".join(named) or (parent or ("formatted" if seen else ""))
    return looks


def _count(root: xml.Element) -> WordCount:
    """Count the words in a part, walking its tree."""
    counted = WordCount()
    tags = {_qualified(name) for name in _TEXTS}
    through = {_qualified(name) for name in (*_PAIRS, *_INPUTS)}
    closed = {_qualified(name) for name in ("text:tracked-changes", "office:forms", "office:scripts")}
    for element in root.iter(*tags):
        if any(ancestor.tag in closed for ancestor in element.iterancestors()):
            continue
        text = "".join(_own_text(element, through))
        if any(char.isalpha() for char in text):
            counted += count_words(text)
    return counted


def _count_properties(root: xml.Element) -> WordCount:
    """Count the words of a document's properties that are Chinese: programs fill the others."""
    texts = (element.text or "" for name in _PROPERTIES for element in root.iter("{*}" + name))
    return sum((count_words(text) for text in texts if has_han(text)), WordCount())


def _own_text(element: xml.Element, through: set[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag in through:
            yield from _own_text(child, through)
        elif child.tag in (_TEXT + "s", _TEXT + "tab", _TEXT + "line-break"):
            yield " "
        yield child.tail or ""


def _qualified(name: str) -> str:
    prefix, _, local = name.partition(":")
    return f"{{{_NAMESPACES[prefix]}}}{local}"


def _unquoted(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _unusual(name: str) -> FormatError:
    return FormatError(
        Message("The part “{name}” of the file is written in an unusual way.", name=name),
        "Save it anew in LibreOffice and open it again.",
    )


FORMAT = Odt()
