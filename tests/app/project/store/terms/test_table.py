"""The term base in a real database: entries, merging, other windows, damage."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from anaphora.core.document import SourceDocument
from anaphora.core.matching import Unit
from anaphora.core.term_entries import TargetTerm, TermEntry, Usage
from anaphora.project.importing.collecting import read_document
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.table import TermBase, TermBaseError, TermFile
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory


@pytest.fixture
def base(tmp_path: Path) -> Iterator[TermBase]:
    file = TermFile.open(tmp_path / "terms.sqlite")
    yield TermBase("mine", file)
    file.close()


def entry(source: str, *targets: str, forbidden: str = "", domain: str = "", note: str = "") -> TermEntry:
    terms = [
        TargetTerm(text, Usage.ADMITTED if place else Usage.PREFERRED) for place, text in enumerate(targets)
    ]
    terms += [TargetTerm(forbidden, Usage.FORBIDDEN)] if forbidden else []
    return TermEntry(source, tuple(terms), note, domain)


def test_a_stored_entry_is_read_back(base: TermBase) -> None:
    kept = base.put(entry("缓存", "cache", "buffer", forbidden="cash", domain="computing", note="never cash"))
    assert kept.id and kept.changed
    assert base.entries() == (kept,)
    assert kept.allowed == ("cache", "buffer") and kept.forbidden == ("cash",)


def test_preferred_terms_come_first_and_each_term_once(base: TermBase) -> None:
    kept = base.put(
        TermEntry(
            " 世界  状态 ",
            (
                TargetTerm("state  of the world", Usage.FORBIDDEN),
                TargetTerm("world state", Usage.ADMITTED),
                TargetTerm("world state", Usage.PREFERRED),
            ),
        )
    )
    assert kept.source == "世界 状态"
    assert kept.targets == (
        TargetTerm("world state", Usage.PREFERRED),
        TargetTerm("state of the world", Usage.FORBIDDEN),
    )


@pytest.mark.parametrize(
    "bad", [TermEntry("", (TargetTerm("x"),)), TermEntry("词"), TermEntry("词" * 201, (TargetTerm("x"),))]
)
def test_an_empty_entry_is_refused(base: TermBase, bad: TermEntry) -> None:
    with pytest.raises(TermBaseError, match="both languages"):
        base.put(bad)
    assert len(base) == 0


def test_a_term_occurs_once_per_domain(base: TermBase) -> None:
    first = base.put(entry("细胞", "cell", domain="biology"))
    base.put(entry("细胞", "zelle", domain="art"))
    with pytest.raises(TermBaseError, match="already"):
        base.put(entry("细胞", "cellule", domain="biology"))
    assert base.put(replace(first, note="of a body")).id == first.id
    assert [each.note for each in base.entries()] == ["of a body", ""]


def test_added_entries_extend_a_term_and_never_shorten_it(base: TermBase) -> None:
    base.put(entry("缓存", "cache", forbidden="cash", note="A"))
    added = base.add([entry("缓存", "cash", "buffer"), entry("缓存", "cache"), entry("账本", "ledger")])
    assert added == (1, 1)
    assert [(each.allowed, each.forbidden) for each in base.entries()] == [
        (("cache", "buffer"), ("cash",)),
        (("ledger",), ()),
    ]
    assert base.add(base.entries()) == (0, 0)


def test_many_entries_are_added_and_no_id_is_used_again(base: TermBase) -> None:
    given = [entry(f"词{number}", f"word {number}", f"term {number}") for number in range(1000)]
    base.put(given[500])
    gone = base.put(entry("旧", "old"))
    base.remove([gone.id])
    assert base.add([*given, entry("词500", "more")]) == (999, 1)
    held = {each.source: each for each in base.entries()}
    assert len({each.id for each in held.values()} | {gone.id}) == 1001
    assert held.pop("词500").allowed == ("word 500", "more", "term 500")
    assert {each.source: each.allowed for each in given if each.source in held} == {
        source: each.allowed for source, each in held.items()
    }


@pytest.mark.parametrize("seq", [0, "'x'", 2**63 - 1])
def test_a_damaged_counter_of_ids_loses_no_entry(tmp_path: Path, base: TermBase, seq: object) -> None:
    base.add([entry("缓存", "cache")])
    with sqlite3.connect(tmp_path / "terms.sqlite") as connection:
        connection.execute(f"UPDATE sqlite_sequence SET seq = {seq}")
    connection.close()
    if seq == 2**63 - 1:
        with pytest.raises(TermBaseError):
            base.add([entry("账本", "ledger")])
        return
    base.add([entry("账本", "ledger"), entry("节点", "node")])
    assert [each.allowed for each in base.entries()] == [("cache",), ("ledger",), ("node",)]


def test_entries_are_removed_and_an_import_is_undone(base: TermBase) -> None:
    base.add([entry("缓存", "cache"), entry("账本", "ledger")])
    before = base.entries()
    base.add([entry("缓存", "buffer"), entry("节点", "node")])
    base.replace_all(before)
    assert base.entries() == before
    base.remove([before[0].id])
    assert base.entries() == before[1:]


def test_two_windows_share_a_file(tmp_path: Path, base: TermBase) -> None:
    other = TermFile.open(tmp_path / "terms.sqlite")
    TermBase("theirs", other).put(entry("缓存", "cache"))
    assert [each.source for each in base.entries()] == ["缓存"]
    other.close()
    with pytest.raises(TermBaseError, match="closed"):
        TermBase("theirs", other).entries()


def test_files_that_are_not_term_bases_are_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "text.sqlite"
    text.write_text("no database at all " * 100)
    memory = tmp_path / "memory.sqlite"
    made = MemoryFile.open(memory)
    TranslationMemory("m", made).add([Unit("一", "one")])
    made.close()
    for path, reason in ((text, "cannot be used"), (memory, "not an Anaphora term base")):
        before = path.read_bytes()
        with pytest.raises(TermBaseError, match=reason):
            TermFile.open(path)
        assert path.read_bytes() == before


def test_a_newer_term_base_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "terms.sqlite"
    made = TermFile.open(path)
    TermBase("mine", made).put(entry("缓存", "cache"))
    made.close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(TermBaseError, match="newer version"):
        TermFile.open(path)


def test_a_project_stores_its_own_terms(tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_text("缓存保存状态。\n", "utf-8")
    source: SourceDocument = read_document(text)
    store = ProjectStore.create(tmp_path / "a.anaphora", source)
    TermBase("project", store).put(entry("缓存", "cache"))
    store.close()
    store = ProjectStore.open(tmp_path / "a.anaphora")
    assert [each.allowed for each in TermBase("project", store).entries()] == [("cache",)]
    store.close()
