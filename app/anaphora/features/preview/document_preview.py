"""What the exported document will read like, as HTML: headings, lists, cells, cues, and styles in the text.

It shows the structure that the segments know of, not the pages of the file. No Qt here: it is made off the
window's thread.
"""

from __future__ import annotations

import html
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from anaphora.core.document import Document
from anaphora.core.segment import Segment
from anaphora.core.structure import Structure, structure_of
from anaphora.core.tags import MARK, closes, is_code, labels_of, opens, partner

AROUND = 60
"""So many segments before the current one are shown, and after it: a few screens."""
_ELEMENTS = {
    "bold": "b",
    "italic": "i",
    "underlined": "u",
    "struck out": "s",
    "code": "code",
    "superscript": "sup",
    "subscript": "sub",
}


@dataclass(frozen=True, slots=True)
class PreviewColours:
    """Colours as CSS writes them: `muted` of untranslated sources and times, `current` behind a segment."""

    text: str
    muted: str
    border: str
    current: str


@dataclass(frozen=True, slots=True)
class PreviewRequest:
    """The segments of a document around the current one."""

    segments: tuple[Segment, ...]
    current: int


def around(document: Document, row: int) -> PreviewRequest:
    """The segments around a row that belong to the same document of the project."""
    own = document.at(row).document
    rows = range(max(row - AROUND, 0), min(row + AROUND + 1, len(document)))
    shown = [at for at in rows if document.at(at).document == own]
    return PreviewRequest(tuple(map(document.at, shown)), row - shown[0])


def preview_html(request: PreviewRequest, colours: PreviewColours) -> str:
    """The stretch of the document as HTML; each segment's text is a link to its place in `request`."""
    shown = [
        (segment, _linked(segment, place, place == request.current, colours))
        for place, segment in enumerate(request.segments)
    ]
    # Segments that follow each other in one block belong together; those without a place stand alone.
    keys = [segment.block or place for place, segment in enumerate(request.segments)]
    grouped = groupby(zip(keys, shown, strict=True), key=itemgetter(0))
    blocks = [[each for _, each in found] for _, found in grouped]
    parts = [_block(block[0][0], " ".join(text for _, text in block), colours) for block in blocks]
    return f'<body style="color:{colours.text}">{"".join(parts)}</body>'


def _block(segment: Segment, text: str, colours: PreviewColours) -> str:
    found = structure_of(segment)
    match found.kind:
        case Structure.HEADING:
            level = min(max(found.level, 1), 6)
            return f"<h{level}>{text}</h{level}>"
        case Structure.LIST_ITEM:
            indent = 18 * min(max(found.level, 1), 6)
            return f'<p style="margin:2px 0 2px {indent}px">•&nbsp;{text}</p>'
        case Structure.QUOTE:
            return f"<blockquote>{text}</blockquote>"
        case Structure.CUE:
            time = f'<span style="color:{colours.muted}">{html.escape(found.time)}</span>'
            return f"<p>{time}<br>{text}</p>"
        case Structure.CELL:
            look = f'border="1" cellspacing="0" cellpadding="5" style="border-color:{colours.border}"'
            return f"<table {look}><tr><td>{text}</td></tr></table>"
        case _:
            return f"<p>{text}</p>"


def _linked(segment: Segment, place: int, here: bool, colours: PreviewColours) -> str:
    colour = colours.text if segment.target else colours.muted
    back = f";background-color:{colours.current}" if here else ""
    anchor = '<a name="current"></a>' if here else ""
    style = f"color:{colour};text-decoration:none{back}"
    return f'{anchor}<a href="{place}" style="{style}">{_inline(segment)}</a>'


def _inline(segment: Segment) -> str:
    """The text as it will be exported, the source where there is no translation."""
    text = segment.target or segment.source
    labels = labels_of(segment)
    parts: list[str] = []
    opened: list[tuple[str, list[str]]] = []
    done = 0
    for match in MARK.finditer(text):
        mark = match.group()
        if mark not in labels:
            continue
        parts.append(_text(text[done : match.start()]))
        done = match.end()
        if opens(mark):
            elements = [_ELEMENTS[style] for style in labels[mark].split(", ") if style in _ELEMENTS]
            opened.append((mark, elements))
            parts += [f"<{element}>" for element in elements]
        elif closes(mark):
            # A pair that crosses another one ends where the inner one does: HTML knows no other way.
            names = [name for name, _ in opened]
            at = names.index(partner(mark)) if partner(mark) in names else len(names)
            parts += [f"</{element}>" for _, elements in opened[at:][::-1] for element in elements[::-1]]
            del opened[at:]
        elif is_code(labels[mark]):
            parts.append(f"<code>{_text(labels[mark].strip('`'))}</code>")
        elif labels[mark]:
            parts.append(f"<i>[{_text(labels[mark])}]</i>")
    parts.append(_text(text[done:]))
    parts += [f"</{element}>" for _, elements in opened[::-1] for element in elements[::-1]]
    return "".join(parts)


def _text(text: str) -> str:
    return html.escape(text).replace("\n", "<br>")
