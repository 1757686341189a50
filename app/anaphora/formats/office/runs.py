"""Texts made of flat runs with styles: DrawingML paragraphs (slides, charts), spreadsheet strings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace

from lxml import etree  # type: ignore[import-untyped]

from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.xml import Element, clean, local_name
from anaphora.formats.office.escapes import Spelled, escaped, escaped_pieces
from anaphora.formats.office.opc import KEEP_SPACE
from anaphora.formats.office.run_styles import (
    APART,
    RunStyle,
    StyleEdge,
    StyleStack,
    base_style,
    proofread,
    with_style_tags,
)


@dataclass(frozen=True, slots=True)
class RunDialect:
    """How a kind of text spells its runs; names are local ones.

    Attributes:
        space: the elements' namespace in braces.
        line_break: its element; "" where a line feed in the text breaks the line.
        first, last: children that stay in front and behind.
        dropped: children that describe the old text, so that they go with it.
        unseen: attributes and elements of a style that nobody sees.
        marks_space: whether outer blanks of a text have to be marked as meant.
    """

    space: str
    line_break: str
    first: frozenset[str]
    last: frozenset[str]
    dropped: frozenset[str]
    unseen: frozenset[str]
    marks_space: bool


@dataclass(frozen=True, slots=True)
class _Kept:
    """An element to put back as it is."""

    element: Element


def run_pieces(holder: Element, dialect: RunDialect) -> list[Piece]:
    """The pieces of a paragraph or string; `raw` refers to its elements."""
    pieces: list[Piece] = []
    for child in holder:
        name = local_name(child)
        if not name or name in dialect.first | dialect.last | dialect.dropped:
            continue
        if name == "t" and child.tag == dialect.space + "t":
            pieces += _lines(child.text or "", RunStyle("", None), dialect)
        elif child.tag == dialect.space + "r":
            text = child.find(dialect.space + "t")
            if text is not None and text.text:
                pieces += _lines(text.text, style_of(child.find(dialect.space + "rPr"), dialect), dialect)
        elif name == dialect.line_break:
            pieces.append(Piece(Kind.BREAK, "", _Kept(child)))
        else:
            is_word = name in ("fld", "m")
            label = f"field: {child.get('type', '')}" if name == "fld" else name
            pieces.append(Piece(Kind.ALONE, WORD if is_word else "", _Kept(child), label=label))
    return with_style_tags(pieces)


def fill(holder: Element, pieces: Sequence[Piece], dialect: RunDialect) -> None:
    """Fill a paragraph or string with pieces; what stands at its edges stays."""
    base = base_style(run_pieces(holder, dialect))
    was_plain = holder.find(dialect.space + "r") is None and not dialect.line_break
    styles = StyleStack(base)
    content: list[Element] = []
    for piece in pieces:
        raw = piece.raw
        if isinstance(raw, StyleEdge):
            styles.pass_edge(raw)
        elif isinstance(raw, _Kept):
            content.append(deepcopy(raw.element))
            content[-1].tail = None
        elif isinstance(raw, Spelled):
            _append(content, raw.spelled, raw, replace(dialect, line_break=""))
        else:
            text = "\n" if piece.kind is Kind.BREAK else escaped(piece.text)
            if isinstance(raw, RunStyle):
                _append(content, text, raw, dialect)
                continue
            style = styles.current
            _append(content, text, RunStyle(style.key, proofread(style.properties)), dialect)
    first = [child for child in holder if local_name(child) in dialect.first]
    last = [child for child in holder if local_name(child) in dialect.last]
    for child in list(holder):
        holder.remove(child)
    if was_plain and all(child.find(dialect.space + "rPr") is None for child in content):
        text = "".join(child.findtext(dialect.space + "t") or "" for child in content)
        content = [etree.Element(dialect.space + "t")]
        _set(content[0], text, dialect)
    holder.extend([*first, *content, *last])


def style_of(properties: Element | None, dialect: RunDialect) -> RunStyle:
    """A run's style."""
    if properties is None:
        return RunStyle("", None)
    parts = [f"@{name}={value}" for name, value in properties.attrib.items() if name not in dialect.unseen]
    for child in properties:
        if local_name(child) and local_name(child) not in dialect.unseen:
            parts.append(_spelled(child))
    apart = APART if _is_raised(properties) else ""
    return RunStyle(apart + "\n".join(sorted(parts)), properties)


def _is_raised(properties: Element) -> bool:
    aligned = (child.get("val") for child in properties.iterchildren("{*}vertAlign"))
    is_off_line = properties.get("baseline", "0").rstrip("%") != "0"
    return is_off_line or any(value in ("superscript", "subscript") for value in aligned)


def _spelled(element: Element) -> str:
    """An element as text, equal for equal ones; libxml2's canonical XML fails on odd namespaces."""
    inner = "".join(_spelled(child) for child in element if isinstance(child.tag, str))
    return f"<{element.tag} {sorted(element.attrib.items())}>{element.text or ''}{inner}</>"


def _lines(text: str, style: RunStyle, dialect: RunDialect) -> list[Piece]:
    """A run's text; where line feeds break lines, each is a break."""
    if dialect.line_break or "\n" not in text:
        return escaped_pieces(text, style)
    pieces: list[Piece] = []
    for row, line in enumerate(re.split(r"(?<!_x000D_)\n", text, flags=re.IGNORECASE)):
        if row:
            pieces.append(Piece(Kind.BREAK, "", style))
        if line:
            pieces += escaped_pieces(line, style)
    return pieces


def _append(content: list[Element], text: str, style: RunStyle, dialect: RunDialect) -> None:
    """Add text to the last run, if it styles the same, or in a new run; line breaks as the kind has it."""
    parts = text.replace("\r\n", "\n").split("\n") if dialect.line_break else [text]
    for row, part in enumerate(parts):
        if row:
            line_break = etree.Element(dialect.space + dialect.line_break)
            if style.properties is not None:
                line_break.append(deepcopy(style.properties))
            content.append(line_break)
        if not part:
            continue
        last = content[-1] if content and content[-1].tag == dialect.space + "r" else None
        look = last.find(dialect.space + "rPr") if last is not None else None
        if last is not None and style_of(look, dialect).key == style.key:
            holder = last.find(dialect.space + "t")
            _set(holder, (holder.text or "") + part, dialect)
            continue
        run = etree.Element(dialect.space + "r")
        if style.properties is not None:
            run.append(deepcopy(style.properties))
        _set(etree.SubElement(run, dialect.space + "t"), part, dialect)
        content.append(run)


def _set(holder: Element, text: str, dialect: RunDialect) -> None:
    holder.text = clean(text)
    if dialect.marks_space and holder.text != holder.text.strip():
        holder.set(KEEP_SPACE, "preserve")
