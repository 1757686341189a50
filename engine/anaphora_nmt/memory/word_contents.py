"""The contents of the dynamic and topic caches (Kuang et al., 2018, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from anaphora_nmt.memory.contents import Contents, Contribution, DocumentInfo, Reader
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.steering import MemoryRule
from anaphora_nmt.types import MemoryEntry, MemorySection

DYNAMIC, TOPIC = "dynamic", "topic"
"""Names of the two caches, and of the view's sections."""


@dataclass(frozen=True, slots=True)
class DynamicWords:
    """The dynamic cache (Kuang et al., 2018, 4.1.1): first in, first out; a repeated word keeps its position.

    Attributes:
        size: |c_d|.
        words: oldest first.
        writers: number of the segment that put each word into the queue.
    """

    size: int
    words: tuple[Word, ...] = ()
    writers: tuple[int, ...] = ()

    def write(self, contribution: Contribution, segment: int) -> DynamicWords:
        queue = dict(zip(self.words, self.writers, strict=True))
        for word in contribution.words:
            if word in queue:
                continue
            queue[word] = segment
            if len(queue) > self.size:
                del queue[next(iter(queue))]
        return DynamicWords(self.size, tuple(queue), tuple(queue.values()))


@dataclass(frozen=True, slots=True)
class WordContents(Contents):
    """The words of both caches.

    Attributes:
        topic: the topic words, by descending probability.
        label: the topic's label for display; empty without a topic.
    """

    dynamic: DynamicWords = field(default_factory=lambda: DynamicWords(0))
    topic: tuple[Word, ...] = ()
    label: str = ""

    @classmethod
    def of_document(cls, dynamic_size: int, topic_size: int, document: DocumentInfo) -> WordContents:
        """The contents before the first segment: the topic's most probable content words, if any."""
        dynamic, topic = DynamicWords(dynamic_size), document.topic
        if topic is None:
            return cls(dynamic)
        vocabulary = document.vocabulary
        words = dict.fromkeys(vocabulary.encode(word) for word, _ in topic.words)
        kept = [word for word in words if vocabulary.is_content(word)][:topic_size]
        return cls(dynamic, tuple(kept), topic.label)

    def with_rules(self, rules: Sequence[MemoryRule], vocabulary: WordVocabulary) -> WordContents:
        """Remove the topic words that a user excluded."""
        excluded = {vocabulary.encode(rule.word) for rule in rules if rule.topic}
        return replace(self, topic=tuple(word for word in self.topic if word not in excluded))

    @property
    def listed(self) -> tuple[tuple[Word, str], ...]:
        """(word, cache's name): the dynamic words, oldest first, then the topic words not among these."""
        known = set(self.dynamic.words)
        topic = [(word, TOPIC) for word in self.topic if word not in known]
        return (*((word, DYNAMIC) for word in self.dynamic.words), *topic)

    def after(self, contribution: Contribution, segment: int) -> WordContents:
        return replace(self, dynamic=self.dynamic.write(contribution, segment))

    def sections(self, reader: Reader) -> tuple[MemorySection, ...]:
        """The topic words, most probable first, and the dynamic words, newest first."""
        topical = tuple(MemoryEntry(reader.text(word)) for word in self.topic)
        newest = zip(reversed(self.dynamic.words), reversed(self.dynamic.writers), strict=True)
        recent = tuple(
            MemoryEntry(reader.text(word), reader.segments[writer], reader.confirmed(writer))
            for word, writer in newest
        )
        return (
            MemorySection(TOPIC, "Topic words", topical, self.label, takes_topic_rules=True),
            MemorySection(DYNAMIC, "Recent words", recent),
        )
