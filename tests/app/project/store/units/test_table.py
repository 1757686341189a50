"""The translation memory in a real database: matches, context, following segments, concordance, damage."""

from __future__ import annotations

import random
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from anaphora.core.language_pair import LanguagePair
from anaphora.core.matching import EXACT, Query, TaggedText, Unit
from anaphora.core.text import fold
from anaphora.features.tm.memory_concordance import search_memory
from anaphora.project.store.units.file import MemoryFile, TranslationMemoryError
from anaphora.project.store.units.table import TranslationMemory, pairs_of


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[TranslationMemory]:
    file = MemoryFile.open(tmp_path / "memory.sqlite")
    yield TranslationMemory("mine", file)
    file.close()


def ask(source: str, previous: str | None = None, following: str | None = None, key: str = "") -> Query:
    marks = tuple(found for found in ("{1}", "{/1}", "{1/}", "{2}", "{/2}") if found in source)
    return Query(TaggedText(source, tuple(sorted(marks, key=source.index))), previous, following, key)


def test_context_is_above_exact_above_adapted_above_fuzzy(memory: TranslationMemory) -> None:
    memory.add(
        [
            Unit("打开文件夹。", "Open the directory.", changed=9),
            Unit("打开文件。", "Open a file.", changed=5, previous="别的", following="另外"),
            Unit("打开文件。", "Open the file.", changed=1, previous="第一步", following="第二步"),
            Unit("打开　文件。", "Open files.", changed=7),
        ]
    )
    matches = memory.find(ask("打开文件。", "第一步", "第二步"))
    assert [(match.percent, match.target) for match in matches] == [
        (101, "Open the file."),
        (100, "Open a file."),
        (83, "Open the directory."),
        (83, "Open files."),
    ]
    assert matches[0].neighbours == 2


def test_only_exact_matches_are_found_if_requested(memory: TranslationMemory) -> None:
    memory.add(
        [
            Unit("打开文件夹。", "Open the directory."),
            Unit("打开文件。", "Open a file.", changed=5),
            Unit("打开文件。", "Open the file.", changed=9),
            Unit("打开{1/}文件。", "Open{1/} files.", ("{1/}",), changed=10),
        ]
    )
    found = memory.find(ask("打开文件。"), lowest=EXACT)
    assert [(match.percent, match.target) for match in found] == [
        (100, "Open the file."),
        (100, "Open a file."),
    ]


def test_an_exact_match_is_found_among_hundreds_that_differ_in_a_number(memory: TranslationMemory) -> None:
    memory.add([Unit(f"第{number}章", f"Chapter {number}", changed=number) for number in range(500)])
    assert [match.target for match in memory.find(ask("第7章"), lowest=EXACT)] == ["Chapter 7"]


def test_a_match_with_an_equal_neighbour_comes_first(memory: TranslationMemory) -> None:
    memory.add(
        [Unit("名称", "Title", changed=9), Unit("名称", "Name", changed=1, previous="类型", following="x")]
    )
    found = memory.find(ask("名称", "类型", "y"))
    assert [(match.percent, match.target) for match in found] == [(100, "Name"), (100, "Title")]


def test_a_known_previous_segment_is_enough_context(memory: TranslationMemory) -> None:
    memory.add([Unit("名称", "Name", previous="类型"), Unit("名称", "Title", previous="别的", changed=9)])
    assert [match.percent for match in memory.find(ask("名称", "类型", "x"))] == [101, 100]


def test_the_ends_of_two_documents_are_not_context(memory: TranslationMemory) -> None:
    memory.add([Unit("名称", "Name", previous="", following="")])
    assert memory.find(ask("名称", "", ""))[0].percent == 100


def test_numbers_and_tags_are_adapted(memory: TranslationMemory) -> None:
    memory.add([Unit("{1}第3章{/1}共20页", "{1}Chapter 3{/1} has 20 pages", ("{1}", "{/1}"))])
    (match,) = memory.find(ask("{2}第4章{/2}共31页"))
    assert (match.percent, match.target) == (99, "{2}Chapter 4{/2} has 31 pages")


def test_a_match_that_cannot_be_adapted_is_fuzzy(memory: TranslationMemory) -> None:
    memory.add([Unit("10月的报告", "Report of October")])
    (match,) = memory.find(ask("11月的报告"))
    assert (match.percent, match.target) == (98, "Report of October")


def test_percentage_is_the_share_of_characters(memory: TranslationMemory) -> None:
    memory.add([Unit("更新全部缓存", "Update all caches")])
    (match,) = memory.find(ask("更新缓存"))
    assert match.percent == 66  # two of six characters differ
    assert memory.find(ask("删除")) == ()


def test_each_translation_is_shown_once(memory: TranslationMemory) -> None:
    memory.add([Unit("好", "Good", origin=str(number), previous=str(number)) for number in range(30)])
    assert len(memory.find(ask("好"))) == 1


