"""Inline elements of TMX as tags, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from lxml import etree  # type: ignore[import-untyped]

from anaphora.core.tags import MARK, closes, opens, partner
from anaphora.formats.base.xml import Element, clean
from anaphora.formats.bilingual.xml_inline import DELETED


@dataclass(frozen=True, slots=True)
class _Code:
    """An inline element, or one end of one that holds text.

    Attributes:
        kind: "open", "close" or "alone".
        pair: names the element's other end; "" for one that stands alone.
        names: what the same element may be known by in the other language, the surest first.
    """

    kind: str
    pair: str
    names: tuple[str, ...]


def read_pair(source: Element, target: Element) -> tuple[str, str, tuple[str, ...]]:
    """The texts of two `seg` elements, their inline elements as tags.

    A target's element that the source does not have is left out.

    Returns:
        source, target, and the source's tags in order.
    """
    pieces = list(_pieces(source))
    literal = "".join(piece for piece in (*pieces, *_pieces(target)) if isinstance(piece, str))
    number = max((int(match[2]) for match in MARK.finditer(literal)), default=0)
    text, marks, codes = "", [], []
    pairs: dict[str, int] = {}
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            continue
        if piece.kind == "close" and piece.pair in pairs:
            mark = f"{{/{pairs.pop(piece.pair)}}}"
        else:
            number += 1
            mark = f"{{{number}}}" if piece.kind == "open" else f"{{{number}/}}"
            if piece.kind == "open":
                pairs[piece.pair] = number
        text += mark
        marks.append(mark)
        codes.append(piece)
    translated = "".join(_renamed(list(_pieces(target)), codes, marks))
    return text.strip(), translated.strip(), tuple(marks)


def written_text(text: str, marks: Sequence[str]) -> str:
    """The content of a `seg` element.

    Args:
        marks: the unit's tags; what only looks like one is text.
    """
    own = set(marks)
    present = set(re.findall("|".join(map(re.escape, own)), text)) if own else set()
    done, parts = 0, []
    for match in MARK.finditer(text):
        if match.group() in own:
            parts += [escape(clean(text[done : match.start()])), _element(match.group(), present)]
            done = match.end()
    return "".join((*parts, escape(clean(text[done:]))))


def _element(mark: str, present: set[str]) -> str:
    number = mark.strip("{/}")
    if partner(mark) in present:
        return f'<bpt i="{number}" x="{number}"/>' if opens(mark) else f'<ept i="{number}"/>'
    if opens(mark) or closes(mark):
        return f'<it pos="{"begin" if opens(mark) else "end"}" x="{number}"/>'
    return f'<ph x="{number}"/>'


def _pieces(element: Element, place: str = "hi") -> Iterator[str | _Code]:
    """The texts and codes of a `seg`, or of an element that highlights text; the parser bounds the depth."""
    yield element.text or ""
    for number, child in enumerate(element):
        name = str(etree.QName(child).localname) if isinstance(child.tag, str) else ""
        if name == "hi" and DELETED.fullmatch(child.get("type", "")):
            pass  # what a reviser took out is no text
        elif name == "hi":
            pair = f"{place} {number}"
            names = (child.get("x") or "", child.get("type") or "")
            yield _Code("open", pair, names)
            yield from _pieces(child, pair)
            yield _Code("close", pair, names)
        elif name:
            yield _code(child, name)
        yield child.tail or ""


def _code(child: Element, name: str) -> _Code:
    identity = child.get("x") or ""
    pair = child.get("i") or ""
    content = "".join(child.itertext())
    kind = {"bpt": "open", "ept": "close"}.get(name, "alone")
    named = (f"x={identity}" if identity else "", content, f"i={pair}" if pair else "")
    return _Code(kind, pair, named)


def _renamed(pieces: list[str | _Code], codes: list[_Code], marks: list[str]) -> Iterator[str]:
    """A target's pieces with the tags of the source's elements that they stand for."""
    free = list(zip(codes, marks, strict=True))
    pairs: dict[str, str] = {}
    for piece in pieces:
        if isinstance(piece, str):
            yield piece
            continue
        if piece.kind == "close" and piece.pair in pairs:
            mark = pairs.pop(piece.pair)
            free = [(code, each) for code, each in free if each != mark]
            yield mark
            continue
        found = _counterpart(piece, free)
        if found is not None:
            free.remove(found)
            if piece.kind == "open" and partner(found[1]):
                pairs[piece.pair] = partner(found[1])
            yield found[1]


def _counterpart(code: _Code, free: list[tuple[_Code, str]]) -> tuple[_Code, str] | None:
    """The source's element that is the same one: by its names, else the next of its kind."""
    alike = [entry for entry in free if _kind_of(entry[1]) == code.kind]
    for place, name in enumerate(code.names):
        for entry in alike:
            if name and len(entry[0].names) > place and entry[0].names[place] == name:
                return entry
    return alike[0] if alike else None


def _kind_of(mark: str) -> str:
    return "open" if opens(mark) else "close" if closes(mark) else "alone"
