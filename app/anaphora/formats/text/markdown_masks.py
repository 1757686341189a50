"""What Markdown holds that is neither markup nor text: formulas, marks of notes, attributes, templates.

The parser would take their characters for markup. They are masked before, by as many characters that it
takes for letters, and made standing tags behind it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora_text.protected import TEMPLATE_OUTPUT, TEMPLATE_STATEMENT

_FIRST, _REST = "\U0010fff0", "\U0010fff1"
_MASKED = re.compile(f"{_FIRST}{_REST}*")
_NO_GAP = r"(?!\n[ \t]*\n)"
_FORMULA = rf"(?:{_NO_GAP}[^$`\u3400-\u9fff]){{1,1000}}"
_COMMAND = rf"(?=(?:{_NO_GAP}[^$`]){{0,1000}}?\\[A-Za-z])(?:{_NO_GAP}[^$`]){{1,1000}}"
_ESCAPED = r"(?:(?!\\[)\]]|\n[ \t]*\n)[^`])"
_SOMETHING = re.compile(
    rf"(?P<code>(?<!`)(?P<fence>`+)(?!`)(?:{_NO_GAP}[\s\S]){{1,500}}?(?<!`)(?P=fence)(?!`)|\\[\\`*_{{}}#$]"
    r"|(?m:^ {0,3}\[\^[^\]\s]{1,60}\]:|^[ \t]*:{3,}[^\n]*))"
    rf"|(?P<word>\$\$(?:{_NO_GAP}[^$`]){{1,1000}}\$\$"
    rf"|\$(?=[^\s$])(?:{_FORMULA}|{_COMMAND})(?<=[^\s$])\$(?![0-9])"
    rf"|\\(?P<kind>[(\[])(?={_ESCAPED}{{0,1000}}?[\\=^_+<>])(?:(?=[^\u3400-\u9fff]{{1,1000}}?\\[)\]])"
    rf"|(?={_ESCAPED}{{0,1000}}?\\[A-Za-z])){_ESCAPED}{{1,1000}}\\[)\]]"
    rf"|{TEMPLATE_OUTPUT})"
    rf"|(?:\[\^[^\]\[\s]{{1,60}}\]|\[[ xX]\](?=[ \t]+[^\s(\[])"
    rf"|\{{:?[ ]?[#.][^{{}}\n]{{0,100}}\}}|\{{:[^{{}}\n]{{1,100}}\}}"
    rf"|\{{[A-Za-z][\w:.-]*\}}(?=`)|{TEMPLATE_STATEMENT})"
)
_MARKS = ("$", "{", "[^", "[ ]", "[x]", "[X]", "\\(", "\\[", "<%", "<?")
_NO_WORD = re.compile(r"\[[ xX^]|\{[#.:%A-Za-z]|<%(?![-=])|<\?(?!=|php\s+echo)")
_PREFIX = re.compile(r"[ \t>]*")


def mask(text: str) -> str:
    """The text with all that masked, as long as before and with the same lines."""
    if _FIRST in text or _REST in text or not any(mark in text for mark in _MARKS):
        return text
    return _SOMETHING.sub(lambda match: match.group() if match["code"] else _masks(match.group()), text)


def _masks(text: str) -> str:
    """Masks for each of its lines; marks of quotes before the second one and later ones stay."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        prefix = _PREFIX.match(line) if number else None
        start = prefix.end() if prefix else 0
        if start < len(line):
            lines[number] = f"{line[:start]}{_FIRST}{_REST * (len(line) - start - 1)}"
    return "\n".join(lines)


def without_masks(text: str) -> str:
    """A masked text as it counts."""
    return _MASKED.sub(" ", text)


def masked_apart(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces of a masked text; what is masked in texts stands alone."""
    out: list[Piece] = []
    for piece in pieces:
        if piece.kind is not Kind.TEXT or _FIRST not in piece.text:
            out.append(piece)
            continue
        done = 0
        for match in _MASKED.finditer(piece.text):
            before = piece.text[done : match.start()]
            out += [replace(piece, text=before, raw=before)] if before else []
            out.append(Piece(Kind.ALONE, WORD, match.group(), label=match.group()))
            done = match.end()
        rest = piece.text[done:]
        out += [replace(piece, text=rest, raw=rest)] if rest else []
    return out


def unmasked(piece: Piece, raw: str) -> Piece:
    """A piece with what stands in the source."""
    if piece.kind is not Kind.ALONE or piece.label != piece.raw:
        return replace(piece, raw=raw)
    is_masked = piece.raw.startswith(_FIRST)
    return replace(piece, raw=raw, label=raw, text="" if is_masked and _NO_WORD.match(raw) else piece.text)
