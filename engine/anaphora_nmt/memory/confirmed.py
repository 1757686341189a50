"""What stands in the document, word for word: the model follows it where the same thing comes again.

What a translator confirmed counts in full, the model's own drafts as `draft_weight` and `draft_certainty`
say. A choice of ours beside the published caches. A confirmed word that the model would not have said
cannot come back through the continuous cache: the state that is stored for it asks for the model's own
word. So pieces are kept with their steps, and are mixed into the distribution as the shallow fusion of Tu
et al. (2018), section 4.4, mixes cached words, with a weight that grows with how alike the two steps are.

The memory says which word comes, not whether one does: only the probability of the pieces of words is shared
out anew. Marks, placeholders and `</s>`, which are not kept, stay as likely as the model has them, and so do
numbers, which come from the source alone. Without that, sentences went on past their ends into what had been
confirmed elsewhere. And a piece inside a remembered word is offered only after the piece before it: words
were glued together from halves otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.memory.confirmed_gate import Evidence, fit_gate
from anaphora_nmt.memory.confirmed_pieces import ConfirmedPieces
from anaphora_nmt.memory.contents import DocumentInfo, KeptSteps, Reader
from anaphora_nmt.memory.fusion import blend_word_probs, blend_word_target, of_targets, word_mass
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
from anaphora_nmt.nn.precision import multiplies_bfloat16
from anaphora_nmt.nn.state import Features, SentenceState

_HIDDEN = -1e4  # far below any cosine, and no infinity: a row may have nothing at all
_ANY, _NEVER = -1, -2
"""In place of the piece before: one that begins a word; one that never comes."""
_SHIFT = 0.5


@dataclass(frozen=True)
class ConfirmedConfig:
    """How far the model follows what stands in the document.

    Size, threshold, temperature and share were chosen by likelihood on dev, the weight of drafts by BLEU and
    by how consistently terms are rendered there; the gate is fitted on training documents.

    Attributes:
        size: pieces kept: the last ones, confirmed ones before drafted ones.
        threshold, temperature, context_share: see `follow_confirmed`.
        gate_bias, gate_context, gate_state: λ = σ(bias + context · cosine of c + state · cosine of s).
        draft_weight: what the odds of following a draft are multiplied with; 0: only what a human confirmed
            is kept.
        draft_certainty: drafts of which the model is less sure (`Contribution.certainty`) are not kept: where
            it does not know the kind of text, they would feed on each other.
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


def _products(steps: Tensor, slots: ConfirmedSlots) -> Tensor:
    """Of target steps [B, T, C + D] with confirmed ones, [B, T, N]."""
    if slots.rounded is None:
        return steps @ slots.steps.transpose(1, 2)
    # A batched product of matrices that small takes eight times as long in bfloat16.
    each = zip(steps.bfloat16(), slots.rounded, strict=True)
    return torch.stack([functional.linear(some, rows) for some, rows in each]).float()


@dataclass(frozen=True)
class ConfirmedSlots(SentenceState):
    """Confirmed pieces of a batch of sentences: steps [B, N, C + D], pieces [B, N].

    `before` [B, N] is the piece that must have come before, or _ANY, or _NEVER where there is no piece of a
    word; `log_weights` [B, N] or None, where no user gave any a weight.
    `rounded` are the steps in bfloat16 where the processor multiplies these faster, once they have been made
    ready; else None. Features and log-probabilities that are compared with them may have several rows a
    sentence, one after the other: its hypotheses.
    """

    steps: Tensor
    pieces: Tensor
    before: Tensor
    log_weights: Tensor | None = None
    rounded: Tensor | None = None


