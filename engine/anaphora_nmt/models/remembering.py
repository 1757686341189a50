"""A translation model with document memories attached between its features and its distribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor, nn

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.memory.contents import Contribution, MemorySnapshot
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.state import DecoderState, Encoded, Features


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Which memories a call reads (where the model has them)."""

    continuous_cache: bool = True
    word_caches: bool = True


@dataclass(frozen=True)
class Taught:
    """A forced decoding of given targets [B, T].

    Attributes:
        target_log_probs: of each target piece, [B, T]; 0 at padding.
        features: before any memory: what is written to it.
        attention: source weights (not logs) [B, T, S], or None where not asked for.
        matching: P_m over the slots [B, T, K], or None without a continuous cache in use.
        cache_gate: mean of λ_t [B, T], or None.
        cached_words: p_cache over the cached words [B, T, N], or None. Columns: the snapshot's dynamic
            words (oldest first), its topic words (see `MemorySnapshot.cached_words`), words of the sentence.
        supports: true where the cached word's candidate is the target piece, [B, T, N], or None.
        sentence_words: for each row, the words (pieces) of the partial sentence in the last columns.
        word_gate: 1 − α_t [B, T], or None.
    """

    target_log_probs: Tensor
    features: Features
    attention: Tensor | None = None
    matching: Tensor | None = None
    cache_gate: Tensor | None = None
    cached_words: Tensor | None = None
    supports: Tensor | None = None
    sentence_words: tuple[tuple[tuple[int, ...], ...], ...] = ()
    word_gate: Tensor | None = None


class RememberingModel(nn.Module):
    """Base model plus memories; with none in use, or none filled, it equals the base exactly."""

    def __init__(self, base: TranslationModel, config: MemoryConfig, vocabulary: WordVocabulary) -> None:
        raise NotImplementedError

    def start(
        self, encoded: Encoded, snapshots: Sequence[MemorySnapshot], use: MemoryUse = MemoryUse()
    ) -> DecoderState:
        """The state before the first piece, one row a sentence."""
        raise NotImplementedError

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, DecoderState]:
        """One step: previous pieces [B] → log-probabilities [B, V] and the next state."""
        raise NotImplementedError

    def teach(
        self,
        encoded: Encoded,
        target: Tensor,
        snapshots: Sequence[MemorySnapshot],
        use: MemoryUse = MemoryUse(),
        attention: bool = False,
    ) -> Taught:
        """Forced decoding of targets [B, T] (ending in </s>, padded) with a snapshot for each row."""
        raise NotImplementedError

    def contributions(self, encoded: Encoded, target: Tensor) -> list[Contribution]:
        """What finished targets [B, T] (ending in </s>, padded) write to the memory, by forced decoding."""
        raise NotImplementedError

    def leave_one_out(
        self,
        encoded: Encoded,
        target: Tensor,
        snapshot: MemorySnapshot,
        slots: Sequence[Sequence[int]],
        words: Sequence[int],
        use: MemoryUse = MemoryUse(),
    ) -> tuple[Tensor, Tensor]:
        """How much each target piece's log-probability owes to slots and cached words; one sentence.

        Args:
            slots: groups of columns of `Taught.matching` to leave out together.
            words: columns of `Taught.cached_words` to leave out.
        Returns:
            log p − log p without the group, [len(slots), T], and without the word, [len(words), T].
        """
        raise NotImplementedError

    def memory_state(self) -> dict[str, Tensor]:
        """The memories' parameters by name."""
        raise NotImplementedError

    def load_memory_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore what `memory_state` gave.

        Raises:
            ModelFileError: names or shapes differ.
        """
        raise NotImplementedError
