"""A translation model with document memories, which change the decoder's states and distributions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.errors import ModelFileError
from anaphora_nmt.memory.contents import Contribution, DocumentInfo, MemorySnapshot, Origin, contribution
from anaphora_nmt.memory.document_context import ContextBatch
from anaphora_nmt.memory.fusion import target_log_probs
from anaphora_nmt.memory.moved_states import moved_values
from anaphora_nmt.memory.protocol import (
    Attribution,
    Groups,
    Host,
    Memory,
    Reading,
    Source,
    TargetSteps,
    at_steps,
)
from anaphora_nmt.memory.registry import MemoryConfig, registered
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.models.protocol import Outputs, StepModel, over_vocabulary
from anaphora_nmt.models.translation import TranslationModel, with_parts
from anaphora_nmt.native.search import Hypothesis, SearchParts, SearchRequest
from anaphora_nmt.nn.state import DecoderState, Encoded, Features, shift_right
from anaphora_nmt.text.vocabulary import BOS, PAD

_CHUNK = 64
"""Maximum number of steps that `_chunks_without` computes together, to limit memory use."""


@dataclass(frozen=True)
class AugmentedState(DecoderState):
    """The states of the base decoder and of the memories.

    Attributes:
        gathered: tensors of each memory, in the order of fusion; None for one that is empty or not read.
        attention: source log-weights of the last step, [B, S]; None before the first step.
        outputs: output layer of the allowed pieces; if None, all pieces are allowed.
    """

    base: DecoderState
    gathered: tuple[DecoderState | None, ...]
    attention: Tensor | None = None
    outputs: Outputs | None = None


@dataclass(frozen=True)
class FusedReading:
    """A memory's reading for targets, and the log-probabilities before the memory changes them, [B, T, V]."""

    reading: Reading
    log_probs: Tensor


@dataclass(frozen=True)
class ForcedDecoding:
    """A forced decoding of given targets [B, T].

    Attributes:
        target: target pieces, padded, [B, T].
        target_log_probs: log-probability of each piece, [B, T]; 0 at padding.
        log_probs: log-probabilities over the vocabulary, before the last memory changes them, [B, T, V].
        features: the decoder's features, before any memory changes the state.
        attention: source weights (not logs), [B, T, S], or None if not requested.
        readings: readings of the memories that are read and not empty, by name, in the order of fusion.
    """

    target: Tensor
    target_log_probs: Tensor
    log_probs: Tensor
    features: Features
    attention: Tensor | None
    readings: Mapping[str, FusedReading]

    def attribution(self, name: str) -> Attribution:
        fused = self.readings[name]
        return fused.reading.attribution(fused.log_probs, self.target)


