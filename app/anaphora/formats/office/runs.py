"""Turn styles of runs into tags; read and fill DrawingML paragraphs (slides, charts) and sheet strings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree  # type: ignore[import-untyped]

from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora.formats.base.xml import Element, clean, local_name
from anaphora.formats.office.opc import KEEP_SPACE, A, S

OFF = ("0", "false", "off")
_NO_STYLE = (*OFF, "0%", "none", "noStrike")
_LABELS = {
    "b": "bold", "i": "italic", "u": "underlined", "strike": "struck out", "color": "colour", "sz": "size",
    "superscript": "superscript", "subscript": "subscript", "hlinkClick": "link", "solidFill": "colour",
    "highlight": "highlighted", "vanish": "hidden", "webHidden": "hidden", "specVanish": "hidden",
    "eastAsianLayout": "combined characters", "rtl": "right to left", "fitText": "fitted to a width",
}  # fmt: skip
"""Descriptions of properties, by the name of the attribute or element, or by the vertical alignment."""
SPECIAL = "\0"
"""First character of the key of a style that changes a text's meaning (hidden), not only its look."""


@dataclass(frozen=True, slots=True)
class RunStyle:
    """A run's style: a key that is equal for equal styles (see `SPECIAL`), and the run's properties."""

    key: str
    properties: Element | None


@dataclass(frozen=True, slots=True)
class StyleEdge:
    """The beginning or end of text in a style that is not the paragraph's base style."""

    style: RunStyle
    opens: bool


def apply_edge(styles: list[RunStyle], edge: StyleEdge) -> None:
    """Push or pop the style of an edge while a text is written; the base style always stays."""
    if edge.opens:
        styles.append(edge.style)
    elif len(styles) > 1:
        styles.pop()


def proofreadable(properties: Element | None) -> Element | None:
    """A run's properties (`w:rPr`, `a:rPr`) for a new text, without the mark "do not proofread"."""
    if properties is None:
        return None
    copy = deepcopy(properties)
    copy.attrib.pop("noProof", None)
    for mark in copy.findall("{*}noProof"):
        copy.remove(mark)
    return copy


def base_style(pieces: Sequence[Piece]) -> RunStyle:
    """The style of most of a paragraph's text; a `SPECIAL` style only if all text has such styles."""
    weights: Counter[str] = Counter()
    styles: dict[str, RunStyle] = {}
    for piece in pieces:
        if piece.kind is Kind.TEXT and isinstance(piece.raw, RunStyle):
            weights[piece.raw.key] += len(piece.text.strip())
            styles.setdefault(piece.raw.key, piece.raw)
    ordinary = Counter({key: weight for key, weight in weights.items() if not key.startswith(SPECIAL)})
    candidates = ordinary or weights
    return styles[candidates.most_common(1)[0][0]] if candidates else RunStyle("", None)


def with_style_tags(pieces: Sequence[Piece]) -> list[Piece]:
    """Put pairs of tags around text whose style is not the base style."""
    base = base_style(pieces)
    pair = max((piece.pair for piece in pieces), default=0)
    out: list[Piece] = []
    current: RunStyle | None = None
    for piece, next_style in zip(pieces, _next_styles(pieces), strict=True):
        # White space and standalone tags keep a style if the following text continues it.
        continues = next_style is not None and next_style.key == (current or base).key
        new_style = next_style if next_style is piece.raw or continues else None
        if (new_style or base).key != (current or base).key:
            if current is not None:
                out.append(Piece(Kind.CLOSE, "", StyleEdge(current, False), pair))
            current = new_style if new_style is not None and new_style.key != base.key else None
            if current is not None:
                pair += 1
                out.append(Piece(Kind.OPEN, "", StyleEdge(current, True), pair, _style_label(current)))
        out.append(piece)
    if current is not None:
        out.append(Piece(Kind.CLOSE, "", StyleEdge(current, False), pair))
    return out


def _next_styles(pieces: Sequence[Piece]) -> list[RunStyle | None]:
    """For each piece, the style of its text; if it has none, or only white space, that of the next text."""
    styles: list[RunStyle | None] = []
    following: RunStyle | None = None
    for piece in reversed(pieces):
        if piece.kind is Kind.TEXT and isinstance(piece.raw, RunStyle):
            if piece.text.strip():
                following = piece.raw
        elif piece.kind not in (Kind.ALONE, Kind.ANCHOR):
            following = None
        styles.append(following)
    return styles[::-1]


