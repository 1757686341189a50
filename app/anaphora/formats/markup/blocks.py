"""Find the texts of an XML or HTML source, and splice their translations into it.

A format's `Dialect` defines the role of each element. One pass over the tokens finds the texts: a text
(`Run`) begins and ends at block-level tags. Pairs of inline tags in a text become tags of the text's
sentences. An embedded element (a footnote in a paragraph) is one standalone tag in the text around it, and
the element's own texts are read separately. All untranslated parts keep their exact characters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from operator import itemgetter
from typing import NamedTuple

from anaphora.core.drafts import EMPTY
from anaphora.core.errors import Message
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.encoding import DecodedText
from anaphora.formats.base.format import MAX_MARKUP, check_markup
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.package import Package
from anaphora.formats.base.pieces import WORD, Block, Cut, Kind, Piece
from anaphora.formats.base.readings import without_readings
from anaphora.formats.base.segments import has_text
from anaphora.formats.base.splicing import Fillings, assemble
from anaphora.formats.markup.dialect import Dialect, Element, Role
from anaphora.formats.markup.texts import cdata_piece, entities_in, escape, template_piece, text_pieces
from anaphora.formats.markup.tokens import Attribute, Span, Token, TokenKind, attributes, partners, tokens

MAX_DEPTH = 64
"""Maximum number of ancestors that determine the role of a text; no real list is nested more deeply."""
_PAIR_ROLES = (Role.BLOCK, Role.STRUCTURE, Role.INLINE, Role.HIDDEN)


@dataclass(slots=True)
class Run:
    """A text of the source: the content of an element, or the value of `attribute`.

    Attributes:
        note: a description of the text for the translator; "" for an ordinary text.
        holder: name of the BLOCK or EMBEDDED element around the text; "" without one.
        structure: a note on the role of the BLOCK element; empty for a plain paragraph.
    """

    start: int
    end: int
    pieces: list[Piece] = field(default_factory=list)
    note: str = ""
    attribute: Attribute | None = None
    holder: str = ""
    structure: tuple[Note, ...] = ()

    def block(self, part: str = "") -> Block:
        """The text as a block; its address contains the offset in the file, or in a `part` of a package."""
        notes = (Note(NoteKind.PLACE, self.note),) if self.note else self.structure
        return Block(f"{part}#{self.start}", tuple(self.pieces), notes)


@dataclass(slots=True)
class _Context:
    """The source, or an embedded element in it, up to the token `until`; `run` is the unfinished text."""

    until: int
    note: str = ""
    holder: str = ""
    run: Run | None = None


class PagePart(NamedTuple):
    """A file with texts; `name` is its name in a package, "" for a file outside a package."""

    name: str
    decoded: DecodedText
    dialect: Dialect
    runs: list[Run]

    def fill(self, fillings: Fillings) -> bytes | None:
        """The file's bytes with translations filled in; None if no text has a translation."""
        source = self.decoded.text
        edits: list[tuple[int, int, str]] = []  # (start, end, new text), from the last to the first
        for run in sorted(self.runs, key=lambda run: -run.start):
            translated = fillings.of(f"{self.name}#{run.start}", run.pieces)
            if translated is None:
                continue
            inner: list[tuple[int, int, str]] = []
            while edits and edits[-1][0] < run.end:
                inner.append(edits.pop())
            text = _Writer(source, inner, run, translated, self.dialect).text()
            if run.attribute is not None and not run.attribute.quote:
                text = f'"{text}"'
            edits.append((run.start, run.end, text))
        return self.decoded.encode_markup(_with_edits(source, 0, len(source), edits[::-1])) if edits else None


def open_all(parts: Sequence[PagePart], package: Package, notes: Callable[[], tuple[Message, ...]]) -> Opened:
    """Open a package in which `parts` contain texts; `notes` returns the notes for the user."""

    def fill(fillings: Fillings) -> bytes:
        filled = ((part.name, part.fill(fillings)) for part in parts)
        return package.rewrite({name: data for name, data in filled if data is not None})

    return Opened(lambda: tuple(run.block(part.name) for part in parts for run in part.runs), fill, notes)


def find_runs(source: str, dialect: Dialect) -> list[Run]:
    """The texts of a source, sorted by start, so that an embedded text follows the text around it."""
    return _Finder(source, dialect).runs()


