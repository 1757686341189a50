"""Takes the screenshots of `screens.md`: the real window on the sample, drafted by the embedded model.

Run: QT_QPA_PLATFORM=offscreen python packaging/screens.py [NAME …]     (all by default; about five minutes)
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QImageWriter, QKeySequence, QPainter
from PySide6.QtWidgets import QApplication, QDialog

from anaphora.application.languages import Language
from anaphora.application.window_settings import WindowSettings
from anaphora.composition import make_window
from anaphora.core.segment import SegmentState, Status
from anaphora.engine.worker import default_loader
from anaphora.memory.view.preview_dialog import MemoryPreviewDialog
from anaphora.memory.view.rules_dialog import MemoryRulesDialog
from anaphora.shipped import default_model
from anaphora.views.appearance.application import make_application
from anaphora.views.appearance.theme import Colours, ThemeChoice
from anaphora.views.widgets.bars import HeatText
from anaphora.views.widgets.filter_chips import Shown
from anaphora.window.main_window import MainWindow

HERE = Path(__file__).parent
GUIDE = HERE.parent / "resources" / "anaphora_resources" / "guide" / "pictures"
"""What lies there is shown by the guide in the window, too."""
LINES = 34
"""Lines of the sample: enough for a screen, drafted in a quarter of a minute."""
SESSION_LINES = 1000
"""All lines of the sample, where a session is shown, so that terms come again."""
SESSION = {63: "First, look at the accuracy of your model before training:"}
CHOSEN = "tensors"
"""The word that is explained in the screens of editing."""
TITLE = 32
"""Height of a dialog's title in pixels."""
WIDEST = 1920
"""Pixels; larger screens are shown at half their size."""
OFFERED, STEERED = 71, 80
"""Rows in which a confirmed word is offered, and in which it was followed."""
FOLLOWED = "accuracy"
CONFIRMED = {
    0: "TensorFlow essentials",
    1: "",
    2: "Each section of this guide is an overview of one topic; links to full guides stand at its end.",
    3: "",
    4: "",
    10: "Tensor",
}


@dataclass(frozen=True)
class Screen:
    """One screenshot.

    Attributes:
        size: of the window. theme, language: as in the settings.
        prepare: brings the window into the state; gets the document, too. What it yields are names of
            screenshots to be taken on the way.
        lines: of the sample.
        scale: pixels of the screen for one of the size.
    """

    size: tuple[int, int]
    theme: str
    language: str
    prepare: Callable[[MainWindow, Path], Iterator[str] | None]
    lines: int = LINES
    scale: float = 1


def wait(window: MainWindow, until: Callable[[], object], seconds: float = 120.0) -> None:
    """Let the window work until something holds; goes on after so many seconds all the same."""
    end = time.monotonic() + seconds
    while not until() and time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.01)
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        QApplication.processEvents()


def drafted(window: MainWindow) -> bool:
    """Whether everything has a draft."""
    progress = window.services.drafting.progress
    return progress.total > 0 and progress.done == progress.total and not progress.active


def worked_on(window: MainWindow, document: Path, confirmed: int) -> None:
    """Open a document, confirm its first segments, close it."""
    window.controller.open(document)
    wait(window, lambda: window.session is not None)
    session = window.session
    assert session is not None
    first = [session.document.at(row).id for row in range(min(confirmed, len(session.document)))]
    session.set_states({key: SegmentState("Done.", Status.CONFIRMED) for key in first})
    window.controller.close()


def start(window: MainWindow, document: Path) -> None:
    """Nothing is open; two documents were."""
    report = document.with_name("年度报告 2026.zh.txt")
    report.write_text("".join(f"第{number}节已经审阅。\n" for number in range(1, 9)), "utf-8")
    worked_on(window, report, 8)
    worked_on(window, document, 13)


def drafting(window: MainWindow, document: Path) -> None:
    """The first drafts are there, the others on their way."""
    window.controller.open(document)
    wait(window, lambda: window.services.drafting.progress.done >= 5)


def choose_word(window: MainWindow) -> None:
    """Put the caret into a word of the current draft; what is known about it is said then."""
    editor = window.table.editor
    segment = window.table.current_segment
    wait(window, lambda: window.inspector.explanation is not None, 30)
    editor.put_caret((segment.target if segment is not None else "").find(CHOSEN) + 1)


