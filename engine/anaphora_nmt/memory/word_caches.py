"""Scoring the words of the dynamic and topic caches (Kuang et al., 2018, section 4.2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.config import WordCachesConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.candidates import Candidates, Followed, WordSlots, follow
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.fusion import blend_log_probs
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.nn.state import DecoderState, Features


class StepEncoder(nn.Module):
    """The step's share of a first hidden layer: one linear map of s_t, c_t and e(y_{t−1}).

    Embeddings are scaled by √E, as decoders take them in.
    """

    def __init__(self, width: int, context_width: int, embedding_width: int, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width + context_width + embedding_width, hidden)
        self.scale = math.sqrt(embedding_width)

    def forward(self, features: Features) -> Tensor:
        """Features [..., *] → [..., hidden]."""
        return self.linear(
            torch.cat((features.state, features.context, features.embedding * self.scale), dim=-1)
        )


class Scorer(nn.Module):
    """g_cache, eq. (6): two hidden layers over s_t, c_t, e(y_{t−1}) and e(w).

    The first layer is split: the words' share is computed once a sentence, the step's once a step.
    e(w) is the mean of the shared target embeddings of the word's pieces.
    """

    def __init__(
        self, config: WordCachesConfig, width: int, context_width: int, embedding_width: int
    ) -> None:
        super().__init__()
        first, second = config.scorer_hidden
        self.step = StepEncoder(width, context_width, embedding_width, first)
        self.word = nn.Linear(embedding_width, first, bias=False)
        self.hidden = nn.Linear(first, second)
        self.output = nn.Linear(second, 1, bias=False)
        # all words alike at first: a random choice among them would cost more than it teaches
        nn.init.zeros_(self.output.weight)

    def of_words(self, words: Tensor, embeddings: Tensor) -> Tensor:
        """The words' share [..., hidden] for pieces [..., MAX_WORD] and the shared embeddings [V, E]."""
        flat = words.reshape(-1, words.shape[-1])
        mean = functional.embedding_bag(flat, embeddings, mode="mean", padding_idx=0)
        share = self.word(mean * self.step.scale)
        return share.view(*words.shape[:-1], share.shape[-1])

    def forward(self, step: Tensor, words: Tensor) -> Tensor:
        """Scores [..., K] from the step's share [..., hidden] and the words' [..., K, hidden]."""
        first = torch.relu(step[..., None, :] + words)
        return self.output(torch.relu(self.hidden(first)))[..., 0]


class Gate(nn.Module):
    """f_gate and g_gate, eq. (9): two hidden layers, then a sigmoid (here: its logit).

    It starts as the constant `gate_start`, near 1, so that training begins at the baseline.
    """

    def __init__(
        self, config: WordCachesConfig, width: int, context_width: int, embedding_width: int
    ) -> None:
        super().__init__()
        first, second = config.gate_hidden
        self.step = StepEncoder(width, context_width, embedding_width, first)
        self.hidden = nn.Linear(first, second)
        self.output = nn.Linear(second, 1)
        nn.init.zeros_(self.output.weight)
        nn.init.constant_(self.output.bias, math.log(config.gate_start / (1 - config.gate_start)))

    def forward(self, features: Features) -> Tensor:
        """Logit of α_t, [...]."""
        return self.output(torch.relu(self.hidden(torch.relu(self.step(features)))))[..., 0]


class FixedGate(nn.Module):
    """The same α at every step (Kuang et al., 2018, Table 2).

    Raises:
        ConfigError: α is not strictly between 0 and 1.
    """

    def __init__(self, share: float) -> None:
        super().__init__()
        if not 0.0 < share < 1.0:
            raise ConfigError(f"fixed_gate is {share}; it must lie between 0 and 1")
        self.logit = math.log(share / (1 - share))

    def forward(self, features: Features) -> Tensor:
        """Logit of α_t, [...]."""
        return torch.full_like(features.state[..., 0], self.logit)


@dataclass(frozen=True)
class WordState(DecoderState):
    """Cached words of a batch of hypotheses with their shares of the scorer's first layer.

    Attributes:
        fixed: of the document's words, [B, fixed, hidden].
        partial: of the partial sentence's words, [B, K − fixed, hidden].
    """

    slots: WordSlots
    fixed: Tensor
    partial: Tensor


