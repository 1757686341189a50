"""Memory packs as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anaphora.memory.pack_files import read_pack, write_pack
from anaphora.memory.packs import read_packs
from anaphora_nmt.types import Matches, MemoryPack, match_number

PAIRS = (("账本", "ledger"), ("节点", "node"))


def test_a_pack_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.memory.json"
    write_pack(path, MemoryPack("guide", PAIRS))
    assert read_pack(path) == MemoryPack("guide", PAIRS)


@pytest.mark.parametrize("name", ["TM", "match:1", ""])
def test_no_pack_is_taken_for_matches_whatever_its_name(tmp_path: Path, name: str) -> None:
    path, named = tmp_path / "a.memory.json", MemoryPack(name, PAIRS)
    write_pack(path, named)
    kept = read_packs(json.dumps([named.to_bytes().decode()])).packs
    assert (read_pack(path), *kept) == (named, named)
    assert not any(match_number(called) for called in named.names())


def test_matches_are_told_by_their_numbers() -> None:
    assert [match_number(called) for called in Matches(PAIRS).names()] == ["1", "2"]
