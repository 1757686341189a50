"""OpenDocument texts: body, notes, comments, frames, descriptions, headers, footers, charts, properties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from anaphora.core.errors import Message
from anaphora.core.notes import Note
from anaphora.core.structure import Structure, structure_note
from anaphora.formats.base import xml
from anaphora.formats.base.encoding import DecodedText
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.package import Package
from anaphora.formats.base.target_language import SourceWords, TargetLanguage
from anaphora.formats.base.xml import Element as XmlElement
from anaphora.formats.markup.blocks import PagePart, find_runs, open_all
from anaphora.formats.markup.dialect import Dialect, Element, LabelDialect, Role
from anaphora.formats.markup.odt_language import omission_notes, set_document_language, set_styles_language
from anaphora.formats.markup.texts import escape
from anaphora.formats.markup.tokens import Attribute

_TITLES = {"Title": 1, "Subtitle": 2}
"""The heading levels of LibreOffice's built-in title styles, which have these names in all languages."""
_ITEMS = ("text:list-item", "text:list-header")
_MAX_LEVEL = 10
"""Maximum number of levels of headings and lists in OpenDocument."""


def title_styles(root: XmlElement) -> dict[str, int]:
    """The heading levels of the title styles, and of the styles in a part that are derived from them."""
    levels = dict(_TITLES)
    for style in root.iter(_STYLE + "style"):
        level = _TITLES.get(style.get(_STYLE + "parent-style-name", ""))
        if level is not None:
            levels[style.get(_STYLE + "name", "")] = level
    return levels


def structure_of(element: Element, ancestors: Sequence[str], titles: Mapping[str, int]) -> tuple[Note, ...]:
    """A note on the role of a `text:p` or `text:h`; empty for a plain paragraph.

    Args:
        ancestors: the names of the elements around the paragraph, from the outermost.
        titles: see `title_styles`.
    """
    attributes = element.attributes()
    if element.name == "text:h":
        level = attributes.get("text:outline-level")
        return (structure_note(Structure.HEADING, _level(level.value if level is not None else "")),)
    style = attributes.get("text:style-name")
    if style is not None and style.value in titles:
        return (structure_note(Structure.HEADING, titles[style.value]),)
    depth = 0
    for name in reversed(ancestors):
        if name in _ITEMS:
            depth += 1
        elif name == "table:table-cell":
            # A list item in a cell counts as a list item.
            return (structure_note(Structure.LIST_ITEM, depth) if depth else structure_note(Structure.CELL),)
    return (structure_note(Structure.LIST_ITEM, min(depth, _MAX_LEVEL)),) if depth else ()


def _level(text: str) -> int:
    return int(text) if re.fullmatch("[1-9]|10", text) else 1


