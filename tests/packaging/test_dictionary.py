"""Definitions of CC-CEDICT that `dictionary.py` keeps."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "packaging" / "dictionary.py"


@pytest.fixture(scope="module")
def dictionary() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dictionary", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("definitions", "kept"),
    [
        (["cat", "CL:隻|只[zhi1]", "(dialect) to hide oneself"], ["cat", "to hide oneself"]),
        (["to sign (a contract); to conclude"], ["to sign", "to conclude"]),
        (["surname Wang", "king or monarch"], ["king or monarch"]),
        (["variant of 台", "old variant of 台[tai2]", "see 桌子[zhuo1 zi5]", "abbr. for 台灣|台湾"], []),
        (["lit. a cow", "fig. a fool", "also written 某", "used in 葡萄", "first tone in Mandarin"], []),
        (["rice (uncooked) from 江南"], []),
        (["see-through", "user"], ["see-through", "user"]),
    ],
)
def test_only_usable_glosses_are_kept(
    dictionary: ModuleType, definitions: list[str], kept: list[str]
) -> None:
    assert dictionary.glosses_of(definitions) == kept
