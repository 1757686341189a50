"""What Markdown holds that its parser does not know: formulas, notes, attributes, templates, wiki links.

The parser would take their characters for markup. They are masked before, by as many characters that it
takes for letters, and made tags behind it: standing ones, and pairs of the two ends of a wiki link or of a
note that stands in the text (`^[…]`).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence

from anaphora.formats.base.pieces import WORD, Aside, Kind, Piece
from anaphora_text.han import ALL_HAN
from anaphora_text.protected import TEMPLATE_OUTPUT, TEMPLATE_STATEMENT

_FIRST, _REST, _OPENS, _CLOSES, _WORD = MASKS = "\U0010fff0\U0010fff1\U0010fff2\U0010fff3\U0010fff4"
"""What masked characters become: the first one, later ones (of its line and of further lines), the first of a
link's ends, and of a word."""
_MASKED = re.compile(f"[{_FIRST}{_OPENS}{_CLOSES}{_WORD}]{_REST}*|{_REST}+")
_NO_GAP = r"(?!\n[ \t]*\n)"
_FORMULA = rf"(?:{_NO_GAP}[^$`{ALL_HAN}]){{1,1000}}"
_COMMAND = rf"(?=(?:{_NO_GAP}[^$`]){{0,1000}}?\\[A-Za-z])(?:{_NO_GAP}[^$`]){{1,1000}}"
_SET_APART = (
    r"\\\[[ \t]*\n(?=[^`]{0,4000}?[\\=^_+<>])(?:(?!\\[\[\]])[^`]){1,4000}?\n[ \t>]*\\\]"
    r"|\$\$[ \t]*\n(?:(?!\$\$)[^`]){1,4000}?\n[ \t>]*\$\$(?!\w)"
    r"|\\begin\{(?P<env>(?:equation|align|alignat|gather|multline|eqnarray|split|cases|[bpvBV]?matrix|array)\*?)\}"
    r"(?:(?!\\begin\{(?P=env)\})[^`]){1,4000}?\\end\{(?P=env)\}"
)
"""Formulas on lines of their own, which may hold blank ones."""
_ESCAPED = r"(?>\\\\|(?!\\[)\]]|\n[ \t]*\n)[^`])"
_PAGE = r"[^\[\]|\n]{1,200}"
_WIKI_LINK = (
    rf"(?<![A-Za-z0-9_\]!])(?P<opens>\[\[(?:{_PAGE}\|)?)"
    rf"(?P<shown>(?=[^\[\]|\n]{{0,199}}?[^\W\d_]){_PAGE})\]\](?![(\[\]:])"
)
_NOTE = (
    rf"\^\[(?P<noted>(?=[^\[\]]{{0,199}}?[^\W\d_])(?:{_NO_GAP}(?:\\[\[\]\\]|[^\[\]`\\]|\\(?![\[\]\\])|`[^`\n]{{1,200}}`"
    rf"|!?\[[^\[\]\n]{{0,200}}\])){{1,1000}}+)\]"
)
_CONTENTS = r"\[\[_?(?:toc|TOC)_?\]\]"
_EMBEDDED = rf"!\[\[(?:{_PAGE}\|)?{_PAGE}\]\]"
_CODE_BLOCK = (
    r"\{%-?[ ]*highlight\b[^{}\n]{0,200}%\}(?:(?!\{%-?[ ]*highlight)[\s\S]){0,20000}?"
    r"\{%-?[ ]*endhighlight[ ]*-?%\}"
    r"|\{\{[<%][ ]*(?P<shortcode>highlight|mermaid|katex|math)\b[^{}\n]{0,400}[>%]\}\}"
    r"(?:(?!\{\{[<%][ ]*(?P=shortcode))[\s\S]){0,20000}?\{\{[<%][ ]*/[ ]*(?P=shortcode)[ ]*[>%]\}\}"
)
"""Code between two marks of Jekyll or Hugo."""
_VALUES = r"(?<=[)\]*_`])\{:?[ ]?[A-Za-z-]{1,40}=[^{}\n]{1,200}\}"
_KEYS = (
    r"\+\+[a-z0-9-]{1,20}(?:\+[a-z0-9-]{1,20}){0,5}\+\+"
    r"|(?<![\w:]):(?:material|fontawesome|octicons|simple)-[a-z0-9-]{1,80}:"
    r"|(?:(?<=[^\s\w:])|(?<=\S ))(?<!:):[a-z][a-z0-9_+-]{1,60}:(?![\w:])"
)
"""Keys and icons, as mkdocs and GitHub write them."""
_SOMETHING = re.compile(
    rf"(?P<code>(?<!`)(?P<fence>`+)(?!`)(?:{_NO_GAP}[\s\S]){{1,500}}?(?<!`)(?P=fence)(?!`)|\\[\\`*_{{}}#$]"
    r"|\\\[(?=\^[^\]\[\s]{1,60}\])|(?m:^[ \t>]*\[\^[^\]\s]{1,60}\]:|^[ \t]*:{3,}[^\n]*))"
    rf"|(?P<word>{_SET_APART}|{_CODE_BLOCK}|{_KEYS}"
    rf"|\$\$(?:{_NO_GAP}[^$`]){{1,1000}}\$\$|\$`(?:{_NO_GAP}[^$`]){{1,1000}}`\$"
    rf"|\$(?=[^\s$])(?:{_FORMULA}|{_COMMAND})(?<=[^\s$])\$(?![0-9{{])"
    rf"|\\(?P<kind>[(\[])(?={_ESCAPED}{{0,1000}}?[\\=^_+<>])(?:(?=[^{ALL_HAN}]{{1,1000}}?\\[)\]])"
    rf"|(?={_ESCAPED}{{0,1000}}?\\[A-Za-z])){_ESCAPED}{{1,1000}}\\[)\]]"
    rf"|{TEMPLATE_OUTPUT})"
    rf"|(?:\[\^[^\]\[\s]{{1,60}}\]|\[[ xX]\](?=[ \t]+[^\s(\[])"
    rf"|\{{:?[ ]?[#.][^\s{{}}][^{{}}\n]{{0,100}}\}}|\{{:[^{{}}\n]{{1,100}}\}}"
    rf"|\{{[A-Za-z][\w:.-]*\}}(?=`)|{_VALUES}"
    rf"|(?m:^[ \t]*-{{1,10}}8<-{{1,10}}[^\n]*$)|{TEMPLATE_STATEMENT}"
    rf"|{_CONTENTS}|{_EMBEDDED})|{_WIKI_LINK}|{_NOTE}"
)
_MARKS = (
    "$", "{", "[^", "^[", "[[", "[ ]", "[x]", "[X]", "\\(", "\\[", "\\begin{", "<%", "<?", "++",
    ":", "8<",
)  # fmt: skip
_NO_WORD = re.compile(
    r"</?[A-Za-z>]|\{\s*/\*|!?\[\[|\[[ xX^]|\{ ?[#.:%A-Za-z]|-+8<|<%(?![-=])|<\?(?!=|php\s+echo)"
)
_PREFIX = re.compile(r"[ \t>]*")
_END = re.compile(r"[\r\n]")
_FILLS_LINES = re.compile(r"\\\[|\$\$|\\begin\{|[ \t]*-+8<|\{\{")
_STATEMENT = re.compile(rf"\{{\{{[<%]|\{{::?|{TEMPLATE_STATEMENT}")
"""What stands between blocks where it has a line of its own."""


