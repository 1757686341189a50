"""Count a Word part's words in another way than its segments are found: a plain walk over runs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anaphora.core.counting import WordCount, count_text
from anaphora.formats.base.xml import Element
from anaphora.formats.office.docx_paragraph import MC, W
from anaphora.formats.office.opc import Part

_MARKS = {"begin": "\x01", "separate": "\x02", "end": "\x03"}
_WHOLE = re.compile("\x01([^\x01-\x03]*+)(?:\x02([^\x01-\x03]*+))?\x03")
_CODE = re.compile("\x01[^\x01-\x03]*+\x02?")
_LEFT_OUT = frozenset(W + name for name in ("moveFrom", "del", "fldSimple", "rt", "ruby", "object"))
_DEEPEST = 20
_SPEAKING = ("descr", "title")


def count_part(part: Part) -> WordCount:
    """Count the words of paragraphs and alternative texts, without fields' results and deleted text."""
    counted = WordCount()
    for paragraph in part.tree.iter(W + "p"):
        if next(paragraph.iterancestors(MC + "Fallback"), None) is None:
            counted += count_text(_shown("".join(_characters(paragraph))))
    for properties in part.tree.iter("{*}docPr"):
        if next(properties.iterancestors(MC + "Fallback"), None) is None:
            counted = sum((count_text(properties.get(name, "")) for name in _SPEAKING), counted)
    return counted


def _characters(parent: Element) -> Iterator[str]:
    """The characters of a paragraph, with marks for where fields begin, yield and end."""
    for child in parent:
        if not isinstance(child.tag, str) or child.tag in _LEFT_OUT or child.tag == W + "p":
            continue
        if child.tag == W + "t":
            yield child.text or ""
        elif child.tag == W + "instrText":
            yield f"\x04{child.text or ''}\x05"
        elif child.tag == W + "fldChar":
            yield _MARKS.get(child.get(W + "fldCharType", ""), "")
        elif child.tag in (W + "br", W + "tab", W + "cr"):
            yield " "
        elif child.tag == W + "noBreakHyphen":
            yield "\u2011"
        elif child.tag.startswith(W) and child.tag not in (W + "drawing", W + "pict"):
            yield from _characters(child)


def _shown(text: str) -> str:
    """A paragraph's characters without the codes of fields and the results that stand alone."""
    for _ in range(_DEEPEST):
        text, replaced = _WHOLE.subn(_result, text)
        if not replaced:
            break
    return re.sub("\x04[^\x05]*+\x05?|[\x01-\x05]", "", _CODE.sub("", text))


def _result(field: re.Match[str]) -> str:
    """A link shows its text, any other field nothing to translate."""
    code = "".join(re.findall("\x04([^\x05]*)", field[1])).strip().upper()
    return (field[2] or "") if code.startswith("HYPERLINK") else " "
