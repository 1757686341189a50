"""Counts of words, repetitions within and across documents, and progress."""

from __future__ import annotations

import csv
import io
from types import SimpleNamespace
from typing import cast

import pytest
from PySide6.QtWidgets import QTreeWidget

from anaphora.core.draft_report import DraftReport
from anaphora.core.edits import ChangeSet, Edit
from anaphora.core.length_limits import WordCount
from anaphora.core.project import DocumentInfo
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.table_text import as_table
from anaphora.features.statistics.counting import count_documents, total
from anaphora.features.statistics.view.dialog import StatisticsDialog
from anaphora.project.document.following import OpenProject
from anaphora.project.document.progress import count_progress


def info(identifier: str, name: str) -> DocumentInfo:
    return DocumentInfo(identifier, name, "", "txt", "", "", 0, 0, "")


def segment(key: str, source: str, target: str = "", status: Status = Status.NOT_STARTED) -> Segment:
    return Segment(key, source, SegmentState(target, status), document=key[0])


SEGMENTS = [
    segment("1/a", "账本 {1}API{/1}。", "The ledger API.", Status.CONFIRMED),
    segment("1/b", "缓存。"),
    segment("1/c", "缓存。", "Cache.", Status.DRAFT),
    segment("2/a", "缓存。", "Cache.", Status.EDITED),
    segment("2/b", "Locked text", "Locked text", Status.LOCKED),
    segment("2/c", "Locked text"),
]


def test_words_repetitions_and_progress() -> None:
    first, second, empty = count_documents(SEGMENTS, [info("1", "a"), info("2", "b"), info("3", "c")])
    assert (first.segments, first.source, first.target) == (3, WordCount(6, 1), WordCount(0, 4))
    assert first.characters == 12, "with punctuation, without tags and spaces"
    assert (first.repeated, first.repeated_words.total) == (1, 2)
    assert (second.repeated, second.repeated_words.total) == (2, 4)
    assert first.by_status[Status.CONFIRMED] == 1 and second.by_status[Status.LOCKED] == 1
    assert empty.segments == 0
    whole = total([first, second, empty], "all")
    assert (whole.segments, whole.source.total, whole.repeated) == (6, 13, 3)
    assert whole.by_status.total() == 6


def test_matches_are_counted_by_bands_and_proposals_as_such() -> None:
    proposed = Segment("1/d", "区块", SegmentState(report=DraftReport(proposal="Block")), document="1")
    percents = (101, 100, 97, 94, 75, 74, 0)
    documents = [info("1", "a"), info("2", "b")]
    counted = count_documents([*SEGMENTS, proposed], documents, percents.__getitem__)
    whole = total(counted, "")
    assert whole.by_band == {101: 1, 100: 1, 95: 1, 85: 1, 75: 1, 0: 2}
    assert whole.words_by_band[101] == 3 and whole.characters_by_band[0] == 12
    assert counted[0].proposed == whole.proposed == 1


def test_bands_without_segments_are_not_listed(qtbot) -> None:
    dialog = StatisticsDialog(count_documents(SEGMENTS[:1], [info("1", "a")], lambda _: 0))
    qtbot.addWidget(dialog)
    bands = dialog.findChildren(QTreeWidget)[-1]
    items = [bands.topLevelItem(number) for number in range(bands.topLevelItemCount())]
    assert [item.text(0) for item in items if not item.isHidden()] == ["New"]


def test_confirmed_segments_are_listed_even_if_there_are_none(qtbot) -> None:
    dialog = StatisticsDialog(count_documents(SEGMENTS[1:2], [info("1", "a")]))
    qtbot.addWidget(dialog)
    table = dialog.findChildren(QTreeWidget)[0]
    shown = {dialog.rows[0][each] for each in range(table.columnCount()) if not table.isColumnHidden(each)}
    assert {"Words", "Segments", "Confirmed"} <= shown and not {"Edited", "Approved"} & shown


def test_tables_can_be_pasted() -> None:
    rows = [("Document", "Words"), ('a "b", c.md', 7)]
    assert list(csv.reader(io.StringIO(as_table(rows)))) == [["Document", "Words"], ['a "b", c.md', "7"]]
    assert as_table(rows, "\t").splitlines()[0] == "Document\tWords"


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "＝", "＋", "－", "＠", " =", "\n=", "\t"])
def test_formulas_are_pasted_as_text(start: str) -> None:
    cell = f"{start}HYPERLINK(1)"
    assert list(csv.reader(io.StringIO(as_table([(cell, "after")]), newline=""))) == [[f"'{cell}", "after"]]


def test_lines_of_a_cell_are_not_rows() -> None:
    """A line break in a cell must not begin a new row."""
    for lines in ("a\r=1+1", "a\r\n=1+1", "a\n=1+1"):
        table = as_table([(lines, "after")], "\t")
        assert "\r" not in table
        assert list(csv.reader(io.StringIO(table, newline=""), delimiter="\t")) == [["a\n=1+1", "after"]]


@pytest.mark.parametrize("cell", ["", "-12.5%", "+1,200", 7, "a=b", "账本"])
def test_numbers_and_other_texts_stay_as_they_are(cell: object) -> None:
    assert list(csv.reader(io.StringIO(as_table([(cell, "after")])))) == [[str(cell), "after"]]


def test_progress_follows_changes(qtbot) -> None:
    from anaphora.core.document import Document
    from anaphora.project.document.progress import ProgressService
    from anaphora.project.document.session import DocumentSession
    from anaphora.system.background import BackgroundTasks

    session, tasks = DocumentSession("p", Document("p", SEGMENTS)), BackgroundTasks()
    service = ProgressService(tasks)
    seen: list[dict] = []
    service.progressed.connect(seen.append)
    service.follow(cast(OpenProject, SimpleNamespace(session=session, save_setting=None)))
    # Before the first count is in: it must not be lost.
    session.set_states({"1/b": SegmentState("Cache.", Status.CONFIRMED)})
    qtbot.waitUntil(lambda: bool(seen) and seen[-1]["1"].confirmed_share == 5 / 7, timeout=30000)
    session.set_states({"2/c": SegmentState("Text", Status.DRAFT), "2/b": SegmentState("", Status.EDITED)})
    qtbot.waitUntil(lambda: seen[-1] == count_progress(session.document, {}), timeout=30000)
    service.close()
    session.apply(ChangeSet((Edit("1/c", session.document.get("1/c").state, SegmentState()),)))
    tasks.finish()
