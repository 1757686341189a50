"""What can go wrong with a draft, and where its source can be cut for a second try."""

from __future__ import annotations

from collections.abc import Sequence

from anaphora_nmt.search.beam import Hypothesis
from anaphora_nmt.text.loops import has_loop
from anaphora_nmt.text.pieces import BOS, EOS, Pieces

Part = tuple[list[int], tuple[int, ...]]
"""Source ids with marks, and how often each placeholder occurs among them."""

SHORTEST_HALF = 6
_CLAUSE_ENDS = "，,；;。！？!?：:、"


def faults(part: Part, hypothesis: Hypothesis, target: Pieces) -> int:
    """How much is wrong with a hypothesis: lost placeholders; running in circles, without end, or empty.

    A search that may not end in debt can end in babble, so both are looked for.
    """
    lost = sum(
        max(0, count - sum(piece in target.placeholder_ids[mark] for piece in hypothesis.pieces))
        for mark, count in enumerate(part[1])
        if count
    )
    text = target.decode(hypothesis.pieces)
    has_words = len(part[0]) > 2
    broken = has_loop(text) or hypothesis.pieces[-1:] != (EOS,) or (has_words and not text.strip())
    return lost + broken


def halves(part: Part, source: Pieces) -> tuple[Part, Part] | None:
    """Cut a part at the clause end nearest to its middle; None where no clause ends inside."""
    ids = part[0][1:-1]
    ends = [
        place
        for place in range(SHORTEST_HALF, len(ids) - SHORTEST_HALF + 1)
        if source.piece(ids[place - 1])[-1:] in _CLAUSE_ENDS
    ]
    if not ends:
        return None
    cut = min(ends, key=lambda place: abs(2 * place - len(ids)))
    first, second = (_part(some, source, len(part[1])) for some in (ids[:cut], ids[cut:]))
    return first, second


def _part(ids: Sequence[int], source: Pieces, strings: int) -> Part:
    counts = tuple(sum(piece in source.placeholder_ids[mark] for piece in ids) for mark in range(strings))
    return [BOS, *ids, EOS], counts
