"""The strings of a catalogue as blocks, their translations as strings, and places in keys.

A string is one segment, whatever sentences it has. An argument of ICU with branches stands in its string as a
tag, and each branch is a text of its own.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from anaphora.core.errors import Message
from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.format import FormatError
from anaphora.formats.base.limits import check_sentences
from anaphora.formats.base.marked_text import marked
from anaphora.formats.base.pieces import WORD, Block, Kind, Piece
from anaphora.formats.base.placeholders import COMMON, NO_TEXT
from anaphora.formats.base.segments import units_of
from anaphora.formats.base.splicing import Fillings, assemble, spliced
from anaphora_text.icu import Choice, choices_in

_CHOICE = "\ufdd0"
"""A character that no text has: it stands for an argument with branches while its string is marked."""
_DEPTH = 4
"""So deep branches are offered."""
_LONGEST_KEY = 200
_MOST_BYTES = 48 * 2**20


class Entry(NamedTuple):
    """A string of a catalogue.

    Attributes:
        address: its key; of nested keys, all of them.
        start: offset of its literal in the file.
        end: offset behind it.
        text: as the program reads it.
        notes: what the file says about it.
        pieces: of a string with markup of the file's own its texts and that markup; else none.
    """

    address: str
    start: int
    end: int
    text: str
    notes: tuple[Note, ...] = ()
    pieces: tuple[Piece, ...] = ()


class _Message(NamedTuple):
    """A string, or a branch of one, with the branches in it."""

    address: str
    pieces: tuple[Piece, ...]
    notes: tuple[Note, ...]
    branches: tuple[_Message, ...]


@dataclass(frozen=True, slots=True)
class _Frame:
    """What is behind the tag of an argument with branches: its texts, between which the branches stand."""

    code: tuple[str, ...]
    branches: tuple[_Message, ...]


class Markup(str):
    """Markup of the file's own, of which no character is escaped."""

    __slots__ = ()


class Catalogue:
    """The strings of a file, marked, with addresses that differ."""

    def __init__(
        self,
        entries: Iterable[Entry],
        pattern: re.Pattern[str] = COMMON,
    ) -> None:
        """Mark placeholders.

        Args:
            entries: in order.
            pattern: what is a placeholder.
        Raises:
            FormatError: there are more than a document has.
        """
        self._pattern = pattern
        self._in_plural = re.compile(rf"{pattern.pattern}|\{{\w{{1,64}}\}}|#", pattern.flags)
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}
        self._messages: list[tuple[Entry, _Message]] = []
        for number, entry in enumerate(entries, start=1):
            check_sentences(number)
            if NO_TEXT.fullmatch(entry.text.strip()) is None:
                message = (
                    _Message(self._unique(entry.address), self._marked(entry.pieces), entry.notes, ())
                    if entry.pieces and not self._is_message(entry)
                    else self._message(entry.address, entry.text, entry.notes, pattern, 0)
                )
                self._messages.append((entry, message))

    def blocks(self) -> tuple[Block, ...]:
        """All texts that say something; each is one segment."""
        return units_of(block for _, message in self._messages for block in _blocks(message))

    def filled(self, fillings: Fillings) -> Iterator[tuple[Entry, list[Piece]]]:
        """The strings that a translation changes, and their new pieces, no raw of which is an argument."""
        for entry, message in self._messages:
            is_new, pieces = _filled(message, fillings)
            if is_new:
                yield entry, pieces

    @staticmethod
    def _is_message(entry: Entry) -> bool:
        """Whether a string without markup has branches of ICU."""
        return all(piece.kind is Kind.TEXT for piece in entry.pieces) and bool(choices_in(entry.text))

    def _marked(self, given: Iterable[Piece]) -> tuple[Piece, ...]:
        """A string with markup of its file's own, its texts marked, too."""
        found: list[Piece] = []
        pairs = 0
        for piece in given:
            inner = [piece]
            if piece.kind is Kind.TEXT:
                inner = marked(piece.text, self._pattern, stand_in=WORD, numbered=True)
                inner = [each._replace(pair=each.pair + pairs) if each.is_tag else each for each in inner]
                pairs += len(inner)
            found += inner
        return tuple(found)

    def _message(
        self, address: str, text: str, notes: tuple[Note, ...], pattern: re.Pattern[str], depth: int
    ) -> _Message:
        address = self._unique(address)
        found: tuple[Choice, ...] = ()
        if "{" in text and depth < _DEPTH and _CHOICE not in text:
            found = choices_in(text)
        if not found:
            return _Message(address, tuple(marked(text, pattern, stand_in=WORD, numbered=True)), notes, ())
        pieces = marked(_without(text, found), pattern, stand_in=WORD, numbered=True)
        if sum(piece.raw == _CHOICE for piece in pieces) != len(found):
            return _Message(address, tuple(marked(text, pattern, stand_in=WORD, numbered=True)), notes, ())
        frames = [self._frame(address, text, choice, notes, pattern, depth) for choice in found]
        waiting = iter(zip(found, frames, strict=True))
        out = []
        for piece in pieces:
            if piece.raw == _CHOICE:
                choice, frame = next(waiting)
                piece = Piece(Kind.ALONE, WORD, frame, label=f"{{{choice.name}, …}}")
            out.append(piece)
        return _Message(
            address, tuple(out), notes, tuple(each for frame in frames for each in frame.branches)
        )

    def _frame(
        self,
        address: str,
        text: str,
        choice: Choice,
        notes: tuple[Note, ...],
        pattern: re.Pattern[str],
        depth: int,
    ) -> _Frame:
        code, branches, done = [], [], choice.start
        count = str(len(choice.branches))
        for number, branch in enumerate(choice.branches, start=1):
            if choice.is_plural:
                note = Note(NoteKind.PLURAL_FORM, branch.key, (str(number), count))
                inner = self._in_plural
            else:
                note, inner = Note(NoteKind.CONTEXT, f"{choice.name} = {branch.key}"), pattern
            code.append(text[done : branch.start])
            place = f"{address}{{{choice.name}:{branch.key}}}"
            content = text[branch.start : branch.end]
            branches.append(self._message(place, content, (*notes, note), inner, depth + 1))
            done = branch.end
        return _Frame((*code, text[done : choice.end]), tuple(branches))

    def _unique(self, address: str) -> str:
        """An address that no other text has: an empty key is numbered, and so is the second of the same."""
        found, number = address or "#1", self._numbers.get(address, 1)
        while found in self._taken:
            number += 1
            found = f"{address}#{number}"
        self._numbers[address] = number
        self._taken.add(found)
        return found


