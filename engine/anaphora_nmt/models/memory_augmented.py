"""A translation model with document memories attached between its features and its distribution."""

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
from anaphora_nmt.memory.fusion import of_targets
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
from anaphora_nmt.models.protocol import Outputs, StepModel, over_all
from anaphora_nmt.models.translation import TranslationModel, with_parts
from anaphora_nmt.native.search import Hypothesis, SearchParts, Wanted
from anaphora_nmt.nn.state import DecoderState, Encoded, Features, shift_right
from anaphora_nmt.text.vocabulary import BOS, PAD

_CHUNK = 64


@dataclass(frozen=True)
class AugmentedState(DecoderState):
    """The base decoder's state and what the memories hold, in their order; None: not in use, or nothing.

    Attributes:
        attention: source log-weights of the step that led here, [B, S]; None before the first one.
        outputs: of the pieces that may be written; None: all may.
    """

    base: DecoderState
    held: tuple[DecoderState | None, ...]
    attention: Tensor | None = None
    outputs: Outputs | None = None


@dataclass(frozen=True)
class FusedReading:
    """A memory's reading of given targets, and the log-probabilities before it, [B, T, V]."""

    reading: Reading
    log_probs: Tensor


@dataclass(frozen=True)
class ForcedDecoding:
    """A forced decoding of given targets [B, T].

    Attributes:
        target: their pieces.
        target_log_probs: of each piece, [B, T]; 0 at padding.
        features: before any memory: what is written to it.
        attention: source weights (not logs) [B, T, S], or None if not requested.
        log_probs: over the vocabulary, in front of the last memory that changes them, [B, T, V].
        readings: of the memories that are read and hold something, by name, in the order of their fusion.
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
    """Base model plus memories. With none in use, or none filled, it equals the base exactly.

    It is a fold over the memories: each may change the state before the output layer and the
    distribution after it, as left by earlier ones. All read the decoder's own s_t and c_t.

    Attributes:
        config: the memories' configurations.
        memories: by registered name, in the order of their fusion; `attached`: the same as a module.
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
            name: registered(name)(given, host) for name, given in config.memories.items()
        }
        self.attached = nn.ModuleDict(self.memories)
        self._nothing = config.empty(DocumentInfo(vocabulary)).contents

    def native(self) -> MemoryAugmentedModel:
        """The same model in the native library, which drafts with it and decodes for the memory; itself
        without one. Fitting and explaining use the model itself."""
        base = self.base.native()
        return self if base is None else with_parts(self, base=base)

    @property
    def context(self) -> CamnConfig | None:
        """How context sentences are chosen; None for a model without CAMN."""
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
        use: Set[str] | None = None,
        written: Tensor | None = None,
    ) -> AugmentedState:
        """The state before the first piece, one row a sentence.

        Args:
            use: names of the memories that are read; None: as configured.
            written: the only pieces that may be written besides what the memories offer; None: any may.
        """
        held = [part for _, part in self._gathered(self.source(), snapshots, use)]
        outputs = None if written is None else self._outputs(written, held)
        return AugmentedState(self.base.decoder.start(encoded), tuple(held), outputs=outputs)

    def step(self, previous: Tensor, state: DecoderState) -> tuple[Tensor, AugmentedState]:
        """One step: previous pieces [B] → log-probabilities [B, V] and the next state."""
        assert isinstance(state, AugmentedState)
        decoder = self.base.decoder
        features, base = decoder.step(previous, state.base)
        steps = TargetSteps(features, previous, decoder.embeddings)
        held, readings, deep = list(state.held), [], features.state
        for number, memory in enumerate(self.memories.values()):
            if (part := held[number]) is not None:
                reading, held[number] = memory.step(steps, part)
                deep = reading.fuse_state(deep)
                readings.append(reading)
        if state.outputs is None:
            log_probs = self._log_probs(features, deep)
        else:
            log_probs = over_all(state.outputs, deep, len(decoder.embeddings))
        for reading in readings:
            log_probs = reading.fuse_log_probs(log_probs)
        return log_probs, AugmentedState(base, tuple(held), features.attention, state.outputs)

    def search(
        self, state: DecoderState, wanted: Wanted, rules: SearchParts
    ) -> list[list[Hypothesis]] | None:
        assert isinstance(state, AugmentedState)
        both = zip(self.memories.values(), state.held, strict=True)
        held = (memory.native(part) for memory, part in both if part is not None)
        return self.base.decoder.search(state.base, wanted, state.outputs, chain(rules, held))

    def attention(self, state: DecoderState) -> Tensor | None:
        assert isinstance(state, AugmentedState)
        return state.attention

    def force_decode(
        self,
        encoded: Encoded,
        target: Tensor,
        snapshots: Sequence[MemorySnapshot],
        use: Set[str] | None = None,
        attention: bool = False,
    ) -> ForcedDecoding:
        """Forced decoding of targets [B, T] (ending in </s>, padded) with a snapshot for each row."""
        features = self.decode(encoded, target, attention)
        return self.forced(features, target, snapshots, use)

    def forced(
        self,
        features: Features,
        target: Tensor,
        snapshots: Sequence[MemorySnapshot],
        use: Set[str] | None = None,
        plain: Tensor | None = None,
    ) -> ForcedDecoding:
        """`force_decode` of known features; `plain`: log p without any memory [B, T, V], if known."""
        readings = self.read(self.steps(features, target), self.source(), snapshots, use)
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
        likelihood = of_targets(log_probs, target) if likelihood is None else likelihood
        weights = None if features.attention is None else features.attention.exp()
        return ForcedDecoding(target, likelihood * (target != PAD), log_probs, features, weights, fused)

    def steps(self, features: Features, target: Tensor) -> TargetSteps:
        """All steps of given targets [B, T], for a memory to read at."""
        return TargetSteps(features, shift_right(target, BOS), self.base.decoder.embeddings)

    def source(self) -> Source:
        """The model's data for the contents of the memories."""
        return Source(self.base.decoder.embeddings, self.base.decoder.library)

    def read(
        self,
        steps: TargetSteps,
        source: Source,
        snapshots: Sequence[MemorySnapshot],
        use: Set[str] | None = None,
        counted: Tensor | None = None,
    ) -> dict[str, Reading]:
        """The memories' readings of given targets, by name, without empty memories."""
        readings = {}
        for name, (memory, held) in zip(self.memories, self._gathered(source, snapshots, use), strict=True):
            if held is not None:
                readings[name] = memory.read(steps, held, counted)
        return readings

    def log_probs_after(self, features: Features, readings: Iterable[Reading]) -> Tensor:
        """log p over the vocabulary, after the readings in front of the output layer alone."""
        state = features.state
        for reading in readings:
            state = reading.fuse_state(state)
        return self._log_probs(features, state)

    @torch.inference_mode()
    def contributions(
        self, encoded: Encoded, target: Tensor, origin: Origin | None = None
    ) -> list[Contribution]:
        """Contributions of finished targets [B, T] (with </s>, padded) to the memories, by forced decoding.

        A draft is written by the same way as a confirmed text, so equal texts give equal memories.

        Args:
            origin: of all of them; None: of any. Values unused for that origin are omitted: the model's
                certainty about a human's text, and the shift of a state by a draft.
        """
        return self.written(self.decode(encoded, target), target, origin)

    def written(
        self,
        features: Features,
        target: Tensor,
        origin: Origin | None = None,
        log_probs: Tensor | None = None,
    ) -> list[Contribution]:
        """`contributions` of known features; `log_probs` without memory [B, T, V], if known."""
        contexts, states = features.context.float().cpu().numpy(), features.state.float().cpu().numpy()
        kept = self.config.kept_steps
        weighed = origin is not Origin.CONFIRMED and self.config.weighs_drafts
        moves = origin is not Origin.DRAFT and self.config.moves_states
        if log_probs is None and (weighed or moves):
            log_probs = self.log_probs_after(features, ())
        given = values = None
        if log_probs is not None and weighed:
            given = of_targets(log_probs, target).float().cpu().numpy()
        if log_probs is not None and moves:
            words = self.vocabulary.spells.to(log_probs.device)
            moved = moved_values(log_probs, target, self.base.decoder.embeddings, words)
            values = moved.cpu().numpy()
        written = []
        for row, ids in enumerate(target.cpu().numpy()):
            count = int((ids != PAD).sum()) - 1
            of_row = ids[:count], contexts[row, :count], states[row, :count]
            own = None if values is None else values[row, :count]
            likely = None if given is None else given[row, : count + 1]
            written.append(contribution(*of_row, self.vocabulary, kept, values=own, log_probs=likely))
        return written

    @torch.inference_mode()
    def leave_out_at(self, forced: ForcedDecoding, name: str, groups: Groups, steps: Tensor) -> Tensor:
        """How much a sentence's target pieces owe to entries of a memory.

        Args:
            groups: of columns of the memory's reading, each to be left out together at its step.
        Returns:
            log p − log p without the group, [groups].
        """
        target = forced.target[0, steps]
        left = [
            last.fuse_target(log_probs, target[rows, None])[:, 0]
            for rows, log_probs, last in self._without(forced, {name: groups}, steps)
        ]
        return (forced.target_log_probs[0, steps] - torch.cat(left)) * (target != PAD)

    @torch.inference_mode()
    def log_probs_without(
        self, forced: ForcedDecoding, groups: Mapping[str, Groups], steps: Tensor
    ) -> Tensor:
        """log p over the vocabulary at steps [N], without N groups of columns of each memory, [N, V]."""
        probes = self._without(forced, groups, steps)
        return torch.cat([last.fuse_log_probs(log_probs)[:, 0] for _, log_probs, last in probes])

    @torch.inference_mode()
    def fused_log_probs(self, forced: ForcedDecoding) -> tuple[Tensor, Tensor]:
        """log p over the vocabulary, [B, T, V]: without any memory, and with those that are read."""
        readings = [fused.reading for fused in forced.readings.values()]
        plain = fused = self.log_probs_after(forced.features, ())
        if any(reading.deep for reading in readings):
            fused = self.log_probs_after(forced.features, readings)
        for reading in readings:
            fused = reading.fuse_log_probs(fused)
        return plain, fused

    def _without(
        self, forced: ForcedDecoding, groups: Mapping[str, Groups], steps: Tensor
    ) -> Iterator[tuple[slice, Tensor, Reading]]:
        """Some steps at a time: which, log p [steps, 1, V] in front of the last reading, and it."""
        order = list(forced.readings)
        first = min(order.index(name) for name in groups)
        for start in range(0, len(steps), _CHUNK):
            rows = slice(start, start + _CHUNK)
            at = steps[rows]
            readings = [
                fused.reading.without(groups[name][rows] if name in groups else [()] * len(at), at)
                for name, fused in forced.readings.items()
            ]
            if any(readings[order.index(name)].deep for name in groups):
                log_probs = self.log_probs_after(forced.features.at(at).rows(), readings)
                rest = readings
            else:  # what comes before the memories stays as it is
                log_probs = at_steps(forced.readings[order[first]].log_probs, at)
                rest = readings[first:]
            for reading in rest[:-1]:
                log_probs = reading.fuse_log_probs(log_probs)
            yield rows, log_probs, rest[-1]

    def memory_state(self) -> dict[str, Tensor]:
        return {
            f"{memory.saved_as}.{name}": value.detach().contiguous()
            for memory in self.memories.values()
            for name, value in memory.state_dict().items()
        }

    def load_memory_state(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore what `memory_state` gave. ModelFileError: names or shapes differ."""
        own = self.memory_state()
        if {name: value.shape for name, value in own.items()} != {n: v.shape for n, v in tensors.items()}:
            raise ModelFileError(
                "The weights of the model's memories do not fit its configuration. Install the model again."
            )
        for memory in self.memories.values():
            prefix = memory.saved_as + "."
            memory.load_state_dict(
                {name.removeprefix(prefix): t for name, t in tensors.items() if name.startswith(prefix)}
            )

    def _gathered(
        self, source: Source, snapshots: Sequence[MemorySnapshot], use: Set[str] | None
    ) -> Iterator[tuple[Memory, DecoderState | None]]:
        """Each memory with what it holds; None if it is not in use."""
        use = self.config.chosen() if use is None else use
        for name, memory in self.memories.items():
            contents = [each.contents.get(name, self._nothing[name]) for each in snapshots]
            held = memory.gather(contents, source) if name in use else None
            yield memory, None if held is None else memory.ready(held, source)

    def _outputs(self, written: Tensor, held: Sequence[DecoderState | None]) -> Outputs | None:
        filled = [each for each in zip(self.memories.values(), held, strict=True) if each[1] is not None]
        offered = [memory.offers(part) for memory, part in filled]
        known = [pieces.flatten() for pieces in offered if pieces is not None]
        if len(known) < len(offered):
            return None
        return self.base.decoder.outputs(torch.cat((written, *known)).unique())

    def _log_probs(self, features: Features, state: Tensor) -> Tensor:
        """log p over the vocabulary where the memories have left `state`."""
        return self.base.decoder.log_probs(features.with_state(state))
