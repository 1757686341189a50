"""Words of a Word document outside its text: tips, titles, labels of lists, prompts of empty controls.

Prompts (`w:placeholder`) are offered where a control names them, and labels of lists (`w:lvlText`) where a
paragraph or a style is numbered by them: templates bring many more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.docx_holders import ParagraphHolder
from anaphora.formats.office.drawing import TextPlace
from anaphora.formats.office.opc import Part, W, load, relations
from anaphora.formats.office.tips import LINK_TIPS, TIP, attribute_places

_VML = "{urn:schemas-microsoft-com:vml}"
_ATTRIBUTES = {
    **LINK_TIPS,
    W + "hyperlink": {W + "tooltip": TIP},
    W + "alias": {W + "val": "Title of a field to fill in"},
    W + "tblCaption": {W + "val": "Title of a table"},
    W + "tblDescription": {W + "val": "Alternative text of a table"},
    **{_VML + name: {"title": "Title of a picture"} for name in ("shape", "rect", "group", "roundrect")},
}
_TIP = re.compile(r'(?<=\\o )(\s*")([^"\\]+)(")')
_NUMBER = re.compile(r"%[1-9]")
_LINKED = ("numbering", "glossaryDocument")


@dataclass(frozen=True, slots=True)
class CodeTipHolder:
    """The tip in the code of a field (`HYPERLINK "…" \\o "tip"`)."""

    element: Element

    def pieces(self) -> list[Piece]:
        """See `drawing.Holder.pieces`."""
        found = _TIP.search(self.element.text or "")
        return [Piece(Kind.TEXT, found[2], found[2])] if found else []

    def fill(self, pieces: list[Piece]) -> None:
        """See `drawing.Holder.fill`; what would end the tip becomes another mark."""
        text = " ".join(clean("".join(piece.text for piece in pieces)).split())
        text = text.replace('"', "”").replace("\\", "/")
        self.element.text = _TIP.sub(lambda found: found[1] + text + found[3], self.element.text, count=1)


@dataclass(frozen=True, slots=True)
class LevelHolder:
    """The label of a level of a list ("第%1章"); the numbers in it are tags."""

    element: Element

    def pieces(self) -> list[Piece]:
        """See `drawing.Holder.pieces`."""
        text, done = self.element.get(W + "val", ""), 0
        out: list[Piece] = []
        for number in _NUMBER.finditer(text):
            if number.start() > done:
                out.append(Piece(Kind.TEXT, text[done : number.start()], text[done : number.start()]))
            out.append(Piece(Kind.ALONE, WORD, number.group(), label="number"))
            done = number.end()
        return [*out, Piece(Kind.TEXT, text[done:], text[done:])] if done < len(text) else out

    def fill(self, pieces: list[Piece]) -> None:
        """See `drawing.Holder.fill`."""
        texts = (piece.raw if isinstance(piece.raw, str) else _plain(piece.text) for piece in pieces)
        self.element.set(W + "val", "".join(texts))


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of a document outside its text.

    Attributes:
        shown: the parts that hold its text.
        numbering: its lists, or None.
        glossary: the prompts, or None.
        words: of the document's language.
    """

    shown: Sequence[Part]
    numbering: Part | None
    glossary: Part | None
    words: SourceWords

    @classmethod
    def of(cls, package: Package, shown: Sequence[Part], words: SourceWords) -> Labels:
        """Look for them.

        Args:
            shown: the parts that hold the text, the main one first.
        """
        links = {link.kind: link.target for link in relations(package, shown[0].name).values()}
        numbering, glossary = (load(package, links[kind]) if kind in links else None for kind in _LINKED)
        styles = [load(package, links["styles"])] if numbering is not None and "styles" in links else []
        return cls([*shown, *styles], numbering, glossary, words)

    def places(self) -> Iterator[TextPlace]:
        """Their texts, in order."""
        for part in self.shown:
            yield from attribute_places(part, _ATTRIBUTES)
            for code in part.tree.iter(W + "instrText"):
                if _TIP.search(code.text or ""):
                    yield TextPlace(part, CodeTipHolder(code), TIP)
        if self.numbering is not None:
            for level in self._levels():
                yield TextPlace(self.numbering, LevelHolder(level), "Label of the items of a list")
        if self.glossary is not None:
            for paragraph in self._prompts():
                yield TextPlace(self.glossary, ParagraphHolder(paragraph), "Prompt in an empty field")

    def _numbers_in_use(self) -> set[str | None]:
        return {number.get(W + "val") for part in self.shown for number in part.tree.iter(W + "numId")}

    def _levels(self) -> list[Element]:
        """The labels with words of the lists that are in use."""
        if self.numbering is None:
            return []
        used = self._numbers_in_use()
        kinds = {
            link.get(W + "val")
            for number in self.numbering.tree.iter(W + "num")
            for link in number.iterchildren(W + "abstractNumId")
            if number.get(W + "numId") in used
        }
        return [
            level
            for kind in self.numbering.tree.iter(W + "abstractNum")
            if kind.get(W + "abstractNumId") in kinds
            for level in kind.iter(W + "lvlText")
            if self.words.in_text(level.get(W + "val", ""))
        ]

    def _prompts(self) -> list[Element]:
        """The paragraphs with words of the prompts that controls name."""
        if self.glossary is None:
            return []
        named = {
            name.get(W + "val")
            for part in self.shown
            for prompt in part.tree.iter(W + "placeholder")
            for name in prompt.iterchildren(W + "docPart")
        }
        return [
            paragraph
            for entry in self.glossary.tree.iter(W + "docPart")
            if any(name.get(W + "val") in named for name in entry.iterfind(f"{W}docPartPr/{W}name"))
            for paragraph in entry.iterfind(f"{W}docPartBody//{W}p")
            if any(self.words.in_text(text.text or "") for text in paragraph.iter(W + "t"))
        ]


def _plain(text: str) -> str:
    """A translation as part of a label: a percent sign before a digit would number there."""
    return re.sub(r"%(?=[1-9])", "% ", " ".join(clean(text).split("\n")))