def _style_label(style: RunStyle) -> str:
    if style.properties is None:
        return "plain"
    names = []
    for name, value in style.properties.attrib.items():
        raised = "subscript" if value.startswith("-") else "superscript"
        names += [] if value in _NO_STYLE else [raised if name == "baseline" else name]
    for child in style.properties.iterchildren("{*}*"):
        value = next((value for name, value in child.attrib.items() if name.endswith("val")), "")
        names += (
            [] if value in _NO_STYLE else [value if local_name(child) == "vertAlign" else local_name(child)]
        )
    labels = dict.fromkeys(_LABELS[name] for name in names if name in _LABELS)
    return ", ".join(labels) or "formatted"


_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ACCIDENTAL_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_BREAK = re.compile(r"_x000D_(?:\r?\n|_x000A_)?|_x000A_|_x000B_", re.IGNORECASE)
_MARKS = re.compile(
    rf"_x005F_|({_BREAK.pattern}|_x00[01][0-9A-Fa-f]_|_x(?:[Dd][89A-Fa-f]|[Ff][Ff][Ff])[0-9A-Fa-f]+_)", re.I
)
"""Escaped control characters; an escaped underscore before one turns it into plain text."""
_TAB = "_x0009_"


@dataclass(frozen=True, slots=True)
class EscapedCharacter(RunStyle):
    """A run's style, and the escape of a character that XML does not allow."""

    escape: str = ""


def escaped_pieces(text: str, style: RunStyle) -> list[Piece]:
    """A string as pieces: line breaks are breaks, other control characters are standalone tags."""
    if "_x" not in text:
        return [Piece(Kind.TEXT, text, style)] if text else []
    pieces: list[Piece] = []
    copied_end = 0
    for match in _MARKS.finditer(text):
        part = match[1]
        if not part or part == _TAB:
            continue
        pieces += _letters(text[copied_end : match.start()], style)
        raw = EscapedCharacter(style.key, style.properties, part)
        is_break = _BREAK.fullmatch(part) is not None
        pieces.append(Piece(Kind.BREAK if is_break else Kind.ALONE, "", raw, label="" if is_break else part))
        copied_end = match.end()
    return pieces + _letters(text[copied_end:], style)


def _letters(text: str, style: RunStyle) -> list[Piece]:
    return [Piece(Kind.TEXT, unescaped(text), style)] if text else []


def unescaped(text: str) -> str:
    """Resolve the escapes, such as `_x0041_`, in a text."""
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def escaped(text: str) -> str:
    """Escape the underscores of a text that would begin an escape such as `_x0041_`."""
    return _ACCIDENTAL_ESCAPE.sub("_x005F_", text) if "_x" in text else text


_LINE_FEED = re.compile(r"(?<!_x000D_)\n", re.IGNORECASE)
_LEADING, _TRAILING = ("pPr",), ("endParaRPr", "phoneticPr")
"""Children that stay first and last in a paragraph or string."""
_OLD_TEXT_DATA = ("rPh",)
"""Children that describe the old text; they are removed with it."""
_INVISIBLE = frozenset((
    "lang", "altLang", "dirty", "err", "smtClean", "noProof", "bmk", "smtId", "kumimoji", "ea", "cs",
    "extLst", "family", "charset", "scheme", "rFont",
))  # fmt: skip
"""Attributes and elements of a style that have no visible effect."""


@dataclass(frozen=True, slots=True)
class _Unchanged:
    element: Element


