"""The table of memories, and the configuration of a model's memories."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Self

from anaphora_nmt.config import from_dict, to_dict
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.confirmed import ConfirmedText
from anaphora_nmt.memory.contents import DocumentInfo, KeptSteps, MemorySnapshot
from anaphora_nmt.memory.continuous_cache import ContinuousCache
from anaphora_nmt.memory.protocol import Memory
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.word_caches import WordCaches

MEMORIES: dict[str, type[Memory]] = {
    memory.name: memory for memory in (ContinuousCache, ConfirmedText, WordCaches)
}
"""The memories by name, in the order of fusion: each memory changes the result of the earlier ones."""


@dataclass(frozen=True)
class MemoryConfig:
    """The document memories of a model: their configurations, by registered name.

    Attributes:
        drafts: whether the model's own drafts enter the memory; with False, only confirmed text enters.
        read: the memories that are read by default; None for all. All memories are written.
    Raises:
        ConfigError: a memory is not registered, or its configuration has the wrong type.
    """

    memories: Mapping[str, Any] = field(default_factory=dict)
    drafts: bool = True
    read: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name, config in self.memories.items():
            kind = registered(name).config_type
            if not isinstance(config, kind):
                raise ConfigError(f"memory {name} takes a {kind.__name__}, not {config!r}")
        for name in self.read or ():
            registered(name)
        ordered = {name: self.memories[name] for name in MEMORIES if name in self.memories}
        object.__setattr__(self, "memories", ordered)

    def __contains__(self, name: str) -> bool:
        return name in self.memories

    def get(self, name: str) -> Any:
        return self.memories.get(name)

    def with_memories(self, **configs: Any) -> Self:
        """A copy with some memories added, replaced or, if None, removed."""
        memories = {**self.memories, **configs}
        return replace(self, memories={name: each for name, each in memories.items() if each is not None})

    def chosen(self, choice: Mapping[str, bool] | None = MappingProxyType({})) -> frozenset[str]:
        """Names of the memories that are read.

        Args:
            choice: by name, whether a memory is read; the choice overrides `read`. With None, none is read.
        Raises:
            ConfigError: `choice` names an unregistered memory.
        """
        if choice is None:
            return frozenset()
        for name in choice:
            registered(name)
        read = self.memories if self.read is None else self.read
        return frozenset(name for name in self.memories if choice.get(name, name in read))

    def choice_for(self, topic: Topic | None, choice: Mapping[str, bool] | None) -> Mapping[str, bool] | None:
        """`choice` for one document: memories that use the topic are off by default unless the topic is sure.

        Words of a wrong topic make drafts worse: see EVIDENCE.md of the experiments.
        """
        if choice is None or (topic is not None and topic.is_sure):
            return choice
        topical = (name for name, config in self.memories.items() if registered(name).wants_topic(config))
        return {**dict.fromkeys(topical, False), **choice}

    def steady(self, choice: Mapping[str, bool] | None) -> frozenset[str]:
        """Names of the steady memories (`Memory.is_steady`) that are read."""
        return frozenset(name for name in self.chosen(choice) if registered(name).is_steady)

    def follows_confirmed(self, choice: Mapping[str, bool] | None) -> bool:
        """True if a memory that is read (see `chosen`) distinguishes confirmed text from drafts."""
        return any(registered(name).heeds_origin for name in self.chosen(choice))

    @property
    def heeds_origin(self) -> bool:
        """True if any memory distinguishes confirmed text from drafts."""
        return any(registered(name).heeds_origin for name in self.memories)

    @property
    def weighs_drafts(self) -> bool:
        return any(registered(name).weighs_drafts(config) for name, config in self.memories.items())

    @property
    def moves_states(self) -> bool:
        return any(registered(name).moves_states(config) for name, config in self.memories.items())

    @property
    def wants_topic(self) -> bool:
        return any(registered(name).wants_topic(config) for name, config in self.memories.items())

    @property
    def kept_steps(self) -> KeptSteps:
        """The steps of a finished sentence whose vectors any memory needs."""
        kinds = {registered(name).required_steps(config) for name, config in self.memories.items()}
        return max(kinds, key=list(KeptSteps).index, default=KeptSteps.NONE)

    def empty(self, document: DocumentInfo) -> MemorySnapshot:
        return MemorySnapshot(
            {name: registered(name).empty(config, document) for name, config in self.memories.items()}
        )

    def to_plain(self) -> dict[str, Any]:
        memories = {name: to_dict(config) for name, config in self.memories.items()}
        return {**memories, "drafts": self.drafts, "read": None if self.read is None else list(self.read)}

    @classmethod
    def from_plain(cls, values: dict[str, Any]) -> Self:
        """The inverse of `to_plain`; a null configuration means that the model lacks the memory.

        Raises:
            ConfigError: a memory is unknown, or a configuration, `drafts` or `read` is invalid.
        """
        raw = {key: value for key, value in values.items() if key in ("drafts", "read")}
        types = {name: registered(name).config_type for name in values if name not in raw}
        memories: dict[str, Any] = {
            name: from_dict(kind, values[name]) for name, kind in types.items() if values[name] is not None
        }
        drafts, read = raw.get("drafts", True), raw.get("read")
        if not isinstance(drafts, bool) or not isinstance(read, (list, tuple, type(None))):
            raise ConfigError(f"drafts must be true or false, and read must be a list of memories: {raw!r}")
        return cls(memories, drafts, None if read is None else tuple(read))


def registered(name: str) -> type[Memory]:
    """The class of a memory by its name. Raises ConfigError if the name is unknown."""
    if name not in MEMORIES:
        raise ConfigError(f"there is no memory {name!r}; available: {', '.join(MEMORIES)}")
    return MEMORIES[name]
