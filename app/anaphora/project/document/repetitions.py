"""Repetitions: segments with the same source, to which a confirmed translation is propagated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from PySide6.QtCore import QObject

from anaphora.core.document import Document
from anaphora.core.drafts import is_written
from anaphora.core.edits import Resegmentation
from anaphora.core.matching import TaggedText, adapt
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.project.document.session import DocumentSession
from anaphora.project.store.units.confirmed import neighbours
from anaphora.system.background import BackgroundTasks
from anaphora_nmt.types import Repeats


@dataclass(slots=True)
class RepetitionChoice:
    """The user's current choice about repetitions.

    Attributes:
        reach: the repetitions that change; with SAME_BEFORE, only those for which the segment before the
            repetition and the segment before the confirmed segment have the same source.
        confirm_exact: True to confirm the repetitions whose source is identical.
    """

    reach: Repeats = Repeats.ALL
    confirm_exact: bool = False


@dataclass(slots=True)
class Propagation:
    """Effects of a confirmation on other segments.

    Attributes:
        states: new states by segment id.
        adapted: the number of new states for sources that are not identical.
        kept: the number of segments that keep a different text, which a person wrote or confirmed, or which
            came with the file.
        unfit: the number of other segments to which the text could not be adapted.
    """

    states: dict[str, SegmentState]
    adapted: int = 0
    kept: int = 0
    unfit: int = 0


class Repetitions(QObject):
    """Finds segments with the same source, ignoring tags, numbers, case, character width and spaces.

    The index is made off the window's thread. Until it is ready, only identical sources are found. Sources
    without letters must always be identical.
    """

    def __init__(
        self, session: DocumentSession, tasks: BackgroundTasks, choice: RepetitionChoice, parent: QObject
    ) -> None:
        super().__init__(parent)
        self.choice = choice
        self._session, self._tasks = session, tasks
        self._index: _Index | None = None
        self._early_changes: list[Resegmentation] = []
        self._texts: dict[str, str] = {}
        session.resegmented.connect(self._follow)
        segments = list(session.document)
        tasks.start(lambda: _Index(segments), self._set_index, self._fail)

    @property
    def is_ready(self) -> bool:
        return self._index is not None

    def of(self, segment_id: str) -> list[str]:
        """Ids of the other segments with the same source (see the class), in any order."""
        document = self._session.document
        segment = document.get(segment_id)
        if self._index is None:
            return [
                other.id for other in document if other.source == segment.source and other.id != segment_id
            ]
        found = [other for other in self._index.ids_like(segment) if other != segment_id]
        if not any(char.isalpha() for char in segment.source):
            # All numbers have the same folded form, but different numbers are not repetitions.
            return [other for other in found if document.get(other).source == segment.source]
        return found

    def affected_ids(self, segment_id: str) -> list[str]:
        return [] if self.choice.reach is Repeats.NONE else self.of(segment_id)

    def propagation_of(self, segment_id: str, others: Iterable[str]) -> Propagation:
        return self._remember(propagate(self._session.document, segment_id, others, self.choice, self._texts))

    def propagate_later(
        self, segment_id: str, others: Iterable[str], then: Callable[[Document, Propagation], None]
    ) -> None:
        """Compute `propagation_of` off the window's thread; `then` gets the document used and the result."""
        document = Document(self._session.document.name, list(self._session.document))
        earlier, choice = dict(self._texts), replace(self.choice)
        self._tasks.start(
            lambda: propagate(document, segment_id, others, choice, earlier),
            lambda propagation: then(document, self._remember(propagation)),
            self._fail,
        )

    def _remember(self, propagation: Propagation) -> Propagation:
        self._texts.update((key, state.target) for key, state in propagation.states.items())
        return propagation

    def _set_index(self, index: _Index) -> None:
        for change in self._early_changes:
            index.replace(change)
        self._early_changes.clear()
        self._index = index

    def _fail(self, error: Exception) -> None:
        raise error

    def _follow(self, change: Resegmentation) -> None:
        if self._index is None:
            self._early_changes.append(change)
        else:
            self._index.replace(change)


class _Index:
    def __init__(self, segments: Iterable[Segment]) -> None:
        self._ids: dict[str, dict[str, None]] = defaultdict(dict)
        for segment in segments:
            self._add(segment)

    def ids_like(self, segment: Segment) -> list[str]:
        return list(self._ids.get(TaggedText.of(segment).folded, ()))

    def replace(self, change: Resegmentation) -> None:
        for segment in change.before:
            self._ids.get(TaggedText.of(segment).folded, {}).pop(segment.id, None)
        for segment in change.after:
            self._add(segment)

    def _add(self, segment: Segment) -> None:
        if folded := TaggedText.of(segment).folded:
            self._ids[folded][segment.id] = None


def propagate(
    document: Document,
    segment_id: str,
    others: Iterable[str],
    choice: RepetitionChoice,
    earlier: Mapping[str, str] = MappingProxyType({}),
) -> Propagation:
    """The effects of a segment's text on its repetitions, except locked ones and those in another context.

    Args:
        earlier: texts that were propagated earlier, by segment id; they may be replaced.
    """
    segment = document.get(segment_id)
    previous = neighbours(document, document.row(segment_id))[0]
    needs_same_before = choice.reach is Repeats.SAME_BEFORE
    tagged = TaggedText.of(segment)
    propagation = Propagation({})
    for other in map(document.get, others):
        if other.status is Status.LOCKED or other.contexts != segment.contexts:
            continue
        if needs_same_before and previous != neighbours(document, document.row(other.id))[0]:
            continue
        is_exact = other.source == segment.source
        is_same = is_exact and other.tags == segment.tags
        text = segment.target if is_same else adapt(segment.target, tagged, TaggedText.of(other))
        is_propagated = other.status is Status.EDITED and other.target in (text, earlier.get(other.id))
        if is_written(other) and not is_propagated:
            propagation.kept += text is not None and text != other.target
            continue
        if text is None:
            propagation.unfit += 1
            continue
        status = Status.CONFIRMED if choice.confirm_exact and is_exact else Status.EDITED
        if (state := SegmentState(text, status)) != other.state:
            propagation.states[other.id] = state
            propagation.adapted += not is_exact
    return propagation
