"""What can go wrong with a draft, and what is left of it in several parts."""

from __future__ import annotations

from anaphora_nmt.pipeline.prepared import Part
from anaphora_nmt.search.beam import Hypothesis
from anaphora_nmt.text.loops import has_loop
from anaphora_nmt.text.vocabulary import EOS, Vocabulary


def faults(part: Part, hypothesis: Hypothesis, target: Vocabulary) -> int:
    """How much is wrong with a hypothesis: lost placeholders; running in circles, without end, or empty.

    A search that may not end in debt can end in babble, so both are looked for.
    """
    lost = sum(
        max(0, count - sum(piece in target.placeholder_ids[mark] for piece in hypothesis.pieces))
        for mark, count in enumerate(part.required)
        if count
    )
    text = target.decode(hypothesis.pieces)
    has_words = len(part.ids) > 2
    broken = has_loop(text) or hypothesis.pieces[-1:] != (EOS,) or (has_words and not text.strip())
    return lost + broken