def editing(window: MainWindow, document: Path) -> None:
    """Some segments are confirmed; the rail knows about the current one."""
    window.controller.open(document)
    wait(window, lambda: drafted(window))
    for row, text in CONFIRMED.items():
        window.table.go_to_row(row)
        if text:
            window.table.editor.selectAll()
            window.table.editor.insertPlainText(text)
        window.actions_by_name["confirm"].trigger()
        wait(window, lambda: False, 0.3)
    wait(window, lambda: drafted(window))
    window.table.go_to_row(11)
    wait(window, lambda: window.inspector.explanation is not None and bool(window.suggester.offers), 60)
    choose_word(window)
    wait(window, lambda: False, 0.3)


def dictionary(window: MainWindow, document: Path) -> None:
    """A story, which the model knows badly: at the doubted draft of which most words seem to be missed."""
    story = document.with_name("故事.zh.txt")
    genres = HERE.parent / "tests" / "golden" / "genres"
    (segments,) = (json.loads(line)["segments"] for line in (genres / "story.jsonl").open(encoding="utf-8"))
    story.write_text("\n".join(source for source, _ in segments) + "\n", "utf-8")
    window.controller.open(story)
    wait(window, lambda: drafted(window))
    section, shown = window.docks.rail.section("dictionary"), window.docks.dictionary.text
    session = window.session
    assert session is not None
    found = {}
    for row in range(len(session.document)):
        if window.model.is_doubted(session.document.at(row)):
            window.table.go_to_row(row)
            wait(window, lambda: section.is_filled, 2)
            found[row] = shown.text().count("<p") if section.is_filled else 0
    window.table.go_to_row(max(found, key=lambda row: found[row]))
    wait(window, lambda: section.is_filled and bool(window.suggester.offers), 30)


def work(window: MainWindow, document: Path) -> Iterator[str]:
    """A document from its first drafts to its export, in all colours and both languages."""
    drafting(window, document)
    yield "drafting"
    editing(window, document)
    yield "editing"
    for choice, name in ((ThemeChoice.DARK, "dark"), (ThemeChoice.CONTRAST, "contrast")):
        window.state.choose_theme(choice)
        wait(window, lambda: bool(window.suggester.offers), 60)
        choose_word(window)
        wait(window, lambda: False, 0.3)
        yield name
    window.state.choose_theme(ThemeChoice.LIGHT)
    window.state.choose_language(Language.CHINESE)
    wait(window, lambda: window.inspector.explanation is not None and bool(window.suggester.offers), 60)
    choose_word(window)
    yield "chinese"
    window.state.choose_language(Language.ENGLISH)
    window.actions_by_name["preview"].trigger()
    wait(window, lambda: bool(window.docks.preview.page.toPlainText()), 20)
    wait(window, lambda: bool(window.suggester.offers), 60)
    yield "preview"
    window.actions_by_name["preview"].trigger()
    window.strip.chip(Shown.UNCONFIRMED).click()
    window.strip.needle.setText("张量")
    wait(window, lambda: False, 1)
    wait(window, lambda: bool(window.suggester.offers), 60)
    yield "filters"
    window.filtering.choose(Shown.ALL)
    window.strip.needle.clear()
    window.docks.raise_panel("consistency")
    terms = window.docks.consistency.terms
    wait(window, lambda: terms.topLevelItemCount() > 0, 60)
    if (first := terms.topLevelItem(0)) is not None:
        terms.setCurrentItem(first)
        first.setExpanded(True)
    wait(window, lambda: bool(window.suggester.offers), 60)
    yield "terms"
    window.docks.show_dock("consistency", False)
    window.actions_by_name["export"].trigger()
    wait(window, lambda: False, 0.5)
    yield "export"


def followed(window: MainWindow) -> bool:
    """Whether the word that followed a correction is marked in its draft."""
    segment = window.model.segment(STEERED)
    marks = window.services.influence.marks(segment.id) if segment is not None else ()
    return any(mark.followed and mark.word == FOLLOWED for mark in marks)


