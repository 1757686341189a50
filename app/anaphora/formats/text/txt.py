"""Plain text: a line is a paragraph; encoding and line ends stay."""

from __future__ import annotations

import re

from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import HowRead
from anaphora.formats.base.limits import check_sentences
from anaphora.formats.base.pieces import Block, Kind, Piece
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.splicing import Fillings, assemble, spliced

_LINE = re.compile(r"(?<![^\r\n])[^\S\r\n]*+\S[^\r\n]*+")


class PlainText:
    name = "txt"
    label = "Plain text"
    extensions: tuple[str, ...] = (".txt", ".text")

    def blocks(self, data: bytes, reading: HowRead) -> Parsed:
        decoded = decode(data, reading.language, reading.encoding)
        return Parsed(tuple(map(_block, _lines(decoded.text))), decoded.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: HowRead) -> bytes:
        decoded = decode(data, reading.language, reading.encoding)
        line_end = decoded.line_end
        changes: list[tuple[int, int, str]] = []
        for line in _lines(decoded.text):
            block = _block(line)
            if (found := fillings.of(block.address, block.pieces)) is not None:
                said = (
                    piece.raw if piece.raw is not None else piece.text.replace("\n", line_end)
                    for piece in assemble(found)
                )
                changes.append((*line.span(), "".join(said)))
        return decoded.encode(spliced(decoded.text, changes))


def _lines(text: str) -> list[re.Match[str]]:
    """Each line that says something."""
    found = list(_LINE.finditer(text))
    check_sentences(len(found))
    return found


def _block(line: re.Match[str]) -> Block:
    return Block(f"#{line.start()}", (Piece(Kind.TEXT, line.group(), line.group()),))


FORMAT = PlainText()
