"""How long 10,000 segments take to open in the table, and how long a frame takes while scrolling.

With --long, ten segments instead, without a space on either side: as long as a segment may be to be worked
on, or of so many characters.

Run: python tests/benchmarks/bench_table.py [segments]     (offscreen where no platform is set)
     python tests/benchmarks/bench_table.py --long [characters]
"""

from __future__ import annotations

import os
import statistics
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.document import Document
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.core.shortening import MOST_TARGET, MOST_UNIT
from anaphora.document.session import DocumentSession
from anaphora.views.appearance.theme import Theme
from anaphora.views.editor.segment_model import SegmentModel
from anaphora.views.editor.segment_table import SegmentTable
from anaphora.views.editor.tag_edit import mime_text

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


class Painted(QObject):
    """Counts how often all of a table's viewport was painted."""

    def __init__(self, table: SegmentTable) -> None:
        super().__init__(table)
        self.times = 0
        self._viewport = table.viewport()
        self._viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if isinstance(event, QPaintEvent) and event.rect().contains(self._viewport.rect()):
            self.times += 1
        return False


def frame(table: SegmentTable) -> Times:
    """How long it takes to handle what is pending and to paint all of the viewport, as its window does."""
    painted = table.findChild(Painted)
    assert isinstance(painted, Painted)
    before, begin = painted.times, now()
    table.viewport().update()
    QApplication.processEvents()
    taken = since(begin)
    assert painted.times > before, "nothing was painted"
    return taken


def turn_wheel(table: SegmentTable, steps: int) -> list[Times]:
    """Frames of turning the wheel so many notches down; each must show another place of the document."""
    middle, notch = QPointF(table.viewport().rect().center()), QPoint(0, -120)
    on_screen = QPointF(table.viewport().mapToGlobal(middle))
    no_button, no_key = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    frames = []
    for _ in range(steps):
        before = table.verticalScrollBar().value()
        begin = now()
        event = QWheelEvent(
            middle, on_screen, QPoint(), notch, no_button, no_key, Qt.ScrollPhase.NoScrollPhase, False
        )
        QApplication.sendEvent(table.viewport(), event)
        frame(table)
        frames.append(since(begin))
        assert table.verticalScrollBar().value() > before, "the wheel has scrolled nothing"
    return frames


def drag(table: SegmentTable, steps: int) -> list[Times]:
    """Frames of dragging the scroll bar to places all over the document."""
    bar, frames = table.verticalScrollBar(), []
    bar.setSliderDown(True)
    for step in range(1, steps + 1):
        before, begin = bar.value(), now()
        bar.setSliderPosition(round(bar.maximum() * (step * 37 % steps) / steps))
        frame(table)
        frames.append(since(begin))
        assert abs(bar.value() - before) > table.height(), "the bar has scrolled nothing"
    bar.setSliderDown(False)
    return frames


def report(name: str, frames: list[Times]) -> None:
    """Print median, 95th percentile and worst of some frame times."""
    line = f"{name:<28}"
    for clock, label in ((0, ""), (1, "CPU ")):
        worst = sorted(each[clock] for each in frames)
        tail, middle = worst[int(len(worst) * 0.95)], statistics.median(worst)
        line += f" {label}median {middle:5.1f} ms, 95 % {tail:5.1f} ms;"
        line += f" worst {worst[-1]:5.1f} ms;" if not clock else ""
    print(line.rstrip(";"))


def make_table() -> tuple[SegmentTable, SegmentModel]:
    """A shown table without a document."""
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    model = SegmentModel()
    table = SegmentTable(model, Theme(application))
    table.resize(1100, 800)
    Painted(table)
    table.show()
    QApplication.processEvents()
    return table, model


def long_segments(source: int = MOST_UNIT, target: int = MOST_TARGET - 20) -> None:
    """Ten segments of so many characters: open, scroll, jump, type, paste."""
    for letter, sign in (("y", "x"), ("y", "账"), ("word ", "账本，")):
        long_rows((sign * source)[:source], (letter * target)[:target])


def long_rows(source: str, target: str) -> None:
    """Ten segments with these texts."""
    print(f"ten segments: {source[:3]}… {len(source):,} characters, {target[:5]}… {len(target):,}")
    table, model = make_table()
    segments = [
        Segment(str(number), f"{number}" + source[1:], SegmentState(target, Status.DRAFT))
        for number in range(10)
    ]
    begin = now()
    session = DocumentSession("benchmark", Document("benchmark", segments))
    model.set_session(session)
    table.go_to_row(0)
    frame(table)
    taken = since(begin)
    print(f"{'open':<28} {taken[0]:.0f} ms, CPU {taken[1]:.0f} ms")
    frames = []
    for step in range(40):
        table.verticalScrollBar().setValue(step * 997 % max(table.verticalScrollBar().maximum(), 1))
        frames.append(frame(table))
    report("scroll", frames)
    frames = []
    for step in range(30):
        begin = now()
        table.go_to_row(step * 7 % 10)
        frame(table)
        frames.append(since(begin))
    report("go to a segment", frames)
    table.editor.typed.connect(
        lambda segment, text: session.set_states({segment: SegmentState(text, Status.EDITED)})
    )
    table.go_to_row(0)
    for name, place in (("type at the beginning", 0), ("type in the middle", len(target) // 2)):
        table.editor.put_caret(place)
        frames = []
        for letter in "typing":
            begin = now()
            QTest.keyClicks(table.editor, letter)
            frame(table)
            frames.append(since(begin))
        report(name, frames)
    table.editor.fill("")
    begin = now()
    table.editor.insertFromMimeData(mime_text(target))
    frame(table)
    taken = since(begin)
    print(f"{'paste':<28} {taken[0]:.0f} ms, CPU {taken[1]:.0f} ms")
    table.close()


def main(count: int = 10_000) -> None:
    """Open, scroll, jump, type."""
    table, model = make_table()
    document = make_document(count)

    begin = time.perf_counter()
    session = DocumentSession("benchmark", document)
    model.set_session(session)
    table.go_to_row(0)
    frame(table)
    print(f"{f'open {count} segments':<28} {(time.perf_counter() - begin) * 1000:.0f} ms")

    report("scroll by the wheel", turn_wheel(table, 200))
    report("drag the scroll bar", drag(table, 60))
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
    # From the middle: these rows were not shown before, and the table goes on below them.
    table.go_to_row(len(confirmed) // 2)
    frame(table)
    report("scroll under a filter", turn_wheel(table, 200))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--long"]:
        long_segments(*map(int, 2 * sys.argv[2:3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
