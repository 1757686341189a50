"""The dynamic and topic caches (Kuang et al., 2018): scores of words that may recur, and their gate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.candidates import (
    Candidates,
    CandidateTrace,
    WordSlots,
    hashed,
    trace_candidates,
    without_columns,
)
from anaphora_nmt.memory.contents import DocumentInfo, Reader
from anaphora_nmt.memory.fusion import blend_log_probs, blend_target, target_log_probs
from anaphora_nmt.memory.protocol import (
    Attribution,
    Entry,
    Groups,
    Host,
    Memory,
    Reading,
    Source,
    TargetSteps,
    at_steps,
)
from anaphora_nmt.memory.word_contents import DYNAMIC, TOPIC, WordContents
from anaphora_nmt.memory.words import MAX_WORD
from anaphora_nmt.native.stack import fits
from anaphora_nmt.native.words import CachedWords, DocumentWords, HiddenLayers
from anaphora_nmt.nn.attention import at_least_float32
from anaphora_nmt.nn.state import DecoderState, Features


@dataclass(frozen=True)
class WordCachesConfig:
    """The dynamic and topic caches; Kuang et al. (2018) use `topic_size=200, model_score=False`.

    Attributes:
        dynamic_size, topic_size: |c_d| and |c_t| in words; 0 switches a cache off.
        scorer_hidden, gate_hidden: widths of the two hidden layers of g_cache and f_gate.
        model_score: add the model's own log-probability of the offered piece, times a learned weight.
        gate_start: α_t (the model's share) before training.
        topics: number of LDA topics on each side.
        fixed_gate: constant α (Table 2: 0.3, so the caches get 0.7), or None for the learned gate.
    """

    dynamic_size: int = 100
    topic_size: int = 100
    scorer_hidden: tuple[int, int] = (128, 64)
    gate_hidden: tuple[int, int] = (128, 64)
    model_score: bool = True
    gate_start: float = 0.98
    topics: int = 100
    fixed_gate: float | None = None


class StepEncoder(nn.Module):
    """A first hidden layer's part that depends on the step: a linear map of s_t, c_t and √E e(y_{t−1})."""

    def __init__(self, host: Host, hidden: int) -> None:
        super().__init__()
        self.linear = nn.Linear(host.width + host.context_width + host.embedding_width, hidden)
        self.scale = math.sqrt(host.embedding_width)

    def forward(self, features: Features) -> Tensor:
        """Features [..., *] → [..., hidden]."""
        parts = features.state, features.context, features.embedding * self.scale
        return self.linear(torch.cat(parts, dim=-1))


class Scorer(nn.Module):
    """g_cache, eq. (6): two hidden layers over s_t, c_t, e(y_{t−1}) and e(w), the mean of w's embeddings.

    The first layer is split: the part of a word is computed once, and the part of the step at each step.
    """

    def __init__(self, config: WordCachesConfig, host: Host) -> None:
        super().__init__()
        first, second = config.scorer_hidden
        self.step = StepEncoder(host, first)
        self.word = nn.Linear(host.embedding_width, first, bias=False)
        self.hidden = nn.Linear(first, second)
        self.output = nn.Linear(second, 1, bias=False)
        # At first, all words score equally; random scores would slow down training.
        nn.init.zeros_(self.output.weight)

    def word_part(self, words: Tensor, embeddings: Tensor) -> Tensor:
        """The words' part [..., hidden] for pieces [..., MAX_WORD] and the shared embeddings [V, E]."""
        flat = words.reshape(-1, words.shape[-1])
        mean = functional.embedding_bag(flat, embeddings, mode="mean", padding_idx=0)
        part = self.word(mean * self.step.scale)
        return part.view(*words.shape[:-1], part.shape[-1])

    def forward(self, step: Tensor, words: Tensor) -> Tensor:
        """Scores [..., K] from the step's part [..., hidden] and the words' part [..., K, hidden]."""
        first = torch.relu(step[..., None, :] + words)
        return self.output(torch.relu(self.hidden(first)))[..., 0]


class Gate(nn.Module):
    """f_gate and g_gate, eq. (9): two hidden layers. Before training α_t is `gate_start`."""

    def __init__(self, config: WordCachesConfig, host: Host) -> None:
        super().__init__()
        first, second = config.gate_hidden
        self.step = StepEncoder(host, first)
        self.hidden = nn.Linear(first, second)
        self.output = nn.Linear(second, 1)
        nn.init.zeros_(self.output.weight)
        nn.init.constant_(self.output.bias, math.log(config.gate_start / (1 - config.gate_start)))

    def forward(self, features: Features) -> Tensor:
        """Logit of α_t, [...]."""
        return self.output(torch.relu(self.hidden(torch.relu(self.step(features)))))[..., 0]


class FixedGate(nn.Module):
    """The same α at every step (Kuang et al., 2018, Table 2). Raises ConfigError if α is not in (0, 1)."""

    def __init__(self, share: float) -> None:
        super().__init__()
        if not 0.0 < share < 1.0:
            raise ConfigError(f"fixed_gate is {share}; it must be between 0 and 1")
        self.logit = math.log(share / (1 - share))

    def forward(self, features: Features) -> Tensor:
        return torch.full_like(features.state[..., 0], self.logit)


@dataclass(frozen=True)
class WordState(DecoderState):
    """Cached words, and the words' parts of the scorer's first layer.

    Attributes:
        fixed, partial: the parts of the document's words, and of the words in each hypothesis so far,
            [B, K, hidden].
    """

    slots: WordSlots
    fixed: Tensor
    partial: Tensor


@dataclass(frozen=True)
class WordReading(Reading):
    """The word caches at some steps.

    Attributes:
        scores: scores of eq. (6) without the model's own score, [..., K].
        offered, visible: the piece that each word offers, and whether the word is in a cache, [..., K].
        keep: logit of α_t, [...].
        model_weight: weight of the model's own score; None if this score is not added.
        trace: the candidates at all steps of given targets; None at one step.
        inputs: the caches, steps and cached words for `without`; None at one step.
    """

    scores: Tensor
    offered: Tensor
    visible: Tensor
    keep: Tensor
    model_weight: Tensor | None = None
    trace: CandidateTrace | None = None
    inputs: tuple[WordCaches, TargetSteps, WordState] | None = None

    def shares(self, log_probs: Tensor) -> Tensor:
        """p_cache of each cached word, eq. (7), [..., K]; 0 for hidden words, even if all are hidden."""
        scores = self.scores
        if self.model_weight is not None:
            shape = np.broadcast_shapes(log_probs.shape[:-1], self.offered.shape[:-1])
            model_scores = log_probs.expand(*shape, -1).gather(-1, self.offered.expand(*shape, -1))
            scores = scores + self.model_weight * model_scores
        lowest = torch.finfo(scores.dtype).min
        return scores.masked_fill(~self.visible, lowest).softmax(-1) * self.visible

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        shares = self.shares(log_probs)
        shape = np.broadcast_shapes(log_probs.shape[:-1], shares.shape[:-1])
        expanded = log_probs.expand(*shape, -1)
        rows = (part.expand(*shape, -1).flatten(0, -2) for part in (expanded, self.offered, shares))
        flat, offered, shares = rows
        mixed = blend_log_probs(flat, self.keep.expand(shape).flatten(), offered, shares)
        return mixed.view_as(expanded)

    def fuse_target(self, log_probs: Tensor, target: Tensor) -> Tensor:
        share = (self.shares(log_probs) * (self.offered == target[..., None])).sum(-1)
        return blend_target(target_log_probs(log_probs, target), self.keep, share, self.visible.any(-1))

    def without(self, groups: Groups, steps: Tensor | None = None) -> WordReading:
        """Read as if one group of words in each row had never been in the caches.

        An omitted word of the document enters the dynamic cache again when the target itself writes it.
        """
        assert self.inputs is not None and self.trace is not None
        caches, target_steps, gathered = self.inputs
        fixed, words = gathered.slots.fixed, self.trace.sentence_words[0]
        numbers = {group: number for number, group in enumerate(dict.fromkeys(map(tuple, groups)))}
        device = self.offered.device
        group_rows = torch.tensor([numbers[tuple(group)] for group in groups], device=device)
        barred = torch.zeros(len(numbers), len(words), MAX_WORD, dtype=torch.int64)
        for group, row in numbers.items():
            for number in (column - fixed for column in group if column >= fixed):
                barred[row, number, : len(words[number])] = torch.tensor(words[number])
        slots = without_columns(gathered.slots, [[c for c in group if c < fixed] for group in numbers])
        previous = target_steps.previous.expand(len(numbers), -1)
        trace = trace_candidates(caches.candidates, slots, previous, hashed(barred).to(device))
        partial = caches.scorer.word_part(trace.slots.words[:, fixed:], target_steps.embeddings)[group_rows]
        features = target_steps.features
        features = features.expand(len(groups)) if steps is None else features.at(steps).rows()
        new = at_least_float32(caches.scorer(caches.scorer.step(features), partial[:, None]))
        older = at_steps(self.scores, steps)[..., :fixed].expand(len(groups), -1, -1)
        offered, visible = (
            part[group_rows] if steps is None else part[group_rows, steps][:, None]
            for part in (trace.offered, trace.visible)
        )
        keep = at_steps(self.keep, steps)
        return replace(self, scores=torch.cat((older, new), -1), offered=offered, visible=visible, keep=keep)

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        """The share is 1 − α_t, or 0 for empty caches. A word's support is the share times p_cache."""
        supports = (self.offered == target[..., None]) & self.visible
        share = torch.sigmoid(-self.keep) * self.visible.any(-1)
        offers = share[..., None] * self.shares(log_probs)
        return Attribution(offers * supports, share, offers)


class WordCaches(Memory[WordCachesConfig, WordContents, WordState]):
    """The scorer and gate of the dynamic and topic caches. Both read s_t before any memory changes s_t.

    `model_score` adds the model's log-probability of the offered piece to g_cache, with a learned weight that
    starts at 1. So before training, p_cache is p_nmt restricted to the offered pieces. The memory is steady
    (`Memory.is_steady`): a draft with confirmed text and a draft without it read the same recent words.
    """

    name = "word_caches"
    title = "Recent and topic words"
    alias = "words"
    saved_as = "words"
    config_type = WordCachesConfig
    is_steady = True

    def __init__(self, config: WordCachesConfig, host: Host) -> None:
        super().__init__(config, host)
        self.vocabulary = host.vocabulary
        self.candidates = Candidates(host.vocabulary, config.dynamic_size)
        self.scorer = Scorer(config, host)
        fixed = config.fixed_gate
        self.gate: Gate | FixedGate = Gate(config, host) if fixed is None else FixedGate(fixed)
        self.model_weight = nn.Parameter(torch.ones(())) if config.model_score else None

    @classmethod
    def empty(cls, config: WordCachesConfig, document: DocumentInfo) -> WordContents:
        return WordContents.of_document(config.dynamic_size, config.topic_size, document)

    @classmethod
    def wants_topic(cls, config: WordCachesConfig) -> bool:
        return config.topic_size > 0

    def gather(self, contents: Sequence[WordContents], source: Source) -> WordState | None:
        if not self.config.dynamic_size and not any(each.listed for each in contents):
            return None
        slots = self.candidates.start(contents)
        fixed = self.scorer.word_part(slots.words, source.embeddings)
        return WordState(slots, fixed, fixed[:, :0])

    def step(self, steps: TargetSteps, gathered: WordState) -> tuple[WordReading, WordState]:
        """Add the words that the hypotheses have just finished to the cache, and read the cache."""
        slots, column = self.candidates.advance(gathered.slots, steps.previous)
        partial = self._add_new(gathered.partial, slots, column, steps.embeddings)
        part = self.scorer.step(steps.features)
        scores = torch.cat((self.scorer(part, gathered.fixed), self.scorer(part, partial)), dim=1)
        reading = WordReading(
            at_least_float32(scores),
            self.candidates.offered(slots),
            self.candidates.visible(slots),
            at_least_float32(self.gate(steps.features)),
            self.model_weight,
        )
        return reading, WordState(slots, gathered.fixed, partial)

    def read(self, steps: TargetSteps, gathered: WordState, counted: Tensor | None = None) -> WordReading:
        trace = trace_candidates(self.candidates, gathered.slots, steps.previous)
        partial = self.scorer.word_part(trace.slots.words[:, trace.slots.fixed :], steps.embeddings)
        words = torch.cat((gathered.fixed, partial), dim=1)
        features, offered, visible = steps.features, trace.offered, trace.visible
        if counted is None:
            words = words[:, None]
        else:
            words = words.index_select(0, counted.nonzero()[:, 0])
            features, offered, visible = features.select(counted), offered[counted], visible[counted]
        scores = at_least_float32(self.scorer(self.scorer.step(features), words))
        keep, inputs = at_least_float32(self.gate(features)), (self, steps, gathered)
        return WordReading(scores, offered, visible, keep, self.model_weight, trace, inputs)

    def native(self, gathered: WordState) -> CachedWords | None:
        gate, scorer, vocabulary = self.gate, self.scorer, self.vocabulary
        hidden = self.config.gate_hidden if isinstance(gate, Gate) else ()
        if not fits(*self.config.scorer_hidden, *hidden):
            return None
        return CachedWords(
            _layers(scorer),
            gate.logit if isinstance(gate, FixedGate) else _layers(gate),
            _weights(scorer.word)[0],
            scorer.step.scale,
            None if self.model_weight is None else float(self.model_weight),
            self.config.dynamic_size,
            vocabulary.starts.to(torch.uint8),
            vocabulary.continues.to(torch.uint8),
            vocabulary.stop_words,
            [_sentence(gathered, row) for row in range(len(gathered.fixed))],
        )

    def entries(self, contents: WordContents, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        """A word in both caches counts as a topic word. The target's words belong to the reader's segment."""
        assert isinstance(reading, WordReading) and reading.trace is not None
        recent = [(reader.segments[each], reader.confirmed(each)) for each in contents.dynamic.writers]
        topic = [word for word, cache in contents.listed if cache == TOPIC]
        new = reading.trace.sentence_words[0]
        words = (*contents.dynamic.words, *topic, *new)
        origins = (*recent, *[("", False)] * len(topic), *[(reader.segment, False)] * len(new))
        return tuple(
            Entry(reader.text(word), (column,), section=TOPIC)
            if word in contents.topic
            else Entry(reader.text(word), (column,), segment, DYNAMIC, confirmed)
            for column, (word, (segment, confirmed)) in enumerate(zip(words, origins, strict=True))
        )

    def word_strength(self, strengths: np.ndarray) -> np.ndarray:
        """The support for the word's first piece, because the first piece decides which word follows."""
        return strengths[0]

    def _add_new(self, partial: Tensor, slots: WordSlots, column: Tensor, embeddings: Tensor) -> Tensor:
        missing = slots.words.shape[1] - slots.fixed - partial.shape[1]
        if missing:
            partial = functional.pad(partial, (0, 0, 0, missing))
        if not partial.shape[1]:
            return partial
        # All rows are computed, although few have a new word, because selecting these would wait for the GPU.
        entered = column.clamp_min(0)[:, None, None].expand(-1, 1, slots.words.shape[2])
        new = self.scorer.word_part(slots.words.gather(1, entered), embeddings)
        is_new = torch.arange(partial.shape[1], device=column.device) == (column - slots.fixed)[:, None]
        return torch.where(is_new[..., None], new, partial)


def _sentence(state: WordState, row: int) -> DocumentWords:
    slots = state.slots
    size = int((slots.order[row] >= 0).sum())
    words, order, first = (part[row, :size].contiguous() for part in (slots.words, slots.order, state.fixed))
    return DocumentWords(words, order, first.float(), int(slots.entered[row]))


def _layers(part: Scorer | Gate) -> HiddenLayers:
    weight, bias = _weights(part.hidden)
    output, output_bias = _weights(part.output)
    first = _weights(part.step.linear)
    return HiddenLayers(first, (weight.t().contiguous(), bias), output[0], float(output_bias[:1].sum()))


def _weights(linear: nn.Linear) -> tuple[Tensor, Tensor]:
    """Weights and biases; the biases are 0 if the layer has none."""
    weight = linear.weight.detach().float().contiguous()
    bias = torch.zeros(len(weight)) if linear.bias is None else linear.bias.detach().float().contiguous()
    return weight, bias
