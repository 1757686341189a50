"""Translation of whole corpora, in batches of sentences of many documents; each document has a memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from anaphora_nmt.memory.contents import MemorySnapshot
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import TopicModel
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.pipeline.opened.document import OpenDocument
from anaphora_nmt.pipeline.preparing.lines import PreparedLine, prepare_target
from anaphora_nmt.pipeline.searching.drafting import Drafter
from anaphora_nmt.types import SearchOptions, SourceSegment
from anaphora_text.names.table import NameTable

_Sources = Mapping[tuple[int, int], PreparedLine]  # by (document, segment)


@dataclass(frozen=True, slots=True)
class CorpusTranslator:
    """Translates documents in batches of at most `batch` sentences.

    If memories are read, segment n of every document is drafted before any segment n + 1, because the memory
    of segment n + 1 contains segment n.
    """

    drafter: Drafter
    vocabulary: WordVocabulary
    memory: MemoryConfig
    topics: TopicModel | None
    batch: int = 24
    names: NameTable | None = None

    def translate(
        self,
        documents: Sequence[Sequence[str]],
        options: SearchOptions,
        confirmed: Sequence[Sequence[str | None]] | None = None,
        progress: Callable[[int], object] = lambda count: None,
    ) -> list[list[str]]:
        """Drafts of all segments, in order; an empty segment is copied and does not enter the memory.

        Args:
            confirmed: targets that enter the memory instead of the drafts; None to use the draft.
            progress: called with the number of segments finished since the last call.
        """
        # if no memory is read, a history has no effect
        remembers = bool(self.memory.chosen(options.memories))
        results: list[list[str]] = [[""] * len(document) for document in documents]
        opened = [self._open(number, document, remembers) for number, document in enumerate(documents)]
        chosen = confirmed if confirmed is not None else [[None] * len(document) for document in documents]
        for jobs in self._rounds(documents, remembers):
            sources = {(d, s): opened[d].source(s) for d, s in jobs}
            with_text = {place: source for place, source in sources.items() if source.ids}
            for d, s in sources.keys() - with_text.keys():
                results[d][s] = sources[d, s].raw
            self._draft(with_text, opened, results, options, remembers)
            if remembers:
                self._remember(with_text, opened, results, chosen)
            progress(len(jobs))
        return results

    def _rounds(self, documents: Sequence[Sequence[str]], remembers: bool) -> list[list[tuple[int, int]]]:
        """Batches of (document, segment), sorted by length; with memory, a batch has one segment number."""
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
        drafter, memory = self.drafter, (self.memory, self.vocabulary, topic)
        arguments = drafter.source, *memory, drafter.context, self.names, drafter.words
        return OpenDocument(str(number), segments, *arguments)

    def _draft(
        self,
        sources: _Sources,
        opened: Sequence[OpenDocument],
        results: list[list[str]],
        options: SearchOptions,
        remembers: bool,
    ) -> None:
        empty = MemorySnapshot()
        by_memories: dict[frozenset[str], list[tuple[int, int]]] = {}
        for d, s in sources:
            follows = self.memory.follows_confirmed(options.memories)
            repeated = opened[d].repeated_text(s, repeats=options.repeats) if follows else None
            if repeated is not None:
                results[d][s] = repeated
            else:
                read = self.memory.chosen(opened[d].effective_options(options).memories)
                by_memories.setdefault(read, []).append((d, s))
        for read, places in by_memories.items():
            chosen = replace(options, memories={name: name in read for name in self.memory.memories})
            snapshots = [opened[d].memory.before(s) if remembers else empty for d, s in places]
            drafts = self.drafter.draft([sources[place] for place in places], snapshots, chosen)
            for (d, s), draft in zip(places, drafts, strict=True):
                results[d][s] = draft.text

    def _remember(
        self,
        sources: _Sources,
        opened: Sequence[OpenDocument],
        results: Sequence[Sequence[str]],
        confirmed: Sequence[Sequence[str | None]],
    ) -> None:
        if not sources:
            return
        texts = [confirmed[d][s] for d, s in sources]
        sources = {
            (d, s): source if text is None else opened[d].confirm(s, text)
            for ((d, s), source), text in zip(sources.items(), texts, strict=True)
        }
        targets = [
            prepare_target(results[d][s] if text is None else text, source.line.strings, self.drafter.target)
            for ((d, s), source), text in zip(sources.items(), texts, strict=True)
        ]
        contributions = self.drafter.contributions(list(sources.values()), targets)
        for (d, s), text, contribution in zip(sources, texts, contributions, strict=True):
            memory = opened[d].memory
            (memory.draft if text is None else memory.confirm)(s, contribution)
