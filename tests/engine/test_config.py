"""Configurations can be saved and loaded; invalid ones are errors that name the value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora_nmt.config import (
    DecoderConfig,
    ModelConfig,
    TrainingConfig,
    from_dict,
    load_config,
    to_dict,
)
from anaphora_nmt.errors import ConfigError
from anaphora_nmt.memory.confirmed import ConfirmedConfig
from anaphora_nmt.memory.continuous_cache import ContinuousCacheConfig
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.word_caches import WordCachesConfig

CONFIGS = [
    ModelConfig(5, 6, decoder=DecoderConfig(kind="recurrent", feedback="tanh", dropout=0.5)),
    MemoryConfig(),
    MemoryConfig(
        {
            "continuous_cache": ContinuousCacheConfig(size=7),
            "word_caches": WordCachesConfig(scorer_hidden=(3, 2)),
        }
    ),
    MemoryConfig({"confirmed": ConfirmedConfig(size=9)}, drafts=False, read=()),
    TrainingConfig(r_drop=3.0, seed=9),
]


@pytest.mark.parametrize("config", CONFIGS)
def test_round_trip_through_json(config: Any, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(to_dict(config)), "utf-8")
    assert load_config(type(config), path) == config


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"source_pieces": 1, "target_pieces": 1, "sauce": 1}, "unknown key sauce; known: source_pieces"),
        ({"source_pieces": 1}, "target_pieces"),
        ({"source_pieces": "1", "target_pieces": 1}, "'1' is not of type int"),
        ({"source_pieces": True, "target_pieces": 1}, "True is not of type int"),
        (
            {"source_pieces": 1, "target_pieces": 1, "encoder": {"depth": 2}},
            "EncoderConfig has the unknown key depth",
        ),
        ({"source_pieces": 1, "target_pieces": 1, "encoder": []}, "EncoderConfig must be an object"),
        ({"source_pieces": 1, "target_pieces": 1, "encoder": None}, "EncoderConfig must be an object"),
        ([], "ModelConfig must be an object"),
        (None, "ModelConfig must be an object"),
    ],
)
def test_invalid_values_are_named(values: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_dict(ModelConfig, values)


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"\xff\xfe"])
def test_a_file_that_is_not_a_configuration(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError):
        load_config(TrainingConfig, path)
