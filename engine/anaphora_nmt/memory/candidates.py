"""The piece that each cached word offers at each step, for every hypothesis.

The papers' caches contain whole words of the vocabulary. With pieces, each cached word offers only one piece
at each step: its next piece while it begins with the word that the hypothesis is spelling (the cached word
is "alive"), otherwise its first piece. So p_cache stays a softmax over cached words (Kuang
et al., 2018, eq. 7), and a piece's p_cache is the sum over the words that offer it.
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
_PRIME = 1_000_003
_NEVER_LEAVES = 1 << 40


@dataclass(frozen=True)
class WordSlots(DecoderState):
    """Cached words of B hypotheses: first the document's words, then those of the partial sentence.

    Attributes:
        fixed: number of columns with words of the document.
        max_free: the largest `free`; on a GPU only an upper bound, because reading `free` would block.
        words: the words' pieces, padded with 0, [B, K, MAX_WORD].
        hashes: a 64-bit number for each word, 0 without a word, [B, K].
        order: position in the dynamic cache's queue; −1 without a word; very large for topic words, [B, K].
        entered: number of words that have ever entered the queue, [B].
        free: column for the next word of the partial sentence, [B].
        alive: whether the word begins with the hypothesis' unfinished word, [B, K].
        depth, current: number of pieces of the unfinished word, [B], and these pieces, [B, MAX_WORD].
    """

    fixed: int
    max_free: int
    words: Tensor
    hashes: Tensor
    order: Tensor
    entered: Tensor
    free: Tensor
    alive: Tensor
    depth: Tensor
    current: Tensor


class Candidates(nn.Module):
    """The rules by which words enter the queue, leave it, and offer pieces, on tensors.

    The partial sentence's words enter the dynamic cache when they are finished (Kuang et al., 2018, 4.1.1),
    by the same rules as those of earlier sentences. Words in the topic cache do not enter.
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
        """The slots before the first step, a row for each of the contents."""
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
            max_free=columns,
            words=words.to(device),
            hashes=hashed(words).to(device),
            order=order.to(device),
            entered=torch.tensor([len(each.dynamic.words) for each in contents], device=device),
            free=torch.full((rows,), columns, device=device),
            alive=torch.zeros(rows, columns, dtype=torch.bool, device=device),
            depth=torch.zeros(rows, dtype=torch.int64, device=device),
            current=torch.zeros(rows, MAX_WORD, dtype=torch.int64, device=device),
        )

    def visible(self, slots: WordSlots) -> Tensor:
        """True for columns with a word that has not left the queue, [B, K]."""
        gone = (slots.entered - self.dynamic_size).clamp_min(0)
        return slots.order >= gone[:, None]

    def offered(self, slots: WordSlots) -> Tensor:
        """The next piece that each column offers, [B, K]; 0 at columns without a word."""
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
            the slots, and the column that a finished word has just entered, −1 if none has, [B].
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
        """Put the words that have just ended into the queue."""
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
        if slots.max_free >= slots.words.shape[1]:
            slots = _grow(slots)
        column = torch.where(entering, slots.free, column)
        place = torch.arange(slots.words.shape[1], device=column.device) == column[:, None]
        free = slots.free + entering
        slots = replace(
            slots,
            max_free=int(free.max()) if is_on_cpu(free) else slots.max_free + 1,
            words=torch.where(place[..., None], slots.current[:, None], slots.words),
            hashes=torch.where(place, hashes, slots.hashes),
            order=torch.where(place, slots.entered[:, None], slots.order),
            entered=slots.entered + entering,
            free=free,
        )
        return slots, column


@dataclass(frozen=True)
class CandidateTrace:
    """The candidates of given targets at every step: `offered` pieces and `visible` columns, [B, T, K].

    Attributes:
        slots: the slots after the last step.
        sentence_words: for each row, the words of the sentence itself that entered, in column order.
    """

    slots: WordSlots
    offered: Tensor
    visible: Tensor
    sentence_words: tuple[tuple[Word, ...], ...]


def without_columns(slots: WordSlots, groups: Groups) -> WordSlots:
    """One document's slots before the first step, in one row for each group, without the group's words."""
    slots = slots.reorder(torch.zeros(len(groups), dtype=torch.int64, device=slots.order.device))
    gone = torch.zeros_like(slots.alive)
    for row, group in enumerate(groups):
        gone[row, list(group)] = True
    queued = (gone & (slots.order < _NEVER_LEAVES)).long()
    later = queued.flip(1).cumsum(1).flip(1)  # earlier words leave the queue this many words later
    return replace(
        slots, order=torch.where(gone, -1, slots.order + later), hashes=slots.hashes.masked_fill(gone, 0)
    )


def trace_candidates(
    candidates: Candidates, slots: WordSlots, previous: Tensor, barred: Tensor | None = None
) -> CandidateTrace:
    """Advance through given previous pieces [B, T] by the same steps as a search."""
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
            slots.words[:, slots.fixed :].tolist(), (slots.free - slots.fixed).tolist(), strict=True
        )
    ]
    return CandidateTrace(slots, offered, visible, tuple(words))


def _piece_at(words: Tensor, depth: Tensor) -> Tensor:
    """Piece number `depth` [B] of each word [B, K, MAX_WORD]; the last one for shorter words, [B, K]."""
    place = depth.clamp_max(MAX_WORD - 1)[:, None, None].expand(-1, words.shape[1], 1)
    return words.gather(2, place)[..., 0]


def hashed(words: Tensor) -> Tensor:
    """Words [..., MAX_WORD] → numbers [...], modulo 2⁶⁴; different words nearly always differ."""
    hashes = torch.zeros_like(words[..., 0])
    for place in range(words.shape[-1]):
        hashes = hashes * _PRIME + words[..., place]
    return hashes


def _is_known_empty(rows: Tensor) -> bool:
    """True if no row is set; always False on a GPU, where reading the values would block."""
    return is_on_cpu(rows) and not bool(rows.any())


def _grow(slots: WordSlots) -> WordSlots:
    return replace(
        slots,
        words=functional.pad(slots.words, (0, 0, 0, _GROWTH)),
        hashes=functional.pad(slots.hashes, (0, _GROWTH)),
        order=functional.pad(slots.order, (0, _GROWTH), value=-1),
        alive=functional.pad(slots.alive, (0, _GROWTH)),
    )
