"""What a translator confirmed, word for word: the model follows it where the same thing comes again.

A choice of ours beside the published caches. A confirmed word that the model would not have said cannot
come back through the continuous cache: the state that is stored for it asks for the model's own word. So
confirmed pieces are kept with their steps, and are mixed into the distribution as the shallow fusion of Tu et
al. (2018), section 4.4, mixes cached words, with a weight that grows with how alike the two steps are.

Confirmed text says which word comes, not whether one does: only the probability of the pieces of words is
shared out anew. Marks, placeholders and `</s>`, which are not kept, stay as likely as the model has them, and
so do numbers, which come from the source alone. Without that, sentences went on past their ends into what had
been confirmed elsewhere. And a piece inside a confirmed word is offered only after the piece before it: words
were glued together from halves otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.config import ConfirmedConfig
from anaphora_nmt.nn.state import Features, SentenceState

_HIDDEN = -1e4  # far below any cosine, and no infinity: a row may have nothing at all
_ANY = -1
"""In place of the piece before one that begins a word."""


@dataclass(frozen=True, slots=True)
class ConfirmedPieces:
    """The last `size` confirmed pieces of words, oldest first.

    Attributes:
        steps: (c_t, s_t), each of norm 1, side by side, float16 [N, C + D].
        pieces: ids, int64 [N].
        places: of each piece, its word and the index in it.
        segments: the segment that each comes from.
    """

    size: int = 0
    steps: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    pieces: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    places: tuple[tuple[tuple[int, ...], int], ...] = ()
    segments: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.pieces)

    def words(self) -> list[tuple[tuple[int, ...], int, tuple[int, ...]]]:
        """(word, segment, its pieces' columns) of each confirmed word that is still there, oldest first."""
        groups: list[list[int]] = []
        for column, (_, index) in enumerate(self.places):
            if index == 0 or not groups:
                groups.append([])
            groups[-1].append(column)
        return [(self.places[group[0]][0], self.segments[group[0]], tuple(group)) for group in groups]

    def write(
        self,
        contexts: np.ndarray,
        states: np.ndarray,
        places: Sequence[tuple[tuple[int, ...], int]],
        segment: int,
    ) -> ConfirmedPieces:
        """With one more confirmed sentence, segment number `segment`."""
        if not self.size or not len(places):
            return self
        pieces = [word[index] for word, index in places]
        new = np.concatenate((_directed(contexts), _directed(states)), axis=1).astype(np.float16)
        steps = np.concatenate((self.steps, new)) if len(self) else new
        joined = np.concatenate((self.pieces, np.array(pieces, np.int64)))
        return ConfirmedPieces(
            self.size,
            steps[-self.size :],
            joined[-self.size :],
            (*self.places, *places)[-self.size :],
            (*self.segments, *([segment] * len(places)))[-self.size :],
        )


def _directed(vectors: np.ndarray) -> np.ndarray:
    vectors = vectors.astype(np.float32)
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)


@dataclass(frozen=True)
class ConfirmedSlots(SentenceState):
    """Confirmed pieces of a batch of sentences: steps [B, N, C + D], pieces [B, N], mask [B, N].

    `before` [B, N] is the piece that must have come before, or _ANY.
    Features and log-probabilities that are compared with them may have several rows a sentence, one after
    the other: its hypotheses.
    """

    steps: Tensor
    pieces: Tensor
    before: Tensor
    mask: Tensor


def gather_confirmed(contents: Sequence[ConfirmedPieces], device: torch.device) -> ConfirmedSlots | None:
    """Tensors of several documents' confirmed pieces; None where there are none at all."""
    count = max((len(content) for content in contents), default=0)
    if not count:
        return None
    width = next(content.steps.shape[1] for content in contents if len(content))
    steps = np.zeros((len(contents), count, width), np.float32)
    pieces = np.zeros((len(contents), count), np.int64)
    before = np.full((len(contents), count), _ANY, np.int64)
    mask = np.zeros((len(contents), count), bool)
    for row, content in enumerate(contents):
        if used := len(content):
            steps[row, :used], pieces[row, :used], mask[row, :used] = content.steps, content.pieces, True
            before[row, :used] = [word[index - 1] if index else _ANY for word, index in content.places]
    arrays = (steps, pieces, before, mask)
    return ConfirmedSlots(*(torch.from_numpy(array).to(device) for array in arrays))


