"""Text of a paragraph that is not proofread (`w:noProof`, `noProof="1"`): names among words that are.

It is no look, so no pair of tags stands for it. It stays where all text of a paragraph, or all of what a pair
of tags surrounds, has it, and on its own text where that comes back; nothing else gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass

from anaphora.formats.base.pieces import Kind, Piece
from anaphora.formats.base.xml import Element
from anaphora.formats.office.opc import W
from anaphora.formats.office.run_styles import RunStyle

_NO_PROOF = W + "noProof"
_ATTRIBUTE = "noProof"
_OFF = ("0", "false", "off")
_BEFORE = frozenset(
    W + name
    for name in (
        *("rStyle", "rFonts", "b", "bCs", "i", "iCs", "caps", "smallCaps", "strike", "dstrike", "outline"),
        *("shadow", "emboss", "imprint"),
    )
)
"""What the schema puts before `w:noProof`."""


@dataclass(frozen=True, slots=True)
class Unchecked:
    """What of a paragraph is not proofread.

    Attributes:
        styles: keys of the styles all of whose text is not.
        texts: finds the other such texts; None if there are none.
    """

    styles: frozenset[str] = frozenset()
    texts: re.Pattern[str] | None = None

    def parts(self, text: str, style: RunStyle) -> Iterator[tuple[str, Element | None]]:
        """A new text in parts, each with the properties (`w:rPr`, `a:rPr`) that it gets."""
        if style.key in self.styles:
            yield text, style.properties
            return
        checked = _marked(style.properties, False)
        end = 0
        for found in self.texts.finditer(text) if self.texts else ():
            if end < found.start():
                yield text[end : found.start()], checked
            yield found[0], _marked(style.properties, True)
            end = found.end()
        if end < len(text):
            yield text[end:], checked


def unchecked(pieces: Sequence[Piece], base: RunStyle) -> Unchecked:
    """What of a paragraph is not proofread; its usual style only where all text is not."""
    held: dict[str, bool] = {}
    runs: list[str] = []
    goes_on = False
    for piece in pieces:
        if piece.kind is not Kind.TEXT or not isinstance(piece.raw, RunStyle):
            goes_on = False
            continue
        is_held = is_unchecked(piece.raw.properties)
        if piece.text.strip():
            held[piece.raw.key] = held.get(piece.raw.key, True) and is_held
        if is_held and goes_on:
            runs[-1] += piece.text
        elif is_held:
            runs.append(piece.text)
        goes_on = is_held
    everything = all(held.values())
    styles = frozenset(key for key, value in held.items() if value and (everything or key != base.key))
    words = sorted({run.strip() for run in runs} - {""}, key=len, reverse=True)
    return Unchecked(styles, re.compile("|".join(map(_whole, words))) if words else None)


def _whole(text: str) -> str:
    """A text, and not a part of a longer word."""
    word = "[A-Za-z0-9_]"
    before = f"(?<!{word})" if re.match(word, text) else ""
    behind = f"(?!{word})" if re.match(word, text[-1]) else ""
    return before + re.escape(text) + behind


def is_unchecked(properties: Element | None) -> bool:
    """Whether a run of Word or DrawingML says of itself that it is not proofread."""
    if properties is not None and properties.get(_ATTRIBUTE) is not None:
        return properties.get(_ATTRIBUTE) not in _OFF
    found = properties.find(_NO_PROOF) if properties is not None else None
    return found is not None and found.get(W + "val") not in _OFF


def _marked(properties: Element | None, wanted: bool) -> Element | None:
    """Properties with `w:noProof`, or without."""
    if properties is None or is_unchecked(properties) == wanted:
        return properties
    copy = deepcopy(properties)
    if not properties.tag.startswith(W):
        copy.attrib.pop(_ATTRIBUTE, None)
        copy.attrib.update({_ATTRIBUTE: "1"} if wanted else {})
        return copy
    for found in copy.findall(_NO_PROOF):
        copy.remove(found)
    if wanted:
        place = next((n for n, child in enumerate(copy) if child.tag not in _BEFORE), len(copy))
        copy.insert(place, copy.makeelement(_NO_PROOF))
    return copy
