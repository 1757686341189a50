"""A translation model with document memories attached between its features and its distribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import torch
from torch import Tensor, nn

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.memory.confirmed import (
    ConfirmedSlots,
    Steps,
    confirmed_shares,
    follow_confirmed,
    gather_confirmed,
    word_mass,
)
from anaphora_nmt.memory.contents import Contribution, MemorySnapshot, contribution
from anaphora_nmt.memory.continuous_cache import ContinuousCache, Reading, Slots
from anaphora_nmt.memory.fusion import blend_target
from anaphora_nmt.memory.word_caches import CachedWords, WordCaches, WordState
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.models.translation import TranslationModel
from anaphora_nmt.nn.state import DecoderState, Encoded, Features, shift_right
from anaphora_nmt.text.vocabulary import BOS, PAD
from anaphora_nmt.types import SearchOptions

_CHUNK = 8


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Which memories a call reads (where the model has them)."""

    continuous_cache: bool = True
    word_caches: bool = True
    confirmed: bool = True

    @classmethod
    def chosen(cls, config: MemoryConfig, options: SearchOptions = SearchOptions()) -> MemoryUse:
        """What the options say, and the configuration where they say nothing."""
        names = ("continuous_cache", "word_caches", "confirmed")
        given = {name: getattr(options, name) for name in names}
        return cls(**{n: n in config.read if value is None else value for n, value in given.items()})

    def reads(self, config: MemoryConfig) -> bool:
        """Whether any of them is read and there: without one, a history changes nothing."""
        return any(read and getattr(config, name) for name, read in asdict(self).items())


@dataclass(frozen=True)
class RememberingState(DecoderState):
    """The base decoder's state and what the memories hold; None for a memory that is not in use."""

    base: DecoderState
    slots: Slots | None
    words: WordState | None
    confirmed: ConfirmedSlots | None = None


@dataclass(frozen=True)
class ForcedDecoding:
    """A forced decoding of given targets [B, T].

    Attributes:
        target_log_probs: of each target piece, [B, T]; 0 at padding.
        features: before any memory: what is written to it.
        attention: source weights (not logs) [B, T, S], or None where not asked for.
        matching: P_m over the slots [B, T, K], or None without a continuous cache in use.
        cache_gate: mean of λ_t [B, T], or None.
        cached_words: p_cache over the cached words [B, T, N], or None. Columns: the words of
            `MemorySnapshot.cached_words`, padded to the longest row, then `sentence_words`.
        supports: true where the cached word's candidate is the target piece, [B, T, N], or None.
        fixed_words: number of columns before those of `sentence_words`.
        sentence_words: for each row the words of the partial sentence, as they entered the dynamic cache.
        word_gate: 1 − α_t [B, T], or None; 0 where nothing is cached.
        following: λ times the share of each confirmed piece that is the target piece, [B, T, N], or None.
        following_gate: that λ, [B, T], or None.
    """

    target_log_probs: Tensor
    features: Features
    attention: Tensor | None = None
    matching: Tensor | None = None
    cache_gate: Tensor | None = None
    cached_words: Tensor | None = None
    supports: Tensor | None = None
    fixed_words: int = 0
    sentence_words: tuple[tuple[Word, ...], ...] = ()
    word_gate: Tensor | None = None
    following: Tensor | None = None
    following_gate: Tensor | None = None


