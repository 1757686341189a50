"""The fold over a document's segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from anaphora_nmt.memory.contents import Contribution, DocumentInfo, MemorySnapshot
from anaphora_nmt.memory.continuous_cache import CacheContents, ContinuousCacheConfig
from anaphora_nmt.memory.document import DocumentMemory
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.word_caches import WordCachesConfig
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.steering import MemoryRule

Give = Callable[..., Contribution]
COUNT = 140
CONFIG = MemoryConfig(
    {
        "continuous_cache": ContinuousCacheConfig(size=6),
        "word_caches": WordCachesConfig(dynamic_size=4, topic_size=2),
    }
)
TEXTS = [
    "the server sends data",
    "tables hold rows",
    "a client connects",
    "configuration of the cache",
    "data",
]


def document(vocabulary: WordVocabulary, topic: Topic | None = None) -> DocumentMemory:
    return DocumentMemory("d", [f"s{n}" for n in range(COUNT)], CONFIG, DocumentInfo(vocabulary, topic))


def assert_equal(one: MemorySnapshot, other: MemorySnapshot) -> None:
    assert one.clock == other.clock
    assert one.contents["word_caches"] == other.contents["word_caches"]
    caches = cache_of(one), cache_of(other)
    assert caches[0].indicators == caches[1].indicators and caches[0].recency == caches[1].recency
    for name in ("keys", "values", "writers"):
        np.testing.assert_array_equal(*(getattr(cache, name) for cache in caches))


def cache_of(snapshot: MemorySnapshot) -> CacheContents:
    cache = snapshot.contents["continuous_cache"]
    assert isinstance(cache, CacheContents)
    return cache


actions = st.lists(
    st.tuples(
        st.sampled_from(["draft", "confirm", "forget", "before"]),
        st.integers(0, COUNT - 1),
        st.sampled_from(TEXTS),
    ),
    max_size=30,
)


@drawn(actions)
@settings(max_examples=40, deadline=None)
@pytest.mark.slow
def test_memory_depends_only_on_earlier_contributions(
    vocabulary: WordVocabulary, give: Give, steps: list[tuple[str, int, str]]
) -> None:
    memory = document(vocabulary)
    drafts: dict[int, str] = {}
    confirmed: dict[int, str] = {}
    for action, index, text in steps:
        if action == "draft":
            memory.draft(index, give(text))
            drafts[index] = text
        elif action == "confirm":
            memory.confirm(index, give(text))
            confirmed[index] = text
        elif action == "forget":
            memory.forget(index)
            confirmed.pop(index, None)
        else:
            memory.before(index)
    fresh = document(vocabulary)
    for index in range(COUNT):
        assert_equal(memory.before(index), fresh.before(index))
        held = confirmed.get(index, drafts.get(index))
        if held is not None:
            fresh.draft(index, give(held))
    assert_equal(memory.before(3), document_before(vocabulary, give, {**drafts, **confirmed}, 3))


def document_before(
    vocabulary: WordVocabulary, give: Give, texts: dict[int, str], index: int
) -> MemorySnapshot:
    memory = document(vocabulary)
    for number, text in texts.items():
        if number < index:
            memory.draft(number, give(text))
    return memory.before(index)


def test_forgetting_restores_the_draft_or_nothing(vocabulary: WordVocabulary, give: Give) -> None:
    memory = document(vocabulary)
    empty = memory.before(9)
    memory.confirm(2, give("data"))
    assert memory.is_confirmed(2) and memory.version.revision == 1
    memory.forget(2)
    assert_equal(memory.before(9), empty)
    memory.draft(2, give("tables"))
    drafted = memory.before(9)
    memory.confirm(2, give("data"))
    memory.draft(2, give("tables"))
    assert cache_of(memory.before(9)).indicators != cache_of(drafted).indicators
    memory.forget(2)
    assert_equal(memory.before(9), drafted)
    assert not memory.is_confirmed(2)


def test_a_replaced_draft_is_not_remembered(vocabulary: WordVocabulary, give: Give) -> None:
    memory = document(vocabulary)
    empty = memory.before(9)
    memory.draft(2, give("tables"))
    drafted = memory.before(9)
    memory.count_draft(2, False)
    assert memory.version.revision == 2
    assert_equal(memory.before(9), empty)
    memory.confirm(2, give("data"))
    memory.forget(2)
    assert_equal(memory.before(9), empty)
    memory.count_draft(2, True)
    assert_equal(memory.before(9), drafted)
    memory.count_draft(2, False)
    memory.draft(2, give("tables"))
    assert_equal(memory.before(9), drafted)


def test_without_drafts_only_confirmed_text_is_remembered(vocabulary: WordVocabulary, give: Give) -> None:
    memory = DocumentMemory("d", ["a", "b", "c"], replace(CONFIG, drafts=False), DocumentInfo(vocabulary))
    empty = memory.before(0)
    memory.draft(0, give(TEXTS[0]))
    assert memory.version.revision == 0
    assert_equal(memory.before(2), empty)
    memory.confirm(0, give(TEXTS[1]))
    memory.draft(1, give(TEXTS[2]))
    assert memory.version.revision == 1
    with_drafts = document(vocabulary)
    with_drafts.confirm(0, give(TEXTS[1]))
    assert_equal(memory.before(2), with_drafts.before(1))
    memory.forget(0)
    assert_equal(memory.before(2), empty)


def test_the_view_names_the_segments_of_words(vocabulary: WordVocabulary, give: Give) -> None:
    topic = Topic(3, (("page", 0.4), ("the", 0.2), ("tables", 0.1), ("data", 0.05)), "page, tables")
    memory = document(vocabulary, topic)
    memory.confirm(0, give("server data"))
    memory.draft(2, give("tables row"))
    view = memory.view(5)
    slots = view.section("continuous_cache", "slots")
    assert slots.of_segments
    assert [(slot.label, slot.segment, slot.confirmed) for slot in slots.entries] == [
        ("row", "s2", False),
        ("tables", "s2", False),
        ("data", "s0", True),
        ("server", "s0", True),
    ]
    assert sorted(slot for members in cache_of(memory.before(5)).by_word() for slot in members) == list(
        range(6)
    )
    recent = view.section("word_caches", "dynamic")
    assert [(word.label, word.segment, word.confirmed) for word in recent.entries] == [
        ("row", "s2", False),
        ("tables", "s2", False),
        ("data", "s0", True),
        ("server", "s0", True),
    ]
    topical = view.section("word_caches", "topic")
    assert topical.summary == "page, tables" and not topical.of_segments
    assert [word.label for word in topical.entries] == ["page", "tables"]
    assert view.section("word_caches", "none").entries == ()


def labels(memory: DocumentMemory, index: int) -> list[str]:
    """The words in the dynamic cache before a segment, oldest first."""
    entries = memory.view(index).section("word_caches", "dynamic").entries
    return [word.label for word in reversed(entries)]


def test_resegmentation_keeps_contributions_of_unchanged_segments(
    vocabulary: WordVocabulary, give: Give
) -> None:
    old = document(vocabulary)
    old.confirm(0, give("server"))
    old.draft(1, give("client"))
    old.confirm(2, give("rows"))
    about_gone, about_kept, about_all = (
        MemoryRule("rows", "s2"), MemoryRule("server", "s0", weight=2.0), MemoryRule("data", weight=0.0)
    )  # fmt: skip
    old.steer([about_gone, about_kept, about_all])
    old.bring_in([("p#1", give("data page"))])
    new = DocumentMemory("d", ["a", "b", "c"], CONFIG, DocumentInfo(vocabulary))
    assert new.adopt(old, {"s0": "b", "s1": "a", "s5": "c"}) == {"a", "b"}
    assert labels(new, 2) == ["page", "client", "server"]
    assert new.rules == (replace(about_kept, segment="b"), about_all)
    assert new.imported == old.imported and new.version.revision == old.version.revision + 1
    assert new.confirmed_indexes == (1,)


def test_a_memory_of_drafts_equals_the_memory_before_confirmations(
    vocabulary: WordVocabulary, give: Give
) -> None:
    memory = document(vocabulary)
    for number in range(3):
        memory.draft(number, give(TEXTS[number]))
    before = memory.before(3)
    memory.confirm(1, give(TEXTS[4]))
    memory.confirm(2, give(TEXTS[2]))
    drafts = memory.drafts_before(3)
    assert_equal(MemorySnapshot(memory.contents_of_drafts(drafts, before.contents), before.clock), before)
    memory.count_draft(0, False)
    assert [number for number, _ in memory.drafts_before(3)] == [1, 2]
