"""Memories by the names that commands take."""

from __future__ import annotations

import pytest

from anaphora_nmt.commands.shared.memory_names import memories_in_use
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MEMORIES, MemoryConfig
from anaphora_nmt.memory.word_caches import WordCachesConfig


@pytest.mark.parametrize(
    ("setting", "used"),
    [
        ("none", set()),
        ("confirmed", {"confirmed"}),
        ("both", {"continuous_cache", "word_caches"}),
        ("cache+confirmed", {"continuous_cache", "confirmed"}),
        ("word_caches", {"word_caches"}),
        ("all", set(MEMORIES)),
    ],
)
def test_settings_name_what_is_read(setting: str, used: set[str]) -> None:
    found = memories_in_use(setting)
    assert set(found) == set(MEMORIES) and {name for name, read in found.items() if read} == used


def test_the_default_leaves_the_choice_to_the_model() -> None:
    assert memories_in_use("default") == {}


def test_an_unknown_memory_is_named() -> None:
    with pytest.raises(ConfigError, match="'cash'"):
        memories_in_use("words+cash")


def test_what_a_caller_leaves_open_is_as_configured() -> None:
    carried = {
        "continuous_cache": ContinuousCacheConfig(),
        "word_caches": WordCachesConfig(),
        "confirmed": ConfirmedConfig(),
    }
    config = MemoryConfig(carried, read=("confirmed",))
    assert config.chosen() == {"confirmed"}
    assert config.chosen({"word_caches": True}) == {"word_caches", "confirmed"}
    assert MemoryConfig(carried).chosen({"confirmed": False}) == {
        "continuous_cache",
        "word_caches",
    }
    assert MemoryConfig().chosen({"confirmed": True}) == frozenset()
    with pytest.raises(ConfigError, match="'cash'"):
        config.chosen({"cash": True})


def test_memories_are_added_and_taken_away() -> None:
    config = MemoryConfig({"confirmed": ConfirmedConfig()}).with_memories(
        word_caches=WordCachesConfig(), confirmed=None, continuous_cache=ContinuousCacheConfig(3)
    )
    assert list(config.memories) == ["continuous_cache", "word_caches"] and "confirmed" not in config
