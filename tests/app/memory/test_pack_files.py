"""Memory packs as files."""

from __future__ import annotations

import json
from pathlib import Path

from anaphora.memory.pack_files import read_pack, write_pack
from anaphora.memory.packs import match_number, read_packs
from anaphora_nmt.types import MemoryPack

PAIRS = (("账本", "ledger"), ("节点", "node"))


def test_a_pack_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.memory.json"
    write_pack(path, MemoryPack("guide", PAIRS))
    assert read_pack(path) == MemoryPack("guide", PAIRS)


def test_a_pack_by_the_name_of_the_translation_memory_is_not_taken_for_its_matches(tmp_path: Path) -> None:
    path, named = tmp_path / "a.memory.json", MemoryPack("TM", PAIRS)
    write_pack(path, named)
    kept = read_packs(json.dumps([named.to_bytes().decode()])).packs
    for pack in (read_pack(path), *kept):
        assert pack.pairs == PAIRS
        assert not any(match_number(name) for name in pack.names())
    assert match_number("TM#2") == "2"