_NAMESPACES = {
    "office": "urn:oasis:names:tc:opendocument:xmlns:office:1.0",
    "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0",
    "style": "urn:oasis:names:tc:opendocument:xmlns:style:1.0",
    "draw": "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0",
    "svg": "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0",
    "fo": "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0",
    "table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
}
_STYLE, _TEXT, _FO = (f"{{{_NAMESPACES[prefix]}}}" for prefix in ("style", "text", "fo"))
_TEXTS = frozenset((
    "text:p", "text:h", "svg:title", "svg:desc", "text:index-title-template", "table:title", "table:desc",
))  # fmt: skip
_PAIRS = frozenset((
    "text:span", "text:a", "text:meta", "text:meta-field", "text:ruby", "text:ruby-base", "text:placeholder",
    "text:text-input",
))  # fmt: skip
_ROLES = {
    "text:s": Role.SPACE, "text:tab": Role.SPACE, "text:line-break": Role.BREAK,
    "text:ruby-text": Role.STANDALONE, "text:number": Role.STANDALONE,
}  # fmt: skip
_CLOSED = frozenset(
    ("text:tracked-changes", "office:scripts", "office:forms", "office:binary-data", "math:math")
)
_ANCHORS = re.compile(
    r"text:(?:bookmark|reference-mark|change|toc-mark|alphabetical-index-mark|user-index-mark)(?:-start|-end)?"
    r"|text:soft-page-break|office:annotation-end"
)
_EMBEDDED = frozenset(("text:note", "office:annotation", "style:header", "style:footer"))
_PAGE_VARIANTS = re.compile(r"style:(header|footer)-(left|first)")
_LABELS = {
    "text:a": "link", "text:tab": "tab", "text:s": "blanks", "text:note": "note", "text:ruby": "ruby",
    "office:annotation": "comment", "draw:frame": "frame", "text:ruby-text": "ruby", "draw:a": "picture",
}  # fmt: skip
_NOTES = {
    "office:annotation": "Comment", "style:header": "Header", "style:footer": "Footer",
    "draw:frame": "Text box", "svg:title": "Alternative text of a picture",
    "svg:desc": "Description of a picture", "table:title": "Title of a table",
    "table:desc": "Description of a table",
}  # fmt: skip
_ESCAPED = re.compile(r"_([0-9a-f]{2})_")
"""An escaped character in the name of a style."""
_INVISIBLE = re.compile(r"(?:rsid|language|country|script|rfc-language-tag|.*-asian|.*-complex)")
"""Text properties that have no visible effect, or have one only on East Asian or complex scripts."""
_EFFECTS = {
    "font-weight": "bold", "font-style": "italic", "text-underline-style": "underlined", "color": "colour",
    "text-line-through-style": "struck out", "text-position": "raised or lowered",
}  # fmt: skip
_ELEMENTS = {"\t": "<text:tab/>", **dict.fromkeys(("\r\n", "\r", "\n"), "<text:line-break/>")}
_SPECIAL = re.compile(r"(\r\n|\r|\n|\t| {2,})")
_PARTS = re.compile(r"(?:Object [0-9]+/)?(?:content|styles)\.xml")
_TIP = "ScreenTip of a link"
_LABEL = "Number format of a list: %1% stands for the number"
_TIPS = {"office:title": _TIP, "xlink:title": _TIP}
_LABELS_OF_LISTS = dict.fromkeys(("style:num-prefix", "style:num-suffix", "loext:num-list-format"), _LABEL)
_TRANSLATABLE = {
    "text:a": _TIPS, "draw:a": _TIPS, "text:list-level-style-number": _LABELS_OF_LISTS,
    "text:outline-level-style": _LABELS_OF_LISTS,
}  # fmt: skip
"""Translatable attributes with their descriptions, by element."""
_META = "meta.xml"
_PROPERTY = "Property of the document"
_PROPERTIES = {
    "title": "Title of the document", "subject": "Subject of the document",
    "keyword": "Keyword of the document", "description": "Comments on the document",
    "user-defined": _PROPERTY,
}  # fmt: skip
_MATH = re.compile(rb"<(?:[\w-]+:)?math\b")
_MIME = re.compile(rb"application/vnd\.oasis\.opendocument\.text(-template|-master|-web)?\s*")


class OdfDialect(Dialect):
    """The roles of elements in a part of an OpenDocument file."""

    def __init__(self, root: xml.Element, words: SourceWords) -> None:
        self._labels, self._words, self._titles = _style_labels(root), words, title_styles(root)

    def role(self, element: Element) -> Role:
        name = element.name
        if name in _TEXTS:
            return Role.BLOCK
        if name in _CLOSED:
            return Role.CLOSED
        if name in _EMBEDDED or name.startswith("draw:") or _PAGE_VARIANTS.fullmatch(name):
            return Role.EMBEDDED
        if not element.in_text:
            return Role.STRUCTURE
        if name == "text:span":
            return Role.INLINE if self._span_label(element) else Role.HIDDEN
        if name in _PAIRS:
            return Role.INLINE
        if _ANCHORS.fullmatch(name):
            return Role.ANCHOR
        return _ROLES.get(name, Role.PROTECTED)

    def label(self, element: Element) -> str:
        name = element.name
        if name == "text:span":
            return self._span_label(element)
        if _ANCHORS.fullmatch(name):
            return "end" if name.endswith("-end") else "start"
        if name not in _LABELS and name.startswith("text:"):
            return f"field: {name.removeprefix('text:')}"
        return _LABELS.get(name, name.partition(":")[2])

    def note(self, element: Element) -> str:
        if element.name == "text:note":
            kind = element.attributes().get("text:note-class")
            return "Endnote" if kind is not None and kind.value == "endnote" else "Footnote"
        name = _PAGE_VARIANTS.sub(r"style:\1", element.name)
        return _NOTES.get(name, "")

    def attribute_texts(self, element: Element) -> Iterable[tuple[Attribute, str]]:
        for name, note in _TRANSLATABLE.get(element.name, {}).items():
            attribute = element.attributes().get(name)
            if attribute is not None and (note == _TIP or self._words.in_text(attribute.value)):
                yield attribute, note

    def structure(self, element: Element, ancestors: Sequence[str]) -> tuple[Note, ...]:
        return structure_of(element, ancestors, self._titles)

    def to_source(self, text: str, entities: dict[str, str], holder: str) -> str:
        if holder not in ("text:p", "text:h"):
            return escape(re.sub(r"\s+", " ", text), entities)
        out = []
        for part in _SPECIAL.split(text):
            element = _ELEMENTS.get(part, "")
            if part.startswith("  "):
                element = f' <text:s text:c="{len(part) - 1}"/>'
            out.append(element or escape(part, entities))
        return "".join(out)

    def _span_label(self, element: Element) -> str:
        """The label of a span's style, or the style's name if another part defines it; "" without effect."""
        style = element.attributes().get("text:style-name")
        if style is None:
            return ""
        return self._labels.get(style.value, _ESCAPED.sub(lambda code: chr(int(code[1], 16)), style.value))


