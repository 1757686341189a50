"""Put translated sentences back among the pieces of their block."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from anaphora.core.tags import MARK
from anaphora.formats.base.pieces import Block, Kind, Piece, Sentence
from anaphora_text.han import ALL_HAN

_WIDE = re.compile(rf"[\u3000-\u303f\uff00-\uffef{ALL_HAN}]")


def assemble(block: Block, translations: Mapping[str, str]) -> list[Piece]:
    """The block's pieces with translated sentences in place of their originals.

    Where Chinese sentences stood without a space between them, one is put between their translations; where
    the translations are in a script whose marks are wide, the space between them goes.
    """
    out: list[Piece] = []
    done = 0
    was_translated = False
    for sentence in block.sentences:
        gap = block.pieces[done : sentence.start]
        done = sentence.end
        target = translations.get(sentence.id, "").strip()
        if target and was_translated and _WIDE.match(_last_char(out)) and _WIDE.match(MARK.sub("", target)):
            gap = tuple(piece for piece in gap if piece.kind is not Kind.TEXT or piece.text.strip(" "))
        out += gap
        original = block.pieces[sentence.start : sentence.end]
        content = _replaced(sentence, original, target) if target else list(original)
        if (target or was_translated) and wants_space(_last_char(out), _first_char(content)):
            position = len(out)
            while position and out[position - 1].kind is Kind.OPEN:
                position -= 1
            out.insert(position, Piece(Kind.TEXT, " "))
        out += content
        was_translated = bool(target)
    out += block.pieces[done:]
    return out


def _replaced(sentence: Sentence, original: Sequence[Piece], target: str) -> list[Piece]:
    """The translation, with the original's bookmarks at its edges."""
    anchors = [piece for piece in original if piece.kind is Kind.ANCHOR]
    before = [piece for piece in anchors if piece.label == "start"]
    after = [piece for piece in anchors if piece.label != "start"]
    return before + translated(sentence, target) + after


def translated(sentence: Sentence, target: str) -> list[Piece]:
    """A target text as pieces: crossed or lone halves of pairs are repaired, lost standing tags appended."""
    out: list[Piece] = []
    opened: dict[str, None] = {}
    standing = dict.fromkeys(mark for mark in sentence.tags if mark.endswith("/}"))
    last = {match.group(): match.start() for match in MARK.finditer(target)}
    position = 0
    for match in MARK.finditer(target):
        mark, number = match.group(), match[2]
        if mark not in sentence.tags:
            continue
        out += _text(target[position : match.start()])
        position = match.end()
        if match[3]:
            if mark in standing:
                del standing[mark]
                out += sentence.tags[mark]
        elif not match[1]:
            if number not in opened and last.get(f"{{/{number}}}", -1) >= position:
                opened[number] = None
                out += sentence.tags[mark]
        elif number in opened:
            while number in opened:
                closed, _ = opened.popitem()
                out += sentence.tags[f"{{/{closed}}}"]
    out += _text(target[position:])
    while opened:
        closed, _ = opened.popitem()
        out += sentence.tags[f"{{/{closed}}}"]
    for mark in standing:
        out += sentence.tags[mark]
    return out


def _text(text: str) -> list[Piece]:
    return [Piece(Kind.TEXT, text)] if text else []


def _last_char(pieces: list[Piece]) -> str:
    for piece in reversed(pieces):
        if piece.kind is Kind.BREAK or (piece.kind is Kind.TEXT and not piece.text):
            return "\n"
        if piece.width:
            return piece.text[-1]
    return "\n"


def _first_char(pieces: list[Piece]) -> str:
    return next((piece.text[0] for piece in pieces if piece.width), "\n")


def wants_space(left: str, right: str) -> bool:
    """Whether two sentences that meet like this need a space between them."""
    if left.isspace() or right.isspace():
        return False
    if _WIDE.match(left) or _WIDE.match(right):
        return False
    return left not in "([{“‘" and right not in ".,;:!?)]}”’"
