"""The fold over a document's segments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from anaphora_nmt.config import ContinuousCacheConfig, MemoryConfig, WordCachesConfig
from anaphora_nmt.errors import UnknownSegmentError
from anaphora_nmt.memory.contents import Contribution, MemorySnapshot
from anaphora_nmt.memory.document import DocumentMemory
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import WordVocabulary

Give = Callable[..., Contribution]
COUNT = 140
CONFIG = MemoryConfig(ContinuousCacheConfig(size=6), WordCachesConfig(dynamic_size=4, topic_size=2))
TEXTS = [
    "the server sends data",
    "tables hold rows",
    "a client connects",
    "configuration of the cache",
    "data",
]


def document(vocabulary: WordVocabulary, topic: Topic | None = None) -> DocumentMemory:
    return DocumentMemory("d", [f"s{n}" for n in range(COUNT)], CONFIG, vocabulary, topic)


def assert_equal(one: MemorySnapshot, other: MemorySnapshot) -> None:
    assert one.dynamic == other.dynamic and one.topic == other.topic and one.clock == other.clock
    assert one.cache.indicators == other.cache.indicators and one.cache.recency == other.cache.recency
    for name in ("keys", "values", "writers", "clocks"):
        np.testing.assert_array_equal(getattr(one.cache, name), getattr(other.cache, name))


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
def test_memory_depends_on_what_the_segments_before_contribute_only(
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
        text = confirmed.get(index, drafts.get(index))
        if text is not None:
            fresh.draft(index, give(text))
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
    assert memory.confirmed(2) and memory.version.revision == 1
    memory.forget(2)
    assert_equal(memory.before(9), empty)
    memory.draft(2, give("tables"))
    drafted = memory.before(9)
    memory.confirm(2, give("data"))
    memory.draft(2, give("tables"))
    assert memory.before(9).cache.indicators != drafted.cache.indicators
    memory.forget(2)
    assert_equal(memory.before(9), drafted)
    assert not memory.confirmed(2)


def test_where_drafts_do_not_count_only_confirmed_text_is_remembered(
    vocabulary: WordVocabulary, give: Give
) -> None:
    memory = DocumentMemory("d", ["a", "b", "c"], replace(CONFIG, drafts=False), vocabulary)
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


def test_revision_grows_only_where_the_memory_changes(vocabulary: WordVocabulary, give: Give) -> None:
    memory = document(vocabulary)
    memory.draft(1, give("data"))
    assert memory.version.revision == 1
    memory.draft(1, give("data"))
    memory.confirm(1, give("data"))
    assert memory.version.revision == 1 and memory.confirmed(1)
    memory.draft(1, give("tables"))  # underneath
    assert memory.version.revision == 1
    memory.forget(1)
    assert memory.version.revision == 2


def test_going_on_folds_only_what_is_new(
    vocabulary: WordVocabulary, give: Give, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = document(vocabulary)
    for index in range(COUNT):
        memory.draft(index, give(TEXTS[index % 5]))
    memory.before(COUNT - 1)
    folded: list[int] = []
    after = MemorySnapshot.after

    def counted(self: MemorySnapshot, given: Contribution, segment: int) -> MemorySnapshot:
        folded.append(segment)
        return after(self, given, segment)

    monkeypatch.setattr(MemorySnapshot, "after", counted)
    memory.before(COUNT)
    assert folded == [COUNT - 1]
    memory.before(130)
    assert folded[1:] == [128, 129]


def test_a_reader_sees_words_with_their_segments(vocabulary: WordVocabulary, give: Give) -> None:
    topic = Topic(3, (("page", 0.4), ("the", 0.2), ("tables", 0.1), ("data", 0.05)), "page, tables")
    memory = document(vocabulary, topic)
    memory.confirm(0, give("server data"))
    memory.draft(2, give("tables row"))
    view = memory.view(5)
    assert [(slot.word, slot.segment, slot.last_use, slot.confirmed) for slot in view.slots] == [
        ("row", "s2", 0, False),
        ("tables", "s2", 0, False),
        ("data", "s0", 1, True),
        ("server", "s0", 1, True),
    ]
    assert sorted(slot for members in view.slot_members for slot in members) == list(range(6))
    assert [(word.word, word.weight) for word in view.dynamic_words] == [
        ("row", 0.0),
        ("tables", 0.0),
        ("data", 1.0),
        ("server", 1.0),
    ]
    assert view.topic == "page, tables"
    assert [(word.word, word.weight) for word in view.topic_words] == [("page", 0.4), ("tables", 0.1)]


def test_an_unknown_segment_is_an_error(vocabulary: WordVocabulary) -> None:
    with pytest.raises(UnknownSegmentError, match="nowhere"):
        document(vocabulary).index("nowhere")
