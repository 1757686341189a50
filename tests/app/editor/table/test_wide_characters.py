"""Tags, marks and carets with emoji and rare characters, which are two units in Qt and one in Python."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRect
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from anaphora.core.search import SearchQuery
from anaphora.core.segment import Segment, SegmentState, Status
from anaphora.editor.table.segment_delegate import PADDING_X
from anaphora.editor.table.segment_model import Column

FAMILY = "👩‍👩‍👧‍👦"
RARE = "𠮷"
SOURCE = f"{RARE}更新😀{{1}}缓存{{/1}}{FAMILY}，读取。"
TARGET = f"{FAMILY} Update 😀 the {{1}}cache{{/1}} of {RARE} now."
TAGS = (("{1}", "bold"),)


@pytest.fixture
def table(table_of) -> Any:
    state = SegmentState(TARGET, Status.EDITED)
    return table_of([Segment(str(row), SOURCE, state, tags=TAGS) for row in range(3)])


def test_tags_after_an_emoji_stay_tags(table) -> None:
    editor = table.editor
    assert editor.toPlainText() == TARGET and len(editor.shown().marks) == 2
    assert table.card.source.toPlainText() == SOURCE
    for offset, typed in ((TARGET.index("now"), "x"), (0, "y"), (len(TARGET) + 2, "z")):
        editor.put_caret(offset)
        assert editor.caret == offset
        QTest.keyClicks(editor, typed)
    assert table.session.document.at(0).target == f"y{TARGET.replace('now', 'xnow')}z"
    assert len(editor.shown().marks) == 2


def test_copied_text_equals_the_visible_selection(table) -> None:
    editor = table.editor
    start = TARGET.index("{1}")
    editor.select_span((start, len(TARGET) - 1))
    assert editor.selected_text() == f"cache of {RARE} now"
    editor.copy()
    assert QApplication.clipboard().text() == TARGET[start:-1]


def test_search_matches_are_marked_at_their_places(table) -> None:
    table.mark_matches(SearchQuery("now"))
    (mark,) = table.editor.match_selections()
    assert mark.cursor.selectedText() == "now"
    delegate, shown = table.delegate, table.model_held.segment(1)
    laid_out = delegate.lay_out(shown, Column.TARGET, 600)
    place = laid_out.shown.place(TARGET.index("now"))
    text = laid_out.document.toPlainText().encode("utf-16-le")[2 * place :].decode("utf-16-le")
    assert text == "now."
    # a click after the last word puts the caret there
    index = table.model_held.index(1, Column.TARGET)
    rect = QRect(0, 0, 600, 60)
    x, _ = laid_out.layout.lineAt(0).cursorToX(place)
    point = QPointF(rect.left() + PADDING_X + x, rect.center().y())
    assert delegate.offset_at(rect, point, index) == TARGET.index("now")


def test_a_completion_of_emoji_is_grey_to_its_end(table) -> None:
    editor = table.editor
    editor.fill("")
    editor.show_ghost(f"{FAMILY} and {RARE}.")
    (stretch,) = editor.document().firstBlock().layout().formats()
    units = len(f"{FAMILY} and {RARE}.".encode("utf-16-le")) // 2
    assert (stretch.start, stretch.length) == (0, units)


def test_a_tag_is_typed_and_moved_behind_an_emoji(table) -> None:
    editor = table.editor
    bare = f"{FAMILY} the cache of {RARE} now."
    editor.fill(bare)
    editor.select_span((bare.index("cache"), bare.index(" of")))
    assert editor.insert_pair()
    assert editor.toPlainText() == bare.replace("cache", "{1}cache{/1}")
    editor.fill("")
    QTest.keyClicks(editor, "a")
    editor.moveCursor(QTextCursor.MoveOperation.End)
    editor.type_text(f"{FAMILY}")
    QTest.keyClicks(editor, "{1}b{/1}")
    assert editor.toPlainText() == f"a{FAMILY}{{1}}b{{/1}}" and len(editor.shown().marks) == 2
