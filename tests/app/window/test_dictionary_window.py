"""The dictionary in the rail, with the real engine and the shipped dictionary."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QTextCursor, QTextDocumentFragment
from PySide6.QtTest import QTest

from anaphora.core.drafts import proposal_of
from anaphora.core.segment import SegmentState, Status
from anaphora.features.dictionary.feature import Dictionary
from anaphora.features.quality.feature import Quality
from anaphora.features.segments.feature import Segments

TEXT = ("账本保存每个交易。", "土制雷管（无插销）")


@pytest.fixture
def window(qtbot, make_real_window, tmp_path, drafted):
    """The first draft is good; the second is tentative, and has a fuse or a detonator for 雷管."""
    path = tmp_path / "游戏.zh.txt"
    path.write_text("\n".join(TEXT) + "\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    confidence, document = window.of(Quality).confidence, window.session.document
    # a new draft may differ
    qtbot.waitUntil(
        lambda: [confidence.is_proposed(document.at(row).id) for row in range(2)] == [False, True],
        timeout=30000,
    )
    return window


def words(window) -> list[str]:
    return re.findall(r"<p[^>]*>([^<>& ]+) &nbsp;", window.of(Dictionary).lines.text.text())


def shown(window) -> bool:
    return window.docks.rail.section("dictionary").isVisible()


def select(window, start: int, end: int) -> None:
    source = window.table.card.source
    cursor = source.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    source.setTextCursor(cursor)


def text(window) -> str:
    return QTextDocumentFragment.fromHtml(window.of(Dictionary).lines.text.text()).toPlainText()


@pytest.mark.slow
def test_dictionary_words_in_a_draft_are_shown_while_they_are_there(qtbot, window) -> None:
    segment = window.session.document.at(1)
    assert not window.of(Dictionary).hints.used_hints(window.session.document.at(0))
    (hint,) = window.of(Dictionary).hints.used_hints(segment)
    assert hint.word == "雷管" and hint.form in proposal_of(segment.state)
    assert hint.form.rstrip("s") in ("detonator", "fuse")
    window.table.go_to_row(1)
    line = f"雷管  {hint.form}  in the draft"
    qtbot.waitUntil(lambda: line in text(window).replace("\xa0", " "), timeout=30000)
    assert line in window.of(Dictionary).lines.text.accessibleDescription().replace("\xa0", " ")
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "Bombs")
    qtbot.waitUntil(lambda: "雷管" in text(window) and "in the draft" not in text(window), timeout=10000)
    window.session.set_states({segment.id: SegmentState(hint.form, Status.CONFIRMED)})
    assert not window.of(Dictionary).hints.used_hints(window.session.document.get(segment.id))


@pytest.mark.slow
def test_dictionary_words_missing_in_a_doubtful_draft_are_offered(qtbot, window) -> None:
    window.table.go_to_row(0)
    assert not shown(window)
    window.table.go_to_row(1)
    qtbot.waitUntil(lambda: "插销" in words(window), timeout=30000)
    assert shown(window) and "detonator" in window.of(Dictionary).lines.text.accessibleDescription()
    editor, segment = window.table.editor, window.session.document.at(1)
    editor.selectAll()
    QTest.keyClicks(editor, "homemade ")
    qtbot.waitUntil(lambda: "土制" not in words(window) and "雷管" in words(window), timeout=10000)
    window.of(Dictionary).lines.text.linkActivated.emit("detonator")
    assert editor.toPlainText() == "homemade detonator" and editor.hasFocus()
    qtbot.waitUntil(lambda: "雷管" not in words(window) and "插销" in words(window), timeout=10000)
    window.of(Segments).actions.confirm()
    window.table.go_to_row(1)
    qtbot.waitUntil(lambda: not shown(window), timeout=10000)
    assert window.session.document.get(segment.id).status is Status.CONFIRMED


@pytest.mark.slow
def test_a_selection_in_the_source_is_looked_up(qtbot, window) -> None:
    window.table.go_to_row(0)
    select(window, 2, 4)
    qtbot.waitUntil(lambda: words(window) == ["保存"], timeout=30000)
    window.of(Dictionary).lines.text.linkActivated.emit("to%20conserve")
    assert "conserve" in window.table.editor.toPlainText()
    assert "to conserve" not in window.table.editor.toPlainText()
    select(window, 0, 0)
    qtbot.waitUntil(lambda: not shown(window), timeout=10000)
