"""How many keys ten segments with eight edits take, struck in the real window.

The drafts are written down below: what version 0.6 of the embedded model made of the sample document,
shortened; so that the counts of one version of the app can be held against another's, they stay the same
whichever model ships. The wanted texts are what a translator made of them. A key counts once, with whatever
modifiers are held. Five ways of working are counted:

whole stretch       selects from the first to the last word that differs and types all of it anew
word by word        selects each word that differs and types it anew, whole
capitals by key     the same; a word that differs in its capitals only is changed by the key for these
with completion     word by word; what is proposed behind the caret is taken by one key a word where it is
                    right, which is possible at the end of a text only
practised           the fewest keys to what differs, letter by letter where that is shorter

The proposals are those of the embedded model that ships; the hands wait for each answer of the engine, as
keys are counted, not time. The other ways need no engine.

Run: QT_QPA_PLATFORM=offscreen python tests/benchmarks/count_strokes.py
"""

from __future__ import annotations

import os
import re
import tempfile
import time
from collections import deque
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from itertools import product
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.application.window_settings import WindowSettings
from anaphora.composition import make_window
from anaphora.core.segment import SegmentState, Status
from anaphora.engine.worker import default_loader
from anaphora.shipped import default_model
from anaphora.views.appearance.application import make_application
from anaphora.views.editor.segment_editor import SegmentEditor
from anaphora.window.main_window import MainWindow

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
PATIENCE = 120.0
"""Seconds after which an answer of the engine that has not come never will."""
WORD = re.compile(r"\s*\S+\s*")
WORDS = re.compile(r"\w+\s*|[^\w\s]\s*|\s+")
WORK = (
    ("TensorFlow 基础知识", "TensorFlow Basic knowledge", "TensorFlow basics"),
    (
        "本指南提供快速概览。",
        "This guide provides a quick overview of TensorFlow basics.",
        "This guide is a quick overview of TensorFlow basics.",
    ),
    (
        "TensorFlow 是一个端到端平台。",
        "TensorFlow is an end-to-end machine learning platform.",
        "TensorFlow is an end-to-end machine learning platform.",
    ),
    ("它支持以下内容：", "It supports the following:", "It supports:"),
    ("自动微分", "Automatic Differentiation", "Automatic differentiation"),
    (
        "模型构造、训练和导出",
        "Model construction, training and export",
        "Building, training and exporting models",
    ),
    ("下面是一个二维张量：", "Here is a 2D tensor:", "Here is a 2-D tensor:"),
    (
        "最重要的属性是形状和类型：",
        "The most important property of a tensor is its shape and dtype:",
        "The most important properties of a tensor are its shape and dtype:",
    ),
    ("例如：", "For example:", "For example:"),
    ("请参阅下面的示例。", "See the example below.", "See this example."),
)


class Hand(Enum):
    """Ways of working; see above."""

    WHOLE = "whole stretch"
    WORDS = "word by word"
    CAPITALS = "capitals by key"
    COMPLETED = "with completion"
    PRACTISED = "practised"


@dataclass(frozen=True)
class Change:
    """A stretch of the draft, [start, end), and what is wanted in its place."""

    start: int
    end: int
    new: str


MOVES = (
    (QTextCursor.MoveOperation.Left, Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier),
    (QTextCursor.MoveOperation.Right, Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier),
    (QTextCursor.MoveOperation.PreviousWord, Qt.Key.Key_Left, CONTROL),
    (QTextCursor.MoveOperation.NextWord, Qt.Key.Key_Right, CONTROL),
    (QTextCursor.MoveOperation.Start, Qt.Key.Key_Home, CONTROL),
    (QTextCursor.MoveOperation.End, Qt.Key.Key_End, CONTROL),
)
Keys = list[tuple[Qt.Key, Qt.KeyboardModifier]]


