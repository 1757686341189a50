"""The memory of one document: a fold over its segments in order, each contributing its target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from anaphora_nmt.config import MemoryConfig
from anaphora_nmt.errors import UnknownSegmentError
from anaphora_nmt.memory.confirmed import ConfirmedPieces
from anaphora_nmt.memory.contents import CacheContents, Contribution, DynamicWords, MemorySnapshot
from anaphora_nmt.memory.topics import Topic
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.types import MemoryVersion, SlotView, WeightedWord

_STRIDE = 64


@dataclass(frozen=True, slots=True)
class ReaderView:
    """A snapshot as a reader sees it.

    Attributes:
        slots: the continuous cache by words, most recently used first.
        slot_members: for each of `slots`, the slots of its pieces (columns of `ForcedDecoding.matching`).
        confirmed: (word, id of its segment, its columns in `ForcedDecoding.following`), oldest first.
        dynamic_words: newest first; weight = finished segments since it entered.
        topic: label; empty without a topic.
        topic_words: by descending weight.
    """

    slots: tuple[SlotView, ...]
    slot_members: tuple[tuple[int, ...], ...]
    confirmed: tuple[tuple[str, str, tuple[int, ...]], ...]
    dynamic_words: tuple[WeightedWord, ...]
    topic: str
    topic_words: tuple[WeightedWord, ...]


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a segment offers: its confirmed target counts before its draft.

    Attributes:
        counts: what enters the memory; a draft does only where `drafts_count`.
    """

    draft: Contribution | None = None
    confirmed: Contribution | None = None
    drafts_count: bool = True

    @property
    def counts(self) -> Contribution | None:
        if self.confirmed is None and self.drafts_count:
            return self.draft
        return self.confirmed