def at_followed(window: MainWindow) -> None:
    """Put the caret into the word that followed a correction, and wait for what is said of it."""
    editor, influence = window.table.editor, window.services.influence
    wait(window, lambda: followed(window))
    mark = next(each for each in influence.marks(editor.segment_id) if each.word == FOLLOWED)
    editor.put_caret(mark.start + 1)
    wait(window, lambda: False, 1)


def reviewing(window: MainWindow, document: Path) -> None:
    """A confirmation has changed drafts behind it, and one of them is looked at."""
    window.controller.open(document)
    wait(window, lambda: drafted(window))
    ((row, text),) = SESSION.items()
    window.table.go_to_row(row)
    window.table.editor.selectAll()
    window.table.editor.insertPlainText(text)
    window.actions_by_name["confirm"].trigger()
    wait(window, lambda: bool(window.services.changed.segments))
    wait(window, lambda: drafted(window))
    window.actions_by_name["next_changed"].trigger()
    wait(window, lambda: window.inspector.explanation is not None)
    wait(window, lambda: bool(window.suggester.offers), 60)


def session(window: MainWindow, document: Path) -> Iterator[str]:
    """From the first confirmation to a steered memory."""
    window.controller.open(document)
    wait(window, lambda: drafted(window))
    editor = window.table.editor
    for row, text in SESSION.items():
        window.table.go_to_row(row)
        editing = window.controller.editing
        assert editing is not None
        editing.type_text(editor.segment_id, text)
        editing.confirm(editor.segment_id)
        wait(window, lambda: drafted(window))
        if row == min(SESSION):
            window.table.go_to_row(STEERED)
            window.actions_by_name["again"].trigger()
            wait(window, lambda: followed(window) and window.inspector.explanation is not None)
            at_followed(window)
            yield "memory-followed"
            window.docks.raise_panel("why")
            heat = window.docks.why.tabs.currentWidget().findChild(HeatText)
            assert heat is not None
            wait(window, heat.accessibleName, 30)
            yield "memory-why"
            window.docks.show_dock("why", False)
    window.table.go_to_row(OFFERED)
    marks = window.services.influence.marks
    wait(window, lambda: any(not each.followed for each in marks(editor.segment_id)))
    offer = next(each for each in marks(editor.segment_id) if not each.followed)
    editor.put_caret(offer.start + 1)
    wait(window, lambda: False, 1)
    yield "memory-offered"
    window.docks.raise_panel("why")
    window.table.go_to_row(STEERED)
    words = window.docks.why.words
    wait(window, lambda: followed(window) and window.inspector.explanation is not None)
    at_followed(window)
    wait(window, lambda: words.topLevelItemCount() > 0)
    words.setCurrentIndex(words.model().index(0, 0))
    next(each for each in words.actions() if each.shortcut() == QKeySequence("Del")).trigger()
    dialog = window.findChild(MemoryPreviewDialog)
    assert isinstance(dialog, MemoryPreviewDialog)
    wait(window, lambda: dialog.list.topLevelItemCount() > 0)
    yield "memory-preview"
    dialog.accept()
    wait(window, lambda: drafted(window) and not followed(window))
    window.docks.show_dock("why", False)
    wait(window, lambda: bool(window.suggester.offers), 60)
    window.actions_by_name["memory_rules"].trigger()
    rules = window.findChild(MemoryRulesDialog)
    assert isinstance(rules, MemoryRulesDialog)
    rules.resize(rules.width(), 220)
    wait(window, lambda: False, 1)
    yield "memory-steered"


SCREENS = {
    "start": Screen((1280, 800), "light", "en", start),
    "work": Screen((1280, 800), "light", "en", work),
    "dictionary": Screen((1280, 800), "light", "en", dictionary),
    "reviewing": Screen((1280, 800), "light", "en", reviewing, SESSION_LINES),
    "memory": Screen((1280, 800), "light", "en", session, SESSION_LINES),
    "memory-dark": Screen((1280, 800), "dark", "en", session, SESSION_LINES),
    "small": Screen((1024, 576), "light", "en", editing, scale=1.25),
    "large": Screen((1920, 1080), "light", "en", editing, scale=2),
}