def test_a_context_is_found_among_hundreds_of_equal_ones(memory: TranslationMemory) -> None:
    memory.add(
        [
            Unit("确定", f"OK {number}", changed=number, previous=f"前{number}", following=f"后{number}")
            for number in range(500)
        ]
    )
    assert memory.find(ask("确定", "前3", "后3"))[0].target == "OK 3"


def test_the_memory_follows_confirmed_segments(memory: TranslationMemory) -> None:
    unit = Unit("账本", "ledger", created=1, changed=1, key="p/1/a", previous="", following="区块")
    memory.update([unit])
    assert memory.find(ask("账本"))[0].target == "ledger"
    assert memory.find(ask("账本", key="p/1/a")) == ()  # a segment does not match itself
    memory.update([replace(unit, target="account book", created=5, changed=5)])
    (match,) = memory.find(ask("账本"))
    assert (match.target, match.unit.created, match.unit.changed) == ("account book", 1, 5)
    assert len(memory) == 1
    assert memory.texts_by_key("p/") == {"p/1/a": ("账本", "account book", "", "")}
    assert memory.texts_by_key("q/") == {}
    memory.update([], ["p/1/a"])
    assert memory.find(ask("账本")) == () and len(memory) == 0


def test_importing_twice_adds_nothing(memory: TranslationMemory) -> None:
    units = [Unit(f"第{number}句话", f"Sentence {number}", origin="a.tmx") for number in range(50)]
    assert (memory.add(units), memory.add(units)) == (50, 0)
    assert memory.add([units[0], units[0]]) == 0
    # The same texts in another context make a new unit.
    assert memory.add([replace(units[0], previous="", following="下一句")]) == 1
    assert memory.add([replace(units[1], following="下一句")]) == 1, "one neighbour is known"
    assert memory.add([replace(units[2], previous="上一句")]) == 1
    assert memory.add([units[1], replace(units[2], previous="上一句")]) == 0


class InterruptedImportError(Exception):
    """Ends an import."""


def test_a_failed_import_is_undone(memory: TranslationMemory) -> None:
    memory.add([Unit("一", "one", origin="old.tmx")])
    with pytest.raises(InterruptedImportError), memory.importing() as add:
        assert add([Unit("二", "two"), Unit("三", "three"), Unit("一", "one")]) == 2
        memory.update([Unit("四", "four", key="p/4")])
        raise InterruptedImportError
    assert sorted(unit.target for unit in memory.units()) == ["four", "one"]


def test_stored_units_are_read_back(memory: TranslationMemory) -> None:
    units = [
        Unit(
            "{1}甲{/1}", "{1}A{/1}", ("{1}", "{/1}"), "zh-CN", "en-GB", 11, 22, "李", "文件.docx", "前", None
        ),
        Unit("甲{0}", "A{0}"),
    ]
    memory.add(units)
    assert list(memory.units()) == units


_TEXTS = st.text(alphabet="甲乙丙丁12 aA", min_size=1, max_size=12)


@settings(deadline=None, max_examples=30)
@given(st.lists(_TEXTS, min_size=1, max_size=12), _TEXTS)
@example(["1A1A1"], "1A1")
@example(["1A1"], "1A1A1")
@example(["甲乙丙丁甲甲甲甲甲甲"], "甲乙丙丁甲甲")
def test_the_index_finds_all_units_that_a_full_comparison_finds(sources: list[str], query: str) -> None:
    """Compare with a literal search for all units that are similar enough, fewer than the limit.

    Some examples have exactly 60 percent of equal characters.
    """
    connection = sqlite3.connect(":memory:", isolation_level=None)
    memory = TranslationMemory("m", _InMemory(connection))
    memory.add([Unit(source, f"T{number}") for number, source in enumerate(sources)])
    folded = fold(query)
    expected = {
        source
        for source in sources
        if folded and fold(source) and Levenshtein.normalized_similarity(folded, fold(source)) >= 0.6
    }
    found = {match.unit.source for match in memory.find(Query(TaggedText(query)), limit=100)}
    # Texts without a common pair of characters are not searched.
    pairs = pairs_of(folded)
    assert found == {source for source in expected if pairs & pairs_of(fold(source))}


def test_concordance_finds_text_in_source_and_target(memory: TranslationMemory) -> None:
    memory.add(
        [
            Unit("学习率是0.1", "The learning rate is 0.1"),
            Unit("学习很好", "Learning is good"),
            Unit("共20页", "20 pages"),
        ]
    )

    def sources(text: str) -> list[str]:
        found = search_memory(memory, text)
        assert found.total == len(found.hits)
        return [hit.unit.source for hit in found.hits]

    assert sources("学习") == ["学习很好", "学习率是0.1"]
    assert sources("学") == ["学习很好", "学习率是0.1"]
    assert sources("率是0.1") == ["学习率是0.1"]
    assert sources("LEARN") == ["学习很好", "学习率是0.1"]
    assert sources("earning ra") == ["学习率是0.1"]
    assert sources("0.1") == ["学习率是0.1"]
    assert sources("s g") == ["学习很好"]
    assert sources("20") == ["共20页"]
    memory.add([Unit("100%_甲", "Über 100%_A")])
    assert sources("ÜBER") == sources("über") == sources("0%_") == ["100%_甲"]
    assert sources("没有") == sources("nothing") == sources("_甲乙") == sources(" ") == []
    hit = search_memory(memory, "rate").hits[0]
    assert hit.target_spans == ((13, 17),) and hit.source_spans == ()