def gather_confirmed(contents: Sequence[ConfirmedPieces], words: Tensor) -> ConfirmedSlots | None:
    """Tensors of several documents' confirmed pieces; None where there are none at all.

    Args:
        words: 1 at pieces of words, else 0, [V].
    """
    count = max((len(content) for content in contents), default=0)
    if not count:
        return None
    width = next(content.sentences[0].steps.shape[1] for content in contents if len(content))
    steps = torch.zeros(len(contents), count, width)
    pieces = np.zeros((len(contents), count), np.int64)
    before = np.full((len(contents), count), _NEVER, np.int64)
    log_weights = np.zeros((len(contents), count), np.float32)
    for row, content in enumerate(contents):
        first = 0
        for each in content.sentences:
            here = slice(first, first + len(each))
            steps[row, here] = torch.from_numpy(each.steps)
            pieces[row, here] = [word[index] for word, index in each.places]
            before[row, here] = [word[index - 1] if index else _ANY for word, index in each.places]
            if each.weights is not None:
                log_weights[row, here] = np.log(each.weights)
            first = here.stop
    device = words.device
    held, follows = torch.from_numpy(pieces).to(device), torch.from_numpy(before).to(device)
    slots = ConfirmedSlots(steps.to(device), held, follows.masked_fill(words[held] == 0, _NEVER))
    if not log_weights.any():
        return slots
    return replace(slots, log_weights=torch.from_numpy(log_weights).to(device))


@dataclass(frozen=True)
class Compared:
    """Target steps compared with confirmed pieces.

    Attributes:
        context, state: c_t and s_t, each of norm 1, [B, T, C] and [B, T, D].
        alike: how alike the steps are to each piece, [B, T, N]; far below any cosine where it may not come.
    """

    context: Tensor
    state: Tensor
    alike: Tensor


@dataclass(frozen=True)
class Likeness:
    """How alike steps are to confirmed pieces.

    Attributes:
        contexts, states: cosines of c_t and of s_t with those of the piece that is most alike, [B, T, 1].
        shares: of each confirmed piece in p_confirmed, [B, T, N].
        near: whether that piece is alike enough to be followed at all, [B, T, 1].
        log_weights: of that piece, [B, T, 1]; None: 0.
    """

    contexts: Tensor
    states: Tensor
    shares: Tensor
    near: Tensor
    log_weights: Tensor | None = None


@dataclass(frozen=True)
class ConfirmedReading(Reading):
    """(1 − λ) p + λ m p_confirmed for pieces of words, where m is the sum of p over them; the others keep p.

    Attributes:
        weight: λ, [B, T, 1]. shares: of each confirmed piece in p_confirmed, [B, T, N].
        pieces: the confirmed pieces, [B, 1, N]. words: of the vocabulary's pieces, whether they spell a word,
            float [V].
        again: what it takes to read without some pieces.
    At one step T are the hypotheses of a sentence; at chosen steps there is one dimension less.
    """

    weight: Tensor
    shares: Tensor
    pieces: Tensor
    words: Tensor
    again: tuple[ConfirmedText, Compared, ConfirmedSlots] | None = None

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        """At one step ([B, V]), at all ([B, T, V]), or at chosen ones ([N, V])."""
        given = log_probs
        if log_probs.dim() < self.shares.dim():
            given = log_probs.reshape(len(self.shares), -1, log_probs.shape[-1])
        confirmed = given.new_zeros(*self.shares.shape[:-1], given.shape[-1])
        confirmed.scatter_add_(-1, self.pieces.expand_as(self.shares), self.shares)
        mixed = blend_word_probs(given, self.weight, self.words, confirmed)
        return mixed.view_as(log_probs) if given is not log_probs else mixed

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        """The same for given pieces, without the rest of the vocabulary."""
        weight = self.weight[..., 0]
        offered = word_mass(log_probs, self.words) * self._share_of(target).sum(-1)
        return blend_word_target(of_targets(log_probs, target), weight, self.words[target], offered)

    def without(self, groups: Groups, steps: Tensor | None = None) -> ConfirmedReading:
        """Without some pieces, a group in each row."""
        assert self.again is not None
        memory, compared, slots = self.again
        alike = at_steps(compared.alike, steps).expand(len(groups), -1, -1).clone()
        for row, group in enumerate(groups):
            alike[row, :, list(group)] = _HIDDEN
        context, state = at_steps(compared.context, steps), at_steps(compared.state, steps)
        return memory.follow(Compared(context, state, alike), slots)

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        """λ m times the share of each confirmed piece that is the target piece; and λ m."""
        gate = self.weight[..., 0] * word_mass(log_probs, self.words)
        offers = gate[..., None] * self.shares
        return Attribution(offers * (self.pieces == target[..., None]), gate, offers)

    def _share_of(self, target: Tensor) -> Tensor:
        return self.shares * (self.pieces == target[..., None])