class RememberingModel(nn.Module):
    """Base model plus memories. With none in use, or none filled, it equals the base exactly.

    Both memories read the decoder's own s_t. The continuous cache changes the state in front of the
    output layer; the word caches mix into the distribution that comes out of it.

    Attributes:
        config: the memories.
        continuous, words: the memories, None where the config has none.
    """

    _spells: Tensor

    def __init__(self, base: TranslationModel, config: MemoryConfig, vocabulary: WordVocabulary) -> None:
        super().__init__()
        self.base = base
        self.config = config
        self.vocabulary = vocabulary
        decoder = base.decoder
        widths = decoder.width, decoder.context_width
        cache, words = config.continuous_cache, config.word_caches
        self.continuous = ContinuousCache(cache, *widths) if cache else None
        self.words = WordCaches(words, vocabulary, *widths, decoder.embedding_width) if words else None
        self.register_buffer("_spells", vocabulary.spells, persistent=False)

    def encode(self, pieces: Tensor) -> Encoded:
        """Source ids [B, S], padded → annotations."""
        return self.base.encode(pieces)

    @property
    def use(self) -> MemoryUse:
        """The memories that are read where a call does not choose."""
        return MemoryUse.chosen(self.config)

    @property
    def device(self) -> torch.device:
        """Where its parameters are."""
        return self.base.decoder.embeddings.device

    def start(
        self, encoded: Encoded, snapshots: Sequence[MemorySnapshot], use: MemoryUse | None = None
    ) -> RememberingState:
        """The state before the first piece, one row a sentence; `use` None: as configured."""
        use = use or self.use
        decoder = self.base.decoder
        words = None
        if self.words is not None and use.word_caches:
            words = self.words.start(snapshots, decoder.embeddings)
        slots, confirmed = self._slots(snapshots, use), self._confirmed(snapshots, use)
        if self.continuous is not None and slots is not None:
            slots = self.continuous.ready(slots, encoded.states if decoder.averages_annotations else None)
        return RememberingState(decoder.start(encoded), slots, words, confirmed)

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, RememberingState]:
        """One step: previous pieces [B] → log-probabilities [B, V] and the next state."""
        assert isinstance(state, RememberingState)
        decoder = self.base.decoder
        features, base = decoder.step(previous, state.base)
        reading = self._read(features, state.slots)
        followed = self._steps(features, previous)
        log_probs = self._followed(self._log_probs(features, reading), followed, state.confirmed)
        words = state.words
        if self.words is not None and words is not None:
            log_probs, words = self.words.step(previous, features, log_probs, words, decoder.embeddings)
        return log_probs, RememberingState(base, state.slots, words, state.confirmed)

    def force_decode(
        self,
        encoded: Encoded,
        target: Tensor,
        snapshots: Sequence[MemorySnapshot],
        use: MemoryUse | None = None,
        attention: bool = False,
    ) -> ForcedDecoding:
        """Forced decoding of targets [B, T] (ending in </s>, padded) with a snapshot for each row."""
        use = use or self.use
        features = self.base.force_decode(encoded, target, attention)
        reading = self._read(features, self._slots(snapshots, use))
        alone = self._log_probs(features, reading)
        confirmed = self._confirmed(snapshots, use)
        steps = self._steps(features, shift_right(target, BOS))
        log_probs = self._followed(alone, steps, confirmed)
        cached = self._cached(features, target, snapshots, use)
        likelihood, shares = self._mixed(log_probs, target, cached)
        forced = ForcedDecoding(
            target_log_probs=likelihood * (target != PAD),
            features=features,
            attention=None if features.attention is None else features.attention.exp(),
            matching=reading.matching if reading else None,
            cache_gate=reading.gate.mean(-1) if reading else None,
        )
        if confirmed is not None and self.config.confirmed is not None:
            gate, following = confirmed_shares(steps, confirmed, self.config.confirmed)
            gate = gate * word_mass(alone, self._spells)[..., None]
            following = gate * following * (confirmed.pieces[:, None] == target[..., None])
            forced = replace(forced, following=following, following_gate=gate[..., 0])
        return forced if cached is None else _with_words(forced, cached, shares, target)

    @torch.inference_mode()
    def contributions(self, encoded: Encoded, target: Tensor) -> list[Contribution]:
        """What finished targets [B, T] (ending in </s>, padded) write to the memory, by forced decoding.

        A draft is written by the same way as a confirmed text, so equal texts give equal memories.
        """
        features = self.base.force_decode(encoded, target)
        contexts, states = features.context.float().cpu().numpy(), features.state.float().cpu().numpy()
        cache = self.config.continuous_cache
        # what follows confirmed text needs the words that a cache would hold
        write = cache.write if cache else "words" if self.config.confirmed else "none"
        written = []
        for row, ids in enumerate(target.cpu().numpy()):
            count = int((ids != PAD).sum()) - 1
            written.append(
                contribution(
                    ids[:count],
                    contexts[row, :count],
                    states[row, :count],
                    self.vocabulary,
                    write,
                )
            )
        return written

    @torch.inference_mode()
    def leave_one_out(
        self,
        encoded: Encoded,
        target: Tensor,
        snapshot: MemorySnapshot,
        slots: Sequence[Sequence[int]],
        words: Sequence[int],
        followed: Sequence[Sequence[int]] = (),
        use: MemoryUse | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """How much each target piece's log-probability owes to slots and words; one sentence.

        Args:
            slots: groups of columns of `ForcedDecoding.matching` to leave out together.
            words: columns of `ForcedDecoding.cached_words` to leave out.
            followed: groups of columns of `ForcedDecoding.following` to leave out together.
        Returns:
            log p − log p without the group, [len(slots), T], without the word, [len(words), T], and without
            the confirmed pieces, [len(followed), T].
        """
        use = use or self.use
        features = self.base.force_decode(encoded, target)
        gathered = self._slots([snapshot], use)
        reading = self._read(features, gathered)
        confirmed = self._confirmed([snapshot], use)
        alone = self._log_probs(features, reading)
        steps = self._steps(features, shift_right(target, BOS))
        base = self._followed(alone, steps, confirmed)
        cached = self._cached(features, target, [snapshot], use)
        whole = self._mixed(base, target, cached)[0]
        without_slots = whole.new_zeros(len(slots), target.shape[1])
        if gathered is not None:
            for start in range(0, len(slots), _CHUNK):
                some = slots[start : start + _CHUNK]
                left = self._without_slots(steps, gathered, some, confirmed)
                left = self._mixed(left, target, cached)[0]
                without_slots[start : start + len(some)] = whole - left
        without_words = whole.new_zeros(len(words), target.shape[1])
        for start in range(0, len(words) if cached is not None else 0, _CHUNK):
            chunk = words[start : start + _CHUNK]
            left = self._mixed(base, target, cached, _without(cached, chunk))[0]
            without_words[start : start + len(chunk)] = whole - left
        without_followed = whole.new_zeros(len(followed), target.shape[1])
        for row, group in enumerate(followed if confirmed is not None else ()):
            left = self._followed(alone, steps, _hidden(confirmed, group))
            without_followed[row] = (whole - self._mixed(left, target, cached)[0])[0]
        return without_slots, without_words, without_followed

    def memory_state(self) -> dict[str, Tensor]:
        """The memories' parameters by name."""
        return {
            name: value.detach().contiguous()
            for name, value in self.state_dict().items()
            if not name.startswith("base.")
        }

    def load_memory_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore what `memory_state` gave.

        Raises:
            ModelFileError: names or shapes differ.
        """
        own = self.memory_state()
        if {name: value.shape for name, value in own.items()} != {n: v.shape for n, v in tensors.items()}:
            raise ModelFileError(
                "The weights of the model's memories do not fit its configuration. Install the model again."
            )
        self.load_state_dict(dict(tensors), strict=False)

    def _slots(self, snapshots: Sequence[MemorySnapshot], use: MemoryUse) -> Slots | None:
        if self.continuous is None or not use.continuous_cache:
            return None
        return self.continuous.gather([snapshot.cache for snapshot in snapshots])

    def _confirmed(self, snapshots: Sequence[MemorySnapshot], use: MemoryUse) -> ConfirmedSlots | None:
        if self.config.confirmed is None or not use.confirmed:
            return None
        return gather_confirmed([snapshot.confirmed for snapshot in snapshots], self.device)

    def _steps(self, features: Features, previous: Tensor) -> Steps:
        return Steps(features, previous, self._spells)

    def _followed(self, log_probs: Tensor, steps: Steps, slots: ConfirmedSlots | None) -> Tensor:
        if self.config.confirmed is None or slots is None:
            return log_probs
        return follow_confirmed(log_probs, steps, slots, self.config.confirmed)

    def _read(self, features: Features, slots: Slots | None) -> Reading | None:
        return None if self.continuous is None or slots is None else self.continuous(features, slots)

    def _cached(
        self, features: Features, target: Tensor, snapshots: Sequence[MemorySnapshot], use: MemoryUse
    ) -> CachedWords | None:
        if self.words is None or not use.word_caches:
            return None
        previous = shift_right(target, BOS)
        return self.words.force_decode(previous, features, snapshots, self.base.decoder.embeddings)

    def _log_probs(self, features: Features, reading: Reading | None) -> Tensor:
        """log p over the vocabulary with the continuous cache's reading, if there is one."""
        logits = self.base.decoder.logits(reading.features if reading else features)
        log_probs = logits.float().log_softmax(-1)
        return reading.distribution(log_probs) if reading else log_probs

    def _mixed(
        self, log_probs: Tensor, target: Tensor, cached: CachedWords | None, visible: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        """Log-probabilities of the targets [B, T] with the word caches mixed into log p_nmt [B, T, V].

        Args:
            target: [B, T], or [1, T] for all.
            visible: cached words to look at, in place of all that are visible.
        Returns:
            the log-probabilities, and p_cache of each cached word [B, T, K] (empty without word caches).
        """
        if visible is None and cached is not None:
            visible = cached.followed.visible
        rows = max(log_probs.shape[0], 1 if visible is None else visible.shape[0])
        log_probs, target = log_probs.expand(rows, -1, -1), target.expand(rows, -1)
        likelihood = log_probs.gather(-1, target[..., None])[..., 0]
        if self.words is None or cached is None or visible is None:
            return likelihood, likelihood.new_zeros(*likelihood.shape, 0)
        offered = cached.followed.offered.expand(rows, -1, -1)
        shares = self.words.shares(cached.scores, offered, visible, log_probs)
        share = (shares * (offered == target[..., None])).sum(-1)
        return blend_target(likelihood, cached.keep, share, visible.any(-1)), shares

    def _without_slots(
        self,
        steps: Steps,
        slots: Slots,
        groups: Sequence[Sequence[int]],
        confirmed: ConfirmedSlots | None,
    ) -> Tensor:
        """log p_nmt without each group of slots, [groups, T, V]."""
        count = len(groups)
        mask = slots.mask.repeat(count, 1)
        for row, group in enumerate(groups):
            mask[row, list(group)] = False
        features = steps.features
        repeated = Features(
            *(x.expand(count, -1, -1) for x in (features.state, features.context, features.embedding))
        )
        pieces = None if slots.pieces is None else slots.pieces.expand(count, -1)
        several = Slots(slots.keys.expand(count, -1, -1), slots.values.expand(count, -1, -1), mask, pieces)
        log_probs = self._log_probs(repeated, self._read(repeated, several))
        return self._followed(log_probs, self._steps(repeated, steps.previous.expand(count, -1)), confirmed)


def _hidden(slots: ConfirmedSlots | None, columns: Sequence[int]) -> ConfirmedSlots | None:
    """One sentence's confirmed pieces without some."""
    if slots is None:
        return None
    mask = slots.mask.clone()
    mask[:, list(columns)] = False
    return replace(slots, mask=mask)


def _with_words(
    forced: ForcedDecoding, cached: CachedWords, shares: Tensor, target: Tensor
) -> ForcedDecoding:
    followed = cached.followed
    return replace(
        forced,
        cached_words=shares,
        supports=(followed.offered == target[..., None]) & followed.visible,
        fixed_words=followed.slots.fixed,
        sentence_words=followed.sentence_words,
        word_gate=torch.sigmoid(-cached.keep) * followed.visible.any(-1),
    )


def _without(cached: CachedWords | None, columns: Sequence[int]) -> Tensor | None:
    """What is visible of one sentence's caches without each of some words, [columns, T, K]."""
    if cached is None:
        return None
    visible = cached.followed.visible.repeat(len(columns), 1, 1)
    visible[range(len(columns)), :, list(columns)] = False
    return visible