def mask(text: str) -> str:
    """The text with all that masked, as long as before and with the same lines."""
    if any(map(text.__contains__, MASKS)) or not any(mark in text for mark in _MARKS):
        return text
    return _SOMETHING.sub(_masked, text)


def _masked(match: re.Match[str]) -> str:
    if match["code"]:
        return match.group()
    if match["noted"]:
        return f"{_OPENS}{_REST}{_SOMETHING.sub(_masked, match['noted'])}{_CLOSES}"
    if not match["opens"]:
        return masks(match.group())
    opens = f"{_OPENS}{_REST * (len(match['opens']) - 1)}"
    return f"{opens}{_SOMETHING.sub(_masked, match['shown'])}{_CLOSES}{_REST}"


def masks(text: str, plays_word: bool = False) -> str:
    """Masks for each of its lines; marks of quotes before the second one and later ones stay.

    Args:
        plays_word: it plays the part of a word, whatever it looks like.
    """
    first = _WORD if plays_word else _FIRST
    lines = text.split("\n")
    for number, line in enumerate(lines):
        prefix = _PREFIX.match(line) if number else None
        start = prefix.end() if prefix else 0
        if start < len(line):
            head = _REST if number else first
            lines[number] = f"{line[:start]}{head}{_REST * (len(line) - start - 1)}"
    return "\n".join(lines)


