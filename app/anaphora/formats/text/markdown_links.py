"""Links named by their own text, and wiki links: `[text][]`, `[[page]]`, `[[page|text]]`."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora.formats.base.pieces import Aside, Kind, Piece
from anaphora.formats.text.markdown_masks import closes_wiki_link, opens_wiki_link

_WIKI_END = "]]"


class Shortcut(str):
    """The end of a link or an image that is named by its own text: `]`, `][]`, or `]]` of `[[page]]`.

    Attributes:
        reference: the text, as its definition or the name of its page has it; "" while nobody has looked.
    """

    reference = ""

    @classmethod
    def of(cls, raw: str, reference: str) -> Shortcut:
        """An end with its text."""
        end = cls(raw)
        end.reference = " ".join(reference.split())
        return end


def pair_wiki_links(pieces: Sequence[Piece]) -> list[Piece]:
    """Make pairs of the ends of wiki links and notes that enclose something, see `masked_apart`."""
    out = list(pieces)
    pairs = max((piece.pair for piece in out), default=0)
    opened: list[int] = []
    for index, piece in enumerate(out):
        if piece.kind is Kind.OPEN or opens_wiki_link(piece):
            opened.append(index)
        elif piece.kind is Kind.CLOSE:
            while opened and out[opened.pop()].pair != piece.pair:
                pass  # an end without its other one stays standing
        elif closes_wiki_link(piece) and opened and opens_wiki_link(out[opened[-1]]):
            pairs += 1
            start = opened.pop()
            is_link = len(piece.raw) == len(_WIKI_END)
            is_own_name = is_link and len(out[start].raw) == len("[[")
            end = Shortcut(piece.raw) if is_own_name else piece.raw if is_link else Aside(piece.raw)
            label = "link" if is_link else "footnote"
            out[start] = out[start]._replace(kind=Kind.OPEN, pair=pairs, label=label)
            out[index] = piece._replace(kind=Kind.CLOSE, raw=end, pair=pairs, label=label)
    return out


def with_references(pieces: Sequence[Piece], in_cell: bool) -> list[Piece]:
    """Links and images that are named by their own text get its name where the text is another one now.

    Args:
        in_cell: they stand in a table cell, where `|` needs an escape.
    """
    out = list(pieces)
    opened: dict[int, int] = {}
    for index, piece in enumerate(pieces):
        if piece.kind is Kind.OPEN:
            opened[piece.pair] = index
        elif isinstance(piece.raw, Shortcut) and piece.raw.reference and piece.pair in opened:
            start, reference = opened[piece.pair], piece.raw.reference
            text = "".join(each.text if each.raw is None else each.raw for each in pieces[start + 1 : index])
            if " ".join(text.split()).casefold() == reference.casefold():
                continue
            if piece.raw == _WIKI_END:
                out[start] = pieces[start]._replace(raw=f"[[{reference}{chr(92) if in_cell else ''}|")
            else:
                out[index] = piece._replace(raw=f"][{reference}]")
    return out