def below(path: str, key: str | int) -> str:
    """The path of a key in an object, as JSON Pointer (RFC 6901) writes it; long ones are shortened."""
    found = f"{path}/{str(key).replace('~', '~0').replace('/', '~1')}"
    if len(found) > _LONGEST_KEY:
        return f"{found[: _LONGEST_KEY // 2]}~{zlib.crc32(found.encode('utf-8', 'replace')):08x}"
    return found


def name_note(key: str) -> Note:
    """A key as a note: it often says what the text is for."""
    return Note(NoteKind.NAME, key if len(key) <= _LONGEST_KEY else key[:_LONGEST_KEY] + "…")


def text_of(pieces: Iterable[Piece]) -> str:
    """Pieces as a string of the program."""
    return "".join(piece.text if piece.raw is None else str(piece.raw) for piece in pieces)


def check_size(data: bytes) -> None:
    """Refuse a file that is larger than catalogues are.

    Raises:
        FormatError: it is.
    """
    if len(data) > _MOST_BYTES:
        raise FormatError(
            Message("{what} is too large.", what=Message("The file")), "Split the document into smaller ones."
        )


def damaged(kind: str, text: str, place: int) -> FormatError:
    """That a file breaks off or goes wrong somewhere.

    Args:
        kind: of the file, as people call it.
        place: offset of what makes no sense there.
    """
    line = len(re.findall(r"\r\n|\n|\r", text[:place])) + 1
    said = text[place : place + 40].splitlines()
    return FormatError(
        Message(
            "Line {line} of the file is not valid {kind}: “{text}”.",
            line=line,
            kind=kind,
            text=said[0] if said else "",
        ),
        "It is damaged, cut off or of another kind: repair it in a text editor.",
    )


def _without(text: str, choices: Iterable[Choice]) -> str:
    return spliced(text, ((choice.start, choice.end, _CHOICE) for choice in choices))


def _blocks(message: _Message) -> Iterator[Block]:
    yield Block(message.address, message.pieces, message.notes)
    for branch in message.branches:
        yield from _blocks(branch)


def _filled(message: _Message, fillings: Fillings) -> tuple[bool, list[Piece]]:
    """Whether a message or one of its branches is translated, and its pieces then."""
    found = fillings.of(message.address, message.pieces)
    pieces = list(message.pieces) if found is None else assemble(found)
    is_new = found is not None
    out: list[Piece] = []
    for piece in pieces:
        if not isinstance(piece.raw, _Frame):
            out.append(piece)
            continue
        for code, branch in zip(piece.raw.code, piece.raw.branches, strict=False):
            is_translated, inner = _filled(branch, fillings)
            is_new = is_new or is_translated
            out += (Piece(Kind.ALONE, raw=code), *inner)
        out.append(Piece(Kind.ALONE, raw=piece.raw.code[-1]))
    return is_new, out
