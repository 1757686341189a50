"""The words that a model would have gone on with in place of those that stand there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from anaphora_nmt.memory.words import MAX_WORD
from anaphora_nmt.models.memory_augmented import MemoryAugmentedModel
from anaphora_nmt.nn.state import Encoded, Features
from anaphora_nmt.pipeline.explaining.influences import ForcedText
from anaphora_nmt.text.vocabulary import EOS, PAD


@dataclass(frozen=True)
class OtherWord:
    """A word that would stand in place of another: where it begins, and its pieces; none: the sentence would
    end.

    Attributes:
        text, features: the target with this word in place of the other, and the decoder's features, [1, T,
            …].
    """

    start: int
    pieces: tuple[int, ...]
    text: tuple[int, ...]
    features: Features


@dataclass
class _Spelled:
    """A word that is being spelled; `rest` comes after it, `least` pieces lead to the first that is another
    one."""

    start: int
    pieces: list[int]
    rest: list[int]
    least: int
    features: Features | None = None

    def text(self, given: Sequence[int]) -> list[int]:
        return [*given[: self.start], *self.pieces, *self.rest]

    def end_at(self, words: Sequence[tuple[int, int]]) -> None:
        """Leave out what was spelled after the word, where it is written without a space after it."""
        end = next((end for _, end in words if end >= self.least), len(self.pieces))
        if end < len(self.pieces):
            del self.pieces[end:]
            self.features = None


_ROWS = 4
"""Targets that are decoded together: they are padded to the longest."""


def words_instead(model: MemoryAugmentedModel, encoded: Encoded, forced: ForcedText) -> dict[int, OtherWord]:
    """For each word that memories changed, by number, the one that the model without them takes in its
    place."""
    target, best = forced.decoding.target, forced.plain
    vocabulary, unspaced = model.vocabulary, model.vocabulary.unspaced
    given, goes_on, begins = target[0].tolist(), vocabulary.continues.tolist(), vocabulary.starts.tolist()
    found: dict[int, _Spelled] = {}
    unfinished: list[_Spelled] = []
    for number, word in forced.changed().items():
        start, end = word.pieces
        parting = next((step for step in range(start, end) if best[step] != given[step]), end)
        stands_apart = unspaced[best[parting]] or (start > 0 and unspaced[given[start - 1]])
        if parting == start and goes_on[best[parting]] and not stands_apart:
            start = _begin_of_word(given, start, begins, goes_on)  # it would be joined to the word before
        found[number] = spelled = _Spelled(start, given[start:parting], given[end:], parting - start + 1)
        if parting < end and best[parting] != EOS and (parting == start or goes_on[best[parting]]):
            spelled.pieces.append(best[parting])
            if goes_on[best[parting]] or begins[best[parting]]:
                unfinished.append(spelled)
    for _ in range(MAX_WORD):
        following = _decode(model, encoded, given, unfinished)
        longer = [goes_on[piece] for piece in following]
        for spelled, piece, more in zip(unfinished, following, longer, strict=True):
            spelled.pieces += [piece] if more else []
        unfinished = [each for each, more in zip(unfinished, longer, strict=True) if more]
    for each in found.values():
        each.end_at(vocabulary.cut(each.pieces, 0, len(each.pieces)))
    _decode(model, encoded, given, unfinished + [each for each in found.values() if each.features is None])
    words = {}
    for number, each in found.items():
        assert each.features is not None
        words[number] = OtherWord(each.start, tuple(each.pieces), tuple(each.text(given)), each.features)
    return words


def _begin_of_word(given: Sequence[int], step: int, begins: Sequence[bool], goes_on: Sequence[bool]) -> int:
    """The beginning of the word that a piece at a step would continue; the step itself without one."""
    before = step - 1
    while before > 0 and goes_on[given[before]]:
        before -= 1
    return before if before >= 0 and begins[given[before]] else step


def _decode(
    model: MemoryAugmentedModel, encoded: Encoded, given: Sequence[int], words: Sequence[_Spelled]
) -> list[int]:
    """Decode targets with other words in place; the most probable piece after each word, without memories."""
    following: list[int] = []
    for first in range(0, len(words), _ROWS):
        some = words[first : first + _ROWS]
        texts = [word.text(given) for word in some]
        longest = max(map(len, texts))
        rows = [[*text, *[PAD] * (longest - len(text))] for text in texts]
        features = model.decode(encoded.repeat(len(rows)), torch.tensor(rows, device=model.device))
        after = [row * longest + word.start + len(word.pieces) for row, word in enumerate(some)]
        at_end = features.at(torch.tensor(after, device=model.device))
        following += model.log_probs_after(at_end, ()).argmax(-1).tolist()
        for row, (word, text) in enumerate(zip(some, texts, strict=True)):
            parts = (features.state, features.context, features.embedding)
            word.features = Features(*(part[row : row + 1, : len(text)] for part in parts))
    return following
