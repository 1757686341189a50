"""The continuous cache (Tu et al., 2018) of steps of earlier sentences.

The contexts c_i of the cached steps are matched with c_t, and the states s_i are read into s_t.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.config import CheckedConfig, one_of
from anaphora_nmt.memory.contents import Contents, Contribution, DocumentInfo, Indicator, KeptSteps, Reader
from anaphora_nmt.memory.fusion import blend_log_probs, blend_states, blend_target, target_log_probs
from anaphora_nmt.memory.protocol import (
    Attribution,
    Entry,
    Groups,
    Host,
    Memory,
    Reading,
    Source,
    TargetSteps,
)
from anaphora_nmt.memory.words import Word
from anaphora_nmt.nn.state import Features, SentenceState
from anaphora_nmt.types import MemoryEntry, MemorySection

SLOTS = "slots"
"""Name of the view's section."""


@dataclass(frozen=True, slots=True)
class CacheContents(Contents):
    """The slots of a continuous cache (Tu et al., 2018, section 3.3), rounded to float16 after each write.

    Attributes:
        size: maximum number of slots.
        indicators: the word and piece of each slot in use (`contents.Indicator`).
        recency: numbers of the slots by their last write, oldest first.
        keys, values: c_i and s_i of the slots in use, [K, C] and [K, D].
        writers: number of the last segment that wrote each slot, [K].
        overwrite: whether a known indicator's slot is averaged with the new step (rule 2). With False, as in
            Table 3, every step takes a separate slot.
        words_only: whether only the steps of words are written.
    """

    size: int
    indicators: tuple[Indicator, ...] = ()
    recency: tuple[int, ...] = ()
    keys: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    values: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.float16))
    writers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))
    overwrite: bool = True
    words_only: bool = True

    def __len__(self) -> int:
        return len(self.indicators)

    def after(self, contribution: Contribution, segment: int) -> CacheContents:
        """The contents after a finished sentence.

        With `overwrite`, a known indicator's slot becomes the average of its old and new vectors (rule 2).
        Any other indicator takes an empty slot or, if there is none, the least recently used slot (rule 1).
        Only writing counts as use, because every reading uses all slots. Tu et al. (2018) write every target
        word. Pieces of punctuation would match everywhere, so `words_only` leaves them out.
        """
        contribution = contribution.words_only() if self.words_only else contribution
        if not contribution.indicators or self.size == 0:
            return self
        keys, values = [*self.keys], [*self.values]
        writers = self.writers.tolist()
        used = {slot: self.indicators[slot] for slot in self.recency}  # by last write, oldest first
        known = {indicator: slot for slot, indicator in used.items()} if self.overwrite else {}
        vectors = zip(contribution.contexts, contribution.states, strict=True)
        for indicator, (key, value) in zip(contribution.indicators, vectors, strict=True):
            slot = known.get(indicator, len(used))
            if indicator in known:
                key = (keys[slot].astype(np.float32) + key) / 2
                value = (values[slot].astype(np.float32) + value) / 2
                del used[slot]
            elif slot == self.size:
                slot = next(iter(used))
                known.pop(used.pop(slot), None)
            rows = key.astype(np.float16), value.astype(np.float16), segment
            for column, new in zip((keys, values, writers), rows, strict=True):
                column[slot : slot + 1] = [new]
            used[slot] = indicator
            if self.overwrite:
                known[indicator] = slot
        return replace(
            self,
            indicators=tuple(used[slot] for slot in range(len(used))),
            recency=tuple(used),
            keys=np.array(keys, np.float16),
            values=np.array(values, np.float16),
            writers=np.array(writers, np.int32),
        )

    def by_word(self) -> list[tuple[int, ...]]:
        """Slots grouped by word, most recently written first."""
        groups: dict[Word, list[int]] = {}
        for slot in reversed(self.recency):
            groups.setdefault(self.indicators[slot][0], []).append(slot)
        return [tuple(members) for members in groups.values()]

    def word(self, slot: int) -> Word:
        return self.indicators[slot][0]

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        newest = [members[0] for members in self.by_word()]
        entries = tuple(
            MemoryEntry(
                reader.text(self.word(slot)),
                reader.segments[writer := int(self.writers[slot])],
                confirmed=reader.confirmed(writer),
            )
            for slot in newest
        )
        return (MemorySection(SLOTS, "Memory", entries, of_segments=True),)


