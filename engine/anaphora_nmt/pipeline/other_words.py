"""The words that a model would have gone on with in place of those that stand there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from anaphora_nmt.memory.words import MAX_WORD
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded
from anaphora_nmt.pipeline.forced import Forced
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


def words_instead(model: MemoryAugmentedModel, encoded: Encoded, forced: Forced) -> dict[int, OtherWord]:
    """For each word that memories changed, the one that the model without them takes after the same words.

    Args:
        encoded: the one source.
    Returns:
        by number of the word: its pieces, chosen one by one to its end.
    """
    target, best = forced.decoding.target, forced.plain
    vocabulary = model.vocabulary
    given, goes_on, begins = target[0].tolist(), vocabulary.continues.tolist(), vocabulary.starts.tolist()
    found: dict[int, tuple[int, list[int]]] = {}
    unfinished: list[tuple[int, list[int]]] = []
    for number, word in forced.changed().items():
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


def led_to(
    model: MemoryAugmentedModel, encoded: Encoded, forced: Forced, instead: Mapping[int, OtherWord]
) -> dict[int, int]:
    """For words that stand for an earlier word that memories changed: that word, of several the strongest.

    The model says such a word by itself after the words that stand there; with the word without memory in
    place of the earlier one it would have gone on otherwise.

    Args:
        instead: by number of each changed word, the word without memory.
    """
    given = forced.decoding.target[0].tolist()
    rest = [
        (number, word.pieces)
        for number, word in enumerate(forced.words)
        if number not in instead and given[slice(*word.pieces)] == forced.fused[slice(*word.pieces)]
    ]
    found: dict[int, tuple[float, int]] = {}
    changed = sorted(number for number in instead if any(number < other for other, _ in rest))
    for first in range(0, len(changed), _ROWS):
        some = changed[first : first + _ROWS]
        texts = [_replaced(given, instead[number], forced.words[number]) for number in some]
        log_probs = _plain_log_probs(model, encoded, texts)
        for row, (number, text) in enumerate(zip(some, texts, strict=True)):
            for other, (start, end) in rest:
                steps = torch.arange(start, end, device=model.device) + len(text) - len(given)
                pieces = torch.tensor(given[start:end], device=model.device)
                at = log_probs[row, steps]
                if other > number and not torch.equal(at.argmax(-1), pieces):
                    likely = float(at.gather(-1, pieces[:, None]).sum())
                    found[other] = min(found.get(other, (0.0, number)), (likely, number))
    return {other: number for other, (_, number) in found.items()}


def _replaced(given: Sequence[int], other: OtherWord, word: Word) -> list[int]:
    return [*given[: other.start], *other.pieces, *given[word.pieces[1] :]]


def _plain_log_probs(model: MemoryAugmentedModel, encoded: Encoded, texts: Sequence[list[int]]) -> Tensor:
    """log p without memories at each step of several targets, [B, T, V]."""
    longest = max(map(len, texts))
    target = torch.tensor([[*text, *[PAD] * (longest - len(text))] for text in texts], device=model.device)
    features = model.base.force_decode(encoded.repeat(len(texts)), target)
    return model.log_probs_after(features, ())


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