class Odt:
    name = "odt"
    label = "OpenDocument text"
    extensions: tuple[str, ...] = (".odt", ".ott")

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        package, words = Package(data), SourceWords(options.language)
        _check_kind(package)
        read = (_read_part(package, words, name) for name in _part_names(package))
        parts = [each for each in read if each is not None]
        roots = chain((root for _, root in parts), _formulas(package))
        return open_all([part for part, _ in parts], package, lambda: omission_notes(roots, words))

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        package = Package(data)
        changed: dict[str, bytes] = {}
        for name in _part_names(package):
            tree = xml.parse(package.read(name), name)
            set_language = set_document_language if name == _META else set_styles_language
            if set_language(tree.getroot(), target):
                changed[name] = xml.serialize(tree)
        return package.rewrite(changed)


def _formulas(package: Package) -> Iterator[xml.Element]:
    """Yield the formulas, which are separate documents in the package."""
    for name in package.names:
        if _PARTS.fullmatch(name) and "/" in name and _MATH.search(data := package.read(name)):
            yield xml.parse(data, name).getroot()


def _part_names(package: Package) -> list[str]:
    names = (name for name in package.names if _PARTS.fullmatch(name))
    parts = sorted(names, key=lambda name: ("/" in name, name))
    return [*parts, _META] if _META in package.names else parts


def _read_part(package: Package, words: SourceWords, name: str) -> tuple[PagePart, xml.Element] | None:
    """A part's texts and its root element; None for an embedded object without paragraphs."""
    data = package.read(name)
    root = xml.parse(data, name).getroot()
    if name.startswith("Object") and not any(True for _ in root.iter(_TEXT + "p")):
        return None
    try:
        source = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _unusual_structure(name) from error
    decoded = DecodedText(source, "utf-8", "utf-8")
    if name == _META:
        # `LabelDialect` compares local names, because programs choose their own prefixes here.
        labels = LabelDialect(_PROPERTIES)
        runs = [run for run in find_runs(source, labels) if words.in_text(source[run.start : run.end])]
        return PagePart(name, decoded, labels, runs), root
    if any(root.nsmap.get(prefix, uri) != uri for prefix, uri in _NAMESPACES.items()):
        raise _unusual_structure(name)
    dialect = OdfDialect(root, words)
    return PagePart(name, decoded, dialect, find_runs(source, dialect)), root


def _check_kind(package: Package) -> None:
    if "mimetype" not in package.names or not _MIME.fullmatch(package.read("mimetype")):
        raise FormatError(
            "The file is a ZIP archive, but not an OpenDocument text.", "Open it in another program."
        )
    manifest = "META-INF/manifest.xml"
    if manifest in package.names and b"encryption-data" in package.read(manifest):
        raise FormatError("The document is protected by a password.", "Save it without a password first.")


def _style_labels(root: xml.Element) -> dict[str, str]:
    """Labels of character styles: known effects, or else the parent or "formatted"; "" for no effect."""
    labels: dict[str, str] = {}
    for style in root.iter(_STYLE + "style"):
        if style.get(_STYLE + "family") != "text":
            continue
        seen: list[str] = []
        parent = style.get(_STYLE + "parent-style-name")
        for properties in style.iter(_STYLE + "text-properties"):
            seen += ["hidden"] if properties.get(_TEXT + "display") == "none" else []
            names = (name.rpartition("}")[2] for name in properties.attrib)
            seen += [_EFFECTS.get(name, "formatted") for name in names if not _INVISIBLE.fullmatch(name)]
        known = [label for label in dict.fromkeys(seen) if label != "formatted"]
        labels[style.get(_STYLE + "name", "")] = ", ".join(known) or (parent or ("formatted" if seen else ""))
    return labels


def _unusual_structure(name: str) -> FormatError:
    return FormatError(
        Message("The part “{name}” of the file has an unusual structure.", name=name),
        "Save it in LibreOffice and open it again.",
    )


FORMAT = Odt()