@dataclass(frozen=True)
class ContinuousCacheConfig(CheckedConfig):
    """The continuous cache; Tu et al. (2018) use `matching="dot", gate_bias=None, write="all"`.

    Attributes:
        size: maximum number of slots.
        matching: "dot" (eq. 5 as printed), "scaled" (divided by √C), or "cosine" (cosine times √C).
        gate_bias: None (eq. 8 as printed), or the initial value of a learned bias of the gate.
        write: "words" (only word pieces) or "all" (every piece except </s>).
        fusion: "deep" (eq. 6: the states are interpolated) or "shallow" (section 4.4: the distributions).
        values: "state" (s_i as printed, which predicts the model's expected word) or "word" (the embedding of
            y_i, the word actually written; D must equal E).
        overwrite: rule 2 of section 3.3; if False, every step takes a separate slot (Table 3).
    """

    size: int = 50
    matching: str = one_of("cosine", "scaled", "dot")
    gate_bias: float | None = -2.0
    write: str = one_of("words", "all")
    fusion: str = one_of("deep", "shallow")
    values: str = one_of("state", "word")
    overwrite: bool = True


@dataclass(frozen=True)
class Slots(SentenceState):
    """Slots of N sentences.

    Attributes:
        keys: c_i, [N, K, C]; of norm 1 for "cosine" matching.
        values: s_i, [N, K, D].
        mask: True for filled slots, [N, K].
        pieces: y_i, [N, K]; used only by shallow fusion.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor
    pieces: Tensor | None = None


@dataclass(frozen=True)
class CacheReading(Reading):
    """The result of reading the cache at all steps [B, T, …], or at N selected steps [N, …].

    Attributes:
        read: m_t, [..., D].
        matching: P_m, [..., K]; 0 at empty slots.
        gate: λ_t, [..., D], or [..., 1] for shallow fusion; 0 if nothing is cached.
        keep, pieces: for shallow fusion, the logit of 1 − λ_t, [...], and the slots' y_i; otherwise None.
        inputs: the cache, features and slots for `without`; None at selected steps.
    """

    read: Tensor
    matching: Tensor
    gate: Tensor
    keep: Tensor | None = None
    pieces: Tensor | None = None
    inputs: tuple[ContinuousCache, Features, Slots] | None = None

    @property
    def deep(self) -> bool:
        return self.keep is None

    def fuse_state(self, state: Tensor) -> Tensor:
        """Eq. (6); a row without slots keeps its state bit for bit."""
        if self.keep is not None:
            return state
        return blend_states(state, self.read, self.gate)

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        """Section 4.4: (1 − λ_t) P_vocab(y) + λ_t P_cache(y); P_cache(y) sums P_m over the slots of y."""
        if self.keep is None or self.pieces is None:
            return log_probs
        shape = np.broadcast_shapes(log_probs.shape[:-1], self.keep.shape)
        matching = self.matching.expand(*shape, -1)
        flat = log_probs.expand(*shape, -1).flatten(0, -2)
        pieces = self.pieces.expand_as(matching).flatten(0, -2)
        mixed = blend_log_probs(flat, self.keep.expand(shape).flatten(), pieces, matching.flatten(0, -2))
        return mixed.view(*shape, -1)

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        unmixed = target_log_probs(log_probs, target)
        if self.keep is None or self.pieces is None:
            return unmixed
        share = (self.matching * (self.pieces == target[..., None])).sum(-1)
        return blend_target(unmixed, self.keep, share, self.matching.any(-1))

    def select(self, steps: Tensor) -> CacheReading:
        """The reading at the N steps where `steps` [B, T] is true, [N, …], without `inputs`."""
        read, matching, gate = (part[steps] for part in (self.read, self.matching, self.gate))
        if self.keep is None or self.pieces is None:
            return CacheReading(read, matching, gate)
        return CacheReading(
            read, matching, gate, self.keep[steps], self.pieces.expand_as(self.matching)[steps]
        )

    def without(self, groups: Groups, steps: Tensor | None = None) -> CacheReading:
        assert self.inputs is not None
        cache, features, slots = self.inputs
        count = len(groups)
        features = features.expand(count) if steps is None else features.at(steps).rows()
        mask = slots.mask.repeat(count, 1)
        for row, group in enumerate(groups):
            mask[row, list(group)] = False
        pieces = None if slots.pieces is None else slots.pieces.expand(count, -1)
        masked = Slots(slots.keys.expand(count, -1, -1), slots.values.expand(count, -1, -1), mask, pieces)
        return cache.read_slots(features, masked)

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        return Attribution(self.matching, self.gate.mean(-1), self.matching)


class ContinuousCache(Memory[ContinuousCacheConfig, CacheContents, Slots]):
    """Matches keys, reads values, and combines them with the state; λ_t is the memory's weight.

    Dot products of a Transformer's contexts (eq. 5) select one slot, often the slot with the largest norm.
    "cosine" matching uses the direction alone: the score is √C times the cosine. Eq. (8) has no bias, so an
    untrained gate would be 0.5; `gate_bias` adds a learned bias. For shallow fusion λ_t is a scalar, because
    U, V and W have one row.
    """

    name = "continuous_cache"
    title = "Words of earlier sentences"
    alias = "cache"
    saved_as = "continuous"
    config_type = ContinuousCacheConfig

    def __init__(self, config: ContinuousCacheConfig, host: Host) -> None:
        super().__init__(config, host)
        width, context_width = host.width, host.context_width
        scales = {"dot": 1.0, "scaled": 1 / math.sqrt(context_width), "cosine": math.sqrt(context_width)}
        self.width, self.context_width = width, context_width
        gates = width if config.fusion == "deep" else 1
        self.u = nn.Linear(width, gates, bias=False)
        self.v = nn.Linear(context_width, gates, bias=False)
        self.w = nn.Linear(width, gates, bias=False)
        for matrix in (self.u, self.v, self.w):
            nn.init.zeros_(matrix.weight)
        start = config.gate_bias
        self.bias = None if start is None else nn.Parameter(torch.full((gates,), float(start)))
        self._scale = scales[config.matching]

    @classmethod
    def empty(cls, config: ContinuousCacheConfig, document: DocumentInfo) -> CacheContents:
        return CacheContents(config.size, overwrite=config.overwrite, words_only=config.write != "all")

    @classmethod
    def required_steps(cls, config: ContinuousCacheConfig) -> KeptSteps:
        return KeptSteps.ALL if config.write == "all" else KeptSteps.WORDS

    def gather(self, contents: Sequence[CacheContents], source: Source) -> Slots | None:
        parameter = self.u.weight
        count = max((len(content) for content in contents), default=0)
        if not count:
            return None
        rows = len(contents)
        keys, values = (np.zeros((rows, count, width)) for width in (self.context_width, self.width))
        mask, pieces = np.zeros((rows, count), bool), np.zeros((rows, count), np.int64)
        for row, content in enumerate(contents):
            if used := len(content):
                keys[row, :used], values[row, :used], mask[row, :used] = content.keys, content.values, True
                pieces[row, :used] = [word[index] for word, index in content.indicators]
        vectors = [torch.from_numpy(each).to(parameter) for each in (keys, values)]
        filled, ids = (torch.from_numpy(each).to(parameter.device) for each in (mask, pieces))
        if self.config.values == "word":
            vectors[1] = source.embeddings[ids].to(parameter) * filled[..., None]
        return Slots(self._normalized(vectors[0]), vectors[1], filled, ids)

    def read(self, steps: TargetSteps, gathered: Slots, counted: Tensor | None = None) -> CacheReading:
        reading = self.read_slots(steps.features, gathered)
        return reading if counted is None else reading.select(counted)

    def entries(self, contents: CacheContents, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        return tuple(
            Entry(
                reader.text(contents.word(members[0])),
                members,
                reader.segments[writer := int(contents.writers[members[0]])],
                SLOTS,
                reader.confirmed(writer),
            )
            for members in contents.by_word()
        )

    def read_slots(self, features: Features, slots: Slots) -> CacheReading:
        """Read the slots at all steps; features [B, T, …]."""
        matching = self._match(features.context, slots)
        read = matching @ slots.values
        logits = self.u(features.state) + self.v(features.context) + self.w(read)
        logits = logits if self.bias is None else logits + self.bias
        gate = torch.sigmoid(logits) * slots.mask.any(1)[:, None, None]
        inputs = self, features, slots
        if self.config.fusion == "shallow":
            pieces = None if slots.pieces is None else slots.pieces[:, None]
            return CacheReading(read, matching, gate, -logits[..., 0].float(), pieces, inputs)
        return CacheReading(read, matching, gate, inputs=inputs)

    def _normalized(self, contexts: Tensor) -> Tensor:
        return functional.normalize(contexts, dim=-1) if self.config.matching == "cosine" else contexts

    def _match(self, context: Tensor, slots: Slots) -> Tensor:
        """P_m of eq. (5), [B, T, K]; 0 at empty slots."""
        hidden = ~slots.mask[:, None]
        if slots.mask.shape[1] == 0:
            return context.new_zeros(*context.shape[:2], 0)
        # the products are large: half precision would lose differences that matter after exp
        with torch.autocast(context.device.type, enabled=False):
            keys = slots.keys.to(self.u.weight.dtype).transpose(1, 2)
            scores = (self._normalized(context.to(keys.dtype)) @ keys) * self._scale
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(hidden, lowest).softmax(-1).masked_fill(hidden, 0.0)
