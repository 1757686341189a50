"""The memory of one document: a fold over its segments in order, each contributing its target."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anaphora_nmt.memory.contents import Contents, Contribution, DocumentInfo, MemorySnapshot, Origin, Reader
from anaphora_nmt.memory.registry import MemoryConfig
from anaphora_nmt.memory.words import Word, WordVocabulary
from anaphora_nmt.steering import MemoryRule
from anaphora_nmt.types import MemoryVersion, MemoryView

Spelled = Callable[[Word], str]
"""A word as it is written."""


def steered(
    given: Contribution, segment: str, rules: Sequence[MemoryRule], spelled: Spelled
) -> Contribution | None:
    """A contribution as rules leave it; None if nothing of the segment is to be remembered."""
    rules = [rule for rule in rules if rule.segment in ("", segment) and not rule.topic]
    if not rules:
        return given
    of_steps = list(_of_steps(given, segment, rules, spelled))
    words = [
        word
        for word, rule in zip(given.words, _of_words(given.words, segment, rules, spelled), strict=True)
        if _remembered(rule)
    ]
    kept = [step for step, rule in enumerate(of_steps) if _remembered(rule)]
    if not kept and not words and any(not rule.word for rule in rules):
        return None
    return replace(
        given.at(kept),
        words=tuple(words),
        weights=tuple(1.0 if (rule := of_steps[step]) is None else rule.weight for step in kept),
        pinned=tuple((rule := of_steps[step]) is not None and rule.pinned for step in kept),
    )


def corrected(
    pieces: Sequence[int],
    segment: str,
    rules: Sequence[MemoryRule],
    vocabulary: WordVocabulary,
    encode: Callable[[str], Sequence[int]],
) -> list[int]:
    """A confirmed text's pieces with what rules put in place of its words."""
    pieces = [int(piece) for piece in pieces]
    spans = vocabulary.spans(pieces)
    words = [tuple(pieces[start:end]) for start, end in spans]
    found: list[int] = []
    last = 0
    for (start, end), rule in zip(spans, _of_words(words, segment, rules, vocabulary.text), strict=True):
        if rule is not None and rule.instead:
            found += [*pieces[last:start], *encode(rule.instead)]
            last = end
    return [*found, *pieces[last:]]


def _remembered(rule: MemoryRule | None) -> bool:
    return rule is None or rule.weight > 0


def _of_words(
    words: Sequence[Word], segment: str, rules: Sequence[MemoryRule], spelled: Spelled
) -> Iterator[MemoryRule | None]:
    """For each word the rule that counts."""
    for word in words:
        text = spelled(word)
        fitting = [rule for rule in rules if rule.fits(segment, text)]
        yield fitting[-1] if fitting else None


def _of_steps(
    given: Contribution, segment: str, rules: Sequence[MemoryRule], spelled: Spelled
) -> Iterator[MemoryRule | None]:
    steps = zip(given.indicators, given.in_words, strict=True)
    begun = [word for (word, index), inside in steps if inside and index == 0]
    of_words = _of_words(begun, segment, rules, spelled)
    marks = [rule for rule in rules if not rule.word]
    rule: MemoryRule | None = None
    for (_, index), inside in zip(given.indicators, given.in_words, strict=True):
        if not inside:
            yield marks[-1] if marks else None
            continue
        if index == 0:
            rule = next(of_words)
        yield rule


_STRIDE = 64
_DRAFTS = 128
"""Segments whose drafts are looked at where nothing is to count as confirmed; few memories hold more."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A segment's contribution: its confirmed target counts before its draft.

    Attributes:
        corrected: what is remembered in place of the confirmed target, by a user's rules.
        stands: whether the draft is what stands in the segment, as far as it is not confirmed.
        counts: what enters the memory; a draft does only where it stands and `drafts_count`.
    """

    draft: Contribution | None = None
    confirmed: Contribution | None = None
    corrected: Contribution | None = None
    drafts_count: bool = True
    stands: bool = True

    @property
    def counts(self) -> Contribution | None:
        if self.confirmed is None and self.drafts_count:
            return self.draft if self.stands else None
        return self.corrected or self.confirmed