class ConfirmedText(Memory[ConfirmedConfig, ConfirmedPieces, ConfirmedSlots]):
    """Follows what a human confirmed, and, with a weight of its own, what was drafted.

    Two steps are as alike as the cosines of their contexts and of their states, averaged with weights
    `context_share` and the rest; p_confirmed is a softmax over the pieces' likeness / `temperature`.
    λ is a logistic function of the two cosines of the piece that is most alike, fitted on training documents
    (`fit`), and 0 below `threshold`: a row where nothing is alike stays as it is.
    """

    name = "confirmed"
    title = "confirmed text"
    saved_as = "confirmed"
    config_type = ConfirmedConfig
    heeds_origin = True
    fits_constants = True
    words: Tensor

    def __init__(self, config: ConfirmedConfig, host: Host) -> None:
        super().__init__(config, host)
        self.register_buffer("words", host.vocabulary.spells, persistent=False)

    @classmethod
    def empty(cls, config: ConfirmedConfig, document: DocumentInfo) -> ConfirmedPieces:
        """Nothing is there."""
        return ConfirmedPieces(
            config.size, draft_weight=config.draft_weight, draft_certainty=config.draft_certainty
        )

    @classmethod
    def weighs_drafts(cls, config: ConfirmedConfig) -> bool:
        """Where they count at all."""
        return bool(config.draft_weight)

    @classmethod
    def steps_asked_for(cls, config: ConfirmedConfig) -> KeptSteps:
        """Those of words."""
        return KeptSteps.WORDS

    def gather(self, contents: Sequence[ConfirmedPieces], source: Source) -> ConfirmedSlots | None:
        """Tensors of several documents' confirmed pieces; None where there are none at all."""
        return gather_confirmed(contents, self.words)

    def ready(self, held: ConfirmedSlots, source: Source) -> ConfirmedSlots:
        """The same slots, prepared for being compared with many steps without gradients.

        With 2,000 pieces, comparing reads 6 MB at every step. In bfloat16 it is half of that, and a third of
        the time; a likeness moves by less than 0.001. λ is of unrounded steps.
        """
        if torch.is_grad_enabled() or held.steps.device.type != "cpu" or held.steps.dtype != torch.float32:
            return held
        if not multiplies_bfloat16(held.steps.device):
            return held
        return replace(held, rounded=held.steps.bfloat16())

    def step(self, steps: TargetSteps, held: ConfirmedSlots) -> tuple[ConfirmedReading, ConfirmedSlots]:
        """Read at one step: a sentence's hypotheses side by side, as if they were steps of one."""
        count = len(held.pieces)
        parts = (steps.features.state, steps.features.context)
        state, context = (part.reshape(count, -1, part.shape[-1]) for part in parts)
        features = Features(state, context, context)
        return self.follow(self.compare(features, steps.previous.reshape(count, -1), held), held), held

    def all_steps(
        self, steps: TargetSteps, held: ConfirmedSlots, counted: Tensor | None = None
    ) -> ConfirmedReading:
        """Read at all steps."""
        reading = self.follow(self.compare(steps.features, steps.previous, held), held)
        if counted is None:
            return reading
        shares, weight = reading.shares[counted], reading.weight[counted]
        pieces = reading.pieces.expand_as(reading.shares)[counted]
        return ConfirmedReading(weight, shares, pieces, self.words)

    def entries(self, contents: ConfirmedPieces, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        """Its words, oldest first."""
        drafted = contents.drafted
        return tuple(
            Entry(reader.text(word), columns, reader.segments[segment], confirmed=not drafted[columns[0]])
            for word, segment, columns in contents.words()
        )

    @torch.no_grad()
    def fit(self, samples: Iterable[FittingSample]) -> ConfirmedConfig:
        """The configuration with the gate fitted, and its bias raised.

        The base has learned from those documents and is surer of itself there than elsewhere, so a gate that
        is fitted on them follows too seldom, and its bias is raised by `_SHIFT`. On dev (greedy, each
        reference confirmed before the next draft; 850 segments) shifts of 0 and 0.5 gave 41.52 and 41.70
        BLEU, chrF2 65.42 and 65.57, and 80.9 and 82.3 % of the terms rendered as before; 1 gave 41.25 and
        65.45 with 82.9 % (there still without heed to the piece before).
        """
        evidence = Evidence.joined([self.evidence(sample) for sample in samples])
        with torch.enable_grad():
            bias, context, state = fit_gate(evidence)
        bias, context, state = (round(value, 3) for value in (bias + _SHIFT, context, state))
        return replace(self.config, gate_bias=bias, gate_context=context, gate_state=state)

    def evidence(self, sample: FittingSample) -> Evidence:
        """What the gate would have seen of a sample's pieces."""
        real, target = sample.real, sample.target
        model = of_targets(sample.log_probs, target)[real].exp().cpu()
        if sample.held is None:
            nothing = torch.zeros_like(model)
            return Evidence(nothing, nothing, nothing, model, nothing)
        slots: ConfirmedSlots = sample.held
        found = self.likeness(self.compare(sample.steps.features, sample.steps.previous, slots), slots)
        share = (found.shares * (slots.pieces[:, None] == target[..., None])).sum(-1)
        share = share * word_mass(sample.log_probs, self.words)
        near = found.near[..., 0] * self.words[target]
        cosines = found.contexts[..., 0], found.states[..., 0]
        contexts, states, near, share = (part[real].cpu() for part in (*cosines, near, share))
        return Evidence(contexts, states, near, model, share)

    def compare(self, features: Features, previous: Tensor, slots: ConfirmedSlots) -> Compared:
        """Compare steps [B, T, …] with the confirmed pieces of words that may come after y_{t−1} [B, T]."""
        context = functional.normalize(features.context.float(), dim=-1)
        state = functional.normalize(features.state.float(), dim=-1)
        share = self.config.context_share
        step = torch.cat((share * context, (1 - share) * state), -1)
        alike = _products(step, slots)
        if slots.log_weights is not None:
            alike = alike + self.config.temperature * slots.log_weights[:, None]
        before = slots.before[:, None]
        out = (before != _ANY) & (before != previous[..., None])
        return Compared(context, state, alike.masked_fill_(out, _HIDDEN))

    def likeness(self, compared: Compared, slots: ConfirmedSlots) -> Likeness:
        """What λ and p_confirmed are made of."""
        context, state, alike = compared.context, compared.state, compared.alike
        best, places = alike.max(-1, keepdim=True)
        rows = slots.steps.expand(len(alike), -1, -1)
        nearest = rows.gather(1, places.expand(-1, -1, slots.steps.shape[-1]))
        contexts = (context * nearest[..., : context.shape[-1]]).sum(-1, keepdim=True)
        states = (state * nearest[..., context.shape[-1] :]).sum(-1, keepdim=True)
        shares = (alike / self.config.temperature).softmax(-1)
        weights = slots.log_weights
        if weights is not None:
            weights = weights.expand(len(alike), -1).gather(1, places[..., 0])[..., None]
        return Likeness(contexts, states, shares, best > self.config.threshold, weights)

    def follow(self, compared: Compared, slots: ConfirmedSlots) -> ConfirmedReading:
        """λ, and the share of each confirmed piece in p_confirmed."""
        found, config = self.likeness(compared, slots), self.config
        logits = config.gate_bias + config.gate_context * found.contexts + config.gate_state * found.states
        if found.log_weights is not None:
            logits = logits + found.log_weights
        weight = torch.sigmoid(logits) * found.near
        return ConfirmedReading(
            weight, found.shares, slots.pieces[:, None], self.words, (self, compared, slots)
        )
