"""The appearance of details in the window."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel

from anaphora.core.consistency import Origin, Rendering, TermReport
from anaphora.core.segment import SegmentState, Status
from anaphora.editor.table.segment_model import Column, Role
from anaphora.features.documents.feature import Documents
from anaphora.features.drafting.view.suggestions import OfferedText
from anaphora.features.find.feature import Find
from anaphora.features.terms.feature import Terms


@pytest.fixture
def window(qtbot, make_window, document):
    result = make_window(None, document, start=False)
    qtbot.waitUntil(result.table.card.isVisible, timeout=20000)
    return result


def reported(window) -> list[str]:
    """The ids of the segments; the last two drafts have another rendering than the two before them."""
    ids = [segment.id for segment in window.session.document]
    states = [SegmentState("The ledger.", Status.CONFIRMED), SegmentState("The book.", Status.CONFIRMED)]
    states += [SegmentState("The ledger.", Status.DRAFT), SegmentState("The book.", Status.DRAFT)]
    window.session.set_states(dict(zip(ids[1:], states, strict=False)))
    called = [
        Rendering("ledger", (ids[1], ids[3]), ("ledger",)),
        Rendering("book", (ids[2], ids[4]), ("book",)),
    ]
    report = TermReport("账本", tuple(called), 4, (), "ledger", Origin.CONFIRMED)
    window.model.show_reports([report])
    return ids


def test_a_confirmed_chosen_rendering_is_not_marked(window) -> None:
    ids = reported(window)
    assert [window.model.is_inconsistent(each) for each in ids[1:5]] == [False, True, True, True]
    assert not window.model.index(1, 0).data(Role.INCONSISTENT)


def test_the_dot_of_a_changed_row_is_beside_the_mark(window) -> None:
    ids = reported(window)
    window.table.go_to_row(6)

    def picture() -> QImage:
        cell = window.table.visualRect(window.model.index(3, Column.STATUS))
        right = QRect(cell.center().x(), cell.top(), cell.width() // 2, cell.height())
        return window.table.viewport().grab(right).toImage()

    plain = picture()
    window.model.provide(Role.CHANGED, lambda key: key == ids[3])
    assert picture() == plain, "the mark is not painted over"


def test_only_one_bar_is_shown_below_the_document(qtbot, window) -> None:
    offer, find = window.of(Terms).bar, window.of(Find).bar
    offer.offer(3)
    assert offer.isVisible()
    window.actions_by_name["find"].trigger()
    assert find.isVisible() and not offer.isVisible()
    window.of(Documents).exporting.exported.emit(Path("out.docx"))
    assert "Exported to" in window.status_line.currentMessage()
    assert find.needle.hasFocus(), "a bar that appears by itself does not take the focus"
    find.close_bar()
    assert window.of(Documents).exported_bar.isVisible() and not find.isVisible() and not offer.isVisible()
    window.actions_by_name["find"].trigger()
    assert find.needle.hasFocus()


def test_suggestions_are_laid_out_again_when_they_change(qtbot, window) -> None:
    panel = window.docks.suggestions
    window.docks.raise_panel("suggestions", focus=False)
    panel.waiting_changed.emit(True)
    for texts in (["short", "second"], ["long words " * 40, "second"], ["short", "second " * 40, "third"]):
        panel.show_offers([OfferedText(each) for each in texts], [], True)

        def are_laid_out(count: int = len(texts)) -> None:
            rects = [panel.list.visualItemRect(panel.list.item(row)) for row in range(count)]
            assert all(rect.height() >= panel.list.sizeHintForRow(row) for row, rect in enumerate(rects))
            assert all(one.bottom() < other.top() for one, other in pairwise(rects))
            assert panel.list.height() >= rects[-1].bottom()

        qtbot.waitUntil(are_laid_out, timeout=10000)


def test_the_count_of_hits_is_not_cut_off(qtbot, window) -> None:
    window.resize(1280, 800)
    window.actions_by_name["replace"].trigger()
    bar = window.of(Find).bar
    for text in ("1 of 14 (proposed drafts only: 5)", "14 segments, 5 of them proposed drafts"):
        bar.show_status(text)

        def is_whole(text: str = text) -> bool:
            (label,) = (each for each in bar.findChildren(QLabel) if each.text() == text)
            return label.isVisible() and label.fontMetrics().horizontalAdvance(text) <= label.width()

        qtbot.waitUntil(is_whole, timeout=10000)
        assert bar.status.text() == text
