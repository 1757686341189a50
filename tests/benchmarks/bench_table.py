"""How long 10,000 segments take to open in the table, and how long a frame takes while scrolling.

Run: python tests/benchmarks/bench_table.py [segments]     (offscreen where no platform is set)
"""

from __future__ import annotations

import os
import statistics
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.models.segment_model import SegmentModel
from anaphora.services.session import DocumentSession
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.segment_table import SegmentTable

SOURCE = "每个节点都保存账本的一份副本，交易在写入区块之前要经过验证。"
TARGET = "Each node keeps a copy of the ledger, and transactions are validated before they are written. "


def make_document(count: int) -> Document:
    """Segments of one to five lines."""
    segments = []
    for number in range(count):
        repeat = number % 5 + 1
        state = SegmentState(f"{number} " + TARGET * repeat, Status(number % 4))
        segments.append(Segment(str(number), f"{number} " + SOURCE * repeat, state))
    return Document("benchmark", segments)


Times = tuple[float, float]
"""Milliseconds by the clock and of the process: they differ where others use the machine."""


def now() -> Times:
    """The two clocks."""
    return time.perf_counter() * 1000, time.process_time() * 1000


def since(begin: Times) -> Times:
    """What has passed on both clocks."""
    end = now()
    return end[0] - begin[0], end[1] - begin[1]


def frame(table: SegmentTable) -> Times:
    """How long it takes to handle what is pending and paint the viewport."""
    begin = now()
    QApplication.processEvents()
    table.viewport().grab()
    return since(begin)


def report(name: str, frames: list[Times]) -> None:
    """Print median, 95th percentile and worst of some frame times."""
    line = f"{name:<28}"
    for clock, label in ((0, ""), (1, "CPU ")):
        worst = sorted(each[clock] for each in frames)
        tail, middle = worst[int(len(worst) * 0.95)], statistics.median(worst)
        line += f" {label}median {middle:5.1f} ms, 95 % {tail:5.1f} ms;"
        line += f" worst {worst[-1]:5.1f} ms;" if not clock else ""
    print(line.rstrip(";"))


def main(count: int = 10_000) -> None:
    """Open, scroll, jump, type."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    theme = Theme(application)
    document = make_document(count)
    model = SegmentModel()
    table = SegmentTable(model, theme)
    table.resize(1100, 800)
    table.show()
    QApplication.processEvents()

    begin = time.perf_counter()
    session = DocumentSession("benchmark", document)
    model.set_session(session)
    table.go_to_row(0)
    frame(table)
    print(f"{f'open {count} segments':<28} {(time.perf_counter() - begin) * 1000:.0f} ms")

    bar = table.verticalScrollBar()
    frames = []
    for _ in range(200):
        bar.setValue(bar.value() + 120)
        frames.append(frame(table))
    report("scroll by the wheel", frames)
    frames = []
    for step in range(60):
        bar.setValue(round(bar.maximum() * (step * 37 % 60) / 60))
        frames.append(frame(table))
    report("drag the scroll bar", frames)
    frames = []
    for step in range(60):
        table.go_to_row(step * 97 % count)
        frames.append(frame(table))
    report("jump to a segment", frames)
    frames = []
    table.editor.typed.connect(
        lambda segment, text: session.set_states({segment: SegmentState(text, Status.EDITED)})
    )
    for letter in "typing goes on without a stutter":
        QTest.keyClicks(table.editor, letter)
        frames.append(frame(table))
    report("type a letter", frames)
    frames = []
    confirmed = [row for row in range(count) if document.at(row).status is Status.CONFIRMED]
    texts = [row for row in range(count) if str(row % 100) in document.at(row).source]
    for step, numbers in enumerate((confirmed, texts, None) * 14):
        # Each time other rows come into view: texts that were shown before are laid out already.
        place = step * 997 % (len(numbers) if numbers else count)
        start = now()
        model.set_filter(numbers)
        table.go_to_row(place)
        frame(table)
        frames.append(since(start))
    report("filter and show", frames)
    model.set_filter(confirmed)
    frames = []
    for _ in range(200):
        bar.setValue(bar.value() + 120)
        frames.append(frame(table))
    report("scroll under a filter", frames)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
