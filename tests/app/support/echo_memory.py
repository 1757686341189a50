"""A memory that is defined only here, to show that no other module needs to know a memory by name."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
import torch
from torch import Tensor, nn

from anaphora_nmt.api import Translator
from anaphora_nmt.commands.translate import embedded_model
from anaphora_nmt.memory.contents import Contents, Contribution, DocumentInfo, Reader
from anaphora_nmt.memory.fusion import blend_log_probs
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
from anaphora_nmt.memory.registry import MEMORIES
from anaphora_nmt.memory.words import Word
from anaphora_nmt.models.bundle import load_bundle
from anaphora_nmt.nn.state import SentenceState
from anaphora_nmt.types import MemoryEntry, MemorySection, Suggestion


@dataclass(frozen=True)
class EchoConfig:
    """`size`: number of last words to remember; `start`: their share before training."""

    size: int = 4
    start: float = 0.02


@dataclass(frozen=True)
class EchoContents(Contents):
    """The last words, oldest first, with their segments."""

    size: int
    words: tuple[tuple[Word, int], ...] = ()

    def after(self, contribution: Contribution, segment: int) -> EchoContents:
        new = tuple((word, segment) for word in contribution.words)
        return replace(self, words=(*self.words, *new)[-self.size :])

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        entries = tuple(MemoryEntry(reader.text(w), reader.segments[n]) for w, n in self.words)
        return (MemorySection("echoes", "Echoes", entries, of_segments=True),)


@dataclass(frozen=True)
class Echoes(SentenceState):
    """First pieces of the words, and True for words, [N, K]."""

    pieces: Tensor
    mask: Tensor


@dataclass(frozen=True)
class EchoReading(Reading):
    """Mixes in a uniform distribution over the words' first pieces, [B, T, K] or [N, K]."""

    pieces: Tensor
    mask: Tensor
    keep: Tensor

    def shares(self) -> Tensor:
        return self.mask / self.mask.sum(-1, keepdim=True).clamp_min(1)

    def fuse_log_probs(self, log_probs: Tensor) -> Tensor:
        shape = torch.broadcast_shapes(log_probs.shape[:-1], self.mask.shape[:-1])
        given = log_probs.expand(*shape, -1)
        pieces, shares = (x.expand(*shape, -1).reshape(-1, x.shape[-1]) for x in (self.pieces, self.shares()))
        keep = self.keep.expand(len(pieces))
        return blend_log_probs(given.reshape(-1, given.shape[-1]), keep, pieces, shares).view(given.shape)

    def without(self, groups: Groups, steps: Tensor | None = None) -> EchoReading:
        mask = at_steps(self.mask, steps).expand(len(groups), -1, -1).clone()
        for row, group in enumerate(groups):
            mask[row, :, list(group)] = False
        return replace(self, mask=mask, pieces=at_steps(self.pieces, steps))

    def attribution(self, log_probs: Tensor, target: Tensor) -> Attribution:
        share = torch.sigmoid(-self.keep) * self.mask.any(-1)
        offers = share[..., None] * self.shares()
        return Attribution(offers * (self.pieces == target[..., None]), share.expand_as(target), offers)


class EchoMemory(Memory[EchoConfig, EchoContents, Echoes]):
    """Makes recent words more probable."""

    name: ClassVar[str] = "echo"
    title: ClassVar[str] = "Echoes"
    saved_as: ClassVar[str] = "echo"
    config_type: ClassVar[type] = EchoConfig

    def __init__(self, config: EchoConfig, host: Host) -> None:
        super().__init__(config, host)
        self.keep = nn.Parameter(torch.tensor(math.log((1 - config.start) / config.start)))

    @classmethod
    def empty(cls, config: EchoConfig, document: DocumentInfo) -> EchoContents:
        return EchoContents(config.size)

    def gather(self, contents: Sequence[EchoContents], source: Source) -> Echoes | None:
        count = max(len(each.words) for each in contents)
        if not count:
            return None
        rows = [[word[0] for word, _ in each.words] for each in contents]
        pieces = torch.tensor([row + [0] * (count - len(row)) for row in rows])
        return Echoes(pieces, torch.tensor([[n < len(row) for n in range(count)] for row in rows]))

    def read(self, steps: TargetSteps, gathered: Echoes, counted: Tensor | None = None) -> EchoReading:
        shape = *steps.previous.shape, gathered.pieces.shape[1]
        pieces, mask = gathered.pieces[:, None].expand(shape), gathered.mask[:, None].expand(shape)
        if counted is not None:
            pieces, mask = pieces[counted], mask[counted]
        return EchoReading(pieces, mask, self.keep)

    def entries(self, contents: EchoContents, reading: Reading, reader: Reader) -> tuple[Entry, ...]:
        return tuple(
            Entry(reader.text(word), (number,), reader.segments[place], "echoes", reader.confirmed(place))
            for number, (word, place) in enumerate(contents.words)
        )


@contextmanager
def registered() -> Iterator[None]:
    """Adds this memory to the end of the table of memories."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(MEMORIES, EchoMemory.name, EchoMemory)
        yield


def led_to(draft: Suggestion) -> str:
    """The draft with the memory, even if it was withheld because it repeats a word."""
    return draft.withheld or draft.text


def echo_translator() -> Translator:
    """The included model with this memory; only this memory is read, with a weight of nine tenths."""
    bundle = load_bundle(embedded_model())
    config = replace(bundle.memory.with_memories(echo=EchoConfig(start=0.9)), read=("echo",))
    tensors = {**bundle.memory_tensors, "echo.keep": torch.tensor(math.log(0.1 / 0.9))}
    return Translator(replace(bundle, memory=config, memory_tensors=tensors), None, torch.device("cpu"))
