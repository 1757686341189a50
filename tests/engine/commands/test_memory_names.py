"""Names of memories in commands."""

from __future__ import annotations

import pytest

from anaphora_nmt.commands.evaluate import memories_in_use
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.registry import MEMORIES


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
def test_settings_select_memories(setting: str, used: set[str]) -> None:
    found = memories_in_use(setting)
    assert set(found) == set(MEMORIES) and {name for name, read in found.items() if read} == used


def test_the_default_setting_uses_the_models_choice() -> None:
    assert memories_in_use("default") == {}


def test_an_unknown_memory_is_reported() -> None:
    with pytest.raises(ConfigError, match="'cash'"):
        memories_in_use("words+cash")
