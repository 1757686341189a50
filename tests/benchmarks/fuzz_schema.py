"""Elements and attributes of each format's schema that can hold text, put into documents with a text in them.

`schema_elements.json` names them: those whose content is text ("text"), those that such elements may stand in
("around"), and attributes of strings. The names are those of ISO/IEC 29500 (WordprocessingML, DrawingML,
SpreadsheetML, PresentationML, VML), OpenDocument 1.2, HTML, XLIFF 1.2 and 2.1, and TMX 1.4. `fuzz_bilingual`
has those of the last two where their schemas allow them; here they stand anywhere, as damage.
"""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from fuzz_bilingual import SAYS

_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"
_OOXML = "http://schemas.openxmlformats.org/"
_SPACES = {
    "w": _OOXML + "wordprocessingml/2006/main",
    "a": _OOXML + "drawingml/2006/main",
    "c": _OOXML + "drawingml/2006/chart",
    "dgm": _OOXML + "drawingml/2006/diagram",
    "wp": _OOXML + "drawingml/2006/wordprocessingDrawing",
    "m": _OOXML + "officeDocument/2006/math",
    "x": _OOXML + "spreadsheetml/2006/main",
    "p": _OOXML + "presentationml/2006/main",
    "v": "urn:schemas-microsoft-com:vml",
    "o": "urn:schemas-microsoft-com:office:office",
    "dc": "http://purl.org/dc/elements/1.1/",
    "svg": _OFFICE + "svg-compatible:1.0",
    "number": _OFFICE + "datastyle:1.0",
    **{
        name: f"{_OFFICE}{name}:1.0"
        for name in ("draw", "dr3d", "form", "meta", "office", "presentation", "style", "table", "text")
    },
}
_PARTS = {
    "docx": r"word/(document|footnotes|comments|header\d*)\.xml",
    "pptx": r"ppt/(slides/slide1|notesSlides/notesSlide1|charts/chart1)\.xml",
    "xlsx": r"xl/(worksheets/sheet1|sharedStrings|charts/chart1|comments1)\.xml",
    "odt": r"(content|styles)\.xml",
    "epub": r".*\.xhtml",
}
"""The parts of packages that show text."""
_CONTENTS = {
    "docx": (SAYS, f"<w:r><w:t>{SAYS}</w:t></w:r>", f"<w:p><w:r><w:t>{SAYS}</w:t></w:r></w:p>"),
    "pptx": (SAYS, f"<a:r><a:t>{SAYS}</a:t></a:r>", f"<a:p><a:r><a:t>{SAYS}</a:t></a:r></a:p>"),
    "xlsx": (SAYS, f"<x:t>{SAYS}</x:t>", f"<x:r><x:t>{SAYS}</x:t></x:r>", f"<x:is><x:t>{SAYS}</x:t></x:is>"),
    "odt": (SAYS, f"<text:p>{SAYS}</text:p>", f"<text:span>{SAYS}</text:span>"),
    "html": (SAYS, f"<p>{SAYS}</p>", f"<b>{SAYS}</b>"),
    "epub": (SAYS, f"<p>{SAYS}</p>", f"<b>{SAYS}</b>"),
    "xliff": (SAYS, f"<source>{SAYS}</source>", f"<segment><source>{SAYS}</source></segment>"),
    "tmx": (SAYS, f'<tuv xml:lang="zh"><seg>{SAYS}</seg></tuv>'),
}
"""What stands in an inserted element."""
_TEXT = "第一句。"
HOSTS: dict[str, tuple[str, bytes]] = {
    "html": (
        "a.html",
        f"<!DOCTYPE html><html><body><h1>{_TEXT}</h1><p>{_TEXT}</p></body></html>".encode(),
    ),
}
"""Documents that the elements of these kinds are put into; those of the others go into real ones."""
_TAG = re.compile(rb"<(?![!?])[^<>]*>")
_CHINESE = re.compile(rb"(?<=>)(?=[^<>]*[\xe4-\xe9][\x80-\xbf]{2})")
_MIXED = ("html", "epub", "odt", "xliff", "tmx")
"""Kinds whose elements stand among text."""
_QUALIFIED = ("w", "m")
"""Vocabularies of Word whose attributes have their elements' prefix."""
_PREFIX = re.compile(r"[<\s/@](\w+):")


@cache
def elements(kind: str) -> tuple[str, ...]:
    """Names of elements, and of attributes as `element@attribute`; none for a kind without a schema."""
    lists = json.loads(Path(__file__).with_name("schema_elements.json").read_text("utf-8")).get(kind, {})
    return tuple(name for names in lists.values() for name in names)


def fragment(kind: str, element: str, content: str) -> str:
    """An element with its content, or with the text in an attribute, and the namespaces that it needs."""
    name, _, attribute = element.partition("@")
    prefix = name.partition(":")[0]
    qualified = f"{prefix}:{attribute}" if prefix in _QUALIFIED and kind == "docx" else attribute
    more = f' {qualified}="{SAYS}"' if attribute else ""
    if kind in ("html", "epub", "xliff", "tmx"):
        return f"<{name}{more}>{'' if attribute else content}</{name}>"
    inner = "" if attribute else content
    prefixes = sorted({*_PREFIX.findall(f"<{name} {more}{inner}")} & _SPACES.keys())
    spaces = "".join(f' xmlns:{prefix}="{_SPACES[prefix]}"' for prefix in prefixes)
    return f"<{name}{spaces}{more}>{inner}</{name}>"


def inserted(kind: str, data: bytes, element: str, chance: random.Random) -> bytes:
    """A document with an element of its schema at a random place in what it shows.

    Args:
        data: a sound document.
    """
    piece = fragment(kind, element, chance.choice(_CONTENTS[kind])).encode()
    if kind not in _PARTS:
        return _put(kind, data, piece, chance)
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    shown = [
        name for name in parts if re.fullmatch(_PARTS[kind], name) and len(_TAG.findall(parts[name])) > 1
    ]
    chosen = chance.choice(shown)
    parts[chosen] = _put(kind, parts[chosen], piece, chance)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as package:
        for name, content in parts.items():
            package.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED, 1)
    return out.getvalue()


def _put(kind: str, text: bytes, piece: bytes, chance: random.Random) -> bytes:
    """The piece behind a random tag within the root element; half of the time where Chinese text begins."""
    ends: Sequence[int] = [match.end() for match in _TAG.finditer(text)][:-1] or [0]
    if kind in _MIXED and chance.random() < 0.5:
        ends = [match.start() for match in _CHINESE.finditer(text)] or ends
    at = chance.choice(ends)
    return text[:at] + piece + text[at:]
