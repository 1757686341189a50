"""Whole corpora: many documents side by side, each with a memory of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.pipeline.document import OpenDocument
from anaphora_nmt.pipeline.drafting import Drafter
from anaphora_nmt.pipeline.prepared import prepare_target
from anaphora_nmt.types import SearchOptions, SourceSegment


@dataclass(frozen=True, slots=True)
class CorpusTranslator:
    """Translates documents in batches that go across documents.

    Segment n of every document is translated before any segment n + 1, so each has its whole history.

    Attributes:
        batch: sentences decoded together, at most.
    """

    drafter: Drafter
    vocabulary: WordVocabulary
    memory: MemoryConfig
    topics: TopicModel | None
    batch: int = 24

    def translate(
        self,
        documents: Sequence[Sequence[str]],
        options: SearchOptions,
        confirmed: Sequence[Sequence[str]] | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[list[str]]:
        """Drafts of every segment, in order.

        Args:
            confirmed: targets that enter the memory in place of the drafts, as if a translator
                had confirmed each before the next segment was drafted.
        """
        remembers = (options.continuous_cache and self.memory.continuous_cache is not None) or (
            options.word_caches and self.memory.word_caches is not None
        )
        results: list[list[str]] = [[""] * len(document) for document in documents]
        opened = [self._open(number, document, remembers) for number, document in enumerate(documents)]
        total = sum(map(len, documents))
        done = 0
        for jobs in self._rounds(documents, remembers):
            self._batch(jobs, opened, results, options, confirmed if remembers else None, remembers)
            done += len(jobs)
            if progress is not None:
                progress(done, total)
        return results

    def _rounds(self, documents: Sequence[Sequence[str]], remembers: bool) -> list[list[tuple[int, int]]]:
        """Batches of (document, segment), of like length."""
        places = [(d, s) for d, document in enumerate(documents) for s in range(len(document))]
        places.sort(key=lambda place: (place[1] if remembers else 0, len(documents[place[0]][place[1]])))
        batches: list[list[tuple[int, int]]] = []
        for place in places:
            full = not batches or len(batches[-1]) == self.batch
            if full or (remembers and batches[-1][0][1] != place[1]):
                batches.append([])
            batches[-1].append(place)
        return batches

    def _open(self, number: int, document: Sequence[str], remembers: bool) -> OpenDocument:
        topic = self.topics.infer(document) if remembers and self.topics is not None else None
        segments = [SourceSegment(str(place), text) for place, text in enumerate(document)]
        source = self.drafter.source
        return OpenDocument(str(number), segments, source, self.memory, self.vocabulary, topic)

    def _batch(
        self,
        jobs: Sequence[tuple[int, int]],
        opened: Sequence[OpenDocument],
        results: list[list[str]],
        options: SearchOptions,
        confirmed: Sequence[Sequence[str]] | None,
        remembers: bool,
    ) -> None:
        sources = [opened[d].source(s) for d, s in jobs]
        empty = MemorySnapshot()
        snapshots = [opened[d].memory.before(s) if remembers else empty for d, s in jobs]
        drafts = self.drafter.draft(sources, snapshots, options)
        for (d, s), draft in zip(jobs, drafts, strict=True):
            results[d][s] = draft.text
        if not remembers:
            return
        kept = [confirmed[d][s] if confirmed is not None else results[d][s] for d, s in jobs]
        targets = [
            prepare_target(text, source.line.strings, self.drafter.target)
            for text, source in zip(kept, sources, strict=True)
        ]
        for (d, s), contribution in zip(jobs, self.drafter.contributions(sources, targets), strict=True):
            memory = opened[d].memory
            (memory.draft if confirmed is None else memory.confirm)(s, contribution)