def test_concordance_in_a_chinese_target(memory: TranslationMemory) -> None:
    memory.add([Unit("Save the file", "保存文件", source_language="en", target_language="zh")])
    assert search_memory(memory, "文件").hits[0].target_spans == ((2, 4),)


def test_threads_write_and_read_at_once(memory: TranslationMemory) -> None:
    def write(name: str) -> None:
        for number in range(20):
            memory.update([Unit(f"{name}句{number}", f"{name}{number}", key=f"{name}/{number}")])

    threads = [threading.Thread(target=write, args=(name,)) for name in "甲乙丙"]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        memory.find(ask("甲句"))
    assert len(memory) == 60
    chosen = random.Random(1).choice(range(20))
    assert memory.find(ask(f"乙句{chosen}"))[0].percent >= 99


@pytest.mark.parametrize("content", [b"not a database at all, " * 50, b"SQLite format 3\x00" + bytes(4000)])
def test_a_damaged_file_is_not_changed(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "memory.sqlite"
    path.write_bytes(content)
    with pytest.raises(TranslationMemoryError) as problem:
        MemoryFile.open(path)
    assert problem.value.advice
    assert path.read_bytes() == content


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(TranslationMemoryError, match="not an Anaphora translation memory"):
        MemoryFile.open(path)
    assert path.read_bytes() == before


def test_a_file_is_created_by_the_first_write(tmp_path: Path) -> None:
    path = tmp_path / "new" / "memory.sqlite"
    one, other = (TranslationMemory("m", MemoryFile.open(path)) for _ in range(2))
    assert len(one) == 0 and one.find(ask("一句")) == () and not path.parent.exists()
    one.add([Unit("一句", "one")])
    assert len(other) == 1, "the file of another window is read"
    other.add([Unit("二句", "two")])
    assert len(one) == 2


def test_a_newer_file_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory.sqlite"
    _make_file(path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(TranslationMemoryError, match="newer version"):
        MemoryFile.open(path)


def _make_file(path: Path) -> None:
    file = MemoryFile.open(path)
    TranslationMemory("m", file).add([Unit("一", "one")])
    file.close()


def test_a_failed_write_changes_nothing(memory: TranslationMemory) -> None:
    memory.add([Unit("一", "one")])
    with pytest.raises(TranslationMemoryError):
        memory.update([Unit("二", "two", key="k"), Unit("\ud800", "three", key="l")])
    assert [unit.target for unit in memory.units()] == ["one"]


class _InMemory:
    """Tables without a file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        from anaphora.project.store.units.file import TABLES

        for statement in TABLES:
            connection.execute(statement)
        self._connection = connection

    def reading(self):  # type: ignore[no-untyped-def]
        from contextlib import nullcontext

        return nullcontext(self._connection)

    writing = reading


def test_a_unit_in_another_language_is_not_a_match(memory: TranslationMemory) -> None:
    pair = LanguagePair("zh", "de")
    query = replace(ask("打开文件。"), languages=pair)
    memory.add([Unit("打开文件。", f"Open file {number}.", (), "zh-CN", "en-US") for number in range(150)])
    memory.add([Unit("打开文件", f"Open the file {number}", (), "zh", "eng") for number in range(300)])
    assert memory.find(query) == () and search_memory(memory, "打开", languages=pair).total == 0
    others = ("zho_Hans", "deu_Latn"), ("", ""), ("und", "und"), ("de", "zh"), ("zh", "fr")
    for number, codes in enumerate(others):
        memory.add([Unit("打开文件。", f"Datei {number}", (), *codes)])
    assert {match.target for match in memory.find(query)} == {f"Datei {number}" for number in range(4)}
    assert search_memory(memory, "打开", languages=pair).total == 4
    # In its own languages everything is still found, including texts similar to the others.
    english = memory.find(replace(query, languages=LanguagePair("zh", "en")))
    assert {match.target.split()[0] for match in english} == {"Open", "Datei"}
    # the same texts may be right in two languages
    memory.add([Unit("确定", "OK", (), "zh", "en")])
    assert memory.add([Unit("确定", "OK", (), "zh", "de")]) == 1
    assert memory.add([Unit("确定", "OK", (), "zh-CN", "de-DE")]) == 0
