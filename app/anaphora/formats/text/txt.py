"""Plain text: a line is a paragraph; encoding and line ends stay."""

from __future__ import annotations

import re

from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import Reading
from anaphora.formats.base.limits import check_sentences
from anaphora.formats.base.pieces import Block, Kind, Piece
from anaphora.formats.base.protocol import Parsed
from anaphora.formats.base.splicing import Fillings, assemble

_LINE = re.compile(r"(?<![^\r\n])[^\S\r\n]*+\S[^\r\n]*+")
_LINE_END = re.compile(r"\r\n|\n|\r")


class PlainText:
    """Reader and writer of plain text files."""

    name = "txt"
    label = "Plain text"
    extensions: tuple[str, ...] = (".txt", ".text")

    def blocks(self, data: bytes, reading: Reading) -> Parsed:
        """See `Format.blocks`."""
        decoded = decode(data, reading.language, reading.encoding)
        return Parsed(tuple(map(_block, _lines(decoded.text))), decoded.encoding)

    def fill(self, data: bytes, fillings: Fillings, reading: Reading) -> bytes:
        """See `TextFormat.fill`. Line breaks in a target become the file's own."""
        decoded = decode(data, reading.language, reading.encoding)
        first_end = _LINE_END.search(decoded.text)
        line_end = first_end.group() if first_end else "\n"
        out: list[str] = []
        done = 0
        for line in _lines(decoded.text):
            found = fillings.of(_address(line), _pieces(line))
            if found is None:
                continue
            out.append(decoded.text[done : line.start()])
            for piece in assemble(found):
                out.append(piece.raw if piece.raw is not None else _LINE_END.sub(line_end, piece.text))
            done = line.end()
        out.append(decoded.text[done:])
        return decoded.encode("".join(out))


def _lines(text: str) -> list[re.Match[str]]:
    """Each line that says something."""
    found = list(_LINE.finditer(text))
    check_sentences(len(found))
    return found


def _block(line: re.Match[str]) -> Block:
    return Block(_address(line), _pieces(line))


def _address(line: re.Match[str]) -> str:
    return f"#{line.start()}"


def _pieces(line: re.Match[str]) -> tuple[Piece, ...]:
    return (Piece(Kind.TEXT, line.group(), line.group()),)


FORMAT = PlainText()
