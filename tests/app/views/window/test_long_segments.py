"""A line of a hundred thousand letters freezes nothing: it is cut when it is read, and shown shortened."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from anaphora.core.collecting import collection_paused
from anaphora.core.shortening import MOST_SOURCE, MOST_TARGET
from anaphora.views.widgets.tag_edit import mime_text


def test_a_long_line_opens_without_a_freeze_and_a_paste_of_it_is_refused(
    qtbot, make_window, tmp_path: Path
) -> None:
    path = tmp_path / "a.txt"
    path.write_text("账本" + "x" * 100_000 + "\n账本保存每个交易。\n", "utf-8")
    window = make_window(start=False)
    window.controller.open(path)
    longest = 0.0
    end = time.monotonic() + 60
    with collection_paused():  # what other tests have left takes the collector a second
        while window.table.currentIndex().row() < 0 or window.controller.tasks.busy:
            begun = time.thread_time()
            QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
            longest = max(longest, time.thread_time() - begun)
            assert time.monotonic() < end
    assert longest < 1
    document = window.controller.session.document
    assert len(document) > 20 and all(len(segment.source) <= MOST_SOURCE for segment in document)

    said: list[str] = []
    window.segment_actions.announced.connect(said.append)
    editor = window.table.editor
    editor.insertFromMimeData(mime_text("y" * (MOST_TARGET + 1)))
    assert editor.toPlainText() == "" and "too long" in said[-1]
    begun = time.thread_time()
    editor.insertFromMimeData(mime_text("y" * MOST_TARGET))
    QApplication.processEvents()
    assert time.thread_time() - begun < 1
    assert len(window.model.segment(0).target) == MOST_TARGET