@dataclass(frozen=True, slots=True)
class RunHolder:
    """A paragraph of DrawingML, or a string of a sheet, in which line feeds break lines."""

    element: Element

    @property
    def _namespace(self) -> str:
        return self.element.tag.rpartition("}")[0] + "}"

    def pieces(self) -> list[Piece]:
        """The element's text; `raw` refers to the element's children."""
        pieces: list[Piece] = []
        namespace = self._namespace
        for child in self.element:
            name = local_name(child)
            if not name or name in (*_LEADING, *_TRAILING, *_OLD_TEXT_DATA):
                continue
            if child.tag == namespace + "t":
                pieces += _lines(child.text or "", RunStyle("", None), namespace)
            elif child.tag == namespace + "r":
                text = child.findtext(namespace + "t") or ""
                pieces += _lines(text, _style_of(child.find(namespace + "rPr")), namespace)
            elif child.tag == A + "br":
                pieces.append(Piece(Kind.BREAK, "", _Unchanged(child)))
            else:
                is_word = name in ("fld", "m")
                label = f"field: {child.get('type', '')}" if name == "fld" else name
                pieces.append(Piece(Kind.ALONE, WORD if is_word else "", _Unchanged(child), label=label))
        return with_style_tags(pieces)

    def fill(self, pieces: list[Piece]) -> None:
        """Replace the text; the children in `_LEADING` and `_TRAILING` stay."""
        holder, namespace = self.element, self._namespace
        styles = [base_style(self.pieces())]
        was_plain = namespace == S and holder.find(namespace + "r") is None
        content: list[Element] = []
        for piece in pieces:
            raw = piece.raw
            if isinstance(raw, StyleEdge):
                apply_edge(styles, raw)
            elif isinstance(raw, _Unchanged):
                content.append(deepcopy(raw.element))
                content[-1].tail = None
            elif isinstance(raw, EscapedCharacter):
                _append(content, raw.escape, raw, namespace)
            else:
                properties = proofreadable(styles[-1].properties)
                look = raw if isinstance(raw, RunStyle) else RunStyle(styles[-1].key, properties)
                _append(content, "\n" if piece.kind is Kind.BREAK else escaped(piece.text), look, namespace)
        first = [child for child in holder if local_name(child) in _LEADING]
        last = [child for child in holder if local_name(child) in _TRAILING]
        for child in list(holder):
            holder.remove(child)
        if was_plain and all(child.find(namespace + "rPr") is None for child in content):
            text = "".join(child.findtext(namespace + "t") or "" for child in content)
            content = [etree.Element(namespace + "t")]
            _set_text(content[0], text)
        holder.extend([*first, *content, *last])


def _style_of(properties: Element | None) -> RunStyle:
    if properties is None:
        return RunStyle("", None)
    parts = [f"@{name}={value}" for name, value in properties.attrib.items() if name not in _INVISIBLE]
    for child in properties:
        if local_name(child) and local_name(child) not in _INVISIBLE:
            parts.append(_canonical(child))
    prefix = SPECIAL if _is_raised(properties) else ""
    return RunStyle(prefix + "\n".join(sorted(parts)), properties)


def _is_raised(properties: Element) -> bool:
    aligned = (child.get("val") for child in properties.iterchildren("{*}vertAlign"))
    is_off_line = properties.get("baseline", "0").rstrip("%") != "0"
    return is_off_line or any(value in ("superscript", "subscript") for value in aligned)


def _canonical(element: Element) -> str:
    """A text that is equal for equal elements; libxml2's canonical XML fails on odd namespaces."""
    inner = "".join(_canonical(child) for child in element if isinstance(child.tag, str))
    return f"<{element.tag} {sorted(element.attrib.items())}>{element.text or ''}{inner}</>"


def _lines(text: str, style: RunStyle, namespace: str) -> list[Piece]:
    pieces: list[Piece] = []
    for row, line in enumerate(_LINE_FEED.split(text) if namespace == S else [text]):
        if row:
            pieces.append(Piece(Kind.BREAK, "", style))
        pieces += escaped_pieces(line, style)
    return pieces


def _append(content: list[Element], text: str, style: RunStyle, namespace: str) -> None:
    """Append text to the last run if the style is equal, or in a new run; DrawingML gets `a:br` elements."""
    parts = text.replace("\r\n", "\n").split("\n") if namespace == A else [text]
    for row, part in enumerate(parts):
        if row:
            content.append(_styled_element(A + "br", style))
        if not part:
            continue
        last = content[-1] if content and content[-1].tag == namespace + "r" else None
        if last is not None and _style_of(last.find(namespace + "rPr")).key == style.key:
            holder = last.find(namespace + "t")
            _set_text(holder, (holder.text or "") + part)
            continue
        content.append(_styled_element(namespace + "r", style))
        _set_text(etree.SubElement(content[-1], namespace + "t"), part)


def _styled_element(tag: str, style: RunStyle) -> Element:
    element = etree.Element(tag)
    if style.properties is not None:
        element.append(deepcopy(style.properties))
    return element


def _set_text(holder: Element, text: str) -> None:
    holder.text = clean(text)
    if holder.tag == S + "t" and holder.text != holder.text.strip():
        holder.set(KEEP_SPACE, "preserve")
