"""The memory of confirmed text: a document's words, which the model follows when a similar context recurs.

No paper describes this memory. A confirmed word that the model would not have chosen cannot return through
the continuous cache, because the stored state points to the model's own word. So this memory stores the
pieces of words with the decoder's steps that wrote them, and mixes the pieces into the distribution, like the
shallow fusion of Tu et al. (2018), section 4.4. The weight of the mixture grows with the similarity of the
stored step to the current step.

A piece that begins a word takes probability only from word pieces; otherwise sentences would not end.
Punctuation, placeholders, numbers and `</s>` keep the model's probability. A piece inside a word is offered
only after the word's previous piece, and takes probability from all pieces, including punctuation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.confirmed_gate import GateEvidence, fit_gate
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.memory.confirmed_slots import (
    ConfirmedSlots,
    gather_confirmed,
    interleaved,
    read_natively,
    sentence,
)
from anaphora_nmt.memory.contents import DocumentInfo, KeptSteps, Reader
from anaphora_nmt.memory.fusion import (
    blend_word_probs,
    blend_word_target,
    lost_share,
    slot_mass,
    target_log_probs,
    word_mass,
)
from anaphora_nmt.memory.moved_states import MovedStates, MovingSettings, move_states
from anaphora_nmt.memory.protocol import (
    Attribution,
    Entry,
    FittingSample,
    Groups,
    Host,
    Memory,
    Reading,
    Source,
    TargetSteps,
    at_steps,
)
from anaphora_nmt.native.search import ConfirmedTextData
from anaphora_nmt.nn.state import Features

_HIDDEN = -1e4
"""Similarity of an excluded piece: far below any cosine, but finite, because a row may exclude all pieces."""
_GATE_SHIFT = 0.5
"""Addition to the fitted bias of the gate, see `ConfirmedText.fit`."""


@dataclass(frozen=True)
class ConfirmedConfig:
    """Constants. Those of the gate are fitted on training documents, the others chosen on development text.

    Attributes:
        size: maximum number of stored pieces; `ConfirmedPieces` chooses those to drop.
        same_use: if the steps of two copies of a word are at least this similar (mean of the cosines of c and
            s), the older copy is dropped before other confirmed words; a value above 1 switches this off.
        threshold, temperature, context_share: see `ConfirmedText`.
        gate_bias, gate_context, gate_state: weights of λ = σ(bias + context · cosine of c + state · cosine
            of s + log-weight of the piece).
        draft_weight: factor that multiplies the odds of following a draft; with 0, drafts are not stored.
        draft_certainty: minimum probability that the model alone gives a stored draft (geometric mean over
            the draft's pieces and </s>).
        draft_sureness: minimum probability that the model alone gives each stored word of a draft.
        deep_strength, deep_threshold, deep_temperature, deep_steps: η, θ, τ and M of the deep reading
            (`move_states`); with η = 0, only distributions are mixed. The deep reading skips drafts.
    """

    size: int = 2000
    threshold: float = 0.3
    temperature: float = 0.04
    context_share: float = 0.1
    gate_bias: float = -10.9
    gate_context: float = -0.15
    gate_state: float = 14.0
    draft_weight: float = 0.0
    draft_certainty: float = 0.5
    draft_sureness: float = 0.0
    same_use: float = 2.0
    deep_strength: float = 0.0
    deep_threshold: float = 0.75
    deep_temperature: float = 0.06
    deep_steps: int = 16

    @property
    def moving(self) -> MovingSettings:
        return MovingSettings(
            self.deep_strength, self.deep_threshold, self.deep_temperature, self.deep_steps, self.threshold
        )


@dataclass(frozen=True)
class Comparison:
    """Target steps compared with confirmed pieces.

    Attributes:
        context, state: c_t and s_t, each of norm 1, [B, T, C] and [B, T, D].
        similarity: similarity of each step to the steps of N pieces, plus `temperature` times the pieces'
            log-weights, [B, T, N]; `_HIDDEN` for excluded pieces.
    """

    context: Tensor
    state: Tensor
    similarity: Tensor


@dataclass(frozen=True)
class ConfirmedReading(Reading):
    """A reading at all steps [B, T, …], or at M chosen steps [M, …]; see `blend_word_probs`.

    Attributes:
        weight: λ, [B, T, 1].
        shares: share of each confirmed piece in p_confirmed, [B, T, N].
        pieces, inside: ids of the confirmed pieces, and whether each piece is inside a word, [B, 1, N].
        words: 1 for the vocabulary's word pieces, 0 for other pieces, [V].
        inputs: the memory, steps, slots and embeddings for `without`; None if only chosen steps are read.
        moved: result of the deep reading; None without a deep reading.
    """

    weight: Tensor
    shares: Tensor
    pieces: Tensor
    inside: Tensor
    words: Tensor
    inputs: tuple[ConfirmedText, Comparison, ConfirmedSlots, Tensor] | None = None
    moved: MovedStates | None = None

    @property
    def deep(self) -> bool:
        return self.moved is not None

    def fuse_state(self, state: Tensor) -> Tensor:
        return state if self.moved is None else state + self.moved.shift

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        return blend_word_probs(log_probs, self.weight, self.words, self.pieces, self.shares, self.inside)

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        offered = (slot_mass(word_mass(log_probs, self.words), self.inside) * self._share_of(target)).sum(-1)
        lost = lost_share(self.shares, self.inside)
        lost = torch.where(self.words[target] > 0, torch.ones_like(lost), lost)
        return blend_word_target(target_log_probs(log_probs, target), self.weight[..., 0], lost, offered)

    def without(self, groups: Groups, steps: Tensor | None = None) -> ConfirmedReading:
        assert self.inputs is not None
        memory, comparison, slots, embeddings = self.inputs
        similarity = at_steps(comparison.similarity, steps).expand(len(groups), -1, -1).clone()
        for row, group in enumerate(groups):
            similarity[row, :, list(group)] = _HIDDEN
        context, state = at_steps(comparison.context, steps), at_steps(comparison.state, steps)
        return memory.follow(Comparison(context, state, similarity), slots, embeddings)

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        """A confirmed piece's support is λ times the piece's share times its factor `fusion.slot_mass`.

        The memory's share is the sum of all supports. The deep reading adds the new support of its steps
        (`MovedStates.new_support`). The support for a target piece grows only by the part that points towards
        this piece (`MovedStates.relative_effect`).
        """
        offers = self.weight * slot_mass(word_mass(log_probs, self.words), self.inside) * self.shares
        gate = offers.sum(-1)
        strengths = offers * (self.pieces == target[..., None])
        if self.moved is None or self.inputs is None:
            return Attribution(strengths, gate, offers)
        moved, embeddings = self.moved, self.inputs[-1]
        pieces = self.pieces.expand_as(self.shares).gather(-1, moved.columns)
        support = (1 - gate)[..., None] * moved.new_support(embeddings, pieces)
        towards = support * moved.relative_effect(embeddings, pieces, target)
        strengths = strengths.scatter_add(-1, moved.columns, towards)
        return Attribution(strengths, gate + support.sum(-1), offers.scatter_add(-1, moved.columns, support))

    def _share_of(self, target: Tensor) -> Tensor:
        return self.shares * (self.pieces == target[..., None])


class ConfirmedText(Memory[ConfirmedConfig, ConfirmedPieces, ConfirmedSlots]):
    """Follows confirmed text and, with a separate weight, drafts.

    The similarity of two steps is `context_share` times the cosine of their contexts plus
    (1 − `context_share`) times the cosine of their states. p_confirmed is a softmax over the similarities
    divided by `temperature`. λ is a logistic function of the two cosines and the log-weight of the most
    similar piece. The function's constants are fitted on training documents (`fit`). If no similarity exceeds
    `threshold`, λ is 0 and the step does not change.
    """

    name = "confirmed"
    title = "Confirmed text"
    saved_as = "confirmed"
    config_type = ConfirmedConfig
    heeds_origin = True
    fits_constants = True
    words: Tensor

    def __init__(self, config: ConfirmedConfig, host: Host) -> None:
        super().__init__(config, host)
        if config.deep_strength and not (host.scores_states and host.width == host.embedding_width):
            raise ConfigError(
                "deep_strength needs a decoder whose output layer multiplies its state with the embeddings"
            )
        spells = host.vocabulary.spells
        self.register_buffer("words", spells, persistent=False)
        self.width = host.width
        self._last: tuple[ConfirmedPieces, ConfirmedSlots] | None = None
        self._ready: dict[bool, tuple[ConfirmedSlots, ConfirmedSlots]] = {}

    @classmethod
    def empty(cls, config: ConfirmedConfig, document: DocumentInfo) -> ConfirmedPieces:
        return ConfirmedPieces(
            config.size,
            draft_weight=config.draft_weight,
            draft_certainty=config.draft_certainty,
            draft_sureness=config.draft_sureness,
            same_use=config.same_use,
        )

    @classmethod
    def weighs_drafts(cls, config: ConfirmedConfig) -> bool:
        return bool(config.draft_weight)

    @classmethod
    def moves_states(cls, config: ConfirmedConfig) -> bool:
        return bool(config.deep_strength)

    @classmethod
    def required_steps(cls, config: ConfirmedConfig) -> KeptSteps:
        return KeptSteps.WORDS

    def gather(self, contents: Sequence[ConfirmedPieces], source: Source) -> ConfirmedSlots | None:
        # Reuse the tensors: the estimate of a draft's quality reads the same contents as the draft.
        last, may_reuse = self._last, len(contents) == 1 and torch.is_inference_mode_enabled()
        if may_reuse and last is not None and last[0] is contents[0]:
            return last[1]
        slots = gather_confirmed(contents, self.words, self.moves_states(self.config))
        if may_reuse:
            self._last = None if slots is None else (contents[0], slots)
        return slots

    def ready(self, gathered: ConfirmedSlots, source: Source) -> ConfirmedSlots:
        """Add the keys in the layout that torch or the native library reads; with gradients, add nothing."""
        if torch.is_grad_enabled():
            return gathered
        native = source.library is not None
        known = self._ready.get(native)  # read once, because several threads draft
        if known is None or known[0] is not gathered or known[1].library is not source.library:
            rows = gathered.steps if self.config.context_share else gathered.steps[..., -self.width :]
            keys = interleaved(rows) if native else rows.float()
            known = self._ready[native] = gathered, replace(gathered, keys=keys, library=source.library)
        return known[1]

    def offers(self, gathered: ConfirmedSlots) -> Tensor:
        return gathered.pieces

    def read(self, steps: TargetSteps, gathered: ConfirmedSlots, counted: Tensor | None = None) -> Reading:
        if gathered.library is not None and counted is None:
            return read_natively(steps, gathered, self.config, self.words)
        comparison = self.compare(steps.features, steps.previous, gathered)
        reading = self.follow(comparison, gathered, steps.embeddings)
        if counted is None:
            return reading
        shares, weight = reading.shares[counted], reading.weight[counted]
        pieces, inside = (
            part.expand_as(reading.shares)[counted] for part in (reading.pieces, reading.inside)
        )
        moved = None if reading.moved is None else reading.moved.select(counted)
        return ConfirmedReading(weight, shares, pieces, inside, self.words, moved=moved)

    def native(self, gathered: ConfirmedSlots) -> ConfirmedTextData | None:
        if gathered.library is None:
            return None
        sentences = [sentence(gathered, number) for number in range(len(gathered.pieces))]
        return ConfirmedTextData(sentences, self.config, self.words)

    def entries(self, contents: ConfirmedPieces, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        drafted = contents.drafted
        return tuple(
            Entry(reader.text(word), columns, reader.segments[segment], confirmed=not drafted[columns[0]])
            for word, segment, columns in contents.words()
        )

    @torch.no_grad()
    def fit(self, evidence: Sequence[GateEvidence]) -> ConfirmedConfig:
        """The configuration with the constants of a fitted gate, whose bias is raised by `_GATE_SHIFT`.

        The base model is most certain on its training documents, so a gate that is fitted on these opens too
        rarely. On development text, a shift of 0.5 gained 0.2 BLEU; a shift of 1 gained less.
        """
        with torch.enable_grad():
            bias, context, state = fit_gate(GateEvidence.joined(evidence))
        bias, context, state = (round(value, 3) for value in (bias + _GATE_SHIFT, context, state))
        return replace(self.config, gate_bias=bias, gate_context=context, gate_state=state)

    @torch.no_grad()
    def evidence(self, sample: FittingSample) -> GateEvidence:
        real, target = sample.real, sample.target
        model = target_log_probs(sample.log_probs, target)[real].exp().cpu()
        if sample.gathered is None:
            nothing = torch.zeros_like(model)
            return GateEvidence(nothing, nothing, nothing, model, nothing)
        slots: ConfirmedSlots = sample.gathered
        comparison = self.compare(sample.steps.features, sample.steps.previous, slots)
        contexts, states, near, _ = self._gate(comparison, slots)
        offered = self._shares(comparison) * slot_mass(
            word_mass(sample.log_probs, self.words), slots.is_inside[:, None]
        )
        share = (offered * (slots.pieces[:, None] == target[..., None])).sum(-1)
        parts = contexts[..., 0], states[..., 0], near[..., 0] * self.words[target], share
        contexts, states, near, share = (part[real].cpu() for part in parts)
        return GateEvidence(contexts, states, near, model, share)

    def compare(self, features: Features, previous: Tensor, slots: ConfirmedSlots) -> Comparison:
        """Compare steps [B, T, …] with the confirmed pieces that may follow y_{t−1} (`previous`, [B, T])."""
        context = functional.normalize(features.context.float(), dim=-1)
        state = functional.normalize(features.state.float(), dim=-1)
        share = self.config.context_share
        step = torch.cat((share * context, (1 - share) * state), -1) if share else state
        similarity = slots.products(step)
        if slots.log_weights is not None:
            similarity = similarity.add_(slots.log_weights[:, None], alpha=self.config.temperature)
        return Comparison(context, state, similarity.masked_fill_(slots.excluded(previous), _HIDDEN))

    def _gate(self, comparison: Comparison, slots: ConfirmedSlots) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """The gate's inputs from the piece that is most similar to each step, each [B, T, 1].

        Returns:
            the cosines of c_t and of s_t with the piece's step, whether the piece's similarity exceeds
            `threshold`, and the piece's log-weight.
        """
        context, state, similarity = comparison.context, comparison.state, comparison.similarity
        best, places = similarity.max(-1, keepdim=True)
        nearest = slots.step_of(places[..., 0])
        contexts = (context * nearest[..., : context.shape[-1]]).sum(-1, keepdim=True)
        states = (state * nearest[..., context.shape[-1] :]).sum(-1, keepdim=True)
        weights = torch.zeros_like(contexts)
        if slots.log_weights is not None:
            weights = slots.log_weights.expand(len(similarity), -1).gather(1, places[..., 0])[..., None]
        return contexts, states, best > self.config.threshold, weights

    def _shares(self, comparison: Comparison) -> Tensor:
        """The share of each confirmed piece in p_confirmed, [B, T, N]."""
        return (comparison.similarity / self.config.temperature).softmax(-1)

    def follow(self, comparison: Comparison, slots: ConfirmedSlots, embeddings: Tensor) -> ConfirmedReading:
        """Compute λ, the shares of the confirmed pieces in p_confirmed, and any shift of the states."""
        config, shares = self.config, self._shares(comparison)
        contexts, states, near, log_weights = self._gate(comparison, slots)
        logits = config.gate_bias + config.gate_context * contexts + config.gate_state * states
        weight = torch.sigmoid(logits + log_weights) * near
        moved = None
        if slots.values is not None and config.deep_strength:
            missing = None  # the part of the log-weights that `comparison.similarity` does not contain
            if slots.log_weights is not None:
                missing = (1 - config.temperature / config.deep_temperature) * slots.log_weights
            similarity = comparison.similarity
            if slots.inert is not None:
                similarity = similarity.masked_fill(slots.inert[:, None], _HIDDEN)
            moved = move_states(similarity, missing, slots.values, config.moving)
        inputs = self, comparison, slots, embeddings
        pieces, inside = slots.pieces[:, None], slots.is_inside[:, None]
        return ConfirmedReading(weight, shares, pieces, inside, self.words, inputs, moved)
