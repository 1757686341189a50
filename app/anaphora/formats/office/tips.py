"""Texts in attributes that programs show in small windows: tips on links, titles of shapes and controls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anaphora.core.counting import WordCount, count_text
from anaphora.formats.base.xml import Element
from anaphora.formats.office.drawing import MC, PlainHolder, TextPlace
from anaphora.formats.office.opc import A, Part

Attributes = Mapping[str, Mapping[str, str]]
"""What an attribute holds, by its name, by the element that has it."""
TIP = "Tip on a link"
LINK_TIPS: Attributes = {A + "hlinkClick": {"tooltip": TIP}, A + "hlinkHover": {"tooltip": TIP}}


def attribute_places(part: Part, known: Attributes, note: str = "") -> Iterator[TextPlace]:
    """The texts in such attributes, in order, without what older markup (`mc:Fallback`) repeats."""
    for element in part.tree.iter(*known):
        if not element.get(next(iter(known[element.tag]), "")) and len(known[element.tag]) == 1:
            continue
        if _is_shown(element):
            for attribute, what in known[element.tag].items():
                if element.get(attribute):
                    said = f"{note}: {what}" if note else what
                    yield TextPlace(part, PlainHolder(element, attribute), said)


def count_attributes(part: Part, known: Attributes) -> WordCount:
    """Count the words in such attributes, by a walk over all elements."""
    counted = WordCount()
    for element in part.tree.iter("{*}*"):
        for name in element.attrib if element.tag in known else ():
            if name in known[element.tag] and _is_shown(element):
                counted += count_text(element.attrib[name])
    return counted


def _is_shown(element: Element) -> bool:
    return next(element.iterancestors(MC + "Fallback"), None) is None
