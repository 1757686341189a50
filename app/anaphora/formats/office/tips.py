"""Texts that programs show beside others: tips on links, titles of shapes, names of trend lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from anaphora.formats.office.drawing import C, PlainHolder, TextPlace, is_shown
from anaphora.formats.office.opc import A, Part

Attributes = Mapping[str, Mapping[str, str]]
"""What an attribute holds, by its name, by the element that has it."""
TIP = "Tip on a link"
LINK_TIPS: Attributes = {A + "hlinkClick": {"tooltip": TIP}, A + "hlinkHover": {"tooltip": TIP}}
_MORE_TIPS: Attributes = {A + "hlinkMouseOver": {"tooltip": TIP}}
_TREND = "Name of a trend line"


def attribute_places(part: Part, known: Attributes, note: str = "") -> Iterator[TextPlace]:
    """The texts in such attributes, in order, without what older markup (`mc:Fallback`) repeats."""
    for element in part.tree.iter(*known):
        if not element.get(next(iter(known[element.tag]), "")) and len(known[element.tag]) == 1:
            continue
        if is_shown(element):
            for attribute, what in known[element.tag].items():
                if element.get(attribute):
                    said = f"{note}: {what}" if note else what
                    yield TextPlace(part, PlainHolder(element, attribute), said)


def more_places(parts: Iterable[tuple[Part, str]]) -> Iterator[TextPlace]:
    """Tips that wait for the mouse, and names of trend lines in legends of charts.

    Args:
        parts: each with what it is, for the translator.
    """
    for part, note in parts:
        yield from attribute_places(part, _MORE_TIPS, note)
        for name in part.tree.iter(C + "name"):
            if name.text and name.getparent().tag == C + "trendline" and is_shown(name):
                yield TextPlace(part, PlainHolder(name), f"{note}: {_TREND}" if note else _TREND)
