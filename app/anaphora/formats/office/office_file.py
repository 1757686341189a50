"""The common base of Office formats: parse and fill packages, set languages and fonts, note omissions."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from anaphora.core.errors import Message
from anaphora.core.notes import Note
from anaphora.formats.base import xml
from anaphora.formats.base.format import ReadOptions
from anaphora.formats.base.opened import FORMULAS, Opened, with_counts
from anaphora.formats.base.package import Package
from anaphora.formats.base.splicing import Fillings
from anaphora.formats.base.target_language import ScriptGroup, SourceWords, TargetLanguage
from anaphora.formats.base.xml import Tree
from anaphora.formats.office.drawing import LocatedText, TextPlace, blocks_of, fill_translated, with_addresses
from anaphora.formats.office.opc import A, Part, S, W, core_properties, load

_LANGUAGE = "{http://purl.org/dc/elements/1.1/}language"
_WORD_ATTRIBUTES = {ScriptGroup.LATIN: "val", ScriptGroup.EAST_ASIAN: "eastAsia", ScriptGroup.COMPLEX: "bidi"}
_WORD_FONTS = {
    ScriptGroup.LATIN: ("ascii", "hAnsi"),
    ScriptGroup.EAST_ASIAN: ("eastAsia",),
    ScriptGroup.COMPLEX: ("cs",),
}
_FONT_TAGS = {ScriptGroup.LATIN: "latin", ScriptGroup.EAST_ASIAN: "ea", ScriptGroup.COMPLEX: "cs"}
_RUN_PROPERTIES = tuple(A + name for name in ("rPr", "endParaRPr", "defRPr"))
_MARKS = (b"lang", b"Lang", b"Fonts", b"typeface", b"rFont", b"<name ")
"""A part with a language or a font contains one of these."""
_Edit = tuple[xml.Element, str, str]


def with_languages(data: bytes, target: TargetLanguage) -> bytes:
    """A translated Office document with the target's language, and fonts that support this language.

    Elements in the source's language get the target's language. Word's defaults always get it.
    """
    package = Package(data)
    names = [name for name in package.names if name.lower().endswith(".xml") and "/" in name]
    properties = core_properties(package)
    changed: dict[str, bytes] = {}
    for name in names:
        if not any(sign in package.read(name) for sign in _MARKS):
            continue
        part = load(package, name)
        root = part.tree.getroot()
        edits = [*_word_languages(root, target), *_run_languages(root, target), *_fonts(root, target)]
        for node, attribute, value in edits:
            node.set(attribute, value)
        for node in root.iter(_LANGUAGE) if properties is not None and properties.name == name else ():
            if target.replaces((node.text or "").strip()):
                node.text = target.regional
                edits.append((node, "", node.text))
        if edits:
            changed[name] = part.data()
    return package.rewrite(changed)


def _word_languages(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    name = W + _WORD_ATTRIBUTES[target.script_group]
    for properties in root.iterfind(f".//{W}rPrDefault/{W}rPr"):
        if properties.find(W + "lang") is None:
            properties.append(properties.makeelement(W + "lang"))
    for node in root.iter(W + "lang", W + "themeFontLang"):
        old = node.get(name, "")
        is_default = node.tag == W + "themeFontLang" or any(
            True for _ in node.iterancestors(W + "rPrDefault")
        )
        if target.replaces(old) or (is_default and (not old or target.differs_from(old))):
            yield node, name, target.regional


def _run_languages(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    for node in root.iter(*_RUN_PROPERTIES):
        if target.replaces(node.get("lang", "")):
            yield node, "lang", target.regional


def _fonts(root: xml.Element, target: TargetLanguage) -> Iterator[_Edit]:
    names = [(W + "rFonts", W + name) for name in _WORD_FONTS[target.script_group]]
    names += [(A + _FONT_TAGS[target.script_group], "typeface"), (S + "name", "val"), (S + "rFont", "val")]
    for tag, name in names:
        for node in root.iter(tag):
            if new := target.font_for(node.get(name, "")):
                for detail in ("panose", "pitchFamily", "charset"):  # they describe the old font
                    node.attrib.pop(detail, None)
                yield node, name, new


class OfficeFile:
    """The base class of parsed Office files."""

    def __init__(self, package: Package, words: SourceWords) -> None:
        self.package, self.words = package, words

    def places(self) -> Iterator[TextPlace]:
        """All texts, in reading order."""
        raise NotImplementedError

    def structure_of(self, place: TextPlace) -> tuple[Note, ...]:
        """A note on the role of a text, such as "heading"; empty for ordinary text."""
        return ()

    def notes(self, texts: Sequence[LocatedText]) -> tuple[Message, ...]:
        """See `Opened.notes`."""
        raise NotImplementedError

    def fill(self, texts: Sequence[LocatedText], fillings: Fillings) -> dict[str, Part]:
        """Fill in the translations; return the parts that changed, by name."""
        return fill_translated(self.package, texts, fillings)


@dataclass(slots=True, eq=False)
class OfficeFormat:
    """A format whose packages are parsed by `file`."""

    name: str
    label: str
    extensions: tuple[str, ...]
    file: Callable[[Package, SourceWords], OfficeFile]

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        file = self.file(Package(data), SourceWords(options.language))
        texts = with_addresses(file.places())

        def fill(fillings: Fillings) -> bytes:
            changed = file.fill(texts, fillings)
            return file.package.rewrite({name: part.data() for name, part in changed.items()})

        return Opened(lambda: blocks_of(texts, file.structure_of), fill, lambda: file.notes(texts))

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        return with_languages(data, target)


_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_PARTS_WITH_FORMATS = re.compile(r"(?:^|/)(?:styles|charts/chart[^/]*)\.xml$", re.IGNORECASE)
_FORMAT_CODE = re.compile(r"""formatCode(?:="([^"<]*)"|>([^<]*)<)""")
_FORMATS = Message("Words in number and date formats are not translated: {count}.")


def omission_notes(
    package: Package, words: SourceWords, trees: Iterable[Tree], counts: Mapping[Message, int]
) -> tuple[Message, ...]:
    """Notes on untranslated texts, for `Opened.notes`; `trees` are the parts that may contain formulas."""
    formulas = sum(words.in_code(text.text or "") for tree in trees for text in tree.iter(_MATH + "t"))
    formats = {
        html.unescape(match[1] or match[2] or "")
        for name in package.names
        if _PARTS_WITH_FORMATS.search(name)
        for match in _FORMAT_CODE.finditer(package.read(name).decode("utf-8", "replace"))
    }
    notes = {**counts, FORMULAS: formulas, _FORMATS: sum(map(words.in_strings, formats))}
    return with_counts(notes.items())
