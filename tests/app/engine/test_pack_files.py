"""Memory packs as files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from anaphora.core.document import Document
from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.engine.pack_files import PackError, pack_of, read_pack, write_pack
from anaphora.features.packs.packs import read_packs
from anaphora_nmt.types import Matches, MemoryPack, match_number

PAIRS = (("账本", "ledger"), ("节点", "node"))


def test_a_written_pack_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "a.memory.json"
    write_pack(path, MemoryPack("guide", PAIRS))
    assert read_pack(path) == MemoryPack("guide", PAIRS)


@pytest.mark.parametrize("name", ["TM", "match:1", ""])
def test_a_pack_is_never_mistaken_for_matches(tmp_path: Path, name: str) -> None:
    path, named = tmp_path / "a.memory.json", MemoryPack(name, PAIRS)
    write_pack(path, named)
    kept = read_packs(json.dumps([named.to_bytes().decode()]))
    assert (read_pack(path), *(kept or ())) == (named, named)
    assert not any(match_number(called) for called in named.names())


def test_matches_are_recognised_by_their_numbers() -> None:
    assert [match_number(called) for called in Matches(PAIRS).names()] == ["1", "2"]


def test_a_pack_contains_confirmed_segments_in_its_direction() -> None:
    def segment(number: int, source: str, target: str, status: Status = Status.CONFIRMED) -> Segment:
        return Segment(str(number), source, SegmentState(target, status))

    document = Document(
        "d",
        [
            segment(1, "账本", "ledger"),
            segment(2, "节点", "node", Status.EDITED),
            segment(3, "区块", " "),
            segment(4, "block", "区块"),
            segment(5, "节点", "peer"),
            segment(6, "账本", "ledger"),
        ],
    )
    assert pack_of(document, "guide") == MemoryPack("guide", (("账本", "ledger"), ("节点", "peer")))
    turned = pack_of(document, "turned", LanguagePair("en", "zh"))
    assert ("block", "区块") in turned.pairs


def test_an_unreadable_pack_raises_the_reason(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="No such file or directory"):
        read_pack(tmp_path / "none.memory.json")
    (tmp_path / "a.memory.json").write_text("{}")
    with pytest.raises(PackError, match="is not a memory pack"):
        read_pack(tmp_path / "a.memory.json")
