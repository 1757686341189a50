"""Find the texts of an XML or HTML source, and splice their translations into it.

A format says by a `Dialect` what each element is. Texts are found in one pass over the tokens: a text (`Run`)
begins and ends at block-level tags; pairs of inline tags in it become protected tags; an embedded element (a
footnote in its paragraph) is one standing tag there and is read as texts of its own. Everything that is not
translated keeps its very characters.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter

from anaphora.core.notes import HIDDEN, Note, NoteKind
from anaphora.core.tags import MARK
from anaphora.formats.base.limits import MAX_MARKUP, check_markup
from anaphora.formats.base.pieces import WORD, WORD_BREAK, Block, Cut, Kind, Piece, Sentence
from anaphora.formats.base.splicing import Fillings, assemble
from anaphora.formats.markup.dialect import READINGS, RUBY_BASES, Dialect, Element, Role, Span
from anaphora.formats.markup.texts import (
    cdata_piece,
    escape,
    spellings,
    template_piece,
    text_pieces,
    text_with_templates,
)
from anaphora.formats.markup.tokens import Attribute, Token, TokenKind, attributes, partners, tokens
from anaphora_text.punctuation import SENTENCE_ENDS, WIDE_SENTENCE_ENDS

DEEPEST = 64
"""So many of the elements around a text are looked at for what it is: no list lies deeper."""
_VERBATIM = frozenset(("textarea",))
"""Elements in which line breaks are shown as they are."""
_OPENED = (Role.BLOCK, Role.STRUCTURE, Role.INLINE, Role.HIDDEN)


_HOLDER = re.compile(r"<(?:[\w-]+:)?ruby-base\b[^<>]*>")
_ENDS = re.compile(f"[{SENTENCE_ENDS}{WIDE_SENTENCE_ENDS}…]")
_READING = re.compile(r"<((?:[\w-]+:)?(?:rt|ruby-text))\b[^<>]*>([^<]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Held(Span):
    """A picture or comment in a ruby, with readings and markup before it.

    Attributes:
        whole: it alone, as a translation has it.
    """

    whole: Span


class _Readings(str):
    """A tag as it stands in the source of a ruby, with readings and markup beside it.

    Attributes:
        whole: what it is in a translation: the tag alone, or the end of the ruby with all its readings.
    """

    __slots__ = ("whole",)
    whole: str

    def __new__(cls, text: str, whole: str) -> _Readings:
        found = super().__new__(cls, text)
        found.whole = whole
        return found


@dataclass(frozen=True, slots=True)
class _Letters:
    """A token in a ruby: where it stands, what stands there, and its letters or look; none of a reading."""

    start: int
    raw: str
    piece: Piece | None


@dataclass(slots=True)
class Run:
    """A text.

    Attributes:
        start: offset in the source.
        end: offset behind it.
        pieces: all of it.
        note: for the translator.
        attribute: what it is the value of, if of one.
        holder: name of the BLOCK or EMBEDDED element that it stands in; "" for none.
        structure: what that is in its document, as a note.
    """

    start: int
    end: int
    pieces: list[Piece] = field(default_factory=list)
    note: str = ""
    attribute: Attribute | None = None
    holder: str = ""
    structure: tuple[Note, ...] = ()

    def address(self, part: str = "") -> str:
        """Where it stands in its file, or in a part of that."""
        return f"{part}#{self.start}"

    def block(self, part: str = "") -> Block:
        """The text as others see it."""
        notes = (Note(NoteKind.PLACE, self.note),) if self.note else self.structure
        return Block(self.address(part), tuple(self.pieces), notes)


@dataclass(slots=True)
class _Context:
    """The inside of the source, or of an embedded element, up to the token that ends it."""

    until: int
    note: str = ""
    holder: str = ""
    run: Run | None = None


def find_runs(source: str, dialect: Dialect) -> list[Run]:
    """The texts of a source in reading order (an embedded one behind the text that holds it)."""
    return _Finder(source, dialect).runs()


def splice(
    source: str, runs: Iterable[Run], fillings: Fillings, dialect: Dialect, part: str = ""
) -> str | None:
    """The source with translated texts in place; None where it has none.

    Args:
        part: which part of a package the source is.
    """
    edits: list[tuple[int, int, str]] = []  # the one that begins first is last
    for run in sorted(runs, key=lambda run: -run.start):
        found = fillings.of(run.address(part), run.pieces)
        if found is None:
            continue
        inner: list[tuple[int, int, str]] = []
        while edits and edits[-1][0] < run.end:
            inner.append(edits.pop())
        text = _Writer(source, inner, run, found, dialect).text()
        start, end = run.start, run.end
        if run.attribute is not None and not run.attribute.quote:
            text = f'"{text}"'
        edits.append((start, end, text))
    return _applied(source, 0, len(source), edits[::-1]) if edits else None


class _Finder:
    """One pass over a source's tokens."""

    def __init__(self, source: str, dialect: Dialect) -> None:
        self._source = source
        self._dialect = dialect
        self._codes = dialect.codes(source)
        self._tokens = tokens(source, dialect.is_xml, MAX_MARKUP)
        self._size = len(self._tokens)
        self._partners = partners(self._tokens)
        self._closing: dict[int, Role] = {}
        self._contexts = [_Context(len(self._tokens))]
        self._around: list[tuple[int, str]] = []
        self._runs: list[Run] = []
        self._hidden = -1  # where the outermost hidden element that is open ends

    def runs(self) -> list[Run]:
        index = 0
        while index < len(self._tokens):
            if self._contexts[-1].until == index:
                self._finish()
                self._contexts.pop()
                index += 1
                continue
            token = self._tokens[index]
            if token.kind in (TokenKind.TEXT, TokenKind.CDATA):
                self._text(token)
            elif token.kind is TokenKind.OTHER:
                # Comments and code, which may be conditions, includes or edits, stay where they are.
                self._add(template_piece(self._source, token.start, token.end), token)
            elif token.kind is TokenKind.CLOSE:
                self._close(index, token)
            else:
                index = self._open(index, token)
                continue
            index += 1
        while self._contexts:
            self._finish()
            self._contexts.pop()
        return sorted(self._runs, key=lambda run: run.start)

    def _finish(self) -> None:
        run, self._contexts[-1].run = self._contexts[-1].run, None
        if run is not None and _says_something(run):
            self._runs.append(run)

    def _begin(self, position: int, element: Element | None = None) -> None:
        context, dialect = self._contexts[-1], self._dialect
        hidden = (HIDDEN,) if position <= self._hidden else ()
        if element is None:
            context.run = Run(position, position, note=context.note, holder=context.holder, structure=hidden)
            return
        around = [name for _, name in self._around[-DEEPEST:]]
        note, structure = dialect.note(element), hidden or dialect.structure(element, around)
        context.run = Run(
            position, position, note=note or context.note, holder=element.name, structure=structure
        )

    def _run_at(self, token: Token) -> Run | None:
        """The text that goes on, or one that begins here where a text may."""
        context = self._contexts[-1]
        if context.run is None and self._dialect.text_anywhere:
            self._begin(token.start)
        return context.run

    def _text(self, token: Token) -> None:
        run = self._run_at(token)
        if run is None:
            return
        if token.kind is TokenKind.CDATA:
            run.pieces.append(cdata_piece(self._source, token.start, token.end))
        else:
            self._check_size(token.start, token.end)
            collapses = self._dialect.collapses and run.holder.lower() not in _VERBATIM
            run.pieces += self._texts(token.start, token.end, collapses)
        run.end = token.end

    def _add(self, piece: Piece, token: Token) -> None:
        """Add markup to the text that goes on, if one does (or may begin with it)."""
        run = self._run_at(token)
        if run is None:
            return
        run.pieces.append(piece)
        run.end = token.end if not isinstance(piece.raw, Span) else piece.raw.end

    def _open(self, index: int, token: Token) -> int:
        """Take an opening or empty tag; returns the index of the token to go on with."""
        element = self._element(token)
        role = self._dialect.role(element)
        partner = self._partners.get(index)
        last = partner if partner is not None and role not in _OPENED else index
        span = Span(token.start, self._tokens[last].end)
        if partner is not None and token.start > self._hidden and self._dialect.hides(element):
            self._hidden = self._tokens[partner].start
        self._attribute_runs(element)
        if role in (Role.BLOCK, Role.STRUCTURE):
            self._finish()
            if role is Role.BLOCK and token.kind is TokenKind.OPEN:
                self._begin(token.end, element)
            elif partner is not None:
                self._around.append((partner, element.name))
            if partner is not None:
                self._closing[partner] = role
        elif role is Role.INLINE and token.kind is TokenKind.OPEN:
            kind = Kind.OPEN if partner is not None else Kind.ALONE
            self._add(Piece(kind, "", span, index + 1, self._dialect.label(element)), token)
            if partner is not None:
                self._closing[partner] = role
        elif role is Role.HIDDEN:
            self._add(Piece(Kind.ANCHOR, "", span, index + 1, "start"), token)
            if partner is not None:
                self._closing[partner] = role
        elif role is Role.RUBY and partner is not None and (base := self._base(index, partner)):
            self._run_at(token)
            for piece in self._ruby(index, partner, base):
                self._add(piece, self._tokens[last])
        elif role is Role.RUBY:
            last = index
            kind = Kind.OPEN if partner is not None else Kind.ALONE
            self._add(Piece(kind, "", Span(token.start, token.end), index + 1, element.name), token)
            if partner is not None:
                self._closing[partner] = Role.INLINE
        elif role is Role.EMBEDDED and partner is not None:
            if element.in_text:
                self._add(Piece(Kind.ALONE, "", span, label=self._dialect.label(element)), token)
            self._contexts.append(_Context(partner, self._dialect.note(element), element.name))
            last = index
        elif role is Role.CLOSED:
            self._finish()
        else:
            self._add(_standing(role, span, self._dialect.label(element)), token)
        return last + 1

    def _ruby(self, index: int, end: int, base: Sequence[_Letters]) -> list[Piece]:
        """A ruby: its letters, the rest going where they are translated, or a pair with all its readings."""
        opening, closing = self._tokens[index], self._tokens[end]
        start, ends = self._source[opening.start : opening.end], self._source[closing.start : closing.end]
        inner = self._source[opening.end : closing.start]
        readings = list(_READING.finditer(inner)) if self._dialect.keeps_readings else []
        if not readings:
            return _held_together(start, [(each.piece, each.raw) for each in base], ends)
        last = readings[-1]
        # OpenDocument holds the letters in an element of their own, which stays.
        holder = _HOLDER.match(inner)
        first, until = (holder.end(), inner.rfind("</", 0, last.start())) if holder else (0, last.start())
        said = " ".join(" ".join(match[2].split()) for match in readings if match[2].strip())
        tag = last.group()[: last.start(2) - last.start()]
        between = inner[until : last.start()]
        close = _Readings(inner[until:] + ends, f"{between}{tag}{said}</{last[1]}>{ends}")
        label = f"ruby: {said}"
        kept = [(each.piece, each.raw) for each in base if first <= each.start - opening.end < until]
        return [
            Piece(Kind.OPEN, "", start + inner[:first], index + 1, label),
            *_held_together("", kept, ""),
            Piece(Kind.CLOSE, "", close, index + 1, label),
        ]

    def _base(self, index: int, end: int) -> list[_Letters]:
        """The inside of a ruby; nothing where it has no letters, or holds what is neither they nor a look."""
        found: list[_Letters] = []
        standing: list[Token] = []
        is_reading = False
        for position in range(index + 1, end):
            token = self._tokens[position]
            if found and token.start < found[-1].start + len(found[-1].raw):
                continue  # in what stands as one
            name = token.name.rpartition(":")[2].lower()
            is_tag = token.kind in (TokenKind.OPEN, TokenKind.CLOSE)
            piece = None
            if is_tag and name in READINGS:
                is_reading = token.kind is TokenKind.OPEN
            elif is_tag and (name in RUBY_BASES or self._role_of_pair(position, token) is Role.RUBY):
                is_reading = False
            elif token.kind is TokenKind.TEXT and not is_reading:
                parts = text_pieces(self._source, token.start, token.end)
                text = "".join("".join(part.text for part in parts).split())
                piece = Piece(Kind.TEXT, text) if text else None
            elif not is_reading and (not is_tag or self._role_of_pair(position, token) is not Role.HIDDEN):
                piece = self._look(position, token) if is_tag else None
                piece = self._in_ruby(position, token) if piece is None else piece
                if piece is None:
                    return []
                standing += [token] if piece.kind is Kind.ALONE else []
            until = piece.raw.end if piece is not None and isinstance(piece.raw, Span) else token.end
            found.append(_Letters(token.start, self._source[token.start : until], piece))
        letters = "".join(each.piece.text for each in found if each.piece and each.piece.kind is Kind.TEXT)
        if not letters or _ENDS.search(letters[:-1]):
            return []
        for token in standing:
            if token.kind is not TokenKind.OTHER:
                self._attribute_runs(self._element(token))
        return found

    def _in_ruby(self, index: int, token: Token) -> Piece | None:
        """What stands as one among the letters of a ruby: a picture, code, a comment; None for all else."""
        if token.kind is TokenKind.OTHER:
            return template_piece(self._source, token.start, token.end)
        element = self._element(token)
        role = self._dialect.role(element)
        if token.kind is TokenKind.CLOSE or role not in (Role.STANDING, Role.PROTECTED):
            return None
        span = Span(token.start, self._tokens[self._partners.get(index, index)].end)
        return _standing(role, span, self._dialect.label(element))

    def _role_of_pair(self, index: int, token: Token) -> Role:
        """What the element is whose tag stands there."""
        opening = token if token.kind is TokenKind.OPEN else self._tokens[self._partners.get(index, index)]
        return self._dialect.role(self._element(opening))

    def _look(self, index: int, token: Token) -> Piece | None:
        """A tag in the letters of a ruby; None if it is not one of a pair that gives them a look."""
        element, partner = self._element(token), self._partners.get(index)
        if partner is None or self._role_of_pair(index, token) is not Role.INLINE:
            return None
        if any(True for _ in self._dialect.texts(element)):
            return None  # what its attributes say is a text of its own
        is_open = token.kind is TokenKind.OPEN
        label = self._dialect.label(element) if is_open else ""
        return Piece(Kind.OPEN if is_open else Kind.CLOSE, "", "", (index if is_open else partner) + 1, label)

    def _close(self, index: int, token: Token) -> None:
        while self._around and self._around[-1][0] <= index:
            self._around.pop()
        role = self._closing.get(index)
        span = Span(token.start, token.end)
        if role in (Role.INLINE, Role.HIDDEN):
            kind, label = (Kind.CLOSE, "") if role is Role.INLINE else (Kind.ANCHOR, "end")
            self._add(Piece(kind, "", span, self._partners[index] + 1, label), token)
            return
        if role is None:
            element = self._element(token)
            if self._dialect.role(element) not in (Role.BLOCK, Role.STRUCTURE):
                self._add(Piece(Kind.ALONE, "", span, label=f"/{token.name}"), token)
                return
        self._finish()

    def _element(self, token: Token) -> Element:
        known: dict[str, Attribute] | None = None

        def look() -> Mapping[str, Attribute]:
            nonlocal known
            if known is None:
                known = attributes(self._source, token)
            return known

        in_text = self._dialect.text_anywhere or self._contexts[-1].run is not None
        return Element(token.name, look, in_text, self._contexts[-1].holder)

    def _texts(self, start: int, end: int, collapse: bool) -> list[Piece]:
        if self._codes is not None:
            return text_with_templates(self._source, start, end, collapse, self._codes)
        return text_pieces(self._source, start, end, collapse)

    def _check_size(self, start: int, end: int) -> None:
        """Count the entities in a text before they become pieces."""
        self._size += self._source.count("&", start, end)
        check_markup(self._size)

    def _attribute_runs(self, element: Element) -> None:
        for attribute, note in self._dialect.texts(element):
            self._check_size(attribute.start, attribute.end)
            pieces = self._texts(attribute.start, attribute.end, False)
            run = Run(attribute.start, attribute.end, pieces, note, attribute)
            if _says_something(run):
                self._runs.append(run)