class MemoryAugmentedModel(nn.Module, StepModel):
    """A base model plus memories. If all memories are empty or not read, it equals the base model exactly.

    The memories apply in turn: each may change the state before the output layer, and the distribution after
    the output layer. All memories read the decoder's unchanged s_t and c_t.

    Attributes:
        config: the memories' configurations.
        memories, attached: the memories by name in the order of fusion, as a dictionary and a torch module.
    """

    def __init__(self, base: TranslationModel, config: MemoryConfig, vocabulary: WordVocabulary) -> None:
        super().__init__()
        self.base = base
        self.config = config
        self.vocabulary = vocabulary
        decoder = base.decoder
        widths = decoder.width, decoder.context_width, decoder.embedding_width
        host = Host(vocabulary, *widths, decoder.scores_states)
        self.memories: dict[str, Memory] = {
            name: registered(name)(each, host) for name, each in config.memories.items()
        }
        self.attached = nn.ModuleDict(self.memories)
        self._empty_contents = config.empty(DocumentInfo(vocabulary)).contents

    def native(self) -> MemoryAugmentedModel:
        """The same model in the native library, or this model if the library does not support its decoder.

        Explanations and the fitting of memories decode with the torch model instead.
        """
        base = self.base.native()
        return self if base is None else with_parts(self, base=base)

    @property
    def context(self) -> CamnConfig | None:
        """The configuration of CAMN, which selects context sentences; None for a model without it."""
        return None if self.base.camn is None else self.base.camn.config

    def encode(self, pieces: Tensor, context: ContextBatch | None = None) -> Encoded:
        return self.base.encode(pieces, context)

    def decode(self, encoded: Encoded, target: Tensor, attention: bool = False) -> Features:
        """Features at every step of given targets [B, T] (ending in </s>, padded), before any memory."""
        return self.base.force_decode(encoded, target, attention)

    @property
    def device(self) -> torch.device:
        return self.base.decoder.embeddings.device

    def start(
        self,
        encoded: Encoded,
        snapshots: Sequence[MemorySnapshot],
        names: Set[str] | None = None,
        allowed: Tensor | None = None,
    ) -> AugmentedState:
        """The state before the first piece, with a row for each sentence.

        Args:
            names: names of the memories to read; if None, the configuration chooses them.
            allowed: pieces that hypotheses may contain, besides those that memories offer; None allows all.
        """
        gathered = [part for _, part in self._gathered(self.source(), snapshots, names)]
        outputs = None if allowed is None else self._outputs(allowed, gathered)
        return AugmentedState(self.base.decoder.start(encoded), tuple(gathered), outputs=outputs)

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, AugmentedState]:
        """Decode one step: previous pieces [B] → log-probabilities [B, V] and the next state."""
        assert isinstance(state, AugmentedState)
        decoder = self.base.decoder
        features, base = decoder.step(previous, state.base)
        steps = TargetSteps(features, previous, decoder.embeddings)
        gathered, readings, deep = list(state.gathered), [], features.state
        for number, memory in enumerate(self.memories.values()):
            if (part := gathered[number]) is not None:
                reading, gathered[number] = memory.step(steps, part)
                deep = reading.fuse_state(deep)
                readings.append(reading)
        if state.outputs is None:
            log_probs = self._log_probs(features, deep)
        else:
            log_probs = over_vocabulary(state.outputs, deep, len(decoder.embeddings))
        for reading in readings:
            log_probs = reading.fuse_log_probs(log_probs)
        return log_probs, AugmentedState(base, tuple(gathered), features.attention, state.outputs)

    def search(
        self, state: DecoderState, request: SearchRequest, rules: SearchParts
    ) -> list[list[Hypothesis]] | None:
        assert isinstance(state, AugmentedState)
        pairs = zip(self.memories.values(), state.gathered, strict=True)
        gathered = (memory.native(part) for memory, part in pairs if part is not None)
        return self.base.decoder.search(state.base, request, state.outputs, chain(rules, gathered))

    def attention(self, state: DecoderState) -> Tensor | None:
        assert isinstance(state, AugmentedState)
        return state.attention

    def force_decode(
        self,
        encoded: Encoded,
        target: Tensor,
        snapshots: Sequence[MemorySnapshot],
        names: Set[str] | None = None,
        attention: bool = False,
    ) -> ForcedDecoding:
        """Forced decoding of targets [B, T] (ending in </s>, padded) with a snapshot for each row."""
        features = self.decode(encoded, target, attention)
        return self.forced(features, target, snapshots, names)

    def forced(
        self,
        features: Features,
        target: Tensor,
        snapshots: Sequence[MemorySnapshot],
        names: Set[str] | None = None,
        plain: Tensor | None = None,
    ) -> ForcedDecoding:
        """`force_decode` from known features; `plain` is log p without any memory [B, T, V], if known."""
        readings = self.read(self.steps(features, target), self.source(), snapshots, names)
        if plain is None or any(reading.deep for reading in readings.values()):
            plain = self.log_probs_after(features, readings.values())
        log_probs = plain
        fused, likelihood = {}, None
        for number, (name, reading) in enumerate(readings.items(), 1):
            fused[name] = FusedReading(reading, log_probs)
            if number == len(readings):
                likelihood = reading.fuse_target(log_probs, target)
            else:
                log_probs = reading.fuse_log_probs(log_probs)
        likelihood = target_log_probs(log_probs, target) if likelihood is None else likelihood
        weights = None if features.attention is None else features.attention.exp()
        return ForcedDecoding(target, likelihood * (target != PAD), log_probs, features, weights, fused)

    def steps(self, features: Features, target: Tensor) -> TargetSteps:
        """The steps of given targets [B, T], for reading a memory."""
        return TargetSteps(features, shift_right(target, BOS), self.base.decoder.embeddings)

    def source(self) -> Source:
        """The model's data for `Memory.gather`."""
        return Source(self.base.decoder.embeddings, self.base.decoder.library)

    def read(
        self,
        steps: TargetSteps,
        source: Source,
        snapshots: Sequence[MemorySnapshot],
        names: Set[str] | None = None,
        counted: Tensor | None = None,
    ) -> dict[str, Reading]:
        """Readings for given targets by memory name; empty memories are left out. See `Memory.read`."""
        readings = {}
        for name, (memory, part) in zip(self.memories, self._gathered(source, snapshots, names), strict=True):
            if part is not None:
                readings[name] = memory.read(steps, part, counted)
        return readings

    def log_probs_after(self, features: Features, readings: Iterable[Reading]) -> Tensor:
        """log p over the vocabulary, [B, T, V], from the state after the readings changed it."""
        state = features.state
        for reading in readings:
            state = reading.fuse_state(state)
        return self._log_probs(features, state)

    @torch.inference_mode()
    def contributions(
        self, encoded: Encoded, target: Tensor, origin: Origin | None = None
    ) -> list[Contribution]:
        """Contributions of finished targets [B, T] (with </s>, padded) to the memories, by forced decoding.

        Drafts and confirmed texts are decoded in the same way, so equal texts give equal memories.

        Args:
            origin: origin of all targets. Contributions of confirmed texts lack log-probabilities, and those
                of drafts lack shifts of states. With None, they have both. Values that no memory of the model
                uses are always left out.
        """
        return self.feature_contributions(self.decode(encoded, target), target, origin)

    def feature_contributions(
        self,
        features: Features,
        target: Tensor,
        origin: Origin | None = None,
        log_probs: Tensor | None = None,
    ) -> list[Contribution]:
        """`contributions` from features; `log_probs` are those without memory [B, T, V], if known."""
        contexts, states = features.context.float().cpu().numpy(), features.state.float().cpu().numpy()
        kept = self.config.kept_steps
        needs_likelihoods = origin is not Origin.CONFIRMED and self.config.weighs_drafts
        needs_values = origin is not Origin.DRAFT and self.config.moves_states
        if log_probs is None and (needs_likelihoods or needs_values):
            log_probs = self.log_probs_after(features, ())
        likelihoods = values = None
        if log_probs is not None and needs_likelihoods:
            likelihoods = target_log_probs(log_probs, target).float().cpu().numpy()
        if log_probs is not None and needs_values:
            words = self.vocabulary.spells.to(log_probs.device)
            moved = moved_values(log_probs, target, self.base.decoder.embeddings, words)
            values = moved.cpu().numpy()
        contributions = []
        for row, ids in enumerate(target.cpu().numpy()):
            count = int((ids != PAD).sum()) - 1
            parts = ids[:count], contexts[row, :count], states[row, :count]
            shifts = None if values is None else values[row, :count]
            log_p = None if likelihoods is None else likelihoods[row, : count + 1]
            contributions.append(contribution(*parts, self.vocabulary, kept, values=shifts, log_probs=log_p))
        return contributions

    @torch.inference_mode()
    def leave_out_at(self, forced: ForcedDecoding, name: str, groups: Groups, steps: Tensor) -> Tensor:
        """The effect of a memory's entries on a sentence's target pieces.

        Args:
            forced: a decoding of one sentence.
            name: the memory's name.
            groups: for each of `steps`, the columns of the memory's reading to leave out together.
            steps: the target step of each group, [groups].
        Returns:
            log p of the step's piece − log p without the group, in nats, [groups]; 0 at padding.
        """
        target = forced.target[0, steps]
        log_probs_without = [
            last.fuse_target(log_probs, target[rows, None])[:, 0]
            for rows, log_probs, last in self._chunks_without(forced, {name: groups}, steps)
        ]
        return (forced.target_log_probs[0, steps] - torch.cat(log_probs_without)) * (target != PAD)

    @torch.inference_mode()
    def log_probs_without(
        self, forced: ForcedDecoding, groups: Mapping[str, Groups], steps: Tensor
    ) -> Tensor:
        """log p over the vocabulary at `steps` [N], without the `groups` of each memory, [N, V]."""
        probes = self._chunks_without(forced, groups, steps)
        return torch.cat([last.fuse_log_probs(log_probs)[:, 0] for _, log_probs, last in probes])

    @torch.inference_mode()
    def fused_log_probs(self, forced: ForcedDecoding) -> tuple[Tensor, Tensor]:
        """log p over the vocabulary, [B, T, V]: without any memory, and with all memories in `forced`."""
        readings = [fused.reading for fused in forced.readings.values()]
        plain = fused = self.log_probs_after(forced.features, ())
        if any(reading.deep for reading in readings):
            fused = self.log_probs_after(forced.features, readings)
        for reading in readings:
            fused = reading.fuse_log_probs(fused)
        return plain, fused

    def _chunks_without(
        self, forced: ForcedDecoding, groups: Mapping[str, Groups], steps: Tensor
    ) -> Iterator[tuple[slice, Tensor, Reading]]:
        """Decode chunks of `steps` without the groups.

        Yields:
            the chunk's slice, log p before the last memory [rows, 1, V], and that memory's reading.
        """
        order = list(forced.readings)
        first = min(order.index(name) for name in groups)
        for start in range(0, len(steps), _CHUNK):
            rows = slice(start, start + _CHUNK)
            chunk = steps[rows]
            readings = [
                fused.reading.without(groups[name][rows] if name in groups else [()] * len(chunk), chunk)
                for name, fused in forced.readings.items()
            ]
            if any(readings[order.index(name)].deep for name in groups):
                log_probs = self.log_probs_after(forced.features.at(chunk).rows(), readings)
                remaining = readings
            else:  # log p before the first of the memories in `groups` does not change
                log_probs = at_steps(forced.readings[order[first]].log_probs, chunk)
                remaining = readings[first:]
            for reading in remaining[:-1]:
                log_probs = reading.fuse_log_probs(log_probs)
            yield rows, log_probs, remaining[-1]

    def memory_state(self) -> dict[str, Tensor]:
        """The parameters and buffers of all memories, by their names in a model folder."""
        return {
            f"{memory.saved_as}.{name}": value.detach().contiguous()
            for memory in self.memories.values()
            for name, value in memory.state_dict().items()
        }

    def load_memory_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Load the tensors of `memory_state`. ModelFileError if names or shapes differ."""
        known = self.memory_state()
        if {name: value.shape for name, value in known.items()} != {n: v.shape for n, v in tensors.items()}:
            raise ModelFileError(
                "The model's document memory does not match the model's settings. Install the model again."
            )
        for memory in self.memories.values():
            prefix = memory.saved_as + "."
            memory.load_state_dict(
                {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}
            )

    def _gathered(
        self, source: Source, snapshots: Sequence[MemorySnapshot], names: Set[str] | None
    ) -> Iterator[tuple[Memory, DecoderState | None]]:
        """Each memory with its tensors, or with None if it is empty or not read."""
        names = self.config.chosen() if names is None else names
        for name, memory in self.memories.items():
            contents = [each.contents.get(name, self._empty_contents[name]) for each in snapshots]
            gathered = memory.gather(contents, source) if name in names else None
            yield memory, None if gathered is None else memory.ready(gathered, source)

    def _outputs(self, allowed: Tensor, gathered: Sequence[DecoderState | None]) -> Outputs | None:
        """The output layer of `allowed` and the memories' pieces; None if a memory may offer any piece."""
        filled = [each for each in zip(self.memories.values(), gathered, strict=True) if each[1] is not None]
        offered = [memory.offers(part) for memory, part in filled]
        limited = [pieces.flatten() for pieces in offered if pieces is not None]
        if len(limited) < len(offered):
            return None
        return self.base.decoder.outputs(torch.cat((allowed, *limited)).unique())

    def _log_probs(self, features: Features, state: Tensor) -> Tensor:
        """log p over the vocabulary for a state that memories may have changed."""
        return self.base.decoder.log_probs(features.with_state(state))