def way(text: str, start: int, goal: int) -> Keys:
    """The fewest keys from one place of a text to another, as Qt's text fields move."""
    document = QTextDocument(text)
    ways: dict[int, Keys] = {start: []}
    waiting = deque([start])
    while goal not in ways:
        here = waiting.popleft()
        for operation, key, modifiers in MOVES:
            cursor = QTextCursor(document)
            cursor.setPosition(here)
            cursor.movePosition(operation)
            if cursor.position() not in ways:
                ways[cursor.position()] = [*ways[here], (key, modifiers)]
                waiting.append(cursor.position())
    return ways[goal]


def changes(draft: str, wanted: str, by_letters: bool) -> list[Change]:
    """What differs, the last first: letter by letter, or word by word."""
    pieces = [list(text) if by_letters else [*WORDS.findall(text)] for text in (draft, wanted)]
    places = [0]
    for piece in pieces[0]:
        places.append(places[-1] + len(piece))
    matcher = SequenceMatcher(a=pieces[0], b=pieces[1], autojunk=False)
    return [
        Change(places[first], places[last], "".join(pieces[1][begin:end]))
        for kind, first, last, begin, end in matcher.get_opcodes()
        if kind != "equal"
    ]


class Hands:
    """Strikes keys in an editor and counts them."""

    def __init__(self, window: MainWindow) -> None:
        self.editor: SegmentEditor = window.table.editor
        self.strokes = 0
        self._completer = window.completer
        self._capitals = window.keymap.keys("change_case")[0]

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """Strike one key."""
        QTest.keyClick(self.editor, key, modifiers)
        self.strokes += 1

    def work(self, wanted: str, hand: Hand) -> None:
        """Make the draft what is wanted."""
        draft, here = self.editor.toPlainText(), self.editor.textCursor().position()
        if draft == wanted:
            return
        words = changes(draft, wanted, False)
        if hand is Hand.WHOLE:
            # From the first word that differs to the last one.
            first, last = words[0].start, words[-1].end
            self._do([Change(first, last, wanted[first : len(wanted) - (len(draft) - last)])])
            return
        if hand is not Hand.PRACTISED:
            self._do(words, hand)
            return
        plans = [words, changes(draft, wanted, True)]
        self._do(min(plans, key=lambda plan: cost(draft, here, plan)))

    def _do(self, plan: list[Change], hand: Hand | None = None) -> None:
        shift = 0
        for change in plan:
            start, end = change.start + shift, change.end + shift
            text = self.editor.toPlainText()
            if hand is Hand.CAPITALS and text[start:end].lower() == change.new.lower():
                self._change_capitals(start, text[:start] + change.new + text[end:])
                continue
            for far, held in ((start, None), (end, SHIFT)):
                here = self.editor.textCursor().position()
                for key, modifiers in way(self.editor.toPlainText(), here, far):
                    self.press(key, modifiers | held if held else modifiers)
            if change.new and hand is Hand.COMPLETED and end == len(text):
                self._type_completed(change.new)
            elif change.new:
                QTest.keyClicks(self.editor, change.new)
                self.strokes += len(change.new)
            else:
                self.press(Qt.Key.Key_Delete)
            shift += len(change.new) - (change.end - change.start)

    def _change_capitals(self, place: int, wanted: str) -> None:
        """Go to a word and strike the key for capitals until it is as wanted."""
        for key, modifiers in way(self.editor.toPlainText(), self.editor.textCursor().position(), place):
            self.press(key, modifiers)
        for _ in range(3):
            QTest.keySequence(self.editor, self._capitals)
            self.strokes += 1
            if self.editor.toPlainText() == wanted:
                return
        raise AssertionError(f"the key for capitals does not lead to {wanted!r}")

    def _type_completed(self, text: str) -> None:
        """Type at the end of the text; a word that is proposed as it is wanted is taken by one key."""
        self._type_first(text)
        text = text[1:]
        while text:
            self._wait_for_answer()
            before = self.editor.toPlainText()
            word = WORD.match(self.editor.ghost)
            if word is not None and len(word.group()) > 1 and text.startswith(word.group()):
                self.press(Qt.Key.Key_Right, CONTROL)
                assert self.editor.toPlainText() == before + word.group()
                text = text.removeprefix(word.group())
            else:
                self._type_first(text)
                text = text[1:]

    def _wait_for_answer(self) -> None:
        """Wait until something is proposed, or the engine has answered what was asked since the last key."""
        end = time.monotonic() + PATIENCE
        while not self.editor.ghost and self._completer.is_waiting:
            assert time.monotonic() < end, "the engine has not answered"
            QTest.qWait(10)

    def _type_first(self, text: str) -> None:
        """Type the first letter of a text."""
        QTest.keyClicks(self.editor, text[0])
        self.strokes += 1