class _Finder:
    def __init__(self, source: str, dialect: Dialect) -> None:
        self._source = source
        self._dialect = dialect
        self._tokens = tokens(source, dialect.is_xml, MAX_MARKUP)
        self._markup_count = len(self._tokens)
        self._partners = partners(self._tokens)
        self._closing_roles: dict[int, Role] = {}  # by the index of the closing tag
        self._contexts = [_Context(len(self._tokens))]
        self._ancestors: list[tuple[int, str]] = []  # (index of the closing tag, name) of each open element
        self._runs: list[Run] = []

    def runs(self) -> list[Run]:
        index = 0
        while index < len(self._tokens):
            if self._contexts[-1].until == index:
                self._finish_run()
                self._contexts.pop()
                index += 1
                continue
            token = self._tokens[index]
            if token.kind in (TokenKind.TEXT, TokenKind.CDATA):
                self._add_text(token)
            elif token.kind is TokenKind.OTHER:
                # Comments and code may be conditions or includes, so they must keep their positions.
                self._add_piece(template_piece(self._source, token.start, token.end), token)
            elif token.kind is TokenKind.CLOSE:
                self._close(index, token)
            else:
                index = self._open(index, token)
                continue
            index += 1
        while self._contexts:
            self._finish_run()
            self._contexts.pop()
        return sorted(self._runs, key=lambda run: run.start)

    def _finish_run(self) -> None:
        run, self._contexts[-1].run = self._contexts[-1].run, None
        if run is not None and has_text(run.pieces):
            run.pieces = list(without_readings(run.pieces, self._raw_of))
            self._runs.append(run)

    def _raw_of(self, piece: Piece) -> str:
        return (
            self._source[piece.raw.start : piece.raw.end] if isinstance(piece.raw, Span) else str(piece.raw)
        )

    def _begin_run(self, position: int, element: Element | None = None) -> None:
        context, dialect = self._contexts[-1], self._dialect
        structure: tuple[Note, ...] = ()
        note, holder = context.note, context.holder
        if element is not None:
            ancestors = [name for _, name in self._ancestors[-MAX_DEPTH:]]
            structure = dialect.structure(element, ancestors)
            note, holder = dialect.note(element) or note, element.name
        context.run = Run(position, position, note=note, holder=holder, structure=structure)

    def _run_at(self, token: Token) -> Run | None:
        context = self._contexts[-1]
        if context.run is None and self._dialect.text_anywhere:
            self._begin_run(token.start)
        return context.run

    def _add_text(self, token: Token) -> None:
        run = self._run_at(token)
        if run is None:
            return
        if token.kind is TokenKind.CDATA:
            run.pieces.append(cdata_piece(self._source, token.start, token.end))
        else:
            self._check_count(token.start, token.end)
            is_verbatim = run.holder.lower() == "textarea"
            run.pieces += text_pieces(
                self._source, token.start, token.end, not is_verbatim, self._dialect.codes
            )
        run.end = token.end

    def _add_piece(self, piece: Piece, token: Token) -> None:
        run = self._run_at(token)
        if run is None:
            return
        run.pieces.append(piece)
        run.end = token.end if not isinstance(piece.raw, Span) else piece.raw.end

    def _open(self, index: int, token: Token) -> int:
        """Handle an opening or empty tag; return the index of the token to handle next."""
        element = self._element(token)
        role = self._dialect.role(element)
        partner = self._partners.get(index)
        last = partner if partner is not None and role not in _PAIR_ROLES else index
        span = Span(token.start, self._tokens[last].end)
        if partner is not None and role in _PAIR_ROLES:
            self._closing_roles[partner] = role
        self._attribute_runs(element)
        if role in (Role.BLOCK, Role.STRUCTURE):
            self._finish_run()
            if role is Role.BLOCK and token.kind is TokenKind.OPEN:
                self._begin_run(token.end, element)
            elif partner is not None:
                self._ancestors.append((partner, element.name))
        elif role is Role.INLINE and token.kind is TokenKind.OPEN:
            kind = Kind.OPEN if partner is not None else Kind.ALONE
            self._add_piece(Piece(kind, "", span, index + 1, self._dialect.label(element)), token)
        elif role is Role.HIDDEN:
            self._add_piece(Piece(Kind.ANCHOR, "", span, index + 1, "start"), token)
        elif role is Role.EMBEDDED and partner is not None:
            if element.in_text:
                self._add_piece(Piece(Kind.ALONE, "", span, label=self._dialect.label(element)), token)
            self._contexts.append(_Context(partner, self._dialect.note(element), element.name))
            last = index
        elif role is Role.CLOSED:
            self._finish_run()
        else:
            self._add_piece(_standalone_piece(role, span, self._dialect.label(element)), token)
        return last + 1

    def _close(self, index: int, token: Token) -> None:
        while self._ancestors and self._ancestors[-1][0] <= index:
            self._ancestors.pop()
        role = self._closing_roles.get(index)
        span = Span(token.start, token.end)
        if role in (Role.INLINE, Role.HIDDEN):
            kind, label = (Kind.CLOSE, "") if role is Role.INLINE else (Kind.ANCHOR, "end")
            self._add_piece(Piece(kind, "", span, self._partners[index] + 1, label), token)
            return
        if role is None and self._dialect.role(self._element(token)) not in (Role.BLOCK, Role.STRUCTURE):
            self._add_piece(Piece(Kind.ALONE, "", span, label=f"/{token.name}"), token)
        else:
            self._finish_run()

    def _element(self, token: Token) -> Element:
        read_attributes = cache(partial(attributes, self._source, token))
        in_text = self._dialect.text_anywhere or self._contexts[-1].run is not None
        return Element(token.name, read_attributes, in_text, self._contexts[-1].holder)

    def _check_count(self, start: int, end: int) -> None:
        self._markup_count += self._source.count("&", start, end)
        check_markup(self._markup_count)

    def _attribute_runs(self, element: Element) -> None:
        for attribute, note in self._dialect.attribute_texts(element):
            self._check_count(attribute.start, attribute.end)
            codes = self._dialect.codes
            pieces = text_pieces(self._source, attribute.start, attribute.end, False, codes)
            run = Run(attribute.start, attribute.end, pieces, note, attribute)
            if has_text(run.pieces):
                self._runs.append(run)


