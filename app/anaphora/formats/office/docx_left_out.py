"""What Word shows and the reader leaves as it is: dates, codes of fields, formulas, inserted files."""

from __future__ import annotations

from collections.abc import Iterable

from anaphora.core.errors import Message
from anaphora.formats.base import remarks
from anaphora.formats.base.source_words import SourceWords
from anaphora.formats.base.xml import Element, Tree
from anaphora.formats.office.docx_paragraph import COMPUTED
from anaphora.formats.office.opc import Part, W

_MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_SPEAKING = frozenset(("IF", "MACROBUTTON", "XE", "TC", "TA", "FILLIN", "ASK"))
"""Fields with words in their codes."""
_DATES = Message("Dates and numbers that Word computes stay as they are; so many show words: {count}.")
_CODES = Message("Codes of fields (conditions, entries of indexes, prompts) keep their words: {count}.")
_FILES = Message("Files that are inserted as a whole (altChunk) stay as they are: {count}.")


def left_out(parts: Iterable[Part], words: SourceWords) -> tuple[Message, ...]:
    """Sentences on it for `Parsed.notes`."""
    computed = codes = formulas = files = 0
    for part in parts:
        for code, result in _fields(part.tree.getroot()):
            kind = (code.split(None, 1) or [""])[0].upper()
            computed += kind in COMPUTED and words.in_text(result)
            codes += kind in _SPEAKING and words.in_text(code)
            formulas += kind == "EQ" and words.in_code(code)
        files += sum(1 for _ in part.tree.iter(W + "altChunk"))
        formulas += words_in_formulas(part.tree, words)
    found = {_DATES: computed, _CODES: codes, remarks.FORMULAS: formulas, _FILES: files}
    return remarks.counted(found.items())


def words_in_formulas(tree: Tree, words: SourceWords) -> int:
    """How many texts in formulas hold words of the document's language."""
    return sum(words.in_code(node.text or "") for node in tree.iter(_MATH + "t"))


def _fields(root: Element) -> list[tuple[str, str]]:
    """The codes of fields with what they show."""
    done = [
        (field.get(W + "instr", ""), "".join(text.text or "" for text in field.iter(W + "t")))
        for field in root.iter(W + "fldSimple")
    ]
    opened: list[tuple[list[str], list[str]]] = []
    is_code = False
    for element in root.iter(W + "fldChar", W + "instrText", W + "t"):
        if element.tag == W + "fldChar":
            kind = element.get(W + "fldCharType", "")
            is_code = kind == "begin"
            if kind == "begin":
                opened.append(([], []))
            elif kind == "end" and opened:
                code, result = opened.pop()
                done.append(("".join(code), "".join(result)))
        elif opened and (is_code or element.tag == W + "t"):
            opened[-1][element.tag == W + "t"].append(element.text or "")
    return done
