"""The table model of a project's segments. It reads each segment from the session when it is needed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import IntEnum
from itertools import groupby
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from anaphora.core.consistency import Inconsistency, TermReport, inconsistencies
from anaphora.core.drafts import match_of, proposal_of
from anaphora.core.edits import ChangeSet, Resegmentation
from anaphora.core.language_pair import Pair
from anaphora.core.segment import Segment, Status
from anaphora.core.tags import labels_of, readable_tags
from anaphora.editor.appearance.theme import language_name
from anaphora.project.document.progress import DONE
from anaphora.project.document.session import DocumentSession

Index = QModelIndex | QPersistentModelIndex
TERMS_IN_TIP = 3
"""Maximum number of inconsistent terms in a tool tip."""


class Column(IntEnum):
    NUMBER = 0
    SOURCE = 1
    STATUS = 2
    TARGET = 3


class Role(IntEnum):
    SEGMENT = Qt.ItemDataRole.UserRole + 1
    INCONSISTENT = Qt.ItemDataRole.UserRole + 2
    WARNINGS = Qt.ItemDataRole.UserRole + 3
    DOCUMENT = Qt.ItemDataRole.UserRole + 4
    CHANGED = Qt.ItemDataRole.UserRole + 5
    UNSURE = Qt.ItemDataRole.UserRole + 6
    NUMBER = Qt.ItemDataRole.UserRole + 7
    COMMENTED = Qt.ItemDataRole.UserRole + 20
    INFLUENCE = Qt.ItemDataRole.UserRole + 8
    DOUBTFUL_WORDS = Qt.ItemDataRole.UserRole + 9
    DOUBT = Qt.ItemDataRole.UserRole + 10


class SegmentModel(QAbstractTableModel):
    """Number, source, status and target of each segment that the filter includes.

    Rows count only the displayed segments. Numbers count all segments of the session.

    Signals:
        resegmented: the first and the last row of the new segments, after a join or a split.
        unfiltered: emitted when a join or a split has removed the filter.
    """

    resegmented = Signal(int, int)
    unfiltered = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: DocumentSession | None = None
        self._inconsistent: dict[str, tuple[Inconsistency, ...]] = {}
        self._warnings: dict[str, tuple[str, ...]] = {}
        self._documents: dict[str, str] = {}
        self._rows: list[int] | None = None
        self._pair = Pair()
        self._providers: dict[int, Callable[[str], Any]] = {
            Role.CHANGED: _return_false,
            Role.UNSURE: _return_false,
            Role.COMMENTED: _return_false,
            Role.DOUBTFUL_WORDS: _return_empty,
            Role.INFLUENCE: _return_empty,
            Role.INCONSISTENT: self._words_to_mark,
            Role.WARNINGS: lambda segment_id: self._warnings.get(segment_id, ()),
            Role.DOUBT: self.doubt,
        }

    @property
    def session(self) -> DocumentSession | None:
        return self._session

    def set_session(
        self, session: DocumentSession | None, documents: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """Show a session, if any. The names in `documents` (by id) are shown if there are several."""
        self.beginResetModel()
        if self._session is not None:
            self._session.applied.disconnect(self._refresh)
            self._session.resegmenting.disconnect(self._begin_resegmentation)
            self._session.resegmented.disconnect(self._end_resegmentation)
        self._session = session
        self._inconsistent = {}
        self._warnings.clear()
        self._rows = None
        self._documents = dict(documents) if len(documents) > 1 else {}
        if session is not None:
            session.applied.connect(self._refresh)
            session.resegmenting.connect(self._begin_resegmentation)
            session.resegmented.connect(self._end_resegmentation)
        self.endResetModel()

    def set_pair(self, pair: Pair) -> None:
        self._pair = pair
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(Column) - 1)

    def show_reports(self, reports: Sequence[TermReport]) -> None:
        """Mark the segments with inconsistent terms. `reports` must cover all terms of the document."""
        old, self._inconsistent = self._inconsistent, inconsistencies(reports)
        new = self._inconsistent
        self.refresh([key for key in old.keys() | new.keys() if old.get(key) != new.get(key)])

    def is_inconsistent(self, segment_id: str) -> bool:
        return bool(self._inconsistencies(segment_id))

    def _inconsistencies(self, segment_id: str) -> list[Inconsistency]:
        segment, terms = self.segment(self.row_of(segment_id)), self._inconsistent.get(segment_id, ())
        is_done = segment is not None and segment.status in DONE
        return [each for each in terms if not (is_done and each.chosen in each.segment_forms)]

    def _words_to_mark(self, segment_id: str) -> tuple[str, ...]:
        terms = self._inconsistencies(segment_id)
        return tuple(dict.fromkeys(word for each in terms for word in (each.term, *each.segment_forms)))

    def set_warnings(self, segment_id: str, warnings: tuple[str, ...]) -> None:
        before = self._warnings.get(segment_id, ())
        if before != warnings:
            self._warnings[segment_id] = warnings
            self.refresh([segment_id])

    def provide(self, role: Role, provider: Callable[[str], Any]) -> None:
        self._providers[role] = provider

    def is_unsure(self, segment_id: str) -> bool:
        return bool(self._providers[Role.UNSURE](segment_id))

    def is_doubted(self, segment: Segment) -> bool:
        return self.is_unsure(segment.id) or bool(proposal_of(segment.state))

    def refresh(self, segment_ids: Collection[str]) -> None:
        rows = sorted({row for each in segment_ids if (row := self.row_of(each)) >= 0})
        for _, run in groupby(enumerate(rows), lambda each: each[1] - each[0]):
            group = [row for _, row in run]
            self.dataChanged.emit(self.index(group[0], 0), self.index(group[-1], len(Column) - 1))

    # Filtering

    @property
    def is_filtered(self) -> bool:
        return self._rows is not None

    def set_filter(self, numbers: Sequence[int] | None) -> None:
        """Show only the segments with these numbers (sorted, counted from 0); None shows all."""
        self.beginResetModel()
        self._rows = None if numbers is None else list(numbers)
        self.endResetModel()

    def number(self, row: int) -> int:
        """The number, counted from 0, of the segment in a row."""
        return row if self._rows is None else self._rows[row]

    def number_of(self, segment_id: str) -> int:
        """The displayed number of a segment, counted from 1; 0 for an unknown segment."""
        if self._session is None or not self._session.document.has(segment_id):
            return 0
        return self._session.document.row(segment_id) + 1

    def segment(self, row: int) -> Segment | None:
        if self._session is None or row < 0:
            return None
        # This must be fast, because it runs a thousand times for each frame.
        document, rows = self._session.document, self._rows
        if rows is None:
            return document.at(row) if row < len(document) else None
        return document.at(rows[row]) if row < len(rows) else None

    def document_at(self, row: int) -> str:
        """The name of the document that begins in a row; "" if none does, or if there is only one."""
        segment = self.segment(row) if self._documents else None
        if segment is None:
            return ""
        before = self.segment(row - 1)
        is_new = before is None or before.document != segment.document
        return self._documents.get(segment.document, "") if is_new else ""

    def row_of(self, segment_id: str) -> int:
        """The row of a segment; -1 if it is unknown or not displayed."""
        if self._session is None or not self._session.document.has(segment_id):
            return -1
        number = self._session.document.row(segment_id)
        if self._rows is None:
            return number
        row = bisect_left(self._rows, number)
        return row if self._rows[row : row + 1] == [number] else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802
        if parent.isValid() or self._session is None:
            return 0
        return len(self._session.document) if self._rows is None else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable if index.isValid() else Qt.ItemFlag(0)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: N802
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            languages = self._pair.of_texts
            sides = language_name(languages.source), language_name(languages.target)
            return (self.tr("No."), sides[0], self.tr("Status"), sides[1])[section]
        if role == Qt.ItemDataRole.ToolTipRole and orientation is Qt.Orientation.Horizontal:
            return self.tr("Status") if section == Column.STATUS else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        segment = self.segment(index.row())
        if segment is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(segment, index.row(), Column(index.column()))
        if role == Role.SEGMENT:
            return segment
        if (provider := self._providers.get(role)) is not None:
            return provider(segment.id)
        if role == Role.DOCUMENT:
            return self.document_at(index.row())
        if role == Role.NUMBER:
            return self.number(index.row()) + 1
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == Column.STATUS:
            return self._status_tip(segment)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._accessible_text(segment, index.row(), Column(index.column()))
        return None

    def status_names(self) -> Mapping[Status, str]:
        return {
            Status.NOT_STARTED: self.tr("Not started"),
            Status.DRAFT: self.tr("Machine draft"),
            Status.EDITED: self.tr("Edited"),
            Status.CONFIRMED: self.tr("Confirmed"),
            Status.LOCKED: self.tr("Locked"),
        }

    def state_name(self, segment: Segment) -> str:
        if proposal_of(segment.state):
            return self.tr("Tentative: press Tab to use it")
        status = self._status_name(segment)
        return self.tr("{0}, low confidence").format(status) if self.is_unsure(segment.id) else status

    def _status_name(self, segment: Segment) -> str:
        if segment.state.approved:
            return self.tr("Approved")
        if percent := match_of(segment.state):
            return self.tr("{0}% match").format(percent)
        return self.status_names()[segment.status]

    def doubt(self, segment_id: str) -> str:
        """A note about a proposal, low confidence or invented words; "" for other segments."""
        segment = self.segment(self.row_of(segment_id))
        if segment is not None and proposal_of(segment.state):
            return self.tr("Tentative: this draft is probably too poor to edit. Press Tab to use it anyway.")
        invented = [word.word for word in self._providers[Role.DOUBTFUL_WORDS](segment_id) if word.invented]
        lines = []
        if self.is_unsure(segment_id):
            lines.append(self.tr("Low confidence: this draft may be wrong. Check it against the source."))
        if invented:
            words = ", ".join(dict.fromkeys(invented))
            lines.append(self.tr("Possibly not a real word: {0}").format(words))
        return "\n".join(lines)

    def _text(self, segment: Segment, row: int, column: Column) -> str:
        match column:
            case Column.NUMBER:
                return str(self.number(row) + 1)
            case Column.SOURCE:
                return segment.source
            case Column.STATUS:
                return ""
            case Column.TARGET:
                return segment.target

    def _accessible_text(self, segment: Segment, row: int, column: Column) -> str:
        if column is Column.STATUS:
            return self._status_name(segment)
        if column is Column.NUMBER:
            text = self.tr("Segment {0}, {1}").format(self.number(row) + 1, self.state_name(segment))
            if self._providers[Role.CHANGED](segment.id):
                text = self.tr("{0}, the draft has changed").format(text)
            if self._providers[Role.COMMENTED](segment.id):
                text = self.tr("{0}, with comments").format(text)
            document = self.document_at(row)
            return self.tr("{0}, beginning of {1}").format(text, document) if document else text
        labels = labels_of(segment)
        if column is Column.TARGET and (proposal := proposal_of(segment.state)):
            return self.tr("Tentative: {0}").format(readable_tags(proposal, labels))
        return readable_tags(self._text(segment, row, column), labels)

    def _status_tip(self, segment: Segment) -> str:
        lines = [self._status_name(segment), *self._warnings.get(segment.id, ())]
        for each in self._inconsistencies(segment.id)[:TERMS_IN_TIP]:
            renderings = ", ".join(each.renderings)
            lines.append(self.tr("“{0}” has several translations: {1}").format(each.term, renderings))
        if self._providers[Role.CHANGED](segment.id):
            lines.append(self.tr("The draft has changed since you saw it."))
        if doubt := self.doubt(segment.id):
            lines.append(doubt)
        return "\n".join(lines)

    def _begin_resegmentation(self, change: Resegmentation) -> None:
        if self.is_filtered:
            # The change may renumber later segments, so the filter's numbers become invalid.
            self.set_filter(None)
            self.unfiltered.emit()
        first = self.row_of(change.before[0].id)
        old, new = len(change.before), len(change.after)
        if new > old:
            self.beginInsertRows(QModelIndex(), first + old, first + new - 1)
        elif new < old:
            self.beginRemoveRows(QModelIndex(), first + new, first + old - 1)

    def _end_resegmentation(self, change: Resegmentation) -> None:
        if len(change.after) > len(change.before):
            self.endInsertRows()
        elif len(change.after) < len(change.before):
            self.endRemoveRows()
        first = self.row_of(change.after[0].id)
        last = first + len(change.after) - 1
        self.dataChanged.emit(self.index(first, 0), self.index(last, len(Column) - 1))
        self.resegmented.emit(first, last)

    def _refresh(self, changes: ChangeSet) -> None:
        self.refresh(changes.segments)


def _return_false(segment_id: str) -> bool:
    return False


def _return_empty(segment_id: str) -> tuple[()]:
    return ()
