"""The continuous cache (Tu et al., 2018): steps of earlier sentences, matched by c_t and read into s_t."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.cache_contents import SLOTS, CacheContents
from anaphora_nmt.memory.contents import DocumentInfo, KeptSteps, Reader
from anaphora_nmt.memory.fusion import blend_log_probs, blend_states, blend_target, of_targets
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
from anaphora_nmt.nn.state import DecoderState, Features, SentenceState


@dataclass(frozen=True)
class ContinuousCacheConfig:
    """The continuous cache (Tu et al., 2018). As printed: `matching="dot", gate_bias=None`.

    Attributes:
        size: slots.
        matching: "dot" (eq. 5 as printed), "scaled" (divided by √C), or "cosine" (cosine times √C).
        gate_bias: None (eq. 8 as printed), or where a learned bias of the gate starts.
        write: "words" (pieces of words only) or "all" (every piece but </s>).
        fusion: "deep" (eq. 6: the states are interpolated) or "shallow" (section 4.4: the distributions).
        overwrite: a slot of the same word is averaged with what is new (rule 2 of section 3.3); False: every
            step takes a slot of its own (Table 3).
    """

    size: int = 50
    matching: str = "cosine"
    gate_bias: float | None = -2.0
    write: str = "words"
    fusion: str = "deep"
    overwrite: bool = True


@dataclass(frozen=True)
class StepParts(DecoderState):
    """What reading step by step takes of N sentences' slots, computed once for all steps.

    Attributes:
        keys: transposed and scaled, [N, C, K].
        values: s_i, then W s_i plus the bias: P_m sums to one, so one reading gives both, [N, K, D + G].
        hidden: to add to the scores, −∞ at empty slots, [N, 1, K]; None where all are filled.
        gates: what is multiplied by the step's vectors: U and V side by side, transposed, [D + C, G], or U
            alone; of no sentence. In bfloat16 where the processor multiplies that faster (`gate_precision`).
        sources: where c_t = Σ_j α_tj h_j: the product of each h_j with the keys, then V h_j, [N, S, K + G];
            the attention's weights give both without c_t. Else None.
    """

    keys: Tensor
    values: Tensor
    hidden: Tensor | None
    gates: Tensor
    sources: Tensor | None = None

    def reorder(self, index: Tensor) -> StepParts:
        hidden = None if self.hidden is None else self.hidden[index]
        sources = None if self.sources is None else self.sources[index]
        return replace(self, keys=self.keys[index], values=self.values[index], hidden=hidden, sources=sources)


@dataclass(frozen=True)
class Slots(SentenceState):
    """Slots of N sentences.

    Attributes:
        keys: c_i, [N, K, C]; of norm 1 for "cosine" matching. values: s_i, [N, K, D].
        mask: true where a slot is filled, [N, K].
        pieces: y_i, the target piece that each slot stands for, [N, K]; read by shallow fusion only.
        steps: see `ContinuousCache.ready`.
    """

    keys: Tensor
    values: Tensor
    mask: Tensor
    pieces: Tensor | None = None
    steps: StepParts | None = None


@dataclass(frozen=True)
class CacheReading(Reading):
    """What reading the cache gave.

    Attributes:
        read: m_t, [B, D] or [B, T, D].
        matching: P_m, [B, K] or [B, T, K]; 0 at empty slots.
        gate: λ_t, [B, D] or [B, T, D]; one number for shallow fusion; 0 where nothing is cached.
        keep: logit of 1 − λ_t, [B] or [B, T], for shallow fusion; None: fusion is deep.
        pieces: of the slots, as `matching` or with one in place of T, for shallow fusion.
        again: what it takes to read without some slots.
    """

    read: Tensor
    matching: Tensor
    gate: Tensor
    keep: Tensor | None = None
    pieces: Tensor | None = None
    again: tuple[ContinuousCache, Features, Slots] | None = None

    @property
    def deep(self) -> bool:
        """Whether fusion is deep."""
        return self.keep is None

    def fuse_state(self, state: Tensor) -> Tensor:
        """Eq. (6); a row without slots keeps its state bit for bit."""
        if self.keep is not None:
            return state
        return blend_states(state, self.read, self.gate)

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        """log p over the vocabulary [..., V], with P_cache mixed into log P_vocab where fusion is shallow.

        Tu et al. (2018), section 4.4: (1 − λ_t) P_vocab(y_t) + λ_t P_cache(y_t), where P_cache(y) is the sum
        of P_m over the slots of y.
        """
        if self.keep is None or self.pieces is None:
            return log_probs
        shape = np.broadcast_shapes(log_probs.shape[:-1], self.keep.shape)
        matching = self.matching.expand(*shape, -1)
        flat = log_probs.expand(*shape, -1).flatten(0, -2)
        pieces = self.pieces.expand_as(matching).flatten(0, -2)
        mixed = blend_log_probs(flat, self.keep.expand(shape).flatten(), pieces, matching.flatten(0, -2))
        return mixed.view(*shape, -1)

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        """`fuse_log_probs` for one given piece a step."""
        given = of_targets(log_probs, target)
        if self.keep is None or self.pieces is None:
            return given
        share = (self.matching * (self.pieces == target[..., None])).sum(-1)
        return blend_target(given, self.keep, share, self.matching.any(-1))

    def flatten(self) -> CacheReading:
        """All steps in one row."""
        pieces = None if self.pieces is None else self.pieces.expand_as(self.matching).flatten(0, 1)
        keep = None if self.keep is None else self.keep.flatten(0, 1)
        read, matching, gate = (part.flatten(0, 1) for part in (self.read, self.matching, self.gate))
        return CacheReading(read, matching, gate, keep, pieces)

    def select(self, steps: Tensor) -> CacheReading:
        """The steps where `steps` [B, T] is true, flattened."""
        pieces = None if self.pieces is None else self.pieces.expand_as(self.matching)[steps]
        keep = None if self.keep is None else self.keep[steps]
        return CacheReading(self.read[steps], self.matching[steps], self.gate[steps], keep, pieces)

    def without(self, groups: Groups, steps: Tensor | None = None) -> CacheReading:
        """Without some slots, a group in each row."""
        assert self.again is not None
        cache, features, slots = self.again
        count = len(groups)
        features = features.expand(count) if steps is None else features.at(steps).rows()
        mask = slots.mask.repeat(count, 1)
        for row, group in enumerate(groups):
            mask[row, list(group)] = False
        pieces = None if slots.pieces is None else slots.pieces.expand(count, -1)
        several = Slots(slots.keys.expand(count, -1, -1), slots.values.expand(count, -1, -1), mask, pieces)
        return cache(features, several)

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        """P_m, and the mean of λ_t."""
        return Attribution(self.matching, self.gate.mean(-1))


def gate_precision(weight: Tensor) -> torch.dtype:
    """In which a CPU multiplies by the gate's weights fastest, while decoding in single precision.

    They are a twentieth of all that a step of a small model multiplies by; bfloat16 takes a third of the time
    where there are instructions for it, and many times as long where there are none.
    """
    has_bfloat16 = weight.device.type == "cpu" and torch.cpu._is_avx512_bf16_supported()
    return torch.bfloat16 if has_bfloat16 and weight.dtype == torch.float32 else weight.dtype


class ContinuousCache(Memory[ContinuousCacheConfig, CacheContents, Slots]):
    """Key matching, value reading and representation combining. λ_t weighs the memory.

    As printed, eq. (5). The attention contexts of a Transformer are long and differ in length, so
    their dot products pick out one slot, often just the longest. "scaled" divides the products by √C;
    "cosine" matches by direction alone (times √C: the scaled product of vectors with mean square 1).

    Eq. (8) has no bias; `gate_bias` adds a learned one, since without it a fresh gate is 0.5 everywhere.
    For shallow fusion λ_t is a scalar, "computed in the same way": U, V and W have one row.
    """

    name = "continuous_cache"
    title = "Continuous cache"
    share_meaning = "Share of the continuous cache in the state (λ)"
    alias = "cache"
    saved_as = "continuous"
    config_type = ContinuousCacheConfig

    def __init__(self, config: ContinuousCacheConfig, host: Host) -> None:
        super().__init__(config, host)
        width, context_width = host.width, host.context_width
        scales = {"dot": 1.0, "scaled": 1 / math.sqrt(context_width), "cosine": math.sqrt(context_width)}
        if config.matching not in scales:
            raise ConfigError(f"matching is {config.matching!r}; known: {', '.join(scales)}")
        if config.fusion not in ("deep", "shallow"):
            raise ConfigError(f"fusion is {config.fusion!r}; known: deep, shallow")
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
        """No slots in use."""
        return CacheContents(config.size, overwrite=config.overwrite, words_only=config.write != "all")

    @classmethod
    def steps_asked_for(cls, config: ContinuousCacheConfig) -> KeptSteps:
        """Those that are written."""
        return KeptSteps.ALL if config.write == "all" else KeptSteps.WORDS

    def gather(self, contents: Sequence[CacheContents], source: Source) -> Slots | None:
        """Tensors of several caches, padded to the fullest."""
        parameter = self.u.weight
        count = max((len(content) for content in contents), default=0)
        if not count:
            return None
        keys = np.zeros((len(contents), count, self.context_width), np.float16)
        values = np.zeros((len(contents), count, self.width), np.float16)
        mask = np.zeros((len(contents), count), bool)
        shallow = self.config.fusion == "shallow"
        pieces = np.zeros((len(contents), count), np.int64) if shallow else None
        for row, content in enumerate(contents):
            if used := len(content):
                keys[row, :used], values[row, :used], mask[row, :used] = content.keys, content.values, True
                if pieces is not None:
                    pieces[row, :used] = [word[index] for word, index in content.indicators]
        return Slots(
            self._directed(torch.from_numpy(keys).to(parameter.device, parameter.dtype)),
            torch.from_numpy(values).to(parameter.device, parameter.dtype),
            torch.from_numpy(mask).to(parameter.device),
            None if pieces is None else torch.from_numpy(pieces).to(parameter.device),
        )

    def step(self, steps: TargetSteps, held: Slots) -> tuple[CacheReading, Slots]:
        """Read at one step; the slots stay as they are."""
        return (self._step if held.steps is None else self._ready_step)(steps.features, held), held

    def all_steps(self, steps: TargetSteps, held: Slots, counted: Tensor | None = None) -> CacheReading:
        """Read at all steps."""
        reading: CacheReading = self(steps.features, held)
        return reading if counted is None else reading.select(counted)

    def entries(self, contents: CacheContents, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        """Its words; the slots of a word's pieces belong together."""
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

    def forward(self, features: Features, slots: Slots) -> CacheReading:
        """Read at all steps (features [B, T, …]; `group` must be 1)."""
        matching = self._match(features.context, slots)
        read = matching @ slots.values
        logits = self.u(features.state) + self.v(features.context) + self.w(read)
        logits = logits if self.bias is None else logits + self.bias
        gate = torch.sigmoid(logits) * slots.mask.any(1)[:, None, None]
        again = self, features, slots
        if self.config.fusion == "shallow":
            pieces = None if slots.pieces is None else slots.pieces[:, None]
            return CacheReading(read, matching, gate, -logits[..., 0].float(), pieces, again)
        return CacheReading(read, matching, gate, again=again)

    def ready(self, held: Slots, source: Source) -> Slots:
        """The same slots, prepared for being read at many steps without gradients.

        U s_t + V c_t becomes one product, W m_t none: W acts on the slots. Where c_t is the mean of the
        annotations [N, S, C] under the attention's weights, V and the keys act on those. A batch in which
        a sentence has no slots, and mixed precision, are read as before. Products with the gate's weights
        may be in bfloat16 (`gate_precision`); matching and reading are not. In translations by the embedded
        model λ differed by 0.007 at most, log-probabilities of whole sentences by 0.0004, and no piece did.
        """
        slots, annotations = held, source.encoded.states if source.averaged and source.encoded else None
        device = slots.keys.device.type
        if torch.is_grad_enabled() or torch.is_autocast_enabled(device):
            return slots
        if not bool(slots.mask.any(1).all()):
            return slots
        precision = gate_precision(self.u.weight)
        gates = functional.linear(slots.values.to(precision), self.w.weight.to(precision)).to(
            slots.values.dtype
        )
        gates = gates if self.bias is None else gates + self.bias
        hidden = None
        if not bool(slots.mask.all()):
            lowest = torch.finfo(slots.keys.dtype).min
            hidden = torch.zeros_like(slots.keys[:, None, :, 0]).masked_fill(~slots.mask[:, None], lowest)
        keys = (slots.keys * self._scale).transpose(1, 2).contiguous()
        values = torch.cat((slots.values, gates), -1)
        if annotations is None:
            joined = torch.cat((self.u.weight.to(precision), self.v.weight.to(precision)), 1).T.contiguous()
            return replace(slots, steps=StepParts(keys, values, hidden, joined))
        sources = torch.cat((annotations @ keys, self.v(annotations)), -1)
        alone = self.u.weight.to(precision).T.contiguous()
        return replace(slots, steps=StepParts(keys, values, hidden, alone, sources))

    def _ready_step(self, features: Features, slots: Slots) -> CacheReading:
        """`_step` in few operations: what a beam of ten spends on them is what the cache costs."""
        parts = slots.steps
        assert parts is not None
        sentences, state, context = len(slots.mask), features.state, features.context
        if parts.sources is None:
            scores = torch.bmm(context.view(sentences, slots.group, self.context_width), parts.keys)
            asked, from_context = torch.cat((state, context), -1), None
        else:
            assert features.attention is not None
            weights = features.attention.exp().view(sentences, slots.group, -1)
            found = torch.bmm(weights.to(parts.sources.dtype), parts.sources)
            scores, from_context = found.split((parts.keys.shape[-1], self.u.out_features), -1)
            asked = state
        if self.config.matching == "cosine":
            lengths = torch.linalg.vector_norm(context, dim=-1).clamp_min_(1e-12)
            scores = scores / lengths.view(sentences, slots.group, 1)
        matching = (scores if parts.hidden is None else scores + parts.hidden).softmax(-1)
        read = torch.bmm(matching, parts.values)
        known = read[..., self.width :] if from_context is None else read[..., self.width :] + from_context
        known, read, matching = (part.flatten(0, 1) for part in (known, read, matching))
        if parts.gates.dtype == asked.dtype:
            logits = torch.addmm(known, asked, parts.gates)
        else:
            logits = known + asked.to(parts.gates.dtype) @ parts.gates
        gate = torch.sigmoid(logits)
        if self.config.fusion == "shallow":
            pieces = None if slots.pieces is None else slots.pieces.repeat_interleave(slots.group, 0)
            return CacheReading(read, matching, gate, keep=-logits[:, 0], pieces=pieces)
        return CacheReading(read[:, : self.width], matching, gate)

    def _step(self, features: Features, slots: Slots) -> CacheReading:
        """One step: the hypotheses of a sentence read its slots as its steps would."""
        sentences = len(slots.mask)
        parts = (features.state, features.context, features.embedding)
        grouped = Features(*(part.view(sentences, slots.group, part.shape[-1]) for part in parts))
        return self(grouped, slots).flatten()

    def _directed(self, contexts: Tensor) -> Tensor:
        return functional.normalize(contexts, dim=-1) if self.config.matching == "cosine" else contexts

    def _match(self, context: Tensor, slots: Slots) -> Tensor:
        """Eq. (5), [B, T, K]; zeros where a row has no slots."""
        hidden = ~slots.mask[:, None]
        if slots.mask.shape[1] == 0:
            return context.new_zeros(*context.shape[:2], 0)
        # the products are large: half precision would round differences away that matter after exp
        with torch.autocast(context.device.type, enabled=False):
            keys = slots.keys.to(self.u.weight.dtype).transpose(1, 2)
            scores = (self._directed(context.to(keys.dtype)) @ keys) * self._scale
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(hidden, lowest).softmax(-1).masked_fill(hidden, 0.0)
