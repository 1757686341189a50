"""Take the screenshots in `screens.md`: the window with the sample document, drafted by the shipped model.

Run: QT_QPA_PLATFORM=offscreen python packaging/screens.py [work] [session]     (default: both; 5 minutes)
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QDialog

from anaphora.composition import make_window
from anaphora.editor.appearance.application import make_application
from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.engine.worker import default_loader
from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.features.terms.feature import Terms
from anaphora.system.locations import default_model
from anaphora.system.window_settings import WindowSettings
from anaphora.window.main_window import MainWindow

HERE = Path(__file__).parent
GUIDE = HERE.parent / "resources" / "anaphora_resources" / "guide" / "pictures"
"""Folder of the pictures in the guide; a screenshot with the name of such a picture replaces it."""
LINES = 34
"""Default number of lines from the sample; they fill the window and are drafted in 15 seconds."""
SESSION_LINES = 1000
"""Number of lines for the screen `session`. The sample has fewer, so all of it is used."""
CONFIRMED_LINE = 63, "First, look at the accuracy of your model before training:"
"""Row to confirm on the screen `session`, and its text."""
EXPLAINED_WORD = "tensors"
"""Word that is explained on the screen `work`."""
FOLLOWING_ROW = 80
"""Row whose draft uses a confirmed word because of the memory."""
FOLLOWED_WORD = "accuracy"
AREA_COLOURS = 96
"""Number of colours (the most frequent ones) that a saved picture keeps unchanged."""
CONFIRMED = {
    0: "TensorFlow essentials",
    1: "",
    2: "Each section of this guide is an overview of one topic; links to full guides stand at its end.",
    3: "",
    4: "",
    10: "Tensor",
}
"""Texts to confirm on the screen `work`, by row; "" keeps the draft."""


@dataclass(frozen=True)
class Screen:
    """Screenshots of the sample's first `lines` lines. `prepare` sets up each picture and yields its name."""

    prepare: Callable[[MainWindow, Path], Iterator[str]]
    lines: int = LINES


def wait(window: MainWindow, until: Callable[[], object], seconds: float = 120.0) -> None:
    """Process events until `until()` is true or `seconds` have passed, then for another half second."""
    deadline = time.monotonic() + seconds
    while not until() and time.monotonic() < deadline:
        QApplication.processEvents()
        time.sleep(0.01)
    deadline = time.monotonic() + 0.5
    while time.monotonic() < deadline:
        QApplication.processEvents()


def is_drafted(window: MainWindow) -> bool:
    progress = window.of(Drafting).service.progress
    return progress.total > 0 and progress.done == progress.total and not progress.active


def is_explained(window: MainWindow) -> bool:
    return window.of(Explain).inspector.explanation is not None


def has_offers(window: MainWindow) -> bool:
    return bool(window.of(Drafting).suggester.offers)


def choose_word(window: MainWindow) -> None:
    editor = window.table.editor
    segment = window.table.current_segment
    wait(window, lambda: is_explained(window), 30)
    editor.put_caret((segment.target if segment is not None else "").find(EXPLAINED_WORD) + 1)


def confirm(window: MainWindow, row: int, text: str) -> None:
    window.table.go_to_row(row)
    if text:
        window.table.editor.selectAll()
        window.table.editor.insertPlainText(text)
    window.actions_by_name["confirm"].trigger()


def edit_sample(window: MainWindow, document: Path) -> None:
    window.opener.open(document)
    wait(window, lambda: is_drafted(window))
    for row, text in CONFIRMED.items():
        confirm(window, row, text)
        wait(window, lambda: False, 0.3)
    wait(window, lambda: is_drafted(window))
    window.table.go_to_row(11)
    wait(window, lambda: is_explained(window) and has_offers(window), 60)
    choose_word(window)
    wait(window, lambda: False, 0.3)


def work(window: MainWindow, document: Path) -> Iterator[str]:
    edit_sample(window, document)
    yield "editing"
    window.state.choose_theme(ThemeChoice.DARK)
    wait(window, lambda: has_offers(window), 60)
    choose_word(window)
    wait(window, lambda: False, 0.3)
    yield "dark"
    window.state.choose_theme(ThemeChoice.LIGHT)
    window.docks.raise_panel("consistency")
    terms = window.of(Terms).panel.terms
    wait(window, lambda: terms.topLevelItemCount() > 0, 60)
    if (first := terms.topLevelItem(0)) is not None:
        terms.setCurrentItem(first)
        first.setExpanded(True)
    wait(window, lambda: has_offers(window), 60)
    yield "terms"
    window.docks.show_dock("consistency", False)
    window.actions_by_name["export"].trigger()
    wait(window, lambda: False, 3)
    yield "export"


