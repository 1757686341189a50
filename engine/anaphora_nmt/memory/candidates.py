"""The pieces that the words of the dynamic and topic caches offer at each step, for every hypothesis.

The caches of Kuang et al. (2018) contain whole words of the vocabulary. Here a word may consist of several
pieces, and each cached word offers only one piece at each step. A cached word is "alive" if it begins with
the pieces of the hypothesis' unfinished word. An alive word with further pieces offers its next piece, and
every other word offers its first piece. So p_cache stays a softmax over cached words (eq. 7), and the p_cache
of a piece is the sum over the words that offer the piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.memory.protocol import Groups
from anaphora_nmt.memory.word_contents import DYNAMIC, WordContents
from anaphora_nmt.memory.words import MAX_WORD, Word, WordVocabulary
from anaphora_nmt.nn.devices import is_on_cpu
from anaphora_nmt.nn.state import DecoderState

_GROWTH = 8
"""Number of columns that `_grow` adds for the hypotheses' words."""
_PRIME = 1_000_003
"""Factor of the polynomial hash (`hashed`)."""
_NEVER_LEAVES = 1 << 40
"""Position in the queue that topic words get: so late that they never leave."""


@dataclass(frozen=True)
class WordSlots(DecoderState):
    """Cached words of B hypotheses: first the document's words, then the words of the hypothesis itself.

    Attributes:
        fixed: number of columns with words of the document.
        max_next: the largest `next_column`; on a GPU, an upper bound, because reading the column would block.
        words: the pieces of the word in each of K columns, padded with 0, [B, K, MAX_WORD].
        hashes: hash of each word (`hashed`); 0 in a column without a word, [B, K].
        order: position of each word in the dynamic cache's queue; −1 in a column without a word, and
            `_NEVER_LEAVES` for topic words, [B, K].
        entered: number of words in the queue before the sentence, plus those that have entered since, [B].
        next_column: column for the next word of the hypothesis, [B].
        alive: whether each word begins with the pieces of the hypothesis' unfinished word, [B, K].
        depth, current: number of the unfinished word's pieces, [B], and the first MAX_WORD of these pieces,
            padded with 0, [B, MAX_WORD].
    """

    fixed: int
    max_next: int
    words: Tensor
    hashes: Tensor
    order: Tensor
    entered: Tensor
    next_column: Tensor
    alive: Tensor
    depth: Tensor
    current: Tensor


class Candidates(nn.Module):
    """Applies the rules by which words enter the queue, leave it, and offer pieces.

    A word of a hypothesis enters the dynamic cache when it is finished (Kuang et al., 2018, 4.1.1), unless
    it is a stop word, has more than MAX_WORD pieces, or is already in the dynamic or topic cache.
    """

    starts: Tensor
    continues: Tensor
    stop_hashes: Tensor

    def __init__(self, vocabulary: WordVocabulary, dynamic_size: int) -> None:
        super().__init__()
        self.dynamic_size = dynamic_size
        self.register_buffer("starts", vocabulary.starts, persistent=False)
        self.register_buffer("continues", vocabulary.continues, persistent=False)
        self.register_buffer("stop_hashes", hashed(vocabulary.stop_words), persistent=False)

    def start(self, contents: Sequence[WordContents]) -> WordSlots:
        """The slots before the first step, with a row for each document's contents."""
        device = self.starts.device
        listed = [each.listed for each in contents]
        rows, columns = len(listed), max((len(words) for words in listed), default=0)
        words = torch.zeros(rows, columns, MAX_WORD, dtype=torch.int64)
        order = torch.full((rows, columns), -1, dtype=torch.int64)
        for row, entries in enumerate(listed):
            if entries:
                padded = [word + (0,) * (MAX_WORD - len(word)) for word, _ in entries]
                places = [n if cache == DYNAMIC else _NEVER_LEAVES for n, (_, cache) in enumerate(entries)]
                words[row, : len(entries)] = torch.tensor(padded)
                order[row, : len(entries)] = torch.tensor(places)
        return WordSlots(
            fixed=columns,
            max_next=columns,
            words=words.to(device),
            hashes=hashed(words).to(device),
            order=order.to(device),
            entered=torch.tensor([len(each.dynamic.words) for each in contents], device=device),
            next_column=torch.full((rows,), columns, device=device),
            alive=torch.zeros(rows, columns, dtype=torch.bool, device=device),
            depth=torch.zeros(rows, dtype=torch.int64, device=device),
            current=torch.zeros(rows, MAX_WORD, dtype=torch.int64, device=device),
        )

    def visible(self, slots: WordSlots) -> Tensor:
        """True for columns whose word is still in the dynamic or topic cache, [B, K]."""
        oldest = (slots.entered - self.dynamic_size).clamp_min(0)
        return slots.order >= oldest[:, None]

    def offered(self, slots: WordSlots) -> Tensor:
        """The piece that each column offers at the next step, [B, K]; 0 at columns without a word."""
        following = _piece_at(slots.words, slots.depth)
        continues = slots.alive & (slots.depth < MAX_WORD)[:, None] & (following != 0)
        return torch.where(continues, following, slots.words[..., 0])

    def advance(
        self, slots: WordSlots, previous: Tensor, barred: Tensor | None = None
    ) -> tuple[WordSlots, Tensor]:
        """Update the slots with each hypothesis' last piece.

        Args:
            previous: the last pieces, [B].
            barred: hashes of words that must not enter, [B, N].
        Returns:
            the slots, and for each hypothesis the column of the word that has just entered, or −1, [B].
        """
        starts = self.starts[previous]
        continues = self.continues[previous] & (slots.depth > 0)
        slots, column = self._enter(slots, (slots.depth > 0) & ~continues, barred)
        piece = previous[:, None]
        begins = starts[:, None] & (slots.words[..., 0] == piece)
        within = (continues & (slots.depth < MAX_WORD))[:, None]
        alive = begins | (within & slots.alive & (_piece_at(slots.words, slots.depth) == piece))
        first = functional.pad(piece, (0, MAX_WORD - 1))
        place = torch.arange(MAX_WORD, device=piece.device) == slots.depth[:, None]
        longer = torch.where(place, piece, slots.current)
        current = torch.where(starts[:, None], first, torch.where(continues[:, None], longer, 0))
        depth = torch.where(starts, 1, torch.where(continues, slots.depth + 1, 0))
        return replace(slots, alive=alive, depth=depth, current=current), column

    def _enter(self, slots: WordSlots, ended: Tensor, barred: Tensor | None) -> tuple[WordSlots, Tensor]:
        """Put words that have just ended into the queue; returns slots and columns as `advance` does."""
        column = torch.full_like(slots.depth, -1)
        entering = ended & (slots.depth <= MAX_WORD)
        if self.dynamic_size == 0 or _is_known_empty(entering):
            return slots, column
        hashes = hashed(slots.current)[:, None]
        entering &= ~(self.stop_hashes == hashes).any(1)
        if barred is not None:
            entering &= ~(barred == hashes).any(1)
        entering &= ~((slots.hashes == hashes) & self.visible(slots)).any(1)
        if _is_known_empty(entering):
            return slots, column
        if slots.max_next >= slots.words.shape[1]:
            slots = _grow(slots)
        column = torch.where(entering, slots.next_column, column)
        place = torch.arange(slots.words.shape[1], device=column.device) == column[:, None]
        following = slots.next_column + entering
        slots = replace(
            slots,
            max_next=int(following.max()) if is_on_cpu(following) else slots.max_next + 1,
            words=torch.where(place[..., None], slots.current[:, None], slots.words),
            hashes=torch.where(place, hashes, slots.hashes),
            order=torch.where(place, slots.entered[:, None], slots.order),
            entered=slots.entered + entering,
            next_column=following,
        )
        return slots, column


