"""The work after a key: the letter is painted first, and only changed parts are updated."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect
from PySide6.QtTest import QTest

from anaphora.features.checks.feature import Checks

LETTERS = "words "


class Watcher(QObject):
    """Calls a function before each event of a kind that reaches an object."""

    def __init__(self, watched: QObject, kind: QEvent.Type, react: Callable[[], object]) -> None:
        super().__init__(watched)
        self._kind, self._react = kind, react
        watched.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() is self._kind:
            self._react()
        return False


def is_saved(window) -> bool:
    return window.status_line.saved.text() == "Saved"


@pytest.fixture
def window(qtbot, make_window, document, drafted):
    result = make_window(None, document)
    drafted(result)
    result.table.go_to_row(2)
    QTest.keyClicks(result.table.editor, LETTERS)
    qtbot.waitUntil(lambda: result.of(Checks).service.is_complete and is_saved(result), timeout=20000)
    qtbot.wait(200)
    return result


def test_a_letter_is_painted_before_other_parts_react(window) -> None:
    editor, painted, paints = window.table.editor, [], []
    Watcher(editor.viewport(), QEvent.Type.Paint, lambda: painted.append(True))
    editor.typed.connect(lambda *_: paints.append(len(painted)))
    QTest.keyClicks(editor, LETTERS)
    assert paints == list(range(1, len(LETTERS) + 1))


def test_a_row_grows_before_a_new_line_is_painted(window) -> None:
    editor, heights = window.table.editor, []
    viewport, before = editor.viewport(), editor.text_height()
    Watcher(viewport, QEvent.Type.Paint, lambda: heights.append(viewport.height() - editor.text_height()))
    QTest.keyClicks(editor, "many more words " * 12)
    assert editor.text_height() > before
    assert len(heights) > 100 and min(heights) >= 0


def test_a_letter_does_not_lay_out_the_window_again(qtbot, window) -> None:
    requests = []
    Watcher(window, QEvent.Type.LayoutRequest, lambda: requests.append(True))
    QTest.keyClicks(window.table.editor, LETTERS.strip())
    qtbot.waitUntil(lambda: not is_saved(window), timeout=20000)
    qtbot.waitUntil(lambda: is_saved(window), timeout=20000)
    qtbot.wait(200)
    assert not requests


def test_a_part_of_the_card_is_painted_like_the_whole(window) -> None:
    table = window.table
    for field in (table.editor, table.card.source):
        place = QRect(field.mapTo(table.viewport(), QPoint(0, 0)), field.size()).adjusted(3, 3, -3, -3)
        whole = table.viewport().grab().toImage().copy(place)
        assert table.viewport().grab(place).toImage() == whole