@dataclass(frozen=True)
class Likeness:
    """How alike steps are to confirmed pieces.

    Attributes:
        contexts, states: cosines of c_t and of s_t with those of the piece that is most alike, [B, T, 1].
        shares: of each confirmed piece in p_confirmed, [B, T, N].
        near: whether that piece is alike enough to be followed at all, [B, T, 1].
    """

    contexts: Tensor
    states: Tensor
    shares: Tensor
    near: Tensor


@dataclass(frozen=True)
class Steps:
    """Target steps that are compared with confirmed pieces; several rows a sentence are its hypotheses.

    Attributes:
        features: of the steps, [B, …] or [B, T, …].
        previous: y_{t−1}, [B] or [B, T].
        words: of each piece of the vocabulary, whether it spells a word (`WordVocabulary.spells`), float [V].
    """

    features: Features
    previous: Tensor
    words: Tensor

    def of_sentences(self, count: int) -> Steps:
        """A sentence's hypotheses side by side, as if they were steps of one: [count, …]."""
        parts = (self.features.state, self.features.context)
        state, context = (part.reshape(count, -1, part.shape[-1]) for part in parts)
        return Steps(Features(state, context, context), self.previous.reshape(count, -1), self.words)


def follow_confirmed(
    log_probs: Tensor, steps: Steps, slots: ConfirmedSlots, config: ConfirmedConfig
) -> Tensor:
    """(1 − λ) p + λ m p_confirmed for pieces of words, at one step ([B, V]) or at all ([B, T, V]).

    m is the sum of p over the pieces of words; the others keep p.
    Two steps are as alike as the cosines of their contexts and of their states, averaged with weights
    `context_share` and the rest; p_confirmed is a softmax over the pieces' likeness / `temperature`.
    λ is a logistic function of the two cosines of the piece that is most alike, fitted on training documents
    (`training/confirmed_gate.py`), and 0 below `threshold`: a row where nothing is alike stays as it is.
    """
    sentences = slots.pieces.shape[0]
    steps = steps.of_sentences(sentences)
    given = log_probs.reshape(sentences, -1, log_probs.shape[-1])
    weight, shares = confirmed_shares(steps, slots, config)
    confirmed = confirmed_probs(shares, slots, given)
    mass = word_mass(given, steps.words)[..., None]
    mixed = torch.log((1 - weight * steps.words) * given.exp() + weight * mass * confirmed)
    return torch.where(weight > 0, mixed, given).view_as(log_probs)


def word_mass(log_probs: Tensor, words: Tensor) -> Tensor:
    """The probability that a piece of a word comes, [B, T] of log-probabilities [B, T, V]."""
    return log_probs.exp() @ words


def confirmed_probs(shares: Tensor, slots: ConfirmedSlots, like: Tensor) -> Tensor:
    """p_confirmed over the vocabulary, [B, T, V] as `like`, from the pieces' shares [B, T, N]."""
    pieces = slots.pieces[:, None].expand_as(shares)
    return torch.zeros_like(like).scatter_add(-1, pieces, shares)


def confirmed_shares(steps: Steps, slots: ConfirmedSlots, config: ConfirmedConfig) -> tuple[Tensor, Tensor]:
    """λ [B, T, 1] and the share of each confirmed piece in p_confirmed [B, T, N]; see `follow_confirmed`."""
    found = likeness(steps, slots, config)
    logits = config.gate_bias + config.gate_context * found.contexts + config.gate_state * found.states
    return torch.sigmoid(logits) * found.near, found.shares


def likeness(steps: Steps, slots: ConfirmedSlots, config: ConfirmedConfig) -> Likeness:
    """Compare steps [B, T, …] with the confirmed pieces of words that may come there."""
    context = functional.normalize(steps.features.context.float(), dim=-1)
    state = functional.normalize(steps.features.state.float(), dim=-1)
    step = torch.cat((config.context_share * context, (1 - config.context_share) * state), -1)
    alike = step @ slots.steps.transpose(1, 2)
    usable = slots.mask & (steps.words[slots.pieces] > 0)
    fits = (slots.before == _ANY)[:, None] | (slots.before[:, None] == steps.previous[..., None])
    alike = alike.masked_fill(~(usable[:, None] & fits), _HIDDEN)
    best, places = alike.max(-1, keepdim=True)
    nearest = slots.steps.gather(1, places.expand(-1, -1, slots.steps.shape[-1]))
    contexts = (context * nearest[..., : context.shape[-1]]).sum(-1, keepdim=True)
    states = (state * nearest[..., context.shape[-1] :]).sum(-1, keepdim=True)
    shares = (alike / config.temperature).softmax(-1)
    return Likeness(contexts, states, shares, best > config.threshold)
