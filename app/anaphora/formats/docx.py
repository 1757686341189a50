"""Word documents: body, tables, text boxes, notes, headers and footers; only changed parts are rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from anaphora.formats import xml
from anaphora.formats.base import FormatError, Parsed
from anaphora.formats.cutting import cut
from anaphora.formats.docx_inline import MC, Element, W, base_format, paragraph_pieces, rebuild
from anaphora.formats.inline import Block, check_ids, is_translated, segments_of
from anaphora.formats.package import Package
from anaphora.formats.segmenting import Segmenter
from anaphora.formats.splicing import assemble

_TYPES = "[Content_Types].xml"
_MAIN = re.compile(r"[./](wordprocessingml\.)?(document|template)(\.macroEnabled)?\.main\+xml$")
_OTHERS = ("footnotes", "endnotes", "header", "footer")


@dataclass(frozen=True, slots=True)
class _Part:
    """An XML part of the package."""

    name: str
    tree: Any  # lxml comes without types


@dataclass(frozen=True, slots=True)
class _Located:
    """A paragraph with something to translate."""

    part: _Part
    paragraph: Element
    number: int
    block: Block


class Docx:
    """Reader and writer of Word documents."""

    name = "docx"
    label = "Word document"
    extensions: tuple[str, ...] = (".docx",)

    def parse(self, data: bytes, segmenter: Segmenter) -> Parsed:
        """See `Format.parse`."""
        blocks = [located.block for located in _locate(Package(data), segmenter)]
        return Parsed(segments_of(blocks), "")

    def render(self, data: bytes, translations: Mapping[str, str], segmenter: Segmenter) -> bytes:
        """See `Format.render`. Untouched parts keep their bytes."""
        package = Package(data)
        located = list(_locate(package, segmenter))
        check_ids([each.block for each in located], translations)
        changed: dict[str, _Part] = {}
        # From the end: a text box stands after the paragraph that holds it and must be done before.
        for each in reversed(located):
            if is_translated(each.block, translations):
                for twin in _twins(each.paragraph):
                    _translate(twin, cut(paragraph_pieces(twin), each.number, segmenter), translations)
                _translate(each.paragraph, each.block, translations)
                changed[each.part.name] = each.part
        return package.rewrite({name: xml.serialize(part.tree) for name, part in changed.items()})


def _translate(paragraph: Element, block: Block, translations: Mapping[str, str]) -> None:
    rebuild(paragraph, assemble(block, translations), base_format(block.pieces))


def _locate(package: Package, segmenter: Segmenter) -> Iterator[_Located]:
    """The paragraphs with sentences, part by part in document order."""
    number = 0
    for row, name in enumerate(_part_names(package)):
        part = _Part(name, xml.parse(package.read(name), name))
        if row == 0 and part.tree.getroot().tag != W + "document":
            raise FormatError(
                "The document is in the rare “strict” variety of the Word format.",
                "Open it in a word processor and save it as an ordinary Word document (.docx).",
            )
        for paragraph in part.tree.iter(W + "p"):
            if next(paragraph.iterancestors(MC + "Fallback"), None) is not None:
                continue
            number += 1
            block = cut(paragraph_pieces(paragraph), number, segmenter)
            if block.sentences:
                yield _Located(part, paragraph, number, block)


def _part_names(package: Package) -> list[str]:
    """The main document first, then notes, headers and footers."""
    if _TYPES not in package.names:
        raise _not_word()
    types = xml.parse(package.read(_TYPES), _TYPES)
    main: list[str] = []
    others: list[tuple[int, list[int], str]] = []
    for override in types.iter("{*}Override"):
        content_type, name = override.get("ContentType", ""), override.get("PartName", "").lstrip("/")
        kind = content_type.rpartition("wordprocessingml.")[2].removesuffix("+xml")
        if _MAIN.search(content_type):
            main.append(name)
        elif kind in _OTHERS and name in package.names:
            digits = [int(run) for run in re.findall(r"\d+", name)]
            others.append((_OTHERS.index(kind), digits, name))
    if not main:
        raise _not_word()
    return main[:1] + [name for _, _, name in sorted(others)]


def _not_word() -> FormatError:
    return FormatError("The file is a package, but no Word document.", "Open it with its own program.")


def _twins(paragraph: Element) -> list[Element]:
    """The same paragraph in the older markup (`mc:Fallback`) that Word keeps beside a text box."""
    choice = next(paragraph.iterancestors(MC + "Choice"), None)
    alternatives = choice.getparent() if choice is not None else None
    fallback = alternatives.find(MC + "Fallback") if alternatives is not None else None
    if choice is None or fallback is None:
        return []
    position = list(choice.iter(W + "p")).index(paragraph)
    others = list(fallback.iter(W + "p"))
    if position >= len(others) or _text(others[position]) != _text(paragraph):
        return []
    return [others[position]]


def _text(paragraph: Element) -> str:
    return "".join(holder.text or "" for holder in paragraph.iter(W + "t"))


FORMAT = Docx()