def cost(draft: str, here: int, plan: list[Change]) -> int:
    """How many keys a plan takes."""
    total, text, shift = 0, draft, 0
    for change in plan:
        start, end = change.start + shift, change.end + shift
        total += len(way(text, here, start)) + len(way(text, start, end)) + max(len(change.new), 1)
        text = text[:start] + change.new + text[end:]
        here = start + len(change.new)
        shift += len(change.new) - (end - start)
    return total


def count(at_end: bool, hand: Hand) -> tuple[int, int]:
    """Strokes for the ten segments, and how many were edited.

    Args:
        at_end: where the caret begins.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ANAPHORA_DATA"] = folder
        document = Path(folder) / "work.zh.txt"
        document.write_text("".join(f"{source}\n" for source, _, _ in WORK), "utf-8")
        settings = WindowSettings(Path(folder) / "window.ini")
        settings.setValue("language", "en")
        settings.setValue("say_at_closing", False)
        settings.setValue("caret_at_end", at_end)
        window = make_window(make_application_once(), default_loader(default_model(), "cpu", 1), settings)
        window.show()
        if hand is Hand.COMPLETED:
            window.services.worker.start()
        window.controller.open(document)
        window.controller.failed.connect(print)
        while window.table.currentIndex().row() != 0:
            QTest.qWait(20)
        while hand is Hand.COMPLETED and not drafted(window):
            QTest.qWait(50)
        edited = _work(window, hand)
        window.close()
        while not window.services.worker.stop(1.0):
            QTest.qWait(50)
        return edited


def drafted(window: MainWindow) -> bool:
    """Whether everything has a draft: the engine is there, and has nothing else to do."""
    progress = window.services.drafting.progress
    return progress.total > 0 and progress.done == progress.total and not progress.active


def _work(window: MainWindow, hand: Hand) -> tuple[int, int]:
    session = window.session
    assert session is not None and len(session.document) == len(WORK)
    drafts = {
        session.document.at(row).id: SegmentState(WORK[row][1], Status.EDITED) for row in range(len(WORK))
    }
    # Drafts of the machine would be made again after each confirmation; these are to stay.
    session.set_states(drafts)
    window.table.go_to_row(1)
    window.table.go_to_row(0)
    hands = Hands(window)
    for _, draft, wanted in WORK:
        assert hands.editor.toPlainText() == draft
        hands.work(wanted, hand)
        hands.press(Qt.Key.Key_Return, CONTROL)
    for row, (_, _, wanted) in enumerate(WORK):
        found = session.document.at(row)
        assert (found.target, found.status) == (wanted, Status.CONFIRMED), (row, found)
    return hands.strokes, sum(draft != wanted for _, draft, wanted in WORK)


def make_application_once() -> QApplication:
    """Qt knows one application."""
    known = QApplication.instance()
    return known if isinstance(known, QApplication) else make_application()


def main() -> None:
    """Print the strokes for both places of the caret."""
    for at_end, hand in product((False, True), Hand):
        strokes, edits = count(at_end, hand)
        place = "end" if at_end else "start"
        print(f"caret at the {place}, {hand.value}: {strokes} strokes, {len(WORK)} segments, {edits} edits")


if __name__ == "__main__":
    main()
