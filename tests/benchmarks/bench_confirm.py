"""Milliseconds from Ctrl+Enter to the next segment's new draft, in the window with the embedded model.

    python tests/benchmarks/bench_confirm.py FILE… [--segments 40] [--list]

In each segment of a file, the last content word of the draft is replaced by another word, and the segment is
confirmed by the keyboard. The time ends with the resulting draft of the next segment; a segment without a
draft, or before one without a draft, is skipped. `--list` prints the next segment's drafts before and after.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median, quantiles

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.composition import make_window
from anaphora.core.segment import Status
from anaphora.editor.appearance.application import make_application
from anaphora.engine.worker import Drafted, default_loader
from anaphora.features.drafting.feature import Drafting
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.system.locations import default_model
from anaphora.system.window_settings import WindowSettings
from anaphora.window.main_window import MainWindow
from anaphora_text.word_forms import content_words

MAX_SECONDS = 60.0


def wait(is_over: Callable[[], bool]) -> None:
    end = time.monotonic() + MAX_SECONDS
    while not is_over():
        QApplication.processEvents()
        time.sleep(0.0005)
        if time.monotonic() > end:
            raise TimeoutError("nothing happened")


def has_draft(drafts: list[Drafted], segment: str) -> bool:
    return segment in [each.job.segment for each in drafts]


def is_open(window: MainWindow, path: Path) -> bool:
    return window.controller.session is not None and window.controller.path == path


def edit(window: MainWindow, row: int) -> None:
    """Replace the last content word of a draft."""
    window.table.go_to_row(row)
    editor = window.table.editor
    text = editor.toPlainText()
    words = [each for each in content_words(text) if each.isalpha() and len(each) > 3]
    places = [place for word in words[-1:] for place in re.finditer(rf"\b{word}\b", text)]
    for place in places[-1:]:
        cursor = editor.textCursor()
        cursor.setPosition(place.start())
        cursor.setPosition(place.end(), cursor.MoveMode.KeepAnchor)
        editor.setTextCursor(cursor)
        QTest.keyClicks(editor, "gadget")


def times(window: MainWindow, segments: int, listed: bool) -> list[float]:
    """The times of a document's first segments."""
    drafting, document = window.of(Drafting).service, window.controller.session.document
    wait(lambda: drafting.progress.total > 0 and not drafting.progress.active)
    drafts: list[Drafted] = []
    window.desk.worker.drafted.connect(drafts.append)
    measured = []
    for row in range(min(segments, len(document) - 1)):
        current, following = document.at(row), document.at(row + 1)
        if current.status is not Status.DRAFT or following.status is not Status.DRAFT:
            continue
        edit(window, row)
        wait(lambda: not drafting.progress.active)
        drafts.clear()
        started = time.perf_counter()
        QTest.keyClick(window.table.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        wait(partial(has_draft, drafts, following.id))
        measured.append(1000 * (time.perf_counter() - started))
        if listed:
            print(f"{measured[-1]:.0f} ms\n  - {following.target}\n  + {document.at(row + 1).target}")
    return measured


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", type=lambda name: Path(name).resolve(), nargs="+")
    parser.add_argument("--segments", type=int, default=40)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = folder
        settings = WindowSettings(Path(folder) / "window.ini")
        application = make_application()
        window = make_window(application, default_loader(default_model(), "cpu", 1), settings)
        window.resize(1400, 900)
        window.show()
        window.desk.worker.start()
        measured = []
        for path in options.files:
            window.opener.open(path)
            wait(partial(is_open, window, path))
            measured += times(window, options.segments, options.list)
        p95 = quantiles(measured, n=20)[-1] if len(measured) > 1 else max(measured, default=0)
        print(
            f"{len(measured)} confirmations: median {median(measured or [0]):.0f} ms, "
            f"p95 {p95:.0f} ms, longest {max(measured, default=0):.0f} ms"
        )
        window.close()
        window.desk.worker.stop(5.0)
        window.controller.tasks.finish(30000)
        window.of(Tm).service.finish()
        window.of(Terms).service.finish()


if __name__ == "__main__":
    main()
