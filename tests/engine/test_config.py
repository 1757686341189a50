"""Configurations come back as they were saved; anything else is an error that names it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from anaphora_nmt.config import (
    CamnConfig,
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


def test_whole_numbers_are_floats_where_floats_belong() -> None:
    rate = from_dict(TrainingConfig, {"learning_rate": 1}).learning_rate
    assert isinstance(rate, float)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"source_pieces": 1, "target_pieces": 1, "sauce": 1}, "no key sauce; known: source_pieces"),
        ({"source_pieces": 1}, "target_pieces"),
        ({"source_pieces": "1", "target_pieces": 1}, "'1' is not of type int"),
        ({"source_pieces": True, "target_pieces": 1}, "True is not of type int"),
        ({"source_pieces": 1, "target_pieces": 1, "encoder": {"depth": 2}}, "EncoderConfig has no key depth"),
        ({"source_pieces": 1, "target_pieces": 1, "encoder": []}, "EncoderConfig must be an object"),
        ({"source_pieces": 1, "target_pieces": 1, "encoder": None}, "EncoderConfig must be an object"),
        ([], "ModelConfig must be an object"),
        (None, "ModelConfig must be an object"),
    ],
)
def test_what_does_not_fit_is_named(values: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_dict(ModelConfig, values)


def test_the_memories_of_older_model_folders_are_read() -> None:
    plain = {
        "continuous_cache": {"size": 9},
        "word_caches": None,
        "drafts": True,
        "read": ["continuous_cache", "word_caches", "confirmed"],
    }
    config = from_dict(MemoryConfig, plain)
    assert dict(config.memories) == {"continuous_cache": ContinuousCacheConfig(size=9)}
    assert config.chosen() == {"continuous_cache"} and config.drafts
    written = to_dict(config)
    assert written["continuous_cache"]["size"] == 9 and written["read"] == plain["read"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cash": {}}, "no memory 'cash'; there are: continuous_cache, confirmed, word_caches"),
        ({"cash": None}, "no memory 'cash'"),
        ({"continuous_cache": {"sise": 1}}, "ContinuousCacheConfig has no key sise"),
        ({"read": ["cash"]}, "no memory 'cash'"),
        ({"read": "confirmed"}, "a list of memories"),
        ({"drafts": 1}, "true or false"),
        ([], "MemoryConfig must be an object"),
    ],
)
def test_memories_that_do_not_fit_are_named(values: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_dict(MemoryConfig, values)


def test_a_memory_takes_its_own_configuration() -> None:
    with pytest.raises(ConfigError, match="takes a ConfirmedConfig"):
        MemoryConfig({"confirmed": ContinuousCacheConfig()})


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"\xff\xfe"])
def test_a_file_that_is_no_configuration(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError):
        load_config(TrainingConfig, path)


@pytest.mark.parametrize(
    ("kind", "values", "found"),
    [
        (CamnConfig, {"gate": None}, None),
        (CamnConfig, {"gate": 0.5}, 0.5),
        (CamnConfig, {"gate": 1}, 1.0),
        (CamnConfig, {"scaled": False}, False),
        (CamnConfig, {"size": 0}, 0),
        (TrainingConfig, {"shares": {"law": 0.25}}, {"law": 0.25}),
        (WordCachesConfig, {"scorer_hidden": [3, 2]}, (3, 2)),
    ],
)
def test_each_kind_of_value(kind: type, values: dict[str, Any], found: Any) -> None:
    config: Any = from_dict(kind, values)
    value = getattr(config, *values)
    assert value == found and type(value) is type(found)
    assert from_dict(kind, json.loads(json.dumps(to_dict(config)))) == config


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (TrainingConfig, {"learning_rate": True}, "True is not of type float"),
        (CamnConfig, {"gate": False}, "False is not of type float"),
        (CamnConfig, {"gate": "0.5"}, "'0.5' is not of type float"),
        (CamnConfig, {"scaled": 1}, "1 is not of type bool"),
        (CamnConfig, {"scaled": None}, "None is not of type bool"),
        (CamnConfig, {"size": 2.0}, "2.0 is not of type int"),
        (CamnConfig, {"core": 1}, "1 is not of type str"),
        (TrainingConfig, {"shares": [1]}, "is not of type dict"),
    ],
)
def test_a_value_of_another_type_is_named(kind: type, values: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        from_dict(kind, values)


def test_a_plain_form_holds_plain_values_alone() -> None:
    plain = to_dict(ModelConfig(5, 6, camn=CamnConfig()))
    assert plain["source_pieces"] == 5 and plain["camn"]["gate"] is None and plain["decoder"]["layers"] == 2
    assert to_dict(ModelConfig(5, 6))["camn"] is None
    assert to_dict(TrainingConfig(shares={"law": 0.5}))["shares"] == {"law": 0.5}
