"""The words that a model would have gone on with in place of those that stand there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.memory.words import MAX_WORD
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.lines import Word
from anaphora_nmt.text.vocabulary import EOS, PAD


@dataclass(frozen=True)
class OtherWord:
    """A word that would stand in place of another.

    Attributes:
        start: step of its first piece; it may go on with the word before.
        pieces: </s> left out; none where the sentence would end.
    """

    start: int
    pieces: tuple[int, ...]


_ROWS = 4
"""Prefixes that are decoded together: they come by length, and are padded to the longest."""


def words_instead(
    model: MemoryAugmentedModel,
    encoded: Encoded,
    target: Tensor,
    words: Mapping[int, Word],
    best: Sequence[int],
) -> dict[int, OtherWord]:
    """For each word the one that the model without memories takes after the same words, in pieces.

    Args:
        encoded: the one source. target: pieces, [1, T].
        words: of the target, by number.
        best: the most probable piece at each step, without memories.
    Returns:
        its pieces, chosen one by one to its end.
    """
    vocabulary = model.vocabulary
    given, goes_on, begins = target[0].tolist(), vocabulary.continues.tolist(), vocabulary.starts.tolist()
    found: dict[int, tuple[int, list[int]]] = {}
    unfinished: list[tuple[int, list[int]]] = []
    for number, word in words.items():
        start, end = word.pieces
        parting = next((step for step in range(start, end) if best[step] != given[step]), end)
        if parting == start and goes_on[best[parting]]:
            start = _begin_of_word(given, start, begins, goes_on)  # it would be joined to the word before
        found[number] = spelled = start, given[start:parting]
        if parting < end and (parting == start or goes_on[best[parting]]):
            spelled[1].append(best[parting])
            if goes_on[best[parting]] or begins[best[parting]]:
                unfinished.append(spelled)
    for _ in range(MAX_WORD):
        prefixes = [[*given[:start], *pieces] for start, pieces in unfinished]
        following = [
            piece
            for first in range(0, len(prefixes), _ROWS)
            for piece in _next_pieces(model, encoded, prefixes[first : first + _ROWS])
        ]
        goes = [goes_on[piece] for piece in following]
        for (_, pieces), piece, longer in zip(unfinished, following, goes, strict=True):
            pieces += [piece] if longer else []
        unfinished = [each for each, longer in zip(unfinished, goes, strict=True) if longer]
    return {
        number: OtherWord(start, tuple(piece for piece in pieces if piece != EOS))
        for number, (start, pieces) in found.items()
    }


def _begin_of_word(given: Sequence[int], step: int, begins: Sequence[bool], goes_on: Sequence[bool]) -> int:
    """Where the word begins that a piece at a step would go on with; the step itself where there is none."""
    before = step - 1
    while before > 0 and goes_on[given[before]]:
        before -= 1
    return before if before >= 0 and begins[given[before]] else step


def _next_pieces(model: MemoryAugmentedModel, encoded: Encoded, prefixes: Sequence[list[int]]) -> list[int]:
    """The most probable piece after each prefix, without memories."""
    longest = max(len(prefix) for prefix in prefixes) + 1
    rows = [[*prefix, *[PAD] * (longest - len(prefix))] for prefix in prefixes]
    features = model.base.force_decode(encoded.repeat(len(rows)), torch.tensor(rows, device=model.device))
    last = torch.tensor([len(prefix) for prefix in prefixes], device=model.device)
    numbers = torch.arange(len(rows), device=model.device)
    at_end = features.at(numbers * longest + last)
    return [int(piece) for piece in model.log_probs_after(at_end, ()).argmax(-1)]
