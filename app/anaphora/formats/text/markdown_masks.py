"""Mask Markdown extensions that the parser does not know, such as formulas, templates and wiki links.

The parser would treat the extensions' characters as markup. Before parsing, a mask that counts as a letter
replaces each of these characters; after parsing, the masks become standalone tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anaphora.formats.base.pieces import WORD, Kind, Piece
from anaphora_text.han import ALL_HAN
from anaphora_text.protected import TEMPLATE_OUTPUT, TEMPLATE_STATEMENT

_FIRST, _REST, _WORD = MASKS = "\U0010fff0\U0010fff1\U0010fff4"
"""The masks for an extension's first character, for its later characters, and for the first character of an
expression that always counts as a word."""
_MASKED = re.compile(f"[{_FIRST}{_WORD}]{_REST}*|{_REST}+")
_NO_GAP = r"(?!\n[ \t]*\n)"
_FORMULA = rf"(?:{_NO_GAP}[^$`{ALL_HAN}]){{1,1000}}"
_COMMAND = rf"(?=(?:{_NO_GAP}[^$`]){{0,1000}}?\\[A-Za-z])(?:{_NO_GAP}[^$`]){{1,1000}}"
_BLOCK_FORMULA = (
    r"\\\[[ \t]*\n(?=[^`]{0,4000}?[\\=^_+<>])(?:(?!\\[\[\]])[^`]){1,4000}?\n[ \t>]*\\\]"
    r"|\$\$[ \t]*\n(?:(?!\$\$)[^`]){1,4000}?\n[ \t>]*\$\$(?!\w)"
    r"|\\begin\{(?P<env>(?:equation|align|alignat|gather|multline|eqnarray|split|cases|[bpvBV]?matrix|array)\*?)\}"
    r"(?:(?!\\begin\{(?P=env)\})[^`]){1,4000}?\\end\{(?P=env)\}"
)
_ESCAPED = r"(?>\\\\|(?!\\[)\]]|\n[ \t]*\n)[^`])"
_PAGE = r"[^\[\]|\n]{1,200}"
_WIKI_LINK = rf"(?<![A-Za-z0-9_\]!])\[\[(?:{_PAGE}\|)?(?=[^\[\]|\n]{{0,199}}?[^\W\d_]){_PAGE}\]\](?![(\[\]:])"
_CONTENTS = r"\[\[_?(?:toc|TOC)_?\]\]"
_EMBEDDED = rf"!\[\[(?:{_PAGE}\|)?{_PAGE}\]\]"
_CODE_BLOCK = (
    r"\{%-?[ ]*highlight\b[^{}\n]{0,200}%\}(?:(?!\{%-?[ ]*highlight)[\s\S]){0,20000}?"
    r"\{%-?[ ]*endhighlight[ ]*-?%\}"
    r"|\{\{[<%][ ]*(?P<shortcode>highlight|mermaid|katex|math)\b[^{}\n]{0,400}[>%]\}\}"
    r"(?:(?!\{\{[<%][ ]*(?P=shortcode))[\s\S]){0,20000}?\{\{[<%][ ]*/[ ]*(?P=shortcode)[ ]*[>%]\}\}"
)
_VALUES = r"(?<=[)\]*_`])\{:?[ ]?[A-Za-z-]{1,40}=[^{}\n]{1,200}\}"
_KEYS = (
    r"\+\+[a-z0-9-]{1,20}(?:\+[a-z0-9-]{1,20}){0,5}\+\+"
    r"|(?<![\w:]):(?:material|fontawesome|octicons|simple)-[a-z0-9-]{1,80}:"
    r"|(?<![A-Za-z0-9_:]):(?!(?:mailto|tel|urn):)[a-z][a-z0-9_+-]{1,60}:(?![A-Za-z0-9_:]|//)"
)
_EXTENSION = re.compile(
    rf"(?P<code>(?<!`)(?P<fence>`+)(?!`)(?:{_NO_GAP}[\s\S]){{1,500}}?(?<!`)(?P=fence)(?!`)|\\[\\`*_{{}}#$]"
    r"|\\\[(?=\^[^\]\[\s]{1,60}\])|(?m:^[ \t>]*\[\^[^\]\s]{1,60}\]:|^[ \t]*:{3,}[^\n]*))"
    rf"|(?P<word>{_BLOCK_FORMULA}|{_CODE_BLOCK}|{_KEYS}"
    rf"|\$\$(?:{_NO_GAP}[^$`]){{1,1000}}\$\$|\$`(?:{_NO_GAP}[^$`]){{1,1000}}`\$"
    rf"|\$(?=[^\s$])(?:{_FORMULA}|{_COMMAND})(?<=[^\s$])\$(?![0-9{{])"
    rf"|\\(?P<kind>[(\[])(?={_ESCAPED}{{0,1000}}?[\\=^_+<>])(?:(?=[^{ALL_HAN}]{{1,1000}}?\\[)\]])"
    rf"|(?={_ESCAPED}{{0,1000}}?\\[A-Za-z])){_ESCAPED}{{1,1000}}\\[)\]]"
    rf"|{TEMPLATE_OUTPUT})"
    rf"|(?:\[\^[^\]\[\s]{{1,60}}\]|\[[ xX]\](?=[ \t]+[^\s(\[])"
    rf"|\{{:?[ ]?[#.][^\s{{}}][^{{}}\n]{{0,100}}\}}|\{{:[^{{}}\n]{{1,100}}\}}"
    rf"|{_VALUES}"
    rf"|(?m:^[ \t]*-{{1,10}}8<-{{1,10}}[^\n]*$)|{TEMPLATE_STATEMENT}"
    rf"|{_CONTENTS}|{_EMBEDDED}|{_WIKI_LINK})"
)
_MARKS = (
    "$", "{", "[^", "[[", "[ ]", "[x]", "[X]", "\\(", "\\[", "\\begin{", "<%", "<?", "++",
    ":", "8<",
)  # fmt: skip
_NO_WORD = re.compile(
    r"</?[A-Za-z>]|\{\s*/\*|!\[\[|\[\[_?(?:toc|TOC)|\[[ xX^]|\{ ?[#.:%A-Za-z]|-+8<|<%(?![-=])"
    r"|<\?(?!=|php\s+echo)"
)
_PREFIX = re.compile(r"[ \t>]*")
_SEPARATE_LINE = re.compile(rf"\\\[|\$\$|\\begin\{{|[ \t]*-+8<|\{{\{{[<%]|\{{::?|{TEMPLATE_STATEMENT}")
"""Markup that separates blocks if it is alone on its lines: formulas, snippets, template statements."""


def mask(text: str) -> str:
    """Mask all extensions in a text, except in code; a text that already contains a mask stays unchanged."""
    if any(map(text.__contains__, MASKS)) or not any(mark in text for mark in _MARKS):
        return text
    return _EXTENSION.sub(_mask_match, text)


def _mask_match(match: re.Match[str]) -> str:
    return match.group() if match["code"] else mask_all(match.group())


def mask_all(text: str, is_word: bool = False) -> str:
    """Replace a text's characters by masks; the prefixes (`> `) of its second and later lines stay."""
    first = _WORD if is_word else _FIRST
    lines = text.split("\n")
    for number, line in enumerate(lines):
        prefix = _PREFIX.match(line) if number else None
        start = prefix.end() if prefix else 0
        if start < len(line):
            head = _REST if number else first
            lines[number] = f"{line[:start]}{head}{_REST * (len(line) - start - 1)}"
    return "\n".join(lines)