class _Writer:
    """Writes one text with its translations; `inner` are the edits of other texts inside its markup."""

    def __init__(
        self, source: str, inner: Sequence[tuple[int, int, str]], run: Run, translated: Cut, dialect: Dialect
    ) -> None:
        self._source = source
        self._inner = inner
        self._run, self._translated = run, translated
        self._dialect = dialect
        self._entities = entities_in(translated.pieces)

    def text(self) -> str:
        """The translated text; if its tags would not be nested as in the original, they follow the words."""
        pieces = assemble(self._translated)
        if self._run.attribute is None and self._nesting(pieces) != self._nesting(self._translated.pieces):
            pieces = _tags_after_words(self._translated)
        return "".join(map(self._source_of, pieces))

    def _source_of(self, piece: Piece) -> str:
        if isinstance(piece.raw, Span):
            return _with_edits(self._source, piece.raw.start, piece.raw.end, self._inner)
        if piece.raw is not None:
            return str(piece.raw)
        attribute = self._run.attribute
        if attribute is not None:
            return escape(" ".join(piece.text.split("\n")), self._entities, attribute.quote or '"')
        return self._dialect.to_source(piece.text, self._entities, self._run.holder)

    def _nesting(self, pieces: Iterable[Piece]) -> list[str]:
        """Names of tags: those that a text closes but does not open, then "|", then those it leaves open."""
        closed: list[str] = []
        opened: list[str] = []
        for piece in pieces:
            if not isinstance(piece.raw, Span):
                continue
            tag = self._source[piece.raw.start : piece.raw.end]
            name = tag.strip("</>").split(None, 1)[0].rstrip("/>") if tag.strip("</>") else ""
            if tag.startswith("</"):
                if opened and opened[-1] == name:
                    opened.pop()
                else:
                    closed.append(f"{name} in {opened[-1:]}")
            elif piece.pair > 0:  # a standalone element has no pair number
                opened.append(name)
        return [*closed, "|", *opened]


def _tags_after_words(text: Cut) -> list[Piece]:
    """The pieces of a text; in each translated sentence, the tags follow the words in the original order."""
    out: list[Piece] = []
    done = 0
    for sentence in text.sentences:
        original = text.pieces[sentence.start : sentence.end]
        out += text.pieces[done : sentence.start]
        done = sentence.end
        if not sentence.target:
            out += original
            continue
        words = sentence.target
        for mark in (EMPTY, *sentence.tags):
            words = words.replace(mark, "")
        out.append(Piece(Kind.TEXT, words + " "))
        out += (piece for piece in original if piece.kind is not Kind.TEXT)
    out += text.pieces[done:]
    return out


def _standalone_piece(role: Role, span: Span, label: str) -> Piece:
    if role is Role.BREAK:
        return Piece(Kind.BREAK, "", span)
    if role is Role.ANCHOR:
        return Piece(Kind.ANCHOR, "", span, label="end" if label == "end" else "start")
    text = WORD if role is Role.PROTECTED else " " if role is Role.SPACE else ""
    return Piece(Kind.ALONE, text, span, label=label)


def _with_edits(source: str, start: int, end: int, edits: Sequence[tuple[int, int, str]]) -> str:
    out: list[str] = []
    position = start
    for index in range(bisect_left(edits, start, key=itemgetter(0)), len(edits)):
        first, last, text = edits[index]
        if first >= end:
            break
        out += (source[position:first], text)
        position = last
    out.append(source[position:end])
    return "".join(out)
