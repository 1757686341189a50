"""Memories by the names that commands take."""

from __future__ import annotations

import pytest

from anaphora_nmt.commands.memories import memories_in_use
from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.models.remembering import MemoryUse
from anaphora_nmt.types import SearchOptions


@pytest.mark.parametrize(
    ("setting", "used"),
    [
        ("none", (False, False, False)),
        ("confirmed", (False, False, True)),
        ("both", (True, True, False)),
        ("cache+confirmed", (True, False, True)),
        ("all", (True, True, True)),
    ],
)
def test_settings_name_what_is_read(setting: str, used: tuple[bool, ...]) -> None:
    assert tuple(memories_in_use(setting).values()) == used


def test_an_unknown_memory_is_named() -> None:
    with pytest.raises(ConfigError, match="'cash'"):
        memories_in_use("words+cash")


def test_what_a_caller_leaves_open_is_as_configured() -> None:
    config = MemoryConfig(read=("confirmed",))
    assert MemoryUse.chosen(config) == MemoryUse(False, False, True)
    assert MemoryUse.chosen(config, SearchOptions(word_caches=True)) == MemoryUse(False, True, True)
    assert MemoryUse.chosen(MemoryConfig(), SearchOptions(confirmed=False)) == MemoryUse(True, True, False)
