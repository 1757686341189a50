"""The table model."""

from __future__ import annotations

from inverses import inverse_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from anaphora.core.consistency import Rendering, TermReport
from anaphora.core.document import Document
from anaphora.core.draft_report import DraftReport
from anaphora.core.edits import Resegmentation
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.table.segment_model import Column, Role, SegmentModel
from anaphora.project.document.session import DocumentSession


def make(count: int = 3) -> tuple[SegmentModel, DocumentSession]:
    session = DocumentSession("d", Document("d", [Segment(str(n), f"第{n}句") for n in range(count)]))
    model = SegmentModel()
    model.set_session(session)
    return model, session


def test_the_model_passes_qts_model_tester(qtbot):
    model, session = make()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    session.set_states({"1": SegmentState("two", Status.EDITED)})
    model.set_session(None)
    assert model.rowCount() == 0


def test_screen_readers_get_the_status(qtbot):
    model, session = make()
    session.set_states({"0": SegmentState("one", Status.CONFIRMED)})
    role = Qt.ItemDataRole.AccessibleTextRole
    assert model.index(0, Column.STATUS).data(role) == "Confirmed"
    assert "Confirmed" in model.index(0, Column.NUMBER).data(role)


def test_marks_follow_inconsistent_terms(qtbot):
    model, _ = make()
    ledger, book = Rendering("ledger", ("9",), ("ledger",)), Rendering("book", ("2",), ("book",))
    model.show_reports((TermReport("节点", (Rendering("a", ("0",), ("a",)), ledger), 2),))
    assert list(model.index(0, 0).data(Role.INCONSISTENT)) == ["节点", "a"]
    model.show_reports((TermReport("账本", (ledger, book), 2),))
    marked = [list(model.index(row, 0).data(Role.INCONSISTENT)) for row in range(3)]
    assert marked == [[], [], ["账本", "book"]]
    tip = model.index(2, Column.STATUS).data(Qt.ItemDataRole.ToolTipRole)
    assert "“账本” has several translations: ledger, book" in tip.splitlines()
    assert "账本" not in model.index(0, Column.STATUS).data(Qt.ItemDataRole.ToolTipRole)


def test_a_filter_shows_only_some_segments(qtbot):
    model, _ = make(6)
    assert not model.is_filtered and [model.number(row) for row in (0, 5)] == [0, 5]
    model.set_filter([1, 4])
    assert model.is_filtered and model.rowCount() == 2
    assert [model.index(row, Column.NUMBER).data() for row in (0, 1)] == ["2", "5"]
    assert [model.index(row, 0).data(Role.NUMBER) for row in (0, 1)] == [2, 5]
    assert model.segment(1).id == "4" and model.segment(2) is None and model.segment(-1) is None
    assert [model.row_of(each) for each in ("1", "4", "0", "2", "5", "9")] == [0, 1, -1, -1, -1, -1]
    assert [model.number_of(each) for each in ("0", "4", "9")] == [1, 5, 0], "in the document, from 1"
    model.set_filter(None)
    assert not model.is_filtered and model.rowCount() == 6 and model.row_of("4") == 4
    assert model.segment(6) is None
    empty = SegmentModel()
    assert empty.number_of("1") == 0 and empty.row_of("1") == -1 and empty.segment(0) is None


def test_a_proposal_counts_as_doubtful_and_is_announced(qtbot):
    model, session = make()
    session.set_states({"0": SegmentState(report=DraftReport(proposal="{1}Perhaps{/1}"))})
    session.set_states({"1": SegmentState("Surely", Status.DRAFT)})
    assert [model.is_doubted(segment) for segment in session.document] == [True, False, False]
    role = Qt.ItemDataRole.AccessibleTextRole
    assert model.index(0, Column.TARGET).data(role).startswith("Tentative: ")
    assert model.index(0, Column.SOURCE).data(role) == "第0句"
    assert model.index(1, Column.TARGET).data(role) == "Surely"
    model.provide(Role.UNSURE, lambda segment_id: segment_id == "1")
    assert [model.is_doubted(segment) for segment in session.document] == [True, True, False]


def test_joins_and_splits_insert_and_remove_rows(qtbot):
    model, session = make(5)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    seen: list[object] = []
    model.rowsRemoved.connect(lambda _, first, last: seen.append(("removed", first, last)))
    model.rowsInserted.connect(lambda _, first, last: seen.append(("inserted", first, last)))
    model.dataChanged.connect(lambda first, last: seen.append((first.row(), last.row(), last.column())))
    model.resegmented.connect(lambda first, last: seen.append(("now", first, last)))
    three = tuple(session.document)[1:4]
    join = Resegmentation("d", three, (Segment("1", "第1句第2句第3句"),))
    session.apply_resegmentation(join)
    assert seen == [("removed", 2, 3), (1, 1, 3), ("now", 1, 1)] and model.rowCount() == 3
    seen.clear()
    session.apply_resegmentation(inverse_of(join))
    assert seen == [("inserted", 2, 3), (1, 3, 3), ("now", 1, 3)] and model.rowCount() == 5
    seen.clear()
    moved = (Segment("1", "第1"), Segment("2", "句第2句"))
    session.apply_resegmentation(Resegmentation("d", three[:2], moved))
    assert seen == [(1, 2, 3), ("now", 1, 2)], "the number of rows is the same"
    seen.clear()
    model.unfiltered.connect(lambda: seen.append("all shown"))
    model.set_filter([1, 2])
    session.apply_resegmentation(Resegmentation("d", moved, three[:2]))
    assert seen == ["all shown", (1, 2, 3), ("now", 1, 2)] and not model.is_filtered
