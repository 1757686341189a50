"""Plain text: a line is a paragraph; encoding and line ends stay."""

from __future__ import annotations

import re
from collections.abc import Mapping

from anaphora.core.counting import WordCount, count_text
from anaphora.formats.base.encoding import decode
from anaphora.formats.base.format import Parsed
from anaphora.formats.base.pieces import Block, Kind, Piece, check_ids, segments_of
from anaphora.formats.base.sentence_splitting import split_texts
from anaphora.formats.base.splicing import assemble
from anaphora.formats.segmentation.segmenter import Segmenter

_LINE = re.compile(r"[^\r\n]*[^\s][^\r\n]*")
_LINE_END = re.compile(r"\r\n|\n|\r")


class PlainText:
    """Reader and writer of plain text files."""

    name = "txt"
    label = "Plain text"
    extensions: tuple[str, ...] = (".txt", ".text")

    def parse(self, data: bytes, segmenter: Segmenter) -> Parsed:
        """See `Format.parse`."""
        decoded = decode(data, segmenter.language, segmenter.encoding)
        blocks = [block for _, block in _blocks(decoded.text, segmenter)]
        counted = sum(map(count_text, decoded.text.splitlines()), WordCount())
        return Parsed(segments_of(blocks), decoded.encoding, counted=counted)

    def render(self, data: bytes, translations: Mapping[str, str], segmenter: Segmenter) -> bytes:
        """See `Format.render`. Line breaks in a target become the file's own."""
        decoded = decode(data, segmenter.language, segmenter.encoding)
        located = _blocks(decoded.text, segmenter)
        check_ids([block for _, block in located], translations)
        first_end = _LINE_END.search(decoded.text)
        line_end = first_end.group() if first_end else "\n"
        out: list[str] = []
        done = 0
        for start, block in located:
            out.append(decoded.text[done:start])
            for piece in assemble(block, translations):
                out.append(piece.raw if piece.raw is not None else _LINE_END.sub(line_end, piece.text))
            done = start + sum(len(piece.raw) for piece in block.pieces)
        out.append(decoded.text[done:])
        return decoded.encode("".join(out))


def _blocks(text: str, segmenter: Segmenter) -> list[tuple[int, Block]]:
    """Each line that says something, with its offset."""
    lines = split_texts(
        _LINE.finditer(text), lambda line: [Piece(Kind.TEXT, line.group(), line.group())], segmenter
    )
    return [(line.start(), block) for line, block in lines]


FORMAT = PlainText()