def masked_apart(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces of a masked text; what is masked in texts stands alone."""
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
            found = Piece(Kind.ALONE, stand_in, match.group(), label=match.group())
            out.append(_continued(out, found) if match.group().startswith(_REST) else found)
            done = match.end()
        rest = piece.text[done:]
        out += [piece._replace(text=rest, raw=rest)] if rest else []
    return out


def _continued(out: list[Piece], later: Piece) -> Piece:
    """What stands on several lines: its last part with those before it, which are taken from `out`."""
    is_masked = len(out) > 1 and out[-2].kind is Kind.ALONE and _MASKED.match(out[-2].label)
    if not is_masked or "\n" not in out[-1].raw:
        return later
    line_break, first = out.pop(), out.pop()
    raw = first.raw + line_break.raw + later.raw
    return first._replace(raw=raw, label=raw)


def opens_wiki_link(piece: Piece) -> bool:
    """Whether a piece of a masked text is the beginning of a wiki link or a note."""
    return piece.label.startswith(_OPENS)


def closes_wiki_link(piece: Piece) -> bool:
    """Whether a piece of a masked text is the end of a wiki link or a note."""
    return piece.label.startswith(_CLOSES)


class OnLines(str):
    """Behind a tag that fills lines of its own: a formula set apart, a line of Mako or of a snippet.

    Attributes:
        before, after: the line breaks around it, with what the lines behind them begin with; "" at an edge.
    """

    __slots__ = ("after", "before")
    before: str
    after: str

    @classmethod
    def of(cls, pieces: Sequence[Piece], row: int) -> OnLines | None:
        """What is behind a piece with the breaks around it; None where it shares a line."""
        if not _FILLS_LINES.match(pieces[row].raw) or (around := _breaks_around(pieces, row)) is None:
            return None
        found = cls(pieces[row].raw)
        found.before, found.after = around
        return found

    def set_apart(self, out: list[Piece], rest: deque[Piece]) -> None:
        """Give new texts around it, which end `out` and begin `rest`, its line breaks."""
        if out and out[-1].raw is None and self.before:
            last = out.pop()
            out += [last._replace(text=last.text.rstrip()), Piece(Kind.TEXT, " ", self.before)]
        if rest and rest[0].raw is None and self.after and rest[0].text.strip():
            first = rest.popleft()
            rest.extendleft((first._replace(text=first.text.lstrip()), Piece(Kind.TEXT, " ", self.after)))


def _breaks_around(pieces: Sequence[Piece], row: int) -> tuple[str, str] | None:
    """The line breaks before and behind a tag, "" at an edge; None where it shares a line."""
    if pieces[row].kind is not Kind.ALONE:
        return None
    sides = (pieces[row - 1 : row] if row else (), pieces[row + 1 : row + 2])
    if not all(_is_line_break(each) for side in sides for each in side):
        return None
    before, after = ("".join(str(each.raw) for each in side) for side in sides)
    return before, after


def _is_line_break(piece: Piece) -> bool:
    return piece.kind in (Kind.TEXT, Kind.BREAK) and not piece.text.strip() and bool(_END.search(piece.raw))


def between_statements(pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Piece]]]:
    """The pieces before, between and behind template statements that have lines of their own.

    Yields:
        how far from the first piece a part begins in the source, and its pieces.
    """
    part: list[Piece] = []
    depth = start = done = 0
    for row, piece in enumerate(pieces):
        is_apart = not depth and _STATEMENT.match(piece.raw) and _breaks_around(pieces, row) is not None
        depth += {Kind.OPEN: 1, Kind.CLOSE: -1}.get(piece.kind, 0)
        done += len(piece.raw)
        if is_apart:
            if part:
                yield start, part[:-1]
            part, start = [], done
        elif not part and start and _is_line_break(piece):
            start = done
        else:
            part.append(piece)
    if part:
        yield start, part


def on_lines(pieces: list[Piece]) -> list[Piece]:
    """Pieces, those that fill lines of their own with the breaks around them."""
    found = (OnLines.of(pieces, row) for row in range(len(pieces)))
    return [
        piece if raw is None else piece._replace(raw=raw) for piece, raw in zip(pieces, found, strict=True)
    ]


def unmasked(piece: Piece, raw: str) -> Piece:
    """A piece with what stands in the source."""
    if piece.kind is not Kind.ALONE or piece.label != piece.raw:
        return piece._replace(raw=Aside(raw) if isinstance(piece.raw, Aside) else raw)
    is_masked = piece.raw.startswith(_FIRST)
    return piece._replace(raw=raw, label=raw, text="" if is_masked and _NO_WORD.match(raw) else piece.text)
