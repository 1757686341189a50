"""The table model."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester

from anaphora.core.consistency import Inconsistency
from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.document.session import DocumentSession
from anaphora.views.editor.segment_model import Column, Role, SegmentModel


def make(count: int = 3) -> tuple[SegmentModel, DocumentSession]:
    session = DocumentSession("d", Document("d", [Segment(str(n), f"第{n}句") for n in range(count)]))
    model = SegmentModel()
    model.set_session(session)
    return model, session


def test_it_keeps_the_rules_of_item_models(qtbot):
    model, session = make()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    session.set_states({"1": SegmentState("two", Status.EDITED)})
    model.set_session(None)
    assert model.rowCount() == 0


def test_a_change_refreshes_its_row_only(qtbot):
    model, session = make()
    rows = []
    model.dataChanged.connect(lambda first, last: rows.append((first.row(), last.row())))
    session.set_states({"1": SegmentState("two", Status.EDITED)})
    assert rows == [(1, 1)]
    assert model.index(1, Column.TARGET).data() == "two"


def test_screen_readers_hear_the_status(qtbot):
    model, session = make()
    session.set_states({"0": SegmentState("one", Status.CONFIRMED)})
    role = Qt.ItemDataRole.AccessibleTextRole
    assert model.index(0, Column.STATUS).data(role) == "Confirmed"
    assert "Confirmed" in model.index(0, Column.NUMBER).data(role)


def test_marks_follow_what_is_inconsistent(qtbot):
    model, _ = make()
    ledger, book = (Inconsistency("账本", (text,), ("ledger", "book")) for text in ("ledger", "book"))
    model.set_inconsistent({"0": (ledger,), "2": (book,)})
    model.set_inconsistent({"2": (book,)})
    marked = [list(model.index(row, 0).data(Role.INCONSISTENT)) for row in range(3)]
    assert marked == [[], [], ["账本", "book"]]
    tip = model.index(2, Column.STATUS).data(Qt.ItemDataRole.ToolTipRole)
    assert "“账本” is rendered in several ways: ledger, book" in tip.splitlines()
    assert "账本" not in model.index(0, Column.STATUS).data(Qt.ItemDataRole.ToolTipRole)