class _Writer:
    """Writes one text with its translations, and with what was translated inside its markup."""

    def __init__(
        self, source: str, inner: Sequence[tuple[int, int, str]], run: Run, found: Cut, dialect: Dialect
    ) -> None:
        self._source = source
        self._inner = inner
        self._run, self._found = run, found
        self._dialect = dialect
        self._spelled = spellings(found.pieces)

    def text(self) -> str:
        """The text; tags that a translation would cross are put behind its words instead."""
        found = replace(self._found, sentences=tuple(map(_as_translated, self._found.sentences)))
        pieces = assemble(found)
        if self._run.attribute is None and self._nesting(pieces) != self._nesting(found.pieces):
            pieces = _tags_behind(found)
        return "".join(map(self._written, pieces))

    def _written(self, piece: Piece) -> str:
        if isinstance(piece.raw, Span):
            return _applied(self._source, piece.raw.start, piece.raw.end, self._inner)
        if piece.raw is not None:
            return str(piece.raw)
        attribute = self._run.attribute
        if attribute is not None:
            return escape(" ".join(piece.text.split("\n")), self._spelled, attribute.quote or '"')
        return self._dialect.written(piece.text, self._spelled, self._run.holder)

    def _nesting(self, pieces: Iterable[Piece]) -> list[str]:
        """What a text closes that began before it, what it leaves open, and what it crosses (never)."""
        closed: list[str] = []
        opened: list[str] = []
        for piece in pieces:
            if not isinstance(piece.raw, Span) or isinstance(piece.raw, _Held):
                continue
            tag = self._source[piece.raw.start : piece.raw.end]
            name = tag.strip("</>").split(None, 1)[0].rstrip("/>") if tag.strip("</>") else ""
            if tag.startswith("</"):
                if opened and opened[-1] == name:
                    opened.pop()
                else:
                    closed.append(f"{name} in {opened[-1:]}")
            elif piece.pair > 0:  # standing elements have none
                opened.append(name)
        return [*closed, "|", *opened]


