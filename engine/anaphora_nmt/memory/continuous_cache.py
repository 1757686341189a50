"""Reading the continuous cache (Tu et al., 2018, sections 3.2 and 4.4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.config import ContinuousCacheConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.contents import CacheContents
from anaphora_nmt.memory.fusion import blend_log_probs, blend_states, blend_target
from anaphora_nmt.nn.state import DecoderState, Features, SentenceState


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
class Reading:
    """What reading the cache gave.

    Attributes:
        features: with s̃_t in place of s_t (deep fusion), or as they were.
        matching: P_m, [B, K] or [B, T, K]; 0 at empty slots.
        gate: λ_t, [B, D] or [B, T, D]; one number for shallow fusion; 0 where nothing is cached.
        keep: logit of 1 − λ_t, [B] or [B, T], for shallow fusion.
        pieces: of the slots as `matching` has them, for shallow fusion.
    """

    features: Features
    matching: Tensor
    gate: Tensor
    keep: Tensor | None = None
    pieces: Tensor | None = None

    def distribution(self, log_probs: Tensor) -> Tensor:
        """log p over the vocabulary [..., V], with P_cache mixed into log P_vocab where fusion is shallow.

        Tu et al. (2018), section 4.4: (1 − λ_t) P_vocab(y_t) + λ_t P_cache(y_t), where P_cache(y) is the sum
        of P_m over the slots of y.
        """
        if self.keep is None or self.pieces is None or not self.matching.shape[-1]:
            return log_probs
        shape = log_probs.shape
        pieces = self.pieces.expand_as(self.matching).reshape(-1, self.matching.shape[-1])
        flat = log_probs.reshape(-1, shape[-1])
        return blend_log_probs(flat, self.keep.flatten(), pieces, self.matching.flatten(0, -2)).view(shape)

    def likelihood(self, log_prob: Tensor, target: Tensor) -> Tensor:
        """`distribution` for one given piece a step: log P_vocab of it [...], and the piece [...]."""
        if self.keep is None or self.pieces is None:
            return log_prob
        share = (self.matching * (self.pieces == target[..., None])).sum(-1)
        return blend_target(log_prob, self.keep, share, self.matching.any(-1))

    def select(self, steps: Tensor) -> Reading:
        """The steps where `steps` [B, T] is true, flattened."""
        pieces = None if self.pieces is None else self.pieces.expand_as(self.matching)[steps]
        keep = None if self.keep is None else self.keep[steps]
        return Reading(self.features.select(steps), self.matching[steps], self.gate[steps], keep, pieces)


def gate_precision(weight: Tensor) -> torch.dtype:
    """In which a CPU multiplies by the gate's weights fastest, while decoding in single precision.

    They are a twentieth of all that a step of a small model multiplies by; bfloat16 takes a third of the time
    where there are instructions for it, and many times as long where there are none.
    """
    has_bfloat16 = weight.device.type == "cpu" and torch.cpu._is_avx512_bf16_supported()
    return torch.bfloat16 if has_bfloat16 and weight.dtype == torch.float32 else weight.dtype


class ContinuousCache(nn.Module):
    """Key matching, value reading and representation combining. λ_t weighs the memory.

    As printed, eq. (5). The attention contexts of a Transformer are long and differ in length, so
    their dot products pick out one slot, often just the longest. "scaled" divides the products by √C;
    "cosine" matches by direction alone (times √C: the scaled product of vectors with mean square 1).

    Eq. (8) has no bias; `gate_bias` adds a learned one, since without it a fresh gate is 0.5 everywhere.
    For shallow fusion λ_t is a scalar, "computed in the same way": U, V and W have one row.
    """

    def __init__(self, config: ContinuousCacheConfig, width: int, context_width: int) -> None:
        super().__init__()
        scales = {"dot": 1.0, "scaled": 1 / math.sqrt(context_width), "cosine": math.sqrt(context_width)}
        if config.matching not in scales:
            raise ConfigError(f"matching is {config.matching!r}; known: {', '.join(scales)}")
        if config.fusion not in ("deep", "shallow"):
            raise ConfigError(f"fusion is {config.fusion!r}; known: deep, shallow")
        self.config = config
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

    def gather(self, contents: Sequence[CacheContents]) -> Slots:
        """Tensors of several caches, padded to the fullest."""
        parameter = self.u.weight
        count = max((len(content) for content in contents), default=0)
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

    def forward(self, features: Features, slots: Slots) -> Reading:
        """Read at one step (features [B, …]) or at all steps (features [B, T, …]; then `group` must be 1).

        A row without slots keeps its state bit for bit.
        """
        if features.state.dim() == 2:
            return self._step(features, slots) if slots.steps is None else self._ready_step(features, slots)
        matching = self._match(features.context, slots)
        read = matching @ slots.values
        logits = self.u(features.state) + self.v(features.context) + self.w(read)
        logits = logits if self.bias is None else logits + self.bias
        filled = slots.mask.any(1)[:, None, None]
        gate = torch.sigmoid(logits) * filled
        if self.config.fusion == "shallow":
            keep = -logits[..., 0].float()
            return Reading(
                features, matching, gate, keep, slots.pieces[:, None] if slots.pieces is not None else None
            )
        state = torch.where(filled, blend_states(features.state, read, gate), features.state)
        return Reading(features.with_state(state), matching, gate)

    def ready(self, slots: Slots, annotations: Tensor | None = None) -> Slots:
        """The same slots, prepared for being read at many steps without gradients.

        U s_t + V c_t becomes one product, W m_t none: W acts on the slots. Where c_t is the mean of the
        `annotations` [N, S, C] under the attention's weights, V and the keys act on those. A batch in which
        a sentence has no slots, and mixed precision, are read as before. Products with the gate's weights
        may be in bfloat16 (`gate_precision`); matching and reading are not. In translations by the embedded
        model λ differed by 0.007 at most, log-probabilities of whole sentences by 0.0004, and no piece did.
        """
        device = slots.keys.device.type
        if torch.is_grad_enabled() or torch.is_autocast_enabled(device) or not slots.mask.shape[1]:
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

    def _ready_step(self, features: Features, slots: Slots) -> Reading:
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
            return Reading(features, matching, gate, -logits[:, 0], pieces)
        return Reading(features.with_state(blend_states(state, read[:, : self.width], gate)), matching, gate)

    def _step(self, features: Features, slots: Slots) -> Reading:
        """One step: the hypotheses of a sentence read its slots as its steps would."""
        sentences = len(slots.mask)
        parts = (features.state, features.context, features.embedding)
        grouped = Features(*(part.view(sentences, slots.group, part.shape[-1]) for part in parts))
        reading = self.forward(grouped, slots)
        state = reading.features.state.flatten(0, 1)
        keep, pieces = reading.keep, reading.pieces
        return Reading(
            features.with_state(state),
            reading.matching.flatten(0, 1),
            reading.gate.flatten(0, 1),
            None if keep is None else keep.flatten(0, 1),
            None if pieces is None else pieces.expand_as(reading.matching).flatten(0, 1),
        )

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