@dataclass(frozen=True)
class CachedWords:
    """The word caches at every step of given targets.

    Attributes:
        followed: candidates and visibility.
        scores: eq. (6) without the model's own score, [B, T, K].
        keep: logit of α_t, [B, T].
    """

    followed: Followed
    scores: Tensor
    keep: Tensor


class WordCaches(nn.Module):
    """The dynamic and topic caches' scorer and gate. They read s_t as the decoder made it.

    Two hidden layers over a sum can hardly tell how well a word fits a state. The model's log-probability
    of the offered piece, a function of s_t and that piece too, tells it: `model_score` adds it to g_cache
    with a learned weight, which starts at 1: p_cache is then at first p_nmt over what the caches offer.
    """

    def __init__(
        self,
        config: WordCachesConfig,
        vocabulary: WordVocabulary,
        width: int,
        context_width: int,
        embedding_width: int,
    ) -> None:
        super().__init__()
        self.config = config
        self.candidates = Candidates(vocabulary, config.dynamic_size)
        self.scorer = Scorer(config, width, context_width, embedding_width)
        fixed = config.fixed_gate
        self.gate: Gate | FixedGate = (
            Gate(config, width, context_width, embedding_width) if fixed is None else FixedGate(fixed)
        )
        self.model_weight = nn.Parameter(torch.ones(())) if config.model_score else None

    def start(self, snapshots: Sequence[MemorySnapshot], embeddings: Tensor) -> WordState:
        """The state before the first step, one row a snapshot."""
        slots = self.candidates.start(snapshots)
        fixed = self.scorer.of_words(slots.words, embeddings)
        return WordState(slots, fixed, fixed[:, :0])

    def step(
        self, previous: Tensor, features: Features, log_probs: Tensor, state: WordState, embeddings: Tensor
    ) -> tuple[Tensor, WordState]:
        """Mix the caches into one step's distribution, eq. (8).

        Args:
            previous: the piece that each hypothesis took last, [B].
            log_probs: log p_nmt, [B, V].
        """
        slots, column = self.candidates.advance(state.slots, previous)
        partial = self._with_new(state.partial, slots, column, embeddings)
        share = self.scorer.step(features)
        scores = torch.cat((self.scorer(share, state.fixed), self.scorer(share, partial)), dim=1)
        offered = self.candidates.offered(slots)
        shares = self.shares(_single(scores), offered, self.candidates.visible(slots), log_probs)
        mixed = blend_log_probs(log_probs, _single(self.gate(features)), offered, shares)
        return mixed, WordState(slots, state.fixed, partial)

    def _with_new(self, partial: Tensor, slots: WordSlots, column: Tensor, embeddings: Tensor) -> Tensor:
        missing = slots.words.shape[1] - slots.fixed - partial.shape[1]
        if missing:
            partial = functional.pad(partial, (0, 0, 0, missing))
        rows = (column >= 0).nonzero()[:, 0]
        if len(rows) == 0:
            return partial
        places = column[rows]
        new = self.scorer.of_words(slots.words[rows, places], embeddings)
        return partial.index_put((rows, places - slots.fixed), new)

    def force_decode(
        self,
        previous: Tensor,
        features: Features,
        snapshots: Sequence[MemorySnapshot],
        embeddings: Tensor,
        followed: Followed | None = None,
    ) -> CachedWords:
        """All steps of given targets; `previous` [B, T] are their previous pieces.

        Args:
            followed: what `follow` gave for them, where it is known already.
        """
        if followed is None:
            followed = follow(self.candidates, self.candidates.start(snapshots), previous)
        words = self.scorer.of_words(followed.slots.words, embeddings)
        scores = _single(self.scorer(self.scorer.step(features), words[:, None]))
        return CachedWords(followed, scores, _single(self.gate(features)))

    def shares(self, scores: Tensor, offered: Tensor, visible: Tensor, log_probs: Tensor) -> Tensor:
        """p_cache of each cached word, eq. (7); 0 at hidden ones, and everywhere if there is none.

        Args:
            scores, offered, visible: of the cached words, [..., K].
            log_probs: log p_nmt, [..., V].
        """
        if self.model_weight is not None:
            scores = scores + self.model_weight * log_probs.gather(-1, offered)
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(~visible, lowest).softmax(-1) * visible


def _single(values: Tensor) -> Tensor:
    """Half precision made single: distributions are mixed in float32."""
    return values.float() if values.dtype in (torch.bfloat16, torch.float16) else values