def _tags_behind(found: Cut) -> list[Piece]:
    """The text with each translated sentence's words first and its tags, as they were, behind them."""
    out: list[Piece] = []
    done = 0
    for sentence in found.sentences:
        original = found.pieces[sentence.start : sentence.end]
        out += found.pieces[done : sentence.start]
        done = sentence.end
        if not sentence.target:
            out += original
            continue
        out.append(Piece(Kind.TEXT, _without_tags(sentence, sentence.target) + " "))
        out += (_new(piece) for piece in original if piece.kind is not Kind.TEXT)
    out += found.pieces[done:]
    return out


def _without_tags(sentence: Sentence, target: str) -> str:
    return MARK.sub(lambda match: "" if match.group() in sentence.tags else match.group(), target)


def _held_together(start: str, parts: Iterable[tuple[Piece | None, str]], end: str) -> list[Piece]:
    """The letters and looks of a ruby, the markup around them held by the nearest of them.

    Args:
        start, end: in front of and behind all of it.
        parts: each with what stands in the source; none of what shows as nothing.
    """
    pieces: list[Piece] = []
    before = start
    for piece, raw in (*parts, (None, end)):
        if piece is None:
            before += raw
            continue
        pieces.append(piece._replace(raw=_with_markup(piece, before, raw, "")))
        before = ""
    if before and pieces:
        last = pieces[-1]
        pieces[-1] = last._replace(raw=_with_markup(last, "", last.raw, before))
    return pieces


