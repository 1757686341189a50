"""Count the words that a Word part shows, whatever the reader makes of them: a walk over its texts.

What Word shows is counted even where it is not offered (dates that a field computes, words in formulas), so
that the two counts differ where something is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from anaphora.core.counting import WordCount, count_text
from anaphora.core.errors import Message
from anaphora.formats.base import remarks
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element, Tree
from anaphora.formats.office.docx_paragraph import COMPUTED
from anaphora.formats.office.opc import MC, Part, W

_VML = "{urn:schemas-microsoft-com:vml}"
_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_MARKS = {"begin": "\x01", "separate": "\x02", "end": "\x03"}
_WHOLE = re.compile("\x01([^\x01-\x03]*+)(?:\x02([^\x01-\x03]*+))?\x03")
_CODE = re.compile("\x01[^\x01-\x03]*+\x02?")
_LEFT_OUT = frozenset((MC + "Fallback", *(W + name for name in ("moveFrom", "del", "rt", "p"))))
_BREAKS = frozenset(W + name for name in ("br", "tab", "cr", "ptab"))
_DEEPEST = 20
_ATTRIBUTES = {
    "descr": re.compile(r"docPr$"), "title": re.compile(r"docPr$"), "alt": re.compile(r"vml\}"),
    "string": re.compile(r"vml\}textpath$"),
}  # fmt: skip


def count_part(part: Part, words: SourceWords) -> WordCount:
    """Count the words of paragraphs, alternative texts, watermarks and the choices of forms."""
    texts: list[str] = []
    for element in part.tree.iter("{*}*"):
        if next(element.iterancestors(MC + "Fallback"), None) is not None:
            continue
        if element.tag == W + "p":
            texts.append(_shown("".join(_characters(element, words)), words))
        texts += _of_attributes(element)
    return sum(map(count_text, texts), WordCount())


def left_out(parts: Iterable[Part], words: SourceWords) -> tuple[Message, ...]:
    """Sentences on what Word shows and the reader leaves as it is, for `Parsed.notes`."""
    computed = conditions = buttons = formulas = entries = prompts = files = 0
    for part in parts:
        for paragraph in part.tree.iter(W + "p"):
            text = "".join(_characters(paragraph, words))
            fields = [(_code(field), field[2] or "") for field in _WHOLE.finditer(text)]
            fields += (
                (code, "") for field in paragraph.iter(W + "fldSimple") if (code := field.get(W + "instr"))
            )
            for code, result in fields:
                kind = _kind(code)
                computed += kind in COMPUTED and words.in_text(result)
                conditions += kind == "IF" and words.in_strings(code)
                buttons += kind == "MACROBUTTON" and words.in_text(_label(code))
                entries += kind in ("XE", "TC", "TA", "RD") and words.in_strings(code)
                prompts += kind in ("FILLIN", "ASK") and words.in_strings(code)
                formulas += kind == "EQ" and words.in_code(code)
        files += sum(1 for _ in part.tree.iter(W + "altChunk"))
        formulas += words_in_formulas(part.tree, words)
    found = {
        Message(
            "Dates and numbers that Word computes stay as they are; so many show words: {count}."
        ): computed,
        Message(
            "Fields with conditions show their old words again when Word updates them: {count}."
        ): conditions,
        Message("Buttons that are fields keep their words: {count}."): buttons,
        remarks.FORMULAS: formulas,
        Message("Entries of indexes and contents (XE, TC) keep their words: {count}."): entries,
        Message("Prompts of fields (FILLIN, ASK) keep their words: {count}."): prompts,
        Message("Files that are inserted as a whole (altChunk) stay as they are: {count}."): files,
    }
    return remarks.counted(found.items())


def words_in_formulas(tree: Tree, words: SourceWords) -> int:
    """How many texts in formulas hold words of the document's language."""
    return sum(words.in_code(node.text or "") for node in tree.iter(_MATH + "t"))


def _code(field: re.Match[str]) -> str:
    return "".join(re.findall("\x04([^\x05]*)", field[1]))


def _kind(code: str) -> str:
    return (code.split(None, 1) or [""])[0].upper()


def _label(code: str) -> str:
    """What a button that is a field says; "" of other fields."""
    parts = code.split(None, 2)
    return parts[2] if len(parts) > 2 and parts[0].upper() == "MACROBUTTON" else ""


def _of_attributes(element: Element) -> Iterator[str]:
    """What an element says in its attributes."""
    tag = element.tag
    for name, where in _ATTRIBUTES.items():
        if name in element.attrib and where.search(tag):
            yield element.get(name)
    if tag == W + "listItem":
        yield element.get(W + "displayText") or element.get(W + "value", "")
    elif tag in (W + "listEntry", W + "helpText", W + "statusText", W + "default"):
        value = element.get(W + "val", "")
        yield value if next(element.iterancestors(W + "ffData"), None) is not None else ""


def _characters(parent: Element, words: SourceWords) -> Iterator[str]:
    """The characters of a paragraph, with marks for where fields begin, yield and end."""
    for child in parent:
        if not isinstance(child.tag, str) or child.tag in _LEFT_OUT:
            continue
        if child.tag == W + "t":
            yield child.text or ""
        elif child.tag == _MATH + "t":
            yield f" {child.text} " if words.in_code(child.text or "") else " "
        elif child.tag == W + "instrText":
            yield f"\x04{child.text or ''}\x05"
        elif child.tag == W + "fldChar":
            yield _MARKS.get(child.get(W + "fldCharType", ""), "")
        elif child.tag == W + "fldSimple":
            yield f"\x01\x02{''.join(_characters(child, words))}\x03"
        elif child.tag in _BREAKS:
            yield " "
        elif child.tag == W + "noBreakHyphen":
            yield "\u2011"
        else:
            yield from _characters(child, words)


def _shown(text: str, words: SourceWords) -> str:
    """A paragraph's characters without the codes of fields and their numbers."""
    for _ in range(_DEEPEST):
        text, replaced = _WHOLE.subn(lambda field: _result(field, words), text)
        if not replaced:
            break
    return re.sub("\x04[^\x05]*+\x05?|[\x01-\x05]", "", _CODE.sub("", text))


def _result(field: re.Match[str], words: SourceWords) -> str:
    """What a field shows: its result, unless that is a number; of a button its label, in the code."""
    code = _code(field)
    label = _label(code)
    if label or _kind(code) == "MACROBUTTON":
        return label if words.in_text(label) else " "
    result = field[2] or ""
    return result if any(char.isalpha() for char in result) else " "