def with_dialogs(window: MainWindow) -> QImage:
    """What a window shows, its dialogs over it."""
    image = window.grab().toImage()
    painter = QPainter(image)
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible():
            box = dialog.rect()
            box.moveCenter(window.rect().center())
            # Where there is room it leaves the card to be seen, as somebody would move it.
            card = window.table.card
            below = card.mapTo(window, card.rect().bottomLeft()).y() + TITLE + 16
            if below + box.height() < window.height() - 16:
                box.moveTop(below)
            paint_dialog(painter, dialog, box, window.services.theme.colours)
    painter.end()
    return image


def paint_dialog(painter: QPainter, dialog: QDialog, box: QRect, colours: Colours) -> None:
    """Paint a dialog with its shadow and, as a desktop does, its title above it."""
    frame = QRectF(box.adjusted(-1, -TITLE, 1, 1))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    # Many faint layers: few strong ones look like a second box around the dialog.
    painter.setBrush(QColor(0, 0, 0, 2))
    for grown in range(26, 0, -1):
        painter.drawRoundedRect(frame.adjusted(-grown, 8 - grown, grown, 8 + grown), 8 + grown, 8 + grown)
    painter.setPen(QColor(colours.border))
    painter.setBrush(QColor(colours.hover))
    painter.drawRoundedRect(frame, 8, 8)
    painter.setPen(QColor(colours.text))
    painter.drawText(
        frame.adjusted(0, 0, 0, TITLE - frame.height()), Qt.AlignmentFlag.AlignCenter, dialog.windowTitle()
    )
    painter.drawPixmap(box.topLeft(), dialog.grab())


def save(window: MainWindow, path: Path) -> None:
    """Write what a window shows, in the 256 colours that it shows most: unseen, and the file is small."""
    image = with_dialogs(window)
    if image.width() > WIDEST:
        image = image.scaledToWidth(WIDEST, Qt.TransformationMode.SmoothTransformation)
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(-1, 4)[:, 2::-1].astype(np.int32)
    code = np.array([65536, 256, 1], np.int32)
    codes, places, counts = np.unique(pixels @ code, return_inverse=True, return_counts=True)
    colours = np.stack([codes // 65536, codes // 256 % 256, codes % 256], axis=1)
    # The most frequent one stands for all colours that can hardly be told apart, so that no tint gets lost.
    order = np.argsort(counts)[::-1]
    _, first = np.unique(colours[order] // 8 @ code, return_index=True)
    kept = order[np.sort(first)][:256]
    nearest = np.array([((colours[kept] - colour) ** 2).sum(axis=1).argmin() for colour in colours], np.uint8)
    indexes = nearest[places].tobytes()
    small = QImage(indexes, image.width(), image.height(), image.width(), QImage.Format.Format_Indexed8)
    small.setColorTable([0xFF000000 | int(codes[place]) for place in kept])
    writer = QImageWriter(str(path))
    writer.setCompression(100)
    if not writer.write(small):
        raise OSError(writer.errorString())


def take(name: str) -> None:
    """Take a screenshot, in a process of its own: the language and the theme are the application's."""
    screen = SCREENS[name]
    os.environ["QT_SCALE_FACTOR"] = str(screen.scale)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = str(Path(folder) / "data")
        # Paths are those of a translator's home.
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
        settings.setValue("theme", screen.theme)
        settings.setValue("language", screen.language)
        window = make_window(application, default_loader(default_model(), "cpu", 1), settings)
        window.resize(*screen.size)
        window.show()
        window.services.worker.start()
        on_the_way = screen.prepare(window, document)
        for taken in (name,) if on_the_way is None else on_the_way:
            name = f"{taken}{'-dark' if on_the_way and screen.theme == 'dark' else ''}.png"
            path = (GUIDE if (GUIDE / name).exists() else HERE / "screens") / name
            save(window, path)
            print(f"{path.stem}: {path.stat().st_size // 1024} KiB", flush=True)
        # The engine's thread cannot be interrupted everywhere, and nothing is to be kept.
        os._exit(0)


def main(names: list[str]) -> None:
    """Take some screenshots, or all."""
    (HERE / "screens").mkdir(exist_ok=True)
    if len(names) == 1:
        take(names[0])
    for name in names or list(SCREENS):
        if os.spawnl(os.P_WAIT, sys.executable, sys.executable, __file__, name):
            sys.exit(f"{name}: no screenshot")


if __name__ == "__main__":
    main(sys.argv[1:])
