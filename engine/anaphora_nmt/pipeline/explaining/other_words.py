"""The words that a model without memories would have written instead of those in a target."""

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
    """A word that would replace a word of the target.

    Attributes:
        start, pieces: the word's first step, and its pieces (none if the sentence would end).
        text, features: the target after the replacement, and the decoder's features for it, [1, T, …].
    """

    start: int
    pieces: tuple[int, ...]
    text: tuple[int, ...]
    features: Features


@dataclass
class _Spelling:
    """A word that is decoded piece by piece.

    Attributes:
        rest: the pieces of the target after the word.
        min_pieces: number of pieces up to and including the first that differs from the target.
    """

    start: int
    pieces: list[int]
    rest: list[int]
    min_pieces: int
    features: Features | None = None

    def text(self, ids: Sequence[int]) -> list[int]:
        return [*ids[: self.start], *self.pieces, *self.rest]

    def drop_following_words(self, words: Sequence[tuple[int, int]]) -> None:
        end = next((end for _, end in words if end >= self.min_pieces), len(self.pieces))
        if end < len(self.pieces):
            del self.pieces[end:]
            self.features = None


_BATCH = 4
"""Maximum number of targets to decode together; they are padded to the longest target."""


def other_words(model: MemoryAugmentedModel, encoded: Encoded, forced: ForcedText) -> dict[int, OtherWord]:
    """For each word that memories changed, by number, the word that the model writes without memories."""
    target, best = forced.decoding.target, forced.plain
    vocabulary, unspaced = model.vocabulary, model.vocabulary.unspaced
    ids, continues, starts = target[0].tolist(), vocabulary.continues.tolist(), vocabulary.starts.tolist()
    spellings: dict[int, _Spelling] = {}
    unfinished: list[_Spelling] = []
    for number, word in forced.changed_words().items():
        start, end = word.pieces
        deviation = next((step for step in range(start, end) if best[step] != ids[step]), end)
        stands_apart = unspaced[best[deviation]] or (start > 0 and unspaced[ids[start - 1]])
        if deviation == start and continues[best[deviation]] and not stands_apart:
            start = _word_start(ids, start, starts, continues)  # the piece would continue the previous word
        spellings[number] = spelled = _Spelling(start, ids[start:deviation], ids[end:], deviation - start + 1)
        if deviation < end and best[deviation] != EOS and (deviation == start or continues[best[deviation]]):
            spelled.pieces.append(best[deviation])
            if continues[best[deviation]] or starts[best[deviation]]:
                unfinished.append(spelled)
    for _ in range(MAX_WORD):
        following = _decode(model, encoded, ids, unfinished)
        longer = [continues[piece] for piece in following]
        for spelled, piece, is_longer in zip(unfinished, following, longer, strict=True):
            spelled.pieces += [piece] if is_longer else []
        unfinished = [each for each, is_longer in zip(unfinished, longer, strict=True) if is_longer]
    for each in spellings.values():
        each.drop_following_words(vocabulary.cut(each.pieces, 0, len(each.pieces)))
    _decode(model, encoded, ids, unfinished + [each for each in spellings.values() if each.features is None])
    words = {}
    for number, each in spellings.items():
        assert each.features is not None
        words[number] = OtherWord(each.start, tuple(each.pieces), tuple(each.text(ids)), each.features)
    return words


def _word_start(ids: Sequence[int], step: int, starts: Sequence[bool], continues: Sequence[bool]) -> int:
    before = step - 1
    while before > 0 and continues[ids[before]]:
        before -= 1
    return before if before >= 0 and starts[ids[before]] else step


def _decode(
    model: MemoryAugmentedModel, encoded: Encoded, ids: Sequence[int], words: Sequence[_Spelling]
) -> list[int]:
    """Store the features of targets with other words; returns the best next piece after each word."""
    following: list[int] = []
    for first in range(0, len(words), _BATCH):
        batch = words[first : first + _BATCH]
        texts = [word.text(ids) for word in batch]
        longest = max(map(len, texts))
        rows = [[*text, *[PAD] * (longest - len(text))] for text in texts]
        features = model.decode(encoded.repeat(len(rows)), torch.tensor(rows, device=model.device))
        after = [row * longest + word.start + len(word.pieces) for row, word in enumerate(batch)]
        at_end = features.at(torch.tensor(after, device=model.device))
        following += model.log_probs_after(at_end, ()).argmax(-1).tolist()
        for row, (word, text) in enumerate(zip(batch, texts, strict=True)):
            parts = (features.state, features.context, features.embedding)
            word.features = Features(*(part[row : row + 1, : len(text)] for part in parts))
    return following
