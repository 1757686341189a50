"""Writing of memories: the two rules of the continuous cache, the queue of the dynamic cache."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

import numpy as np
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from anaphora_nmt.memory.contents import (
    Contribution,
    Indicator,
)
from anaphora_nmt.memory.continuous_cache import CacheContents
from anaphora_nmt.memory.word_contents import DynamicWords
from anaphora_nmt.memory.words import WordVocabulary

Give = Callable[..., Contribution]
VOCABULARY = "server data client tables the row page cache holds configuration".split()  # noqa: SIM905
sentences = st.lists(st.lists(st.sampled_from(VOCABULARY), max_size=6).map(" ".join), max_size=8)


def transcription(
    contributions: list[Contribution], size: int
) -> dict[Indicator, tuple[np.ndarray, np.ndarray]]:
    """Section 3.3 of Tu et al. (2018), literally, in float16 after each write."""
    slots: OrderedDict[Indicator, tuple[np.ndarray, np.ndarray]] = OrderedDict()
    for one in contributions:
        for y, c, s in zip(one.indicators, one.contexts, one.states, strict=True):
            c, s = c.astype(np.float32), s.astype(np.float32)
            if y in slots:
                k, v = slots[y]
                slots[y] = ((k + c) / 2).astype(np.float16), ((v + s) / 2).astype(np.float16)
            else:
                if len(slots) == size:
                    slots.popitem(last=False)
                slots[y] = c.astype(np.float16), s.astype(np.float16)
            slots.move_to_end(y)
    return slots


@drawn(sentences, st.integers(1, 9))
@settings(max_examples=40, deadline=None)
def test_cache_follows_the_two_rules(give: Give, texts: list[str], size: int) -> None:
    given = [give(text) for text in texts]
    contents = CacheContents(size)
    for clock, one in enumerate(given):
        contents = contents.after(one, clock)
    expected = transcription(given, size)
    assert set(contents.indicators) == set(expected)
    assert [contents.indicators[slot] for slot in contents.recency] == list(expected)
    for slot, indicator in enumerate(contents.indicators):
        np.testing.assert_array_equal(contents.keys[slot], expected[indicator][0])
        np.testing.assert_array_equal(contents.values[slot], expected[indicator][1])


def test_a_slot_belongs_to_a_piece_of_a_word(give: Give, vocabulary: WordVocabulary) -> None:
    contents = CacheContents(50).after(give("the server sends, the data"), 4)
    written = [(vocabulary.text(word), index) for word, index in contents.indicators]
    assert written == [
        ("the", 0),
        ("server", 0),
        ("server", 1),
        ("server", 2),
        ("sends", 0),
        ("sends", 1),
        ("data", 0),
    ]
    assert set(contents.writers.tolist()) == {4}


@drawn(sentences, st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_dynamic_cache_is_first_in_first_out_without_duplicates(
    give: Give, texts: list[str], size: int
) -> None:
    cache, expected = DynamicWords(size), []
    for clock, text in enumerate(texts):
        given = give(text)
        cache = cache.write(given, clock)
        for word in given.words:
            if word not in expected:
                expected.append(word)
                del expected[: max(0, len(expected) - size)]
    assert list(cache.words) == expected
    assert list(cache.writers) == sorted(cache.writers)