class DocumentMemory:
    """Contributions by segment, and the memory before any segment.

    The memory is folded from the contributions whenever it is asked for, forwards from the nearest of a
    few kept snapshots, so it cannot depend on the order in which segments were translated. A contribution
    is a function of source and target pieces alone: entering equal pieces again changes nothing, and
    confirming a draft as it stands leaves the revision where it is.

    Attributes:
        segments: ids, in document order.
    """

    def __init__(
        self,
        document: str,
        segments: Sequence[str],
        config: MemoryConfig,
        vocabulary: WordVocabulary,
        topic: Topic | None = None,
    ) -> None:
        self.segments = tuple(segments)
        self._index = {segment: number for number, segment in enumerate(self.segments)}
        self._vocabulary = vocabulary
        self._version = MemoryVersion(document, 0)
        self._topic = topic
        self._topic_words = topic_cache(topic, config, vocabulary)
        self._follows = config.confirmed is not None
        self._empty = _Entry(drafts_count=config.drafts)
        self._entries: dict[int, _Entry] = {}
        self._kept = {0: empty_snapshot(config, tuple(word for word, _ in self._topic_words))}
        self._latest = 0, self._kept[0]

    @property
    def version(self) -> MemoryVersion:
        """Its revision grows with each change of what the segments contribute."""
        return self._version

    def index(self, segment: str) -> int:
        """Position of a segment.

        Raises:
            UnknownSegmentError: the document has no such segment.
        """
        try:
            return self._index[segment]
        except KeyError:
            raise UnknownSegmentError(
                f"document {self._version.document} has no segment {segment}; open the document again"
            ) from None

    def draft(self, index: int, contribution: Contribution) -> None:
        """Enter segment `index`'s draft; kept underneath where the segment is confirmed."""
        self._replace(index, replace(self._entry(index), draft=contribution))

    def confirm(self, index: int, contribution: Contribution) -> None:
        """Enter a human's translation in place of the draft."""
        confirmed = replace(contribution, confirmed=self._follows)
        self._replace(index, replace(self._entry(index), confirmed=confirmed))

    def forget(self, index: int) -> None:
        """Undo `confirm`: the draft, or nothing, contributes again."""
        self._replace(index, replace(self._entry(index), confirmed=None))

    def adopt(self, other: DocumentMemory, moved: Mapping[str, str]) -> frozenset[str]:
        """Take over contributions from the memory of the same document as it was cut before.

        Args:
            moved: by a segment's id there, its id here; the others begin without a contribution.
        Returns:
            ids here of the segments that contribute something now.
        """
        for old, new in moved.items():
            entry = other._entries.get(other.index(old))
            if entry is not None and entry.counts is not None:
                self._entries[self.index(new)] = entry
        self._version = replace(self._version, revision=other.version.revision + 1)
        self._kept = {0: self._kept[0]}
        self._latest = 0, self._kept[0]
        return frozenset(self.segments[number] for number in self._entries)

    def confirmed(self, index: int) -> bool:
        """Whether segment `index` contributes a human's translation."""
        entry = self._entries.get(index)
        return entry is not None and entry.confirmed is not None

    def before(self, index: int) -> MemorySnapshot:
        """The memory before segment `index`: depends on the segments before it only."""
        start, snapshot = self._nearest(index)
        for number in range(start, index):
            entry = self._entries.get(number)
            if entry is not None and entry.counts is not None:
                snapshot = snapshot.after(entry.counts, number)
            if (number + 1) % _STRIDE == 0:
                self._kept[number + 1] = snapshot
        self._latest = index, snapshot
        return snapshot

    def view(self, index: int) -> ReaderView:
        """`before(index)` for a reader."""
        snapshot = self.before(index)
        groups = _by_word(snapshot.cache)
        dynamic = zip(reversed(snapshot.dynamic.words), reversed(snapshot.dynamic.clocks), strict=True)
        text = self._vocabulary.text
        return ReaderView(
            slots=tuple(self._slot_view(snapshot, members) for members in groups),
            slot_members=tuple(groups),
            confirmed=tuple(
                (text(word), self.segments[segment], columns)
                for word, segment, columns in snapshot.confirmed.words()
            ),
            dynamic_words=tuple(
                WeightedWord(text(word), float(snapshot.clock - 1 - clock)) for word, clock in dynamic
            ),
            topic=self._topic.label if self._topic else "",
            topic_words=tuple(WeightedWord(text(word), weight) for word, weight in self._topic_words),
        )

    def _slot_view(self, snapshot: MemorySnapshot, members: tuple[int, ...]) -> SlotView:
        cache = snapshot.cache
        newest = members[0]
        writer = int(cache.writers[newest])
        return SlotView(
            word=self._vocabulary.text(cache.indicators[newest][0]),
            segment=self.segments[writer],
            last_use=snapshot.clock - 1 - int(cache.clocks[newest]),
            confirmed=self.confirmed(writer),
        )

    def _nearest(self, index: int) -> tuple[int, MemorySnapshot]:
        number, snapshot = self._latest
        kept = index // _STRIDE * _STRIDE
        while kept not in self._kept:
            kept -= _STRIDE
        return (number, snapshot) if kept <= number <= index else (kept, self._kept[kept])

    def _entry(self, index: int) -> _Entry:
        return self._entries.get(index, self._empty)

    def _replace(self, index: int, entry: _Entry) -> None:
        old = self._entry(index)
        # the object that was there stays, so that snapshots made of it stay valid
        for known in (old.confirmed, old.draft):
            if known is not None and _same(known, entry.confirmed):
                entry = replace(entry, confirmed=known)
            if known is not None and _same(known, entry.draft):
                entry = replace(entry, draft=known)
        self._entries[index] = entry
        if entry.counts is old.counts:
            return
        self._version = replace(self._version, revision=self._version.revision + 1)
        self._kept = {number: snapshot for number, snapshot in self._kept.items() if number <= index}
        if self._latest[0] > index:
            self._latest = 0, self._kept[0]


def empty_snapshot(config: MemoryConfig, topic: tuple[Word, ...] = ()) -> MemorySnapshot:
    """The memory before the first segment."""
    cache, words = config.continuous_cache, config.word_caches
    return MemorySnapshot(
        CacheContents(cache.size, overwrite=cache.overwrite) if cache else CacheContents(0),
        DynamicWords(words.dynamic_size if words else 0),
        topic,
        confirmed=ConfirmedPieces(config.confirmed.size if config.confirmed else 0),
    )


def topic_cache(
    topic: Topic | None, config: MemoryConfig, vocabulary: WordVocabulary
) -> tuple[tuple[Word, float], ...]:
    """The |c_t| most probable words of a topic that the vocabulary can spell as one word, with p(w|z)."""
    if topic is None or config.word_caches is None:
        return ()
    words = ((vocabulary.encode(word), weight) for word, weight in topic.words)
    unique = {word: weight for word, weight in reversed(list(words)) if vocabulary.is_content(word)}
    return tuple(reversed(unique.items()))[: config.word_caches.topic_size]


def _same(one: Contribution, other: Contribution | None) -> bool:
    return (
        other is not None
        and one.confirmed == other.confirmed
        and one.pieces.tobytes() == other.pieces.tobytes()
    )


def _by_word(cache: CacheContents) -> list[tuple[int, ...]]:
    """Slots of the same word together, most recently used first."""
    groups: dict[Word, list[int]] = {}
    for slot in reversed(cache.recency):
        groups.setdefault(cache.indicators[slot][0], []).append(slot)
    return [tuple(members) for members in groups.values()]