@dataclass(frozen=True)
class CandidateTrace:
    """The candidates of B given targets at every step: `offered` pieces and `visible` columns, [B, T, K].

    Attributes:
        slots: the slots after the last step.
        sentence_words: for each target, the words of the target that entered the cache, in column order.
    """

    slots: WordSlots
    offered: Tensor
    visible: Tensor
    sentence_words: tuple[tuple[Word, ...], ...]


def without_columns(slots: WordSlots, groups: Groups) -> WordSlots:
    """Copy one document's slots before the first step to a row for each group of columns.

    The words in the group's columns are removed from the group's row.
    """
    slots = slots.reorder(torch.zeros(len(groups), dtype=torch.int64, device=slots.order.device))
    drop = torch.zeros_like(slots.alive)
    for row, group in enumerate(groups):
        drop[row, list(group)] = True
    queued = (drop & (slots.order < _NEVER_LEAVES)).long()
    # A word stays in the queue one entry longer for each dropped word that entered after it.
    later = queued.flip(1).cumsum(1).flip(1)
    return replace(
        slots, order=torch.where(drop, -1, slots.order + later), hashes=slots.hashes.masked_fill(drop, 0)
    )


def trace_candidates(
    candidates: Candidates, slots: WordSlots, previous: Tensor, barred: Tensor | None = None
) -> CandidateTrace:
    """Compute the candidates at every step of given targets, in the same way as a search.

    Args:
        previous: y_{t−1} at each step, [B, T].
        barred: see `Candidates.advance`.
    """
    steps = []
    for step in range(previous.shape[1]):
        slots, _ = candidates.advance(slots, previous[:, step], barred)
        steps.append((candidates.offered(slots), candidates.visible(slots)))
    columns = slots.words.shape[1]
    offered, visible = (
        torch.stack([functional.pad(step, (0, columns - step.shape[1])) for step in each], 1)
        for each in zip(*steps, strict=True)
    )
    words = [
        tuple(tuple(piece for piece in word if piece) for word in row[:count])
        for row, count in zip(
            slots.words[:, slots.fixed :].tolist(), (slots.next_column - slots.fixed).tolist(), strict=True
        )
    ]
    return CandidateTrace(slots, offered, visible, tuple(words))


def _piece_at(words: Tensor, depth: Tensor) -> Tensor:
    """Each word's piece at index `depth` [B], limited to MAX_WORD − 1; 0 after the word's end, [B, K]."""
    place = depth.clamp_max(MAX_WORD - 1)[:, None, None].expand(-1, words.shape[1], 1)
    return words.gather(2, place)[..., 0]


def hashed(words: Tensor) -> Tensor:
    """Hashes modulo 2⁶⁴, [...], of words [..., MAX_WORD]; different words rarely have the same hash."""
    hashes = torch.zeros_like(words[..., 0])
    for place in range(words.shape[-1]):
        hashes = hashes * _PRIME + words[..., place]
    return hashes


def _is_known_empty(rows: Tensor) -> bool:
    """True if all values are False; always False on a GPU, where reading the values would block."""
    return is_on_cpu(rows) and not bool(rows.any())


def _grow(slots: WordSlots) -> WordSlots:
    return replace(
        slots,
        words=functional.pad(slots.words, (0, 0, 0, _GROWTH)),
        hashes=functional.pad(slots.hashes, (0, _GROWTH)),
        order=functional.pad(slots.order, (0, _GROWTH), value=-1),
        alive=functional.pad(slots.alive, (0, _GROWTH)),
    )
