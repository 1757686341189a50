"""A line of a hundred thousand letters does not block the window: it is split on import or shortened."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.structure import MAX_SOURCE_LENGTH, MAX_TARGET_LENGTH
from anaphora.editor.table.tag_edit import mime_text
from anaphora.features.checks.feature import Checks
from anaphora.features.checks.quality import MAX_REMARKS
from anaphora.features.segments.feature import Segments
from anaphora.system.garbage import gc_paused


def longest_turn(done: Callable[[], bool]) -> float:
    """The longest turn of the window's thread until `done`, in seconds of processor time."""
    longest, end = 0.0, time.monotonic() + 60
    with gc_paused():  # collecting garbage of other tests takes a second
        while not done():
            begun = time.thread_time()
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            longest = max(longest, time.thread_time() - begun)
            assert time.monotonic() < end
    return longest


_UNIT = 'msgid "{}{}"\nmsgstr "{}"\n\n'


@pytest.mark.parametrize(
    "units",
    [
        "".join(_UNIT.format("账", f"{n} " * 2500, f"{n + 20} " * 5000) for n in (1, 2)),
        "#. " + "x" * 1_000_000 + "\n" + _UNIT.format("账一", "", "") + _UNIT.format("账二", "", ""),
        "#. a <b>b</b>\n" * 15_000 + _UNIT.format("账一", "", "") + _UNIT.format("账二", "", ""),
    ],
    ids=["numbers", "a long note", "lines of a note"],
)
def test_checks_and_panels_do_not_block_the_window(qtbot, make_window, tmp_path: Path, units: str) -> None:
    """The text has hundreds of numbers and a note of a megabyte."""
    path = tmp_path / "a.po"
    path.write_text('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n' + units, "utf-8")
    window = make_window(start=False)
    checking = window.of(Checks).service
    results: dict[str, tuple] = {}
    checking.checked.connect(results.__setitem__)
    window.opener.open(path)
    assert longest_turn(lambda: window.controller.session is not None and checking.is_complete) < 0.5
    editor = window.table.editor
    window.table.go_to_row(1)
    QTest.keyClicks(editor, "1")
    assert longest_turn(lambda: checking.is_complete) < 0.5
    assert all(len(remarks) <= 2 * MAX_REMARKS for remarks in results.values())


def test_a_long_line_opens_without_a_freeze_and_a_paste_of_it_is_refused(
    qtbot, make_window, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("账本" + "x" * 100_000 + "\n账本保存每个交易。\n", "utf-8")
    window = make_window(start=False)
    window.opener.open(path)
    tasks, table = window.controller.tasks, window.table
    assert longest_turn(lambda: table.currentIndex().row() >= 0 and not tasks.is_busy) < 1
    document = window.controller.session.document
    assert len(document) > 20 and all(len(segment.source) <= MAX_SOURCE_LENGTH for segment in document)

    messages: list[str] = []
    window.of(Segments).actions.announced.connect(messages.append)
    editor = window.table.editor
    editor.insertFromMimeData(mime_text("y" * (MAX_TARGET_LENGTH + 1)))
    assert editor.toPlainText() == "" and "not pasted" in messages[-1]
    begun = time.thread_time()
    editor.insertFromMimeData(mime_text("y" * MAX_TARGET_LENGTH))
    QApplication.processEvents()
    assert time.thread_time() - begun < 1
    assert len(window.model.segment(0).target) == MAX_TARGET_LENGTH
