"""The memory of a document: its segments' contributions in order, after a user's rules have changed them."""

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

Spell = Callable[[Word], str]
"""Returns the spelling of a word."""


def apply_rules(
    contribution: Contribution, segment: str, rules: Sequence[MemoryRule], spell: Spell
) -> Contribution | None:
    """Apply a user's rules to a contribution; None if nothing is left and a rule is for the whole segment."""
    rules = [rule for rule in rules if rule.segment in ("", segment) and not rule.topic]
    if not rules:
        return contribution
    step_rules = list(_step_rules(contribution, segment, rules, spell))
    word_rules = _word_rules(contribution.words, segment, rules, spell)
    words = [word for word, rule in zip(contribution.words, word_rules, strict=True) if _is_remembered(rule)]
    kept = [step for step, rule in enumerate(step_rules) if _is_remembered(rule)]
    if not kept and not words and any(not rule.word for rule in rules):
        return None
    return replace(
        contribution.at(kept),
        words=tuple(words),
        weights=tuple(1.0 if (rule := step_rules[step]) is None else rule.weight for step in kept),
        pinned=tuple((rule := step_rules[step]) is not None and rule.pinned for step in kept),
    )


def replace_words(
    pieces: Sequence[int],
    segment: str,
    rules: Sequence[MemoryRule],
    vocabulary: WordVocabulary,
    encode: Callable[[str], Sequence[int]],
) -> list[int]:
    """The pieces of a confirmed text, after rules have replaced words (`MemoryRule.instead`)."""
    pieces = [int(piece) for piece in pieces]
    spans = vocabulary.spans(pieces)
    words = [tuple(pieces[start:end]) for start, end in spans]
    replaced: list[int] = []
    last = 0
    for (start, end), rule in zip(spans, _word_rules(words, segment, rules, vocabulary.text), strict=True):
        if rule is not None and rule.instead:
            replaced += [*pieces[last:start], *encode(rule.instead)]
            last = end
    return [*replaced, *pieces[last:]]


def _is_remembered(rule: MemoryRule | None) -> bool:
    return rule is None or rule.weight > 0


def _word_rules(
    words: Sequence[Word], segment: str, rules: Sequence[MemoryRule], spell: Spell
) -> Iterator[MemoryRule | None]:
    """The last matching rule for each word, or None."""
    for word in words:
        text = spell(word)
        fitting = [rule for rule in rules if rule.applies_to(segment, text)]
        yield fitting[-1] if fitting else None


def _step_rules(
    contribution: Contribution, segment: str, rules: Sequence[MemoryRule], spell: Spell
) -> Iterator[MemoryRule | None]:
    """The last matching rule for each kept step, or None. Outside words, only rules without a word match."""
    steps = zip(contribution.indicators, contribution.in_words, strict=True)
    words = [word for (word, index), inside in steps if inside and index == 0]
    word_rules = _word_rules(words, segment, rules, spell)
    wordless = [rule for rule in rules if not rule.word]
    rule: MemoryRule | None = None
    for (_, index), inside in zip(contribution.indicators, contribution.in_words, strict=True):
        if not inside:
            yield wordless[-1] if wordless else None
            continue
        if index == 0:
            rule = next(word_rules)
        yield rule


_STRIDE = 64
"""Number of segments between two cached snapshots."""
_MAX_DISTANCE = 128
"""Maximum number of preceding segments that `drafts_before` searches; few memories reach further back."""


@dataclass(frozen=True, slots=True)
class _SegmentEntry:
    """A segment's contributions; a confirmed target takes precedence over a draft.

    Attributes:
        corrected: the confirmed target after a user's rules have replaced words; None without a change.
        counts_drafts: whether drafts enter the memory (`MemoryConfig.drafts`).
        is_current: whether the draft may contribute (`DocumentMemory.count_draft`).
        effective: the contribution that enters the memory, or None.
    """

    draft: Contribution | None = None
    confirmed: Contribution | None = None
    corrected: Contribution | None = None
    counts_drafts: bool = True
    is_current: bool = True

    @property
    def effective(self) -> Contribution | None:
        if self.confirmed is None and self.counts_drafts:
            return self.draft if self.is_current else None
        return self.corrected or self.confirmed


