"""Markdown: markdown-it finds the blocks; translations are spliced into the original text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from markdown_it.token import Token

from anaphora.core.errors import Message
from anaphora.core.long_work import check_cancelled
from anaphora.core.notes import Note, NoteKind
from anaphora.core.structure import Structure, element_notes, structure_note
from anaphora.formats.base.encoding import DecodedText, decode
from anaphora.formats.base.format import FormatError, ReadOptions
from anaphora.formats.base.opened import Opened, with_counts
from anaphora.formats.base.pieces import Block, Kind, Piece
from anaphora.formats.base.readings import without_readings
from anaphora.formats.base.splicing import Fillings, assemble, spliced
from anaphora.formats.base.target_language import SourceWords, TargetLanguage, with_language
from anaphora.formats.text import front_matter, mdx
from anaphora.formats.text.markdown_dialect import MarkdownDialect
from anaphora.formats.text.markdown_inline import NotLocatedError, inline_pieces, to_markdown
from anaphora.formats.text.markdown_lines import rewrite_lines
from anaphora.formats.text.markdown_masks import separate_masked, split_at_lines, unmasked
from anaphora.formats.text.markdown_pairs import Shortcut, pair_html
from anaphora_text.protected import TEMPLATE

_LINE = re.compile(r"([^\r\n]*)(\r\n|\n|\r|$)")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_MARKS = re.compile(r"[\[\]*_`<&\\~|]")
_ATTRIBUTES = re.compile(r"\{:?[ ]?(?:[#.]|[\w-]+=)")
_TITLED = re.compile(r"""[^\]]*\][(:][^"']*\s(["'])(?P<title>(?:(?!\1)[^\\\r\n])+)\1\s*(?:\)|$)""")
"""The end of a link or an image, or the definition of a link, with a title."""
_TITLE = Note(NoteKind.PLACE, "Title")
_UNTRANSLATED = (
    Message("HTML blocks are not translated. Blocks that contain text: {count}."),
    Message("Template code is not translated. Places that contain text: {count}."),
)
MAX_MARKS = 80_000
"""Maximum number of non-blank lines and markup characters; the parser takes about 0.1 ms for each."""


_Write = Callable[[list[Piece]], str]


class _Line(NamedTuple):
    text: str
    start: int


class _Located(NamedTuple):
    block: Block
    start: int
    end: int
    write: _Write


@dataclass(slots=True, eq=False)
class Markdown:
    name: str
    label: str
    extensions: tuple[str, ...]
    dialect: type[MarkdownDialect]

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        decoded = decode(data, options.language, options.encoding)
        parser = _Parser(decoded.text, self.dialect())
        blocks = tuple(located.block for located in parser.blocks)
        fill, words = partial(self._fill, decoded, parser.blocks), SourceWords(options.language)
        return Opened(lambda: blocks, fill, lambda: parser.notes(words), decoded.encoding)

    def _fill(self, decoded: DecodedText, blocks: Sequence[_Located], fillings: Fillings) -> bytes:
        changes: list[tuple[int, int, str]] = []
        for located in reversed(blocks):
            if (translated := fillings.of(located.block.address, located.block.pieces)) is None:
                continue
            new = located.write(assemble(translated))
            while changes and changes[-1][0] < located.end:
                start, end, title = changes.pop()  # of a link in this text
                quoted = decoded.text[start - 1 : end + 1]
                new = new.replace(quoted, quoted[0] + title + quoted[-1])
            quoted = decoded.text[located.start - 1 : located.end]
            if _TITLE in located.block.notes and quoted[:1] == '"' and '"' not in quoted[1:]:
                new = new.replace('"', "”")  # a title between quotation marks must not contain any
            changes.append((located.start, located.end, new))
        return decoded.encode(spliced(decoded.text, changes))

    def name_language(self, data: bytes, options: ReadOptions, target: TargetLanguage) -> bytes:
        return with_language(data, options, target, front_matter.LANGUAGE)


class _Parser:
    """Finds the blocks with translatable text in a Markdown text, in order; FormatError if it is too long."""

    def __init__(self, text: str, dialect: MarkdownDialect) -> None:
        self._dialect = dialect
        self.blocks: list[_Located] = []
        self._text = text
        lines = [_Line(match[1], match.start()) for match in _LINE.finditer(text)]
        line_count = sum(not line.text.isspace() for line in lines if line.text)
        if line_count + len(_MARKS.findall(text)) > MAX_MARKS:
            raise FormatError(
                Message("The file has more than {limit} lines and Markdown marks.", limit=MAX_MARKS),
                "Split it into smaller documents.",
            )
        self._unlocated: list[int] = []
        front = front_matter.front_matter_end(text)
        code = dialect.code("\n".join("" if line.start < front else line.text for line in lines))
        masked = code.text.split("\n")
        self._lines = [_Line(text, line.start) for line, text in zip(lines, masked, strict=True)]
        self._parser_lines = rewrite_lines(masked)
        for value in front_matter.translatable_values(text, front):
            write = partial(front_matter.escaped_value, quote=value.quote)
            self._add(value.pieces, value.start, value.end, write, (Note(NoteKind.PLACE, value.key),))
        for each in code.values:
            self._add_value(self._lines[each.row].start, each.start, each.end, Note(NoteKind.PLACE, each.key))
        dialect.parse("\n".join(line.reference for line in self._parser_lines))
        self._tokens = dialect.parse("\n".join(line.text for line in self._parser_lines))
        for reference in dialect.references.get("references", {}).values():
            line = self._lines[reference["map"][0]]
            self._add_title(line.text, line.start)
        self._find(self._tokens)
        self.blocks.sort(key=lambda located: located.start)

    def notes(self, words: SourceWords) -> tuple[Message, ...]:
        """Notes on passages that were not located, and on untranslated code with words of the language."""
        html = sum(words.in_markup(token.content) for token in self._tokens if token.type == "html_block")
        templates = (match.group() for match in TEMPLATE.finditer(self._text))
        counts = (html, sum(map(words.in_code, templates)))
        omissions = with_counts(zip(_UNTRANSLATED, counts, strict=True))
        lines = ", ".join(str(line + 1) for line in self._unlocated[:10])
        unlocated = Message(
            "Passages that could not be parsed are not translated: {count} (lines {lines}).",
            count=len(self._unlocated),
            lines=lines,
        )
        return (unlocated, *omissions) if lines else omissions

    def _find(self, tokens: Sequence[Token]) -> None:
        row, column = -1, 0
        ancestors: list[str] = []
        for index, token in enumerate(tokens):
            if token.nesting > 0:
                ancestors.append(self._tag(token))
            elif token.nesting < 0:
                ancestors.pop()
            if token.type != "inline" or not token.content or token.map is None:
                continue
            kind = _kind(tokens[index - 1])
            first = token.map[0]
            if kind == "cell" and first != row:
                row, column = first, 0
            try:
                offsets = self._offsets(token.content, first, kind, column)
                pieces = inline_pieces(token.children or [], token.content)
                pieces = _in_source(separate_masked(pieces), self._text, offsets)
                # Tags with expressions or with Vue's attributes can be paired only after unmasking.
                pieces = pair_html(pieces)
            except NotLocatedError:
                self._unlocated.append(first)
                continue
            if kind == "cell":
                column = offsets[-1] - self._lines[row].start
            holder = self._parser_lines[first].holder
            notes = (Note(NoteKind.PLACE, holder),) if holder else _structure(ancestors)
            write = partial(to_markdown, dialect=self._dialect, kind=kind)
            for distance, part in split_at_lines(pieces):
                start = end = offsets[0] + distance
                for piece in part:
                    self._add_title(piece.raw if piece.kind is Kind.CLOSE else "", end)
                    end += len(piece.raw)
                self._add(without_readings(part), start, end, write, notes)

    def _add(
        self, pieces: Iterable[Piece], start: int, end: int, write: _Write, notes: tuple[Note, ...]
    ) -> None:
        self.blocks.append(_Located(Block(f"#{start}", tuple(pieces), notes), start, end, write))

    def _add_title(self, markup: str, start: int) -> None:
        """Add the title of a link, an image or a link's definition."""
        if match := _TITLED.match(markup):
            self._add_value(start, *match.span("title"), _TITLE)

    def _add_value(self, line: int, first: int, last: int, note: Note) -> None:
        """Add a value between quotation marks, whose offsets count from `line`."""
        start, end = line + first, line + last
        write = partial(mdx.escaped_value, quote=self._text[end])
        self._add(mdx.pieces_of(self._text[start:end]), start, end, write, (note,))

    def _tag(self, token: Token) -> str:
        """An element's name; "" for a list item that `rewrite_lines` made, such as a footnote."""
        is_made = token.type == "list_item_open" and token.map and self._parser_lines[token.map[0]].holder
        return "" if is_made else token.tag

    def _offsets(self, content: str, first: int, kind: str, column: int) -> list[int]:
        if kind == "cell":
            return self._cell_offsets(content, self._lines[first], column)
        offsets: list[int] = []
        parts = content.split("\n")
        for number, part in enumerate(parts):
            line, title = self._lines[first + number], self._parser_lines[first + number].title
            at = title if title >= 0 else _find_in_line(line.text, part, kind)
            offsets += [line.start + at + position for position in range(len(part) + 1)]
        return offsets

    def _cell_offsets(self, content: str, line: _Line, column: int) -> list[int]:
        at = line.text.find(content.replace("|", "\\|"), column)
        if at < 0 or (column and line.text[column:at].strip(" \t|")):
            raise NotLocatedError(f"the cell “{content}” is not in its row")
        offsets = []
        for char in content:
            offsets.append(line.start + at)
            at += 2 if char == "|" else 1
        return [*offsets, line.start + at]


def _structure(ancestors: Sequence[str]) -> tuple[Note, ...]:
    if "li" in ancestors and ancestors[-1] == "p":
        return (structure_note(Structure.LIST_ITEM, ancestors.count("li")),)
    if "blockquote" in ancestors and ancestors[-1] == "p":
        return (structure_note(Structure.QUOTE),)
    return element_notes(ancestors[-1]) if ancestors else ()


def _kind(opener: Token) -> str:
    is_heading = opener.type == "heading_open" and opener.markup.startswith("#")
    return "cell" if opener.type in ("td_open", "th_open") else "heading" if is_heading else "paragraph"


def _find_in_line(line: str, part: str, kind: str) -> int:
    if kind == "heading":
        mark = _HEADING.search(line)
        at = line.find(part, mark.end()) if mark else -1
        rest = line[at + len(part) :].strip(" \t#")
    else:
        at = line.rfind(part)
        rest = line[at + len(part) :].strip()
    if at < 0 or rest:
        raise NotLocatedError(f"“{part}” is not in its line")
    return at


def _in_source(pieces: Sequence[Piece], text: str, offsets: Sequence[int]) -> list[Piece]:
    """The pieces with their exact source text as `raw`, including line prefixes and escapes."""
    out: list[Piece] = []
    opened: dict[int, int] = {}
    position = 0
    for piece in pieces:
        check_cancelled()
        for part in _single_pipes(piece):
            end = position + len(part.raw)
            raw = text[offsets[position] : offsets[end]]
            if part.kind is Kind.OPEN:
                opened[part.pair] = end
            elif isinstance(part.raw, Shortcut):
                raw = Shortcut.of(raw, text[offsets[opened[part.pair]] : offsets[position]])
            is_behind_pair = bool(out) and out[-1].kind is Kind.CLOSE and type(out[-1].raw) is str
            if part.kind is Kind.ALONE and is_behind_pair and _ATTRIBUTES.match(raw):
                out[-1] = out[-1]._replace(raw=out[-1].raw + raw)  # attributes of a link or picture
            else:
                out.append(unmasked(part, raw))
            position = end
    return out


def _single_pipes(piece: Piece) -> list[Piece]:
    """Put each pipe of a text in a separate piece, because a cell's source may escape it."""
    if piece.kind is not Kind.TEXT or "|" not in piece.text or piece.raw != piece.text:
        return [piece]
    return [piece._replace(text=part, raw=part) for part in re.split(r"(\|)", piece.text) if part]


FORMAT = Markdown("markdown", "Markdown", (".md", ".markdown"), MarkdownDialect)
MDX = Markdown("mdx", "MDX", (".mdx",), mdx.Mdx)
