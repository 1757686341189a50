"""What Word shows besides paragraphs: watermarks, choices of lists and forms, and texts bound to a property.

A content control may be bound to a node of another part (`w:dataBinding`): Word fills it from there whenever
the document is opened, so a translation has to be put there, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from anaphora.formats.base.format import FormatError
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.office.drawing import PlainHolder, TextPlace
from anaphora.formats.office.opc import MC, Part, W, load, relations

_TEXT_PATH = "{urn:schemas-microsoft-com:vml}textpath"
_FORM_TEXTS = {
    W + "listEntry": "A choice in a list",
    W + "default": "Text in a form field",
    W + "helpText": "Help on a form field",
    W + "statusText": "Help on a form field",
}
_STEP = re.compile(r"/(?:(?P<prefix>[\w.-]+):)?(?P<name>[\w.-]+)(?:\[(?P<number>[0-9]{1,6})\])?")
_PREFIX = re.compile(r"""xmlns:([\w.-]+)\s*=\s*["']([^"']*)["']""")
_NO_TEXT = tuple(W + name for name in ("date", "picture", "dropDownList", "comboBox", "showingPlcHdr"))


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


class Bindings:
    """The parts that controls are bound to.

    Attributes:
        changed: those that got another text.
    """

    def __init__(self, package: Package, main: str, known: Mapping[str, Part]) -> None:
        """Look for them.

        Args:
            main: entry of the main document.
            known: parts that are being changed, by entry.
        """
        self._package = package
        self._known = dict(known)
        links = [*relations(package, main).values(), *relations(package, "").values()]
        self._names = [
            link.target
            for link in links
            if link.kind in ("customXml", "core-properties", "extended-properties")
        ]
        self.changed: dict[str, Part] = {}

    def follow(self, before: Iterable[BoundText], after: Iterable[BoundText]) -> None:
        """Put texts that changed where they are bound to; a control without such a place is unbound."""
        was = [bound.text for bound in before]
        now = list(after)
        for row, bound in enumerate(now):
            if len(was) == len(now) and was[row] == bound.text:
                continue
            properties = bound.binding.getparent()
            is_text = properties is not None and all(properties.find(name) is None for name in _NO_TEXT)
            if not (is_text and self._put(bound)) and properties is not None:
                properties.remove(bound.binding)

    def _put(self, bound: BoundText) -> bool:
        """Whether the place was found."""
        path, attribute = bound.binding.get(W + "xpath", "").strip(), ""
        if "/@" in path:
            path, _, attribute = path.rpartition("/@")
        prefixes = dict(_PREFIX.findall(bound.binding.get(W + "prefixMappings", "")))
        for part in self._candidates(bound.binding.get(W + "storeItemID", "")):
            node = _walk(part.tree.getroot(), path, prefixes)
            if node is None or (attribute and node.get(attribute) is None) or (not attribute and len(node)):
                continue
            if attribute:
                node.set(attribute, clean(bound.text))
            else:
                node.text = clean(bound.text)
            self.changed[part.name] = part
            return True
        return False

    def _candidates(self, item: str) -> Iterator[Part]:
        """The parts with this number; any part, where no part has it."""
        numbered = [name for name in self._names if item and item.lower() == self._number(name)]
        for name in numbered or self._names:
            if name not in self._known:
                try:
                    self._known[name] = load(self._package, name)
                except FormatError:
                    continue  # nothing that only repeats a text may keep a translation from being exported
            yield self._known[name]

    def _number(self, name: str) -> str:
        for link in relations(self._package, name).values():
            if link.kind == "customXmlProps":
                try:
                    root = load(self._package, link.target).tree.getroot()
                except FormatError:
                    return ""
                values = (value for key, value in root.attrib.items() if key.endswith("itemID"))
                return next(values, "").lower()
        return ""


def _walk(root: Element, path: str, prefixes: Mapping[str, str]) -> Element | None:
    """The element at a plain path of child steps; None where it is not one, or leads nowhere."""
    steps = list(_STEP.finditer(path))
    if not steps or "".join(step.group() for step in steps) != path:
        return None
    node = root
    for depth, step in enumerate(steps):
        space = prefixes.get(step["prefix"] or "", "")
        tag = f"{{{space}}}{step['name']}" if space else step["name"]
        among = [root] if depth == 0 else [child for child in node if child.tag == tag]
        number = int(step["number"] or 1) - 1
        if not 0 <= number < len(among) or among[number].tag != tag:
            return None
        node = among[number]
    return node