class DocumentMemory:
    """The contributions of a document's segments, and the memory before each segment.

    The memory before a segment is computed from the nearest earlier snapshot. It does not depend on the order
    in which segments were translated. Entering the same pieces again changes nothing. Confirming an unchanged
    draft keeps the revision, unless a memory distinguishes confirmed text from drafts.

    Attributes:
        segments: ids, in document order.
        version: the revision grows with each change of the effective contributions, `rules` or `imported`.
        rules: the rules in force.
        imported: (id, contribution) of segments of other documents, which precede the first segment.
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
        self._empty = _SegmentEntry(counts_drafts=config.drafts)
        self._entries: dict[int, _SegmentEntry] = {}
        self._beginning = config.empty(info)
        self.imported: tuple[tuple[str, Contribution], ...] = ()
        self.rules: tuple[MemoryRule, ...] = ()
        self._snapshots, self._latest = {0: self._beginning}, 0

    def draft(self, index: int, contribution: Contribution) -> None:
        """Enter a segment's draft. The draft has no effect while the segment is confirmed."""
        self._replace(index, replace(self._entry(index), draft=contribution, is_current=True))

    def count_draft(self, index: int, counts: bool) -> None:
        """Include or exclude a segment's draft, for instance while another text replaces it."""
        self._replace(index, replace(self._entry(index), is_current=counts))

    def confirm(self, index: int, contribution: Contribution) -> None:
        """Enter a human's translation in place of the draft."""
        confirmed = self._as_confirmed(contribution)
        self._replace(index, replace(self._entry(index), confirmed=confirmed, corrected=None))

    def correct(self, index: int, contribution: Contribution | None) -> None:
        """Replace a confirmed segment's contribution in the memory; None restores the original one."""
        corrected = None if contribution is None else self._as_confirmed(contribution)
        self._replace(index, replace(self._entry(index), corrected=corrected))

    def forget(self, index: int) -> None:
        """Undo `confirm`: the draft, or nothing, contributes again."""
        self._replace(index, replace(self._entry(index), confirmed=None, corrected=None))

    def steer(self, rules: Sequence[MemoryRule]) -> None:
        if tuple(rules) != self.rules:
            self.rules = tuple(rules)
            self._restart()

    def bring_in(self, imported: Sequence[tuple[str, Contribution]]) -> None:
        """Put confirmed segments (id, contribution) of other documents before the first segment.

        These segments replace those of an earlier call.
        """
        if imported or self.imported:
            self.imported = tuple((name, self._as_confirmed(contribution)) for name, contribution in imported)
            self._restart()

    @property
    def confirmed_indexes(self) -> tuple[int, ...]:
        """Indexes of the confirmed segments, in order."""
        return tuple(sorted(number for number in self._entries if self.is_confirmed(number)))

    def is_confirmed_before(self, index: int) -> bool:
        """True if the memory before a segment contains confirmed text of this document or `imported` text."""
        return bool(self.imported) or any(number < index for number in self.confirmed_indexes)

    def corrections(
        self, indexes: Iterable[int], encode: Callable[[str], Sequence[int]]
    ) -> dict[int, list[int] | None]:
        """New pieces for those confirmed segments whose text in the memory does not agree with the rules.

        The pieces are None if the segment's original text must be restored.
        """
        changes: dict[int, list[int] | None] = {}
        for number in indexes:
            entry = self._entry(number)
            if entry.confirmed is None:
                continue
            wanted = original = entry.confirmed.pieces.tolist()
            if any(rule.instead for rule in self.rules):
                wanted = replace_words(original, self.segments[number], self.rules, self._vocabulary, encode)
            current = original if entry.corrected is None else entry.corrected.pieces.tolist()
            if wanted != current:
                changes[number] = None if wanted == original else wanted
        return changes

    def fork(self) -> DocumentMemory:
        other = copy.copy(self)
        other._entries, other._snapshots = dict(self._entries), dict(self._snapshots)
        return other

    def adopt(self, other: DocumentMemory, moved: Mapping[str, str]) -> frozenset[str]:
        """Take over the contributions and rules of `other`, this document's memory before a join or split.

        Rules for segments that `moved` lacks are dropped.

        Args:
            moved: new segment ids by old ids. Segments that are not in `moved` have no contribution yet.
        Returns:
            new ids of the segments that contribute something now.
        """
        places = [(other._index[old], self._index[new]) for old, new in moved.items()]
        for old, new in places:
            if other.contribution(old) is not None:
                self._entries[new] = other._entries[old]
        rules = (replace(rule, segment=moved.get(rule.segment, "")) for rule in other.rules)
        pairs = zip(other.rules, rules, strict=True)
        self.rules = tuple(rule for old, rule in pairs if bool(old.segment) == bool(rule.segment))
        self.imported = other.imported
        self.version = replace(self.version, revision=other.version.revision)
        self._restart()
        return frozenset(self.segments[number] for number in self._entries)

    def is_confirmed(self, index: int) -> bool:
        entry = self._entries.get(index)
        return entry is not None and entry.confirmed is not None

    def counts_fully(self, index: int) -> bool:
        """True if the segment is confirmed and no rule removes, weakens or replaces a word."""
        entry = self._entries.get(index)
        if entry is None or entry.confirmed is None or entry.corrected is not None:
            return False
        remaining = self._apply_rules(entry.confirmed, self.segments[index])
        return (
            remaining is not None
            and len(remaining.indicators) == len(entry.confirmed.indicators)
            and len(remaining.words) == len(entry.confirmed.words)
            and all(weight >= 1 for weight in remaining.weights)
        )

    def contribution(self, index: int) -> Contribution | None:
        return self._entries.get(index, self._empty).effective

    def before(self, index: int) -> MemorySnapshot:
        """The memory before a segment, from `imported`, the earlier segments' contributions, and `rules`."""
        start = max(number for number in self._snapshots if number <= index)
        snapshot = self._snapshots[start]
        for number in range(start, index):
            entry = self._entries.get(number)
            steered = None if entry is None else self._apply_rules(entry.effective, self.segments[number])
            if steered is not None:
                snapshot = snapshot.after(steered, number)
            if (number + 1) % _STRIDE == 0:
                self._snapshots[number + 1] = snapshot
        if self._latest % _STRIDE:
            self._snapshots.pop(self._latest, None)
        self._snapshots[index], self._latest = snapshot, index
        return snapshot

    def drafts_before(self, index: int) -> tuple[tuple[int, Contribution], ...]:
        """(index, draft) of segments shortly before `index`, confirmed or not; without excluded drafts."""
        entries = ((number, self._entry(number)) for number in range(max(0, index - _MAX_DISTANCE), index))
        drafts = ((number, each.draft) for number, each in entries if each.is_current and each.counts_drafts)
        return tuple((number, draft) for number, draft in drafts if draft is not None)

    def contents_of_drafts(
        self, drafts: Iterable[tuple[int, Contribution]], memories: Iterable[str]
    ) -> Mapping[str, Contents]:
        """The contents of some memories for a document with only the given drafts."""
        names = frozenset(memories)
        contents = {name: each for name, each in self._beginning.contents.items() if name in names}
        snapshot = MemorySnapshot(contents).with_rules(self.rules, self._vocabulary)
        for number, draft in drafts:
            steered = self._apply_rules(draft, self.segments[number])
            snapshot = snapshot if steered is None else snapshot.after(steered, number)
        return snapshot.contents

    def reader(self, index: int) -> Reader:
        names = (*self.segments, *(name for name, _ in self.imported))
        return Reader(names, self._is_confirmed_or_imported, self._text, self.segments[index])

    def view(self, index: int) -> MemoryView:
        snapshot, reader = self.before(index), self.reader(index)
        sections = (
            replace(section, memory=name)
            for name, contents in snapshot.contents.items()
            for section in contents.sections(reader)
        )
        return MemoryView(self.segments[index], self.version, tuple(sections))

    def _is_confirmed_or_imported(self, number: int) -> bool:
        return number >= len(self.segments) or self.is_confirmed(number)

    def _as_confirmed(self, contribution: Contribution) -> Contribution:
        return replace(contribution, origin=Origin.CONFIRMED if self._heeds_origin else Origin.DRAFT)

    def _apply_rules(self, contribution: Contribution | None, segment: str) -> Contribution | None:
        return None if contribution is None else apply_rules(contribution, segment, self.rules, self._text)

    def _restart(self) -> None:
        self.version = replace(self.version, revision=self.version.revision + 1)
        snapshot = self._beginning.with_rules(self.rules, self._vocabulary)
        for number, (name, contribution) in enumerate(self.imported, len(self.segments)):
            if (steered := self._apply_rules(contribution, name)) is not None:
                snapshot = snapshot.after(steered, number)
        self._snapshots, self._latest = {0: snapshot}, 0

    def _entry(self, index: int) -> _SegmentEntry:
        return self._entries.get(index, self._empty)

    def _replace(self, index: int, entry: _SegmentEntry) -> None:
        old = self._entry(index)
        # Keep the existing object of an equal contribution, so that snapshots with this object stay valid.
        for known in filter(None, (old.confirmed, old.draft)):
            if _are_equal(known, entry.confirmed):
                entry = replace(entry, confirmed=known)
            if _are_equal(known, entry.draft):
                entry = replace(entry, draft=known)
        self._entries[index] = entry
        if entry.effective is old.effective:
            return
        self.version = replace(self.version, revision=self.version.revision + 1)
        for number in [number for number in self._snapshots if number > index]:
            del self._snapshots[number]


def _are_equal(old: Contribution, new: Contribution | None) -> bool:
    return new is not None and old.origin is new.origin and old.pieces.tobytes() == new.pieces.tobytes()