def is_followed(window: MainWindow) -> bool:
    segment = window.model.segment(FOLLOWING_ROW)
    marks = window.of(Explain).service.marks(segment.id) if segment is not None else ()
    return any(mark.followed and mark.word == FOLLOWED_WORD for mark in marks)


def session(window: MainWindow, document: Path) -> Iterator[str]:
    window.opener.open(document)
    wait(window, lambda: is_drafted(window))
    confirm(window, *CONFIRMED_LINE)
    wait(window, lambda: bool(window.of(Drafting).changed_drafts.segment_ids))
    wait(window, lambda: is_drafted(window))
    window.actions_by_name["next_changed"].trigger()
    wait(window, lambda: is_explained(window))
    wait(window, lambda: has_offers(window), 60)
    yield "reviewing"
    window.table.go_to_row(FOLLOWING_ROW)
    window.actions_by_name["again"].trigger()
    wait(window, lambda: is_followed(window) and is_explained(window))
    editor = window.table.editor
    marks = window.of(Explain).service.marks(editor.segment_id)
    editor.put_caret(next(each for each in marks if each.word == FOLLOWED_WORD).start + 1)
    wait(window, lambda: False, 1)
    yield "memory-followed"


SCREENS = {"work": Screen(work), "session": Screen(session, SESSION_LINES)}


def save(window: MainWindow, path: Path) -> None:
    """Write a picture of a window and its dialogs; it has only 256 colours to keep the file small."""
    image = window.grab().toImage()
    painter = QPainter(image)
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            box = dialog.rect()
            box.moveCenter(window.rect().center())
            painter.drawPixmap(box.topLeft(), dialog.grab())
            painter.drawRect(box.adjusted(-1, -1, 0, 0))
    painter.end()
    # Qt's palette would cause dithering. This one has the most frequent colours and samples of the others.
    image.convertTo(QImage.Format.Format_RGB32)
    ranked = [each for each, _ in Counter(memoryview(image.constBits()).cast("I")).most_common()]
    groups = {each & 0xF0F0F0: each for each in reversed(ranked)}
    table = sorted({*ranked[:AREA_COLOURS], *groups.values()}, key=ranked.index)[:256]
    if not image.convertToFormat(QImage.Format.Format_Indexed8, table).save(str(path), quality=0):
        raise OSError(f"{path} cannot be written")


def take_screenshots(name: str) -> None:
    screen = SCREENS[name]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = str(Path(folder) / "data")
        # The window shows paths in the home folder; the real home folder's path must not appear.
        os.environ.setdefault("XDG_CACHE_HOME", str(Path.home() / ".cache"))
        os.environ["HOME"] = folder
        documents = Path(folder) / "Documents"
        documents.mkdir()
        sample = HERE.parent / "resources" / "anaphora_resources" / "samples" / "sample.zh.md"
        document = documents / "tensorflow-basics.zh.md"
        lines = sample.read_text("utf-8").split("\n")[: screen.lines]
        document.write_text("\n".join(lines) + "\n", "utf-8")
        application = make_application()
        settings = WindowSettings(Path(folder) / "window.ini")
        settings.setValue("theme", "light")
        settings.setValue("language", "en")
        window = make_window(application, default_loader(default_model(), "cpu", 1), settings)
        window.resize(1280, 800)
        window.show()
        window.desk.worker.start()
        for picture in screen.prepare(window, document):
            path = (GUIDE if (GUIDE / f"{picture}.png").exists() else HERE / "screens") / f"{picture}.png"
            save(window, path)
            print(f"{path.stem}: {path.stat().st_size // 1024} KiB", flush=True)
        # The engine's thread cannot always be interrupted, and there is no data to save.
        os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"default: {' '.join(SCREENS)}")
    names = parser.parse_args().names
    (HERE / "screens").mkdir(exist_ok=True)
    if len(names) == 1:
        take_screenshots(names[0])
    for name in names or list(SCREENS):
        if os.spawnl(os.P_WAIT, sys.executable, sys.executable, __file__, name):
            sys.exit(f"{name}: no screenshot")


if __name__ == "__main__":
    main()
