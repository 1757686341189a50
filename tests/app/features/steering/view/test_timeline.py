"""The timeline and simultaneous changes in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QModelIndex, Qt

from anaphora.core.document import Document
from anaphora.core.segment import Segment
from anaphora.features.steering.feature import Steering
from anaphora.features.steering.view.list_dialog import TimelineDialog
from anaphora.project.document.editing import Editing
from anaphora.project.document.session import DocumentSession

STEPS = 60


@pytest.fixture
def window(qtbot, make_window, document, drafted):
    """A window with a document and some steps in its history."""
    made = make_window(path=document)
    drafted(made)
    for number in range(STEPS):
        made.controller.editing.replace_texts({made.model.segment(0).id: f"own {number}"}, "typing")
    return made


@pytest.fixture
def timeline(window) -> TimelineDialog:
    window.of(Steering).controller.show_timeline()
    return window.findChild(TimelineDialog)


def names(timeline: TimelineDialog) -> list[str]:
    model = timeline.steps.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def test_the_timeline_closes_with_its_document_during_a_jump(qtbot, window, timeline) -> None:
    timeline.steps.setCurrentIndex(timeline.steps.model().index(0, 0))
    QCoreApplication.processEvents()
    window.controller.close()
    qtbot.waitUntil(lambda: window.findChild(TimelineDialog) is None, timeout=5000)


def test_the_timeline_closes_when_another_document_is_opened(qtbot, window, timeline, tmp_path) -> None:
    other = tmp_path / "另一个.zh.txt"
    other.write_text("另一句。\n", "utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.findChild(TimelineDialog) is None, timeout=20000)


def test_the_list_shows_a_step_that_replaces_an_undone_one(qtbot, window, timeline) -> None:
    timeline.steps.setCurrentIndex(timeline.steps.model().index(STEPS - 1, 0))
    editing = window.controller.editing
    qtbot.waitUntil(lambda: editing.stack.index() == STEPS - 1, timeout=5000)
    editing.replace_texts({window.model.segment(1).id: "another"}, "another")
    assert names(timeline)[-1] == "another: segment 2"
    assert timeline.steps.currentIndex().row() == STEPS


def test_rows_have_the_height_of_the_style(window, timeline) -> None:
    QCoreApplication.processEvents()
    first = timeline.steps.model().index(0, 0)
    assert timeline.steps.visualRect(first).height() == timeline.steps.sizeHintForRow(0)


def test_the_list_names_each_step_after_opening(qtbot) -> None:
    session = DocumentSession("d", Document("d", [Segment("a", "甲"), Segment("b", "乙")]))
    editing = Editing(session)
    dialog = TimelineDialog(editing)
    qtbot.addWidget(dialog)
    assert names(dialog) == ["when opened"] and dialog.steps.currentIndex().row() == 0
    editing.type_text("b", "B")
    editing.copy_source("a")
    assert names(dialog) == ["when opened", "typing: segment 2", "copying the source: segment 1"]
    assert dialog.steps.currentIndex().row() == 2
    editing.undo()
    assert dialog.steps.currentIndex().row() == 1 and len(names(dialog)) == 3
    model = dialog.steps.model()
    assert model.rowCount(model.index(0, 0)) == 0, "a flat list"
    assert model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole) is None
    assert model.data(QModelIndex()) is None
    dialog.steps.setCurrentIndex(model.index(0, 0))
    qtbot.waitUntil(lambda: editing.stack.index() == 0, timeout=5000)
    assert session.document.get("b").target == ""
