"""What the dynamic and topic caches hold (Kuang et al., 2018, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from anaphora_nmt.memory.contents import Contents, Contribution, DocumentInfo, Reader
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.steering import MemoryRule
from anaphora_nmt.types import MemoryEntry, MemorySection

DYNAMIC, TOPIC = "dynamic", "topic"
"""Names of the two caches, and of the sections of their view."""


@dataclass(frozen=True, slots=True)
class DynamicWords:
    """The dynamic cache (Kuang et al., 2018, 4.1.1): first in, first out; a known word stays where it is.

    Attributes:
        size: |c_d|. words: oldest first.
        clocks: number of the finished sentence that each word entered with.
    """

    size: int
    words: tuple[Word, ...] = ()
    clocks: tuple[int, ...] = ()

    def write(self, given: Contribution, clock: int) -> DynamicWords:
        queue = dict(zip(self.words, self.clocks, strict=True))
        for word in given.words:
            if word in queue:
                continue
            queue[word] = clock
            if len(queue) > self.size:
                del queue[next(iter(queue))]
        return DynamicWords(self.size, tuple(queue), tuple(queue.values()))


@dataclass(frozen=True, slots=True)
class WordContents(Contents):
    """The words of both caches; the topic's by descending probability, under a label.

    Attributes:
        weights: p(w|z) of each topic word; None: a user added it; empty where nobody asks.
    """

    dynamic: DynamicWords = field(default_factory=lambda: DynamicWords(0))
    topic: tuple[Word, ...] = ()
    weights: tuple[float | None, ...] = ()
    label: str = ""

    @classmethod
    def of_document(cls, dynamic_size: int, topic_size: int, document: DocumentInfo) -> WordContents:
        """Before the first segment: the most probable words of the topic that can be spelled as one word."""
        dynamic, topic = DynamicWords(dynamic_size), document.topic
        if topic is None:
            return cls(dynamic)
        vocabulary = document.vocabulary
        words = [(vocabulary.encode(word), weight) for word, weight in topic.words]
        unique = {word: weight for word, weight in reversed(words) if vocabulary.is_content(word)}
        kept = tuple(reversed(unique.items()))[:topic_size]
        return cls(dynamic, tuple(word for word, _ in kept), tuple(weight for _, weight in kept), topic.label)

    def begun_by(self, rules: Sequence[MemoryRule], vocabulary: WordVocabulary) -> WordContents:
        """The topic without the words that a user took away, and with those that a user added, first."""
        said = {rule.word: rule.weight > 0 for rule in rules if rule.topic}
        if not said:
            return self
        weights: tuple[float | None, ...] = self.weights or (None,) * len(self.topic)
        known = dict(zip(self.topic, weights, strict=True))
        words = {text: vocabulary.encode(text) for text in said}
        added = [words[text] for text, wanted in said.items() if wanted and words[text] not in known]
        taken = {words[text] for text, wanted in said.items() if not wanted}
        topic = {word: None for word in added if vocabulary.is_content(word)} | known
        kept = {word: weight for word, weight in topic.items() if word not in taken}
        return replace(self, topic=tuple(kept), weights=tuple(kept.values()))

    @property
    def listed(self) -> tuple[tuple[Word, str], ...]:
        """Dynamic words, oldest first, then the topic words not among them; each with its cache's name."""
        known = set(self.dynamic.words)
        topic = [(word, TOPIC) for word in self.topic if word not in known]
        return (*((word, DYNAMIC) for word in self.dynamic.words), *topic)

    def after(self, given: Contribution, segment: int, clock: int) -> WordContents:
        return replace(self, dynamic=self.dynamic.write(given, clock))

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        """The topic's words by descending weight, and the dynamic ones, newest first."""
        topical = tuple(
            MemoryEntry(reader.text(word), weight=weight)
            for word, weight in zip(self.topic, self.weights, strict=True)
        )
        newest = zip(reversed(self.dynamic.words), reversed(self.dynamic.clocks), strict=True)
        recent = tuple(
            MemoryEntry(reader.text(word), last_use=reader.clock - 1 - clock) for word, clock in newest
        )
        return (
            MemorySection(TOPIC, "Topic words", topical, self.label, takes_topic_rules=True),
            MemorySection(DYNAMIC, "Recent words", recent),
        )
