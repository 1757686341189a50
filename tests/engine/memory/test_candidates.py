"""The piece offered by each cached word, compared with plain Python."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from anaphora_nmt.memory.candidates import Candidates, trace_candidates
from anaphora_nmt.memory.contents import Contribution
from anaphora_nmt.memory.word_contents import DynamicWords, WordContents
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.text.vocabulary import BOS, Vocabulary

Give = Callable[..., Contribution]
words = st.sampled_from(
    ["server", "serve", "data", "data-set", "dataset", "client", "the", "configuration", "rows", ","]
)
sentences = st.lists(words, min_size=1, max_size=12).map(" ".join)


def contents(vocabulary: WordVocabulary, give: Give, before: str, topic: str, size: int) -> WordContents:
    topical = tuple(vocabulary.encode(word) for word in topic.split())
    return WordContents(DynamicWords(size), topical).after(give(before), 0)


def expected_offers(vocabulary: WordVocabulary, memory: WordContents, prefix: list[int]) -> dict[Word, int]:
    """The offers of the cached words after a prefix."""
    spans = vocabulary.spans(prefix)
    unfinished: Word = ()
    if spans and spans[-1][1] == len(prefix):
        unfinished = tuple(prefix[spans[-1][0] :])
        spans = spans[:-1]
    queue = list(memory.dynamic.words)
    topic = [word for word in memory.topic if word not in queue]
    for start, end in spans:
        word = tuple(prefix[start:end])
        if vocabulary.is_content(word) and word not in queue and word not in topic:
            queue.append(word)
            del queue[: max(0, len(queue) - memory.dynamic.size)]
    depth = len(unfinished)
    return {
        word: word[depth] if 0 < depth < len(word) and word[:depth] == unfinished else word[0]
        for word in (*queue, *topic)
    }


@drawn(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=3), st.integers(0, 4))
@settings(max_examples=60, deadline=None)
@pytest.mark.slow
def test_offers_and_queue(
    pieces: Vocabulary, vocabulary: WordVocabulary, give: Give, texts: list[tuple[str, str]], size: int
) -> None:
    memories = [contents(vocabulary, give, before, "page client", size) for before, _ in texts]
    ids = [pieces.encode(text) for _, text in texts]
    longest = max(map(len, ids)) + 1
    previous = torch.tensor([[BOS, *row] + [0] * (longest - 1 - len(row)) for row in ids])
    candidates = Candidates(vocabulary, size)
    trace = trace_candidates(candidates, candidates.start(memories), previous)
    for row, sequence in enumerate(ids):
        for step in range(len(sequence) + 1):
            visible = trace.visible[row, step]
            shown = trace.slots.words[row][visible].tolist()
            offered = trace.offered[row, step][visible].tolist()
            actual = {tuple(filter(None, word)): piece for word, piece in zip(shown, offered, strict=True)}
            assert len(shown) == len(actual)
            assert actual == expected_offers(vocabulary, memories[row], sequence[:step])


def test_a_too_long_word_offers_nothing_and_does_not_enter(vocabulary: WordVocabulary, give: Give) -> None:
    start, body = vocabulary.encode("tablebase")
    candidates = Candidates(vocabulary, 5)
    slots = candidates.start([contents(vocabulary, give, "tables", "", 5)])
    end = vocabulary.encode("the")[0]
    trace = trace_candidates(candidates, slots, torch.tensor([[start] + [body] * 9 + [end]]))
    assert trace.sentence_words == ((),)
    assert trace.offered[0, -1, 0] == start
