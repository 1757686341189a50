"""Messages with branches in running text: {count, plural, one {# file} other {# files}} in pages and letters.

The argument is a tag of its sentence, and each branch a text of its own behind it, with its own markup. What
is written for the tag is made of these texts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from anaphora.core.notes import Note, NoteKind
from anaphora.formats.base.pieces import WORD, Block, Kept, Kind, Piece, part_of
from anaphora_text.icu import Choice, choices_in, may_hold_choices

Branch = Callable[[str, tuple[Piece, ...], Note], Sequence[Piece]]
"""Is told a branch's address, what it says and what it is; gives what is to stand there."""
_DEPTH = 4
_CODE = re.compile(r"(?<!\{)\{\w{1,64}\}(?!\})")
_CODE_OF_PLURAL = re.compile(rf"#|{_CODE.pattern}")


def with_branches(block: Block) -> tuple[Block, ...]:
    """A block, behind it the branches of the messages in it; units are none."""
    if block.unit is not None:
        return (block,)
    found: list[Block] = []

    def branch(address: str, pieces: tuple[Piece, ...], note: Note) -> Sequence[Piece]:
        found.extend(with_branches(Block(address, pieces, (*block.notes, note))))
        return pieces

    pieces = framed(block.address, block.pieces, branch)
    return (block,) if pieces is None else (block._replace(pieces=pieces), *found)


def holder_of(address: str) -> str:
    """The address of the text that holds a branch; "" for another address."""
    return address[: address.rindex("{")] if address.endswith("}") and "{" in address else ""


def framed(address: str, pieces: Sequence[Piece], branch: Branch) -> tuple[Piece, ...] | None:
    """A text, its arguments with branches as tags; None without any, or where markup crosses their edges."""
    if address.count("{") >= _DEPTH or not any(
        piece.kind is Kind.TEXT and "{" in piece.text for piece in pieces
    ):
        return None
    plain = "".join(map(_shown, pieces))
    choices = choices_in(plain) if may_hold_choices(plain) else ()
    if not choices:
        return None
    text = _Text(pieces)
    if not all(map(text.can_frame, choices)):
        return None
    out: list[Piece] = []
    done, names = 0, Counter[str]()
    for choice in choices:
        out += text.between(done, choice.start)
        names[choice.name] += 1
        name = choice.name + (f"#{names[choice.name]}" if names[choice.name] > 1 else "")
        inner = tuple(_inner(text, choice, f"{address}{{{name}:", branch))
        out.append(Piece(Kind.ALONE, WORD, Kept(inner), label=f"{{{choice.name}, …}}"))
        done = choice.end
    return (*out, *text.between(done, len(plain)))


def _inner(text: _Text, choice: Choice, place: str, branch: Branch) -> Iterator[Piece]:
    done, count = choice.start, str(len(choice.branches))
    keys = Counter[str]()
    for number, each in enumerate(choice.branches, start=1):
        yield from text.between(done, each.start)
        if choice.is_plural:
            note = Note(NoteKind.PLURAL_FORM, each.key, (str(number), count))
        else:
            note = Note(NoteKind.CONTEXT, f"{choice.name} = {each.key}")
        code = _CODE_OF_PLURAL if choice.is_plural else _CODE
        said = tuple(_coded(text.between(each.start, each.end), code))
        keys[each.key] += 1
        key = each.key + (f",{keys[each.key]}" if keys[each.key] > 1 else "")
        yield from _as_written(branch(f"{place}{key}}}", said, note))
        done = each.end
    yield from text.between(done, choice.end)


def _coded(pieces: Sequence[Piece], code: re.Pattern[str]) -> Iterator[Piece]:
    """Pieces of a branch, arguments and the number that chose it as tags; not of one that has branches."""
    if choices_in("".join(map(_shown, pieces))):
        yield from pieces
        return
    for piece in pieces:
        if piece.kind is not Kind.TEXT or piece.is_whole:
            yield piece
            continue
        done = 0
        for match in code.finditer(piece.text):
            if match.start() > done:
                yield part_of(piece, done, match.start())
            held = part_of(piece, *match.span())
            yield Piece(Kind.ALONE, WORD, Kept((held,)), label=match.group())
            done = match.end()
        if done < len(piece.text):
            yield part_of(piece, done, len(piece.text))


def _as_written(pieces: Sequence[Piece]) -> Iterator[Piece]:
    for piece in pieces:
        yield from piece.raw.pieces if isinstance(piece.raw, Kept) else (piece,)


class _Text:
    """Pieces, each that is no text as long as one character."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._ends = [*accumulate(map(len, map(_shown, pieces)))]

    def between(self, start: int, end: int) -> list[Piece]:
        """The pieces between two places."""
        out: list[Piece] = []
        for row in range(bisect_right(self._ends, start), len(self._pieces)):
            piece, position = self._pieces[row], self._ends[row - 1] if row else 0
            if position >= end:
                break
            if piece.kind is Kind.TEXT and piece.text:
                piece = part_of(piece, max(start - position, 0), min(end, self._ends[row]) - position)
            out.append(piece)
        return out

    def can_frame(self, choice: Choice) -> bool:
        """Whether no markup stands in its code or crosses a branch's edges, and these lie in plain text."""
        edges = [choice.start, *(at for each in choice.branches for at in (each.start, each.end)), choice.end]
        codes = [self.between(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True)]
        texts = [self.between(each.start, each.end) for each in choice.branches]
        return (
            all(piece.kind is Kind.TEXT for code in codes for piece in code)
            and all(map(_is_balanced, texts))
            and not any(self._is_in_whole(edge) for edge in edges)
        )

    def _is_in_whole(self, place: int) -> bool:
        row = bisect_right(self._ends, place)
        begins = not place or place in self._ends[max(row - 1, 0) : row]
        return row < len(self._ends) and not begins and self._pieces[row].is_whole


def _shown(piece: Piece) -> str:
    """What is read for a piece: at least one character, so that each has a place."""
    return (piece.text or " ") if piece.kind is Kind.TEXT else "\0"


def _is_balanced(pieces: Sequence[Piece]) -> bool:
    depth = 0
    for piece in pieces:
        depth += {Kind.OPEN: 1, Kind.CLOSE: -1}.get(piece.kind, 0)
        if depth < 0:
            return False
    return not depth
