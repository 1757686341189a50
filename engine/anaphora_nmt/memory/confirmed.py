"""What a translator confirmed, word for word: the model follows it where the same thing comes again.

A choice of ours beside the published caches. A confirmed word that the model would not have said cannot
come back through the continuous cache: the state that is stored for it asks for the model's own word. So
confirmed pieces are kept with their steps, and are mixed into the distribution as the shallow fusion of Tu et
al. (2018), section 4.4, mixes cached words. How much each weighs is a softmax over "none" and the pieces of a
sum that can be said in words: how alike the two steps are, whether the same pieces came before, how likely
the model itself finds the piece, and how surprising its word was when it was written. "None" among the
neighbours is known from adaptive kNN-MT (Zheng et al., 2021); the sum and its terms are ours.

Confirmed text says which word comes, not whether one does: only the probability of the pieces of words is
shared out anew. Marks, placeholders and `</s>`, which are not kept, stay as likely as the model has them, and
so do numbers, which come from the source alone. Without that, sentences went on past their ends into what had
been confirmed elsewhere. And a piece inside a confirmed word is offered only after the same beginning: words
were glued together from halves otherwise. But a word that has begun as a confirmed one goes on as that,
whatever else the model would say there: it ended in halves otherwise ("Auto-different").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from anaphora_nmt.memory.confirmed_contents import (
    BEFORE,
    HIDDEN,
    ConfirmedPieces,
    ConfirmedSlots,
    HeldConfirmed,
    gather_confirmed,
    latest_pieces,
)
from anaphora_nmt.memory.confirmed_gate import Evidence, fit_gate
from anaphora_nmt.memory.contents import DocumentInfo, KeptSteps, Reader
from anaphora_nmt.memory.fusion import blend_word_probs, of_targets, word_mass
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
from anaphora_nmt.nn.state import Features

_LONGEST_RUN = 3
_LEAST = -4.0
"""Nats; what is less likely counts as this likely: a correction may be as unlikely as the model likes."""
_CORRECTION = 2.5
"""See `ConfirmedText.fit`."""


@dataclass(frozen=True)
class ConfirmedConfig:
    """How far the model follows what a translator confirmed (`ConfirmedText`).

    Attributes:
        size: confirmed pieces kept, the last ones.
        candidates: of them, how many may be followed at a step.
        bias, context, state, run, inside, surprise, correction, likelihood: see `ConfirmedText`; fitted on
            training documents.
    """

    size: int = 2000
    candidates: int = 16
    bias: float = -5.66
    context: float = -2.5
    state: float = 8.81
    run: float = 0.64
    inside: float = 1.55
    surprise: float = 1.21
    correction: float = 4.7
    likelihood: float = 1.07


@dataclass(frozen=True)
class Followed:
    """Which confirmed pieces are followed, and how much.

    Attributes:
        weight: λ, [..., 1].
        columns: of the pieces, [..., K]. pieces: ids, [..., K]. shares: of λ, [..., K].
        inside: which of them go on in a word that has begun, bool [..., K].
    """

    weight: Tensor
    columns: Tensor
    pieces: Tensor
    shares: Tensor
    inside: Tensor

    def weights(self) -> tuple[Tensor, Tensor]:
        """What is shared out of words that may begin, and of all, [..., 1] each: λ is their sum."""
        going_on = self.weight * (self.shares * self.inside).sum(-1, keepdim=True)
        return self.weight - going_on, going_on

    def offers(self, log_probs: Tensor, words: Tensor) -> Tensor:
        """The probability that each of them gives to its piece, [..., K]."""
        mass = word_mass(log_probs, words)[..., None]
        return self.weight * self.shares * torch.where(self.inside, 1.0, mass)


@dataclass(frozen=True)
class ConfirmedReading(Reading):
    """(1 − λ) p + λ m p_confirmed for pieces of words, where m is the sum of p over them; the others keep p.

    The share of pieces that go on in a word is taken of all, and is not multiplied with m.

    Attributes:
        scores: of each confirmed piece, but for the model's own probability, [B, T, N]; HIDDEN where it
            may not come. At one step T are the hypotheses of a sentence; at chosen steps [M, N].
        begun: the same of its word's first piece at the step that began the word; HIDDEN where it is the
            first, or may not come.
        pieces: the confirmed pieces, [B, 1, N]; at chosen steps [M, N].
        inside, linked: whether each goes on in a word, and right behind the column before; as `pieces`.
        words: of the vocabulary's pieces, whether they spell a word, float [V].
        config: for the weight of the model's own probability, and how many candidates there are.
    """

    scores: Tensor
    begun: Tensor
    pieces: Tensor
    inside: Tensor
    linked: Tensor
    words: Tensor
    config: ConfirmedConfig

    def follow(self, log_probs: Tensor) -> Followed:
        """λ and p_confirmed, with the log-probabilities [..., V] in front of it."""
        count = min(self.config.candidates, self.scores.shape[-1])
        columns = torch.maximum(self.scores, self.begun).topk(count, -1).indices
        shape = torch.broadcast_shapes(log_probs.shape[:-1], columns.shape[:-1])
        columns, whole = columns.expand(*shape, -1), (*shape, self.scores.shape[-1])
        parts = self.scores, self.begun, self.pieces, self.inside
        scores, begun, pieces, inside = (part.expand(whole).gather(-1, columns) for part in parts)
        likely = log_probs.expand(*shape, -1).gather(-1, pieces).clamp_min(_LEAST)
        scores = torch.maximum(scores + self.config.likelihood * likely, begun)
        # λ = Σ exp(e_k) / (1 + Σ exp(e_k)): the 1 is "none"
        weight = scores.logsumexp(-1, keepdim=True).sigmoid()
        return Followed(weight, columns, pieces, scores.softmax(-1), inside)

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        """At one step ([B, V]), at all ([B, T, V]), or at chosen ones ([M, V])."""
        given = log_probs
        if log_probs.dim() < self.scores.dim():
            given = log_probs.reshape(len(self.scores), -1, log_probs.shape[-1])
        found = self.follow(given)
        offers = found.offers(given, self.words)
        mixed = blend_word_probs(given, found.weights(), self.words, found.pieces, offers)
        return mixed.view_as(log_probs) if given is not log_probs else mixed

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        """The same for given pieces, without the rest of the vocabulary."""
        found = self.follow(log_probs)
        offers = found.offers(log_probs, self.words) * (found.pieces == target[..., None])
        given = of_targets(log_probs, target)[..., None]
        in_word = self.words[target][..., None]
        only = torch.zeros_like(found.pieces[..., :1])
        return blend_word_probs(given, found.weights(), in_word, only, offers.sum(-1, keepdim=True))[..., 0]

    def without(self, groups: Groups, steps: Tensor | None = None) -> ConfirmedReading:
        """Without some pieces, a group in each row."""
        gone = torch.zeros(len(groups), 1, self.scores.shape[-1], dtype=torch.bool, device=self.scores.device)
        for row, group in enumerate(groups):
            gone[row, :, list(group)] = True
        orphaned = gone
        for _ in range(BEFORE):
            orphaned = gone | (self.linked & orphaned.roll(1, -1))
        scores, begun = (at_steps(part, steps) for part in (self.scores, self.begun))
        scores = scores.masked_fill(gone, HIDDEN)
        return replace(self, scores=scores, begun=begun.masked_fill(orphaned, HIDDEN))

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        """What each confirmed piece gives to the target piece; what all give to whichever piece."""
        found = self.follow(log_probs)
        given = found.offers(log_probs, self.words)
        offers = torch.zeros_like(self.scores).scatter(-1, found.columns, given)
        return Attribution(offers * (self.pieces == target[..., None]), given.sum(-1), offers)


class ConfirmedText(Memory[ConfirmedConfig, ConfirmedPieces, HeldConfirmed]):
    """Follows what a human confirmed.

    A confirmed piece k weighs exp(e_k) against 1 for "none", where e_k = `bias`
    + `context` · cosine of the contexts c + `state` · cosine of the states s
    + `run` · the number of pieces before it, three at most, that are those before the step
    + `inside` · [it does not begin its word]
    + `surprise` · u + `correction` · u · max(0, 2 · cosine of the contexts − 1)
    + `likelihood` · max(log p, −4), p the model's own probability of the piece now.
    u is −log p of its word without memory when it was written, three nats at most, / 3: a correction or a
    term is surprising, a confirmed commonplace is not; contexts are alike where the same source word is read.
    A user's weight multiplies exp(e_k). The `candidates` pieces that are highest without the last term count.
    A piece that goes on in a word has at least the e_k, without the last term, that its word's first piece
    had where the word began: what is followed is followed to its end, however sure the model is of another
    end.
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
        self._context_width = host.context_width
        self.register_buffer("words", host.vocabulary.spells, persistent=False)

    @classmethod
    def upgraded(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Three numbers of a gate, as models were fitted up to version 0.7, are taken over as they are."""
        if not isinstance(values, dict) or "gate_state" not in values:
            return values
        taken = {name: values.get(f"gate_{name}", 0.0) for name in ("bias", "context", "state")}
        sizes = {name: values[name] for name in ("size",) if name in values}
        return {**dict.fromkeys(_WEIGHTS, 0.0), **taken, **sizes}

    @classmethod
    def empty(cls, config: ConfirmedConfig, document: DocumentInfo) -> ConfirmedPieces:
        """Nothing is confirmed."""
        return ConfirmedPieces(config.size)

    @classmethod
    def steps_asked_for(cls, config: ConfirmedConfig) -> KeptSteps:
        """Those of words."""
        return KeptSteps.WORDS

    def gather(self, contents: Sequence[ConfirmedPieces], source: Source) -> HeldConfirmed | None:
        """Tensors of several documents' confirmed pieces; None where there are none at all."""
        return gather_confirmed(contents, self._context_width, self.words.device)

    def step(self, steps: TargetSteps, held: HeldConfirmed) -> tuple[ConfirmedReading, HeldConfirmed]:
        """Read at one step: a sentence's hypotheses side by side, as if they were steps of one."""
        latest = torch.cat((steps.previous[:, None], held.latest), 1)
        parts = (steps.features.state, steps.features.context, latest)
        state, context, before = (part.reshape(len(held.slots.pieces), -1, part.shape[-1]) for part in parts)
        slots, features = held.slots, Features(state, context, context)
        carried = held.begun.roll(1, -1)
        scores, allowed = self._scores(features, before, slots)
        begun = carried.view_as(scores).masked_fill(~(allowed & slots.linked[:, None]), HIDDEN)
        next_begun = torch.where((slots.index == 0)[:, None], scores, carried.view_as(scores))
        next_begun = next_begun.view_as(held.begun)
        return self._reading(scores, begun, slots), replace(held, latest=latest[:, :-1], begun=next_begun)

    def all_steps(
        self, steps: TargetSteps, held: HeldConfirmed, counted: Tensor | None = None
    ) -> ConfirmedReading:
        """Read at all steps."""
        reading = self._read(steps, held.slots)
        if counted is None:
            return reading

        def chosen(part: Tensor) -> Tensor:
            return part.expand_as(reading.scores)[counted]

        return replace(
            reading,
            scores=chosen(reading.scores),
            begun=chosen(reading.begun),
            pieces=chosen(reading.pieces),
            inside=chosen(reading.inside),
            linked=chosen(reading.linked),
        )

    def entries(self, contents: ConfirmedPieces, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        """The confirmed words, oldest first."""
        return tuple(
            Entry(reader.text(word), columns, reader.segments[segment], confirmed=True)
            for word, segment, columns in contents.words()
        )

    @torch.no_grad()
    def fit(self, samples: Iterable[FittingSample]) -> ConfirmedConfig:
        """The configuration with the weights fitted, and `correction` raised.

        The base has learned from those documents and is seldom wrong there, so they have fewer corrections
        than a translator's, and a fit on them follows corrections too seldom: `_CORRECTION` is added.
        Which candidates there are is decided by the weights before the fit.
        """
        evidence = Evidence.joined([self.evidence(sample) for sample in samples])
        with torch.enable_grad():
            weights = fit_gate(evidence)
        weights[_WEIGHTS.index("correction")] += _CORRECTION
        fitted: dict[str, Any] = {name: round(one, 3) for name, one in zip(_WEIGHTS, weights, strict=True)}
        return replace(self.config, **fitted)

    def evidence(self, sample: FittingSample) -> Evidence:
        """What the gate would have seen of a sample's pieces."""
        real, target, count = sample.real, sample.target, self.config.candidates
        model, word = of_targets(sample.log_probs, target)[real].exp(), self.words[target][real]
        mass = word_mass(sample.log_probs, self.words)[real]
        if sample.held is None:
            nothing = torch.zeros(len(model), count, dtype=torch.bool)
            features = torch.zeros(len(model), count, len(_WEIGHTS) - 1)
            begun = torch.full((len(model), count), HIDDEN)
            whole = (part.cpu() for part in (word, model, mass))
            return Evidence(features, begun, nothing, nothing, nothing, *whole)
        slots, steps = sample.held.slots, sample.steps
        latest, reading = latest_pieces(steps.previous), self._read(steps, slots)
        found = reading.follow(sample.log_probs)
        likely = sample.log_probs.gather(-1, found.pieces).clamp_min(_LEAST)
        parts, allowed = self._parts(steps.features, latest, slots)
        gathered = [part.expand_as(allowed).gather(-1, found.columns) for part in parts]
        offered, right = allowed.gather(-1, found.columns), found.pieces == target[..., None]
        missing = (0, count - offered.shape[-1])
        seen = functional.pad(torch.stack((*gathered, likely), -1)[real], (0, 0, *missing))
        begun = functional.pad(reading.begun.gather(-1, found.columns)[real], missing, value=HIDDEN)
        padded = (functional.pad(part[real], missing) for part in (offered, right, found.inside))
        return Evidence(*(part.cpu() for part in (seen, begun, *padded, word, model, mass)))

    def _read(self, steps: TargetSteps, slots: ConfirmedSlots) -> ConfirmedReading:
        scores, allowed = self._scores(steps.features, latest_pieces(steps.previous), slots)
        index, linked = slots.index[:, None], slots.linked[:, None]
        carried, begun = scores.masked_fill(index > 0, HIDDEN), torch.full_like(scores, HIDDEN)
        for depth in range(1, BEFORE + 1):
            before = functional.pad(carried, (1, 0, 1, 0), value=HIDDEN)[:, :-1, :-1]
            carried = before.masked_fill(~(linked & (index == depth)), HIDDEN)
            begun = torch.maximum(begun, carried)
        return self._reading(scores, begun.masked_fill(~allowed, HIDDEN), slots)

    def _reading(self, scores: Tensor, begun: Tensor, slots: ConfirmedSlots) -> ConfirmedReading:
        parts = slots.pieces[:, None], (slots.index > 0)[:, None], slots.linked[:, None]
        return ConfirmedReading(scores, begun, *parts, self.words, self.config)

    def _scores(self, features: Features, latest: Tensor, slots: ConfirmedSlots) -> tuple[Tensor, Tensor]:
        """e_k but for log p, and where k may come, [B, T, N] each."""
        parts, allowed = self._parts(features, latest, slots)
        weights = [getattr(self.config, name) for name in _WEIGHTS]
        scores = torch.full_like(parts[0], weights[0])
        for weight, part in zip(weights[1:], parts, strict=False):
            scores.add_(part, alpha=weight)
        if slots.log_weights is not None:
            scores.add_(slots.log_weights[:, None])
        return scores.masked_fill_(~allowed, HIDDEN), allowed

    def _parts(
        self, features: Features, latest: Tensor, slots: ConfirmedSlots
    ) -> tuple[tuple[Tensor, ...], Tensor]:
        """What e_k is made of but log p, in the order of `_WEIGHTS`, [B, T or 1, N]; and where k may come.

        Args:
            features: of steps, [B, T, …]. latest: the pieces before them, [B, T, BEFORE].
        """
        contexts = functional.normalize(features.context.float(), dim=-1) @ slots.contexts.transpose(1, 2)
        states = functional.normalize(features.state.float(), dim=-1) @ slots.states.transpose(1, 2)
        same = torch.ones_like(contexts, dtype=torch.bool)
        run = torch.zeros_like(contexts)
        for back in range(BEFORE):
            same &= slots.before[:, None, back] == latest[..., None, back]
            if not same.any():
                break
            run += same
        index = slots.index[:, None]
        usable = slots.mask & (self.words[slots.pieces] > 0)
        allowed = usable[:, None] & (run >= index.clamp_max(BEFORE))
        surprise = slots.surprise[:, None]
        correction = surprise * (2 * contexts - 1).clamp_min(0)
        run, inside = run.clamp_max(_LONGEST_RUN), (index > 0).float()
        return (contexts, states, run, inside, surprise, correction), allowed


_WEIGHTS = ("bias", "context", "state", "run", "inside", "surprise", "correction", "likelihood")