def separate_masked(pieces: Sequence[Piece]) -> list[Piece]:
    """Put each masked part of a text in a separate piece."""
    out: list[Piece] = []
    for piece in pieces:
        if piece.kind is not Kind.TEXT or not _MASKED.search(piece.text):
            out.append(piece)
            continue
        done = 0
        for match in _MASKED.finditer(piece.text):
            before = piece.text[done : match.start()]
            out += [piece._replace(text=before, raw=before)] if before else []
            stand_in = WORD if match.group().startswith((_FIRST, _WORD)) else ""
            tag = Piece(Kind.ALONE, stand_in, match.group(), label=match.group())
            out.append(_continued(out, tag) if match.group().startswith(_REST) else tag)
            done = match.end()
        rest = piece.text[done:]
        out += [piece._replace(text=rest, raw=rest)] if rest else []
    return out


def _continued(out: list[Piece], later: Piece) -> Piece:
    """Join a part of a masked extension with the part before it, which is removed from `out`."""
    is_masked = len(out) > 1 and out[-2].kind is Kind.ALONE and _MASKED.match(out[-2].label)
    if not is_masked or "\n" not in out[-1].raw:
        return later
    line_break, first = out.pop(), out.pop()
    raw = first.raw + line_break.raw + later.raw
    return first._replace(raw=raw, label=raw)


def _is_alone_on_lines(pieces: Sequence[Piece], index: int) -> bool:
    neighbours = (*pieces[max(index - 1, 0) : index], *pieces[index + 1 : index + 2])
    return pieces[index].kind is Kind.ALONE and all(map(_is_line_break, neighbours))


def _is_line_break(piece: Piece) -> bool:
    return (
        piece.kind in (Kind.TEXT, Kind.BREAK)
        and not piece.text.strip()
        and ("\n" in piece.raw or "\r" in piece.raw)
    )


def split_at_lines(pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Piece]]]:
    """Split pieces at markup on separate lines, which is left out; yield each part with its offset."""
    part: list[Piece] = []
    depth = start = done = 0
    for index, piece in enumerate(pieces):
        is_separate = not depth and _SEPARATE_LINE.match(piece.raw) and _is_alone_on_lines(pieces, index)
        depth += {Kind.OPEN: 1, Kind.CLOSE: -1}.get(piece.kind, 0)
        done += len(piece.raw)
        if is_separate:
            if part:
                yield start, part[:-1]
            part, start = [], done
        elif not part and start and _is_line_break(piece):
            start = done
        else:
            part.append(piece)
    if part:
        yield start, part


def unmasked(piece: Piece, raw: str) -> Piece:
    """A piece with the source text `raw` instead of masks; it counts as a word unless `_NO_WORD` matches."""
    if piece.kind is not Kind.ALONE or piece.label != piece.raw:
        return piece._replace(raw=raw)
    is_masked = piece.raw.startswith(_FIRST)
    return piece._replace(raw=raw, label=raw, text="" if is_masked and _NO_WORD.match(raw) else piece.text)