def _with_markup(piece: Piece, before: str, raw: str | Span, behind: str) -> str | Span:
    """The original of a letter, a look or a picture in a ruby, with the markup around that it holds."""
    if isinstance(piece.raw, Span):
        start, end = piece.raw.start - len(before), piece.raw.end + len(behind)
        return _Held(start, end, piece.raw.whole if isinstance(piece.raw, _Held) else piece.raw)
    text = f"{before}{raw}{behind}"
    if not piece.is_tag:
        return text
    return _Readings(text, piece.raw.whole if isinstance(piece.raw, _Readings) else str(raw))


def _as_translated(sentence: Sentence) -> Sentence:
    """A sentence with the tags of its translation: without the readings of its letters, or with all."""
    if not sentence.target:
        return sentence
    return sentence._replace(tags={mark: tuple(map(_new, found)) for mark, found in sentence.tags.items()})


def _new(piece: Piece) -> Piece:
    return piece._replace(raw=piece.raw.whole) if isinstance(piece.raw, _Held | _Readings) else piece


def _says_something(run: Run) -> bool:
    return any(char.isalpha() for piece in run.pieces if piece.kind is Kind.TEXT for char in piece.text)


def _standing(role: Role, span: Span, label: str) -> Piece:
    if role is Role.BREAK:
        return Piece(Kind.BREAK, "", span)
    if role is Role.ANCHOR:
        return Piece(Kind.ANCHOR, "", span, label=label if label in ("end", WORD_BREAK) else "start")
    text = WORD if role is Role.PROTECTED else " " if role is Role.SPACE else ""
    return Piece(Kind.ALONE, text, span, label=label)


def _applied(source: str, start: int, end: int, edits: Sequence[tuple[int, int, str]]) -> str:
    """A stretch of the source with the edits in it; edits are in order."""
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