class DocumentMemory:
    """Contributions by segment, and the memory before any segment, folded from the nearest of a few
    snapshots.

    So it cannot depend on the order in which segments were translated. Entering equal pieces again changes
    nothing, and confirming a draft as it stands leaves the revision where it is.

    Attributes:
        segments: ids, in document order.
        version: its revision grows with each change of what the segments contribute.
        rules, imported: in force, and brought in: (name, contribution).
    """

    def __init__(
        self, document: str, segments: Sequence[str], config: MemoryConfig, info: DocumentInfo
    ) -> None:
        self.segments = tuple(segments)
        self._index = {segment: number for number, segment in enumerate(self.segments)}
        self._vocabulary = info.vocabulary
        self._text = functools.cache(info.vocabulary.text)
        self.version = MemoryVersion(document, 0)
        self._heeds_origin = config.heeds_origin
        self._empty = _Entry(drafts_count=config.drafts)
        self._entries: dict[int, _Entry] = {}
        self._beginning = config.empty(info)
        self.imported: tuple[tuple[str, Contribution], ...] = ()
        self.rules: tuple[MemoryRule, ...] = ()
        self._kept, self._latest = {0: self._beginning}, 0

    def draft(self, index: int, contribution: Contribution) -> None:
        """Enter segment `index`'s draft; kept underneath where the segment is confirmed."""
        self._replace(index, replace(self._entry(index), draft=contribution, stands=True))

    def count_draft(self, index: int, counts: bool) -> None:
        """True if segment `index`'s draft counts: not if another text replaces it."""
        self._replace(index, replace(self._entry(index), stands=counts))

    def confirm(self, index: int, contribution: Contribution) -> None:
        """Enter a human's translation in place of the draft."""
        self._replace(index, replace(self._entry(index), confirmed=self._human(contribution), corrected=None))

    def correct(self, index: int, contribution: Contribution | None) -> None:
        """Remember something in place of what a human confirmed; None: that."""
        corrected = None if contribution is None else self._human(contribution)
        self._replace(index, replace(self._entry(index), corrected=corrected))

    def forget(self, index: int) -> None:
        """Undo `confirm`: the draft, or nothing, contributes again."""
        self._replace(index, replace(self._entry(index), confirmed=None, corrected=None))

    def steer(self, rules: Sequence[MemoryRule]) -> None:
        if tuple(rules) != self.rules:
            self.rules = tuple(rules)
            self._begin_anew()

    def bring_in(self, imported: Sequence[tuple[str, Contribution]]) -> None:
        """Let other documents' confirmed segments (name, contribution) come first, in place of those that
        did."""
        if imported or self.imported:
            self.imported = tuple((name, self._human(given)) for name, given in imported)
            self._begin_anew()

    @property
    def confirmed_places(self) -> tuple[int, ...]:
        """Numbers of the confirmed segments, in order."""
        return tuple(sorted(number for number in self._entries if self.confirmed(number)))

    def is_confirmed_before(self, index: int) -> bool:
        """True if a human's text counts before segment `index`, of this document or a pack."""
        return bool(self.imported) or any(number < index for number in self.confirmed_places)

    def corrections(
        self, places: Iterable[int], encode: Callable[[str], Sequence[int]]
    ) -> dict[int, list[int] | None]:
        """The pieces that rules put in place of confirmed segments' (None: their own), where these are not
        held."""
        found: dict[int, list[int] | None] = {}
        for number in places:
            entry = self._entry(number)
            if entry.confirmed is None:
                continue
            wanted = own = entry.confirmed.pieces.tolist()
            if any(rule.instead for rule in self.rules):
                wanted = corrected(own, self.segments[number], self.rules, self._vocabulary, encode)
            held = own if entry.corrected is None else entry.corrected.pieces.tolist()
            if wanted != held:
                found[number] = None if wanted == own else wanted
        return found

    def fork(self) -> DocumentMemory:
        other = copy.copy(self)
        other._entries, other._kept = dict(self._entries), dict(self._kept)
        return other

    def adopt(self, other: DocumentMemory, moved: Mapping[str, str]) -> frozenset[str]:
        """Take over contributions from the memory of the same document as it was cut before.

        Args:
            moved: by a segment's id there, its id here; the others begin without a contribution.
        Returns:
            ids here of the segments that contribute something now.
        """
        places = [(other._index[old], self._index[new]) for old, new in moved.items()]
        for old, new in places:
            if other.written(old) is not None:
                self._entries[new] = other._entries[old]
        rules = (replace(rule, segment=moved.get(rule.segment, "")) for rule in other.rules)
        same = zip(other.rules, rules, strict=True)
        self.rules = tuple(rule for was, rule in same if bool(was.segment) == bool(rule.segment))
        self.imported = other.imported
        self.version = replace(self.version, revision=other.version.revision)
        self._begin_anew()
        return frozenset(self.segments[number] for number in self._entries)

    def confirmed(self, index: int) -> bool:
        entry = self._entries.get(index)
        return entry is not None and entry.confirmed is not None

    def as_confirmed(self, index: int) -> bool:
        """True if everything confirmed in segment `index` counts, and no rule weakens it."""
        entry = self._entries.get(index)
        if entry is None or entry.confirmed is None or entry.corrected is not None:
            return False
        left = self._steered(entry.confirmed, self.segments[index])
        return (
            left is not None
            and len(left.indicators) == len(entry.confirmed.indicators)
            and len(left.words) == len(entry.confirmed.words)
            and all(weight >= 1 for weight in left.weights)
        )

    def written(self, index: int) -> Contribution | None:
        """Segment `index`'s contribution, or None."""
        return self._entries.get(index, self._empty).counts

    def before(self, index: int) -> MemorySnapshot:
        """The memory before segment `index`: depends on what the segments before it contribute alone."""
        start = max(number for number in self._kept if number <= index)
        snapshot = self._kept[start]
        for number in range(start, index):
            entry = self._entries.get(number)
            counts = None if entry is None else self._steered(entry.counts, self.segments[number])
            if counts is not None:
                snapshot = snapshot.after(counts, number)
            if (number + 1) % _STRIDE == 0:
                self._kept[number + 1] = snapshot
        if self._latest % _STRIDE:
            self._kept.pop(self._latest, None)
        self._kept[index], self._latest = snapshot, index
        return snapshot

    def drafts_before(self, index: int) -> tuple[tuple[int, Contribution], ...]:
        """The last segments before segment `index` that have a draft, confirmed or not: (number, draft)."""
        entries = ((number, self._entry(number)) for number in range(max(0, index - _DRAFTS), index))
        drafts = ((number, entry.draft) for number, entry in entries if entry.stands and entry.drafts_count)
        return tuple((number, draft) for number, draft in drafts if draft is not None)

    def of_drafts(
        self, drafts: Iterable[tuple[int, Contribution]], memories: Iterable[str]
    ) -> Mapping[str, Contents]:
        """The content of some memories for a document with only these drafts."""
        names = frozenset(memories)
        contents = {name: held for name, held in self._beginning.contents.items() if name in names}
        snapshot = MemorySnapshot(contents).begun_by(self.rules, self._vocabulary)
        for number, draft in drafts:
            counts = self._steered(draft, self.segments[number])
            snapshot = snapshot if counts is None else snapshot.after(counts, number)
        return snapshot.contents

    def reader(self, index: int) -> Reader:
        names = (*self.segments, *(name for name, _ in self.imported))
        return Reader(names, self._is_confirmed, self._text, self.segments[index])

    def view(self, index: int) -> MemoryView:
        snapshot, reader = self.before(index), self.reader(index)
        sections = (
            replace(section, memory=name)
            for name, contents in snapshot.contents.items()
            for section in contents.sections(reader)
        )
        return MemoryView(self.segments[index], self.version, tuple(sections))

    def _is_confirmed(self, number: int) -> bool:
        return number >= len(self.segments) or self.confirmed(number)

    def _human(self, contribution: Contribution) -> Contribution:
        return replace(contribution, origin=Origin.CONFIRMED if self._heeds_origin else Origin.DRAFT)

    def _steered(self, given: Contribution | None, segment: str) -> Contribution | None:
        return None if given is None else steered(given, segment, self.rules, self._text)

    def _begin_anew(self) -> None:
        self.version = replace(self.version, revision=self.version.revision + 1)
        snapshot = self._beginning.begun_by(self.rules, self._vocabulary)
        for number, (name, given) in enumerate(self.imported, len(self.segments)):
            if (counts := self._steered(given, name)) is not None:
                snapshot = snapshot.after(counts, number)
        self._kept, self._latest = {0: snapshot}, 0

    def _entry(self, index: int) -> _Entry:
        return self._entries.get(index, self._empty)

    def _replace(self, index: int, entry: _Entry) -> None:
        old = self._entry(index)
        # keep the existing object, so that its snapshots stay valid
        for known in filter(None, (old.confirmed, old.draft)):
            if _same(known, entry.confirmed):
                entry = replace(entry, confirmed=known)
            if _same(known, entry.draft):
                entry = replace(entry, draft=known)
        self._entries[index] = entry
        if entry.counts is old.counts:
            return
        self.version = replace(self.version, revision=self.version.revision + 1)
        self._kept = {number: snapshot for number, snapshot in self._kept.items() if number <= index}


def _same(one: Contribution, other: Contribution | None) -> bool:
    return other is not None and one.origin is other.origin and one.pieces.tobytes() == other.pieces.tobytes()
