"""An open document: its segments, its memory, and what it learned from confirmed segments."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from rapidfuzz import fuzz, process

from anaphora_nmt.config import CamnConfig
from anaphora_nmt.errors import UnknownSegmentError
from anaphora_nmt.memory.contents import Contribution, DocumentInfo
from anaphora_nmt.memory.document import DocumentMemory
from anaphora_nmt.memory.document_context import NONE, context_places
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import WordVocabulary
from anaphora_nmt.pipeline.opened.document_corrections import CorrectedPhrase, DocumentCorrections
from anaphora_nmt.pipeline.opened.drafts import PlainDrafts
from anaphora_nmt.pipeline.preparing.lines import ContextLine, PreparedLine, prepare_source
from anaphora_nmt.quality.evidence import Evidence
from anaphora_nmt.text.confirmed_words import ConfirmedWords
from anaphora_nmt.text.proper_names import DocumentNames
from anaphora_nmt.text.tags import strip_tags
from anaphora_nmt.text.vocabulary import Vocabulary
from anaphora_nmt.text.word_list import WordList
from anaphora_nmt.types import (
    BroughtIn,
    Correction,
    Repeats,
    SearchOptions,
    SourceSegment,
    SourceTerm,
)
from anaphora_text.names.table import NameTable


@dataclass(frozen=True, slots=True)
class WordTranslation:
    """The translation of a remembered word; its fields are described at `MemoryUse`."""

    translates: str = ""
    rivals: tuple[str, ...] = ()
    expected: float = 0.0
    is_clear: bool = False


class OpenDocument:
    """Segments in order, and the state that depends on them.

    Attributes:
        texts: sources of the segments.
        memory, names, words, corrections: the document's memory, proper names, confirmed words, corrections.
        changes: a number that grows when `names` or `words` may change; prepared sources are then outdated.
        plain: drafts that ignore confirmed text.
        decoded: cached evidence of decoded confirmed pairs (source, target).
        drafts, required: the last draft of each segment, and terms for the corrections that it follows.
        translated: cached text and word translations of a target, by segment and the target's pieces.
    """

    def __init__(
        self,
        name: str,
        segments: Sequence[SourceSegment],
        source: Vocabulary,
        config: MemoryConfig,
        vocabulary: WordVocabulary,
        topic: Topic | None,
        context: CamnConfig | None = None,
        names: NameTable | None = None,
        words: WordList | None = None,
    ) -> None:
        self._name = name
        self.texts = [segment.text for segment in segments]
        self._most = [segment.most for segment in segments]
        self._same: dict[str, list[int]] = {}  # segments by source
        for number, text in enumerate(self.texts):
            self._same.setdefault(text, []).append(number)
        self._targets: dict[int, str] = {}  # the confirmed targets
        self._brought: frozenset[tuple[str, str]] = frozenset()  # pairs of packs and matches
        self.changes = 0
        self._index = {segment.id: number for number, segment in enumerate(segments)}
        self._source = source
        self.names = DocumentNames(names, self.texts)
        self.words = ConfirmedWords(words)
        self._context = context
        self._ids = [segment.id for segment in segments]
        self.translated: dict[tuple[int, bytes], tuple[str, dict[str, WordTranslation]]] = {}
        self.plain = PlainDrafts()
        self.decoded: dict[tuple[str, str], Evidence] = {}
        self.corrections = DocumentCorrections()
        self.drafts: dict[int, str] = {}
        self.required: dict[int, tuple[SourceTerm, ...]] = {}
        self._config, self._topic = config, topic
        self.memory = DocumentMemory(name, self._ids, config, DocumentInfo(vocabulary, topic))

    def fork(self) -> OpenDocument:
        """A copy that changes independently; caches of decoded texts are shared."""
        other = copy.copy(self)
        other.memory = self.memory.fork()
        other.names = self.names.fork()
        other.words = self.words.fork()
        other.corrections = self.corrections.fork()
        other.drafts, other.required = dict(self.drafts), dict(self.required)
        other._targets = dict(self._targets)
        other.plain = self.plain.fork()
        return other

    def adopt(self, other: OpenDocument, moved: Mapping[str, str]) -> frozenset[str]:
        """Take over the drafts and learned data of `other`, this document before a join or split.

        Args:
            moved: new segment ids by old ids. Segments that are not in `moved` have no contribution yet.
        Returns:
            new ids of the segments that contribute something now.
        Raises:
            UnknownSegmentError: one of the documents lacks an id of `moved`.
        """
        places = [(other.index(old), self.index(new)) for old, new in moved.items()]
        self.changes += 1
        self.names.adopt(other.names, moved)
        self.words.adopt(other.words, moved)
        self.corrections.adopt(other.corrections, moved)
        self._brought = other._brought
        self._targets = {new: other._targets[old] for old, new in places if old in other._targets}
        self.drafts = {new: other.drafts[old] for old, new in places if old in other.drafts}
        return self.memory.adopt(other.memory, moved)

    def has_segment(self, segment: str) -> bool:
        return segment in self._index

    def index(self, segment: str) -> int:
        """The segment's index. Raises UnknownSegmentError if the document lacks the segment."""
        if segment not in self._index:
            raise UnknownSegmentError(f"document {self._name!r} has no segment {segment!r}")
        return self._index[segment]

    def source(self, index: int) -> PreparedLine:
        """Prepare the segment's source with its context; this takes milliseconds and is not cached."""
        prepared = prepare_source(self.texts[index], self._source, self.names.find)
        words = self.words
        prepared = replace(prepared, optional_words=words.dropped, confirmed_words=words.new)
        prepared = replace(prepared, max_length=self._most[index])
        if self._context is None:
            return prepared
        places = context_places(index, len(self.texts), self._context)
        lines = (None if place == NONE else self._context_line(place, self._context) for place in places)
        return replace(prepared, context=tuple(lines))

    def effective_options(self, options: SearchOptions) -> SearchOptions:
        """The options with the memories that suit the document's topic (`MemoryConfig.choice_for`)."""
        return replace(options, memories=self._config.choice_for(self._topic, options.memories))

    def corrected_phrases(self, index: int, source: PreparedLine) -> list[CorrectedPhrase]:
        return self.corrections.find(self._ids[index], source.line.plain)

    def note_draft(
        self, index: int, text: str, required: tuple[SourceTerm, ...], contribution: Contribution
    ) -> None:
        """Store a segment's new draft, which enters the memory unless the segment is confirmed."""
        self.memory.draft(index, contribution)
        self.drafts[index], self.required[index] = text, required

    def set_renderings(self, index: int, terms: Sequence[SourceTerm]) -> None:
        """Use the terms' first forms as renderings of proper names in the segment's source."""
        text = self.texts[index]
        renderings = {text[term.start : term.end]: term.forms[0] for term in terms if term.forms}
        self.changes += self.names.set_renderings(text, renderings)

    def next_to_draft(self, index: int, count: int, max_length: int) -> list[int]:
        """At most `count` of the next 4 · count segments; empty, confirmed and too long ones are left out."""
        places = range(index + 1, min(len(self.texts), index + 1 + 4 * count))
        short = (n for n in places if len(self.texts[n]) <= max_length)
        wanted = (n for n in short if self.texts[n].strip() and not self.memory.is_confirmed(n))
        return list(islice(wanted, count))

    def repeated_text(
        self, index: int, terms: Sequence[SourceTerm] = (), repeats: Repeats = Repeats.ALL
    ) -> str | None:
        """The confirmed text of the last earlier segment with the same source that `repeats` allows.

        Texts that the user's rules change do not count. None if there is no such text or it violates a term.
        """
        number = next(self._confirmed_alike(index, repeats), None)
        if number is None:
            return None
        target = self._targets[number]
        return target if all(term.kept_in(target) for term in terms) else None

    def repeated_segment(self, index: int, target: str) -> str:
        """Id of the last earlier segment with the same source and this confirmed target, or ""."""
        alike = self._confirmed_alike(index, Repeats.ALL)
        return next((self._ids[number] for number in alike if self._targets[number] == target), "")

    def is_confirmed(self, index: int, target: str) -> bool:
        """True if this target was confirmed for the same source in an earlier segment, a pack or a match."""
        return bool(self.repeated_segment(index, target)) or (self.texts[index], target) in self._brought

    def _confirmed_alike(self, index: int, repeats: Repeats) -> Iterator[int]:
        """Earlier segments with the same source and a confirmed target that counts, latest first."""
        if repeats is Repeats.NONE:
            return
        for number in reversed(self._same[self.texts[index]]):
            fits = repeats is Repeats.ALL or self._text_before(number) == self._text_before(index)
            if number < index and fits and number in self._targets and self.memory.counts_fully(number):
                yield number

    def _text_before(self, index: int) -> str:
        return self.texts[index - 1] if index else ""

    def confirmed_before(self, index: int) -> Iterator[tuple[str, str]]:
        """Pairs that were confirmed in earlier segments, latest first, then pairs of packs and matches."""
        places = sorted((place for place in self._targets if place < index), reverse=True)
        yield from ((self.texts[place], self._targets[place]) for place in places)
        yield from sorted(self._brought)

    def resembles_confirmed(self, index: int, percent: float) -> bool:
        """True if the source's similarity to a source of `confirmed_before` is at least this percentage."""
        sources = [source for source, _ in self.confirmed_before(index)]
        match = process.extractOne(self.texts[index], sources, scorer=fuzz.ratio, score_cutoff=percent)
        return match is not None

    def confirm(
        self, index: int, target: str, learned: Iterable[Correction] = (), draft: str = ""
    ) -> PreparedLine:
        """Learn from a segment's confirmed target and its corrections; returns the newly prepared source."""
        source = strip_tags(self.texts[index])[0]
        self.corrections.learn(self._ids[index], source, target, learned, draft)
        if target.strip():
            self._targets[index] = target
        else:
            self._targets.pop(index, None)
        self.changes += 1
        self.names.confirm(self._ids[index], self.texts[index], target)
        self.words.confirm(self._ids[index], self.texts[index], target)
        return self.source(index)

    def unconfirm(self, index: int) -> None:
        self._targets.pop(index, None)
        self.changes += 1
        self.corrections.release(self._ids[index])
        self.names.release(self._ids[index])
        self.words.release(self._ids[index])

    def bring_in(self, packs: Sequence[BroughtIn]) -> None:
        """Replace the pairs and corrections from outside the document."""
        self.changes += 1
        brought = [pair for pack in packs for pair in pack.pairs]
        self.corrections.bring_in(each for pack in packs for each in pack.corrections)
        self._brought = frozenset(brought)
        self.words.bring_in(brought)

    def _context_line(self, place: int, config: CamnConfig) -> ContextLine | None:
        ids = prepare_source(self.texts[place], self._source, self.names.find).ids
        return ContextLine(self._ids[place], self._source.marked(ids)[: config.longest]) if ids else None
