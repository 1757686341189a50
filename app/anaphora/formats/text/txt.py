"""Plain text: each line is a paragraph; the encoding and line endings are preserved."""

from __future__ import annotations

import re

from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import ReadOptions, check_sentences
from anaphora.formats.base.opened import Opened
from anaphora.formats.base.pieces import Block, Kind, Piece
from anaphora.formats.base.splicing import Fillings, assemble, spliced

_LINE = re.compile(r"(?<![^\r\n])[^\S\r\n]*+\S[^\r\n]*+")


class PlainText:
    name = "txt"
    label = "Plain text"
    extensions: tuple[str, ...] = (".txt", ".text")

    def open(self, data: bytes, options: ReadOptions) -> Opened:
        decoded = decode(data, options.language, options.encoding)
        line_end = decoded.line_end  # determined only once, because this is slow if the text is one long line
        lines = list(_LINE.finditer(decoded.text))
        check_sentences(len(lines))
        blocks = tuple(
            Block(f"#{line.start()}", (Piece(Kind.TEXT, line.group(), line.group()),)) for line in lines
        )

        def fill(fillings: Fillings) -> bytes:
            changes: list[tuple[int, int, str]] = []
            for line, block in zip(lines, blocks, strict=True):
                if (translated := fillings.of(block.address, block.pieces)) is not None:
                    new = (
                        piece.raw if piece.raw is not None else piece.text.replace("\n", line_end)
                        for piece in assemble(translated)
                    )
                    changes.append((*line.span(), "".join(new)))
            return decoded.encode(spliced(decoded.text, changes))

        return Opened(lambda: blocks, fill, encoding=decoded.encoding)


FORMAT = PlainText()
