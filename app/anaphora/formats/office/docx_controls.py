"""What Word shows besides paragraphs: watermarks, choices of lists and forms, and texts bound to a property.

A content control may be bound to a node of another part (`w:dataBinding`): Word fills it from there whenever
the document is opened. One that is translated is bound no longer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.drawing import PlainHolder, TextPlace
from anaphora.formats.office.opc import MC, Part, W

_TEXT_PATH = "{urn:schemas-microsoft-com:vml}textpath"
_FORM_TEXTS = {
    W + "listEntry": "A choice in a list",
    W + "default": "Text in a form field",
    W + "helpText": "Help on a form field",
    W + "statusText": "Help on a form field",
}


@dataclass(frozen=True, slots=True)
class ChoiceHolder:
    """A choice of a drop-down list; what it stands for in the data (`w:value`) stays."""

    element: Element

    def pieces(self) -> list[Piece]:
        """See `drawing.Holder.pieces`."""
        text = self.element.get(W + "displayText") or self.element.get(W + "value", "")
        return [Piece(Kind.TEXT, text, text)]

    def fill(self, pieces: list[Piece]) -> None:
        """See `drawing.Holder.fill`."""
        text = " ".join(clean("".join(piece.text for piece in pieces)).split())
        self.element.set(W + "displayText", text)


def control_places(part: Part, note: str) -> Iterator[TextPlace]:
    """Watermarks, and the choices and helps of lists and forms, in order."""
    for element in part.tree.iter(_TEXT_PATH, W + "listItem", *_FORM_TEXTS):
        if next(element.iterancestors(MC + "Fallback"), None) is not None:
            continue
        if element.tag == _TEXT_PATH:
            if element.get("string"):
                yield TextPlace(
                    part, PlainHolder(element, "string"), "Watermark" if note else "Text in a picture"
                )
        elif element.tag == W + "listItem":
            yield TextPlace(part, ChoiceHolder(element), "A choice in a list")
        elif next(element.iterancestors(W + "ffData"), None) is not None and element.get(W + "val"):
            yield TextPlace(part, PlainHolder(element, W + "val"), _FORM_TEXTS[element.tag])


@dataclass(frozen=True, slots=True)
class BoundText:
    """The text of a bound control, at a time.

    Attributes:
        binding: its `w:dataBinding`.
    """

    binding: Element
    text: str


def bound_texts(part: Part) -> list[BoundText]:
    """The bound controls of a part with what they show."""
    found = []
    for binding in part.tree.iter("{*}dataBinding"):
        control = next(binding.iterancestors(W + "sdt"), None)
        content = control.find(W + "sdtContent") if control is not None else None
        if control is not None and content is not None:
            text = "".join(node.text or "" for node in content.iter(W + "t"))
            found.append(BoundText(binding, text))
    return found


def unbind(before: Sequence[BoundText], after: Sequence[BoundText]) -> None:
    """Free controls whose text changed: Word would fill them from where they are bound again."""
    for row, bound in enumerate(after):
        is_same = len(before) == len(after) and before[row].text == bound.text
        if not is_same and (properties := bound.binding.getparent()) is not None:
            properties.remove(bound.binding)
