"""Ctrl+K looks up the selection in the document and the memories; a click goes to the segment."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from shown_texts import shown_texts

from anaphora.core.segment import SegmentState, Status
from anaphora.editor.widgets.html_table import HTML_ROLE, LABELS_ROLE
from anaphora.editor.widgets.rail import top_items
from anaphora.features.tm.feature import Tm
from anaphora.features.tm.view.concordance_panel import mark_spans

CONTROL = Qt.KeyboardModifier.ControlModifier


def test_the_selection_is_looked_up_and_a_click_goes_there(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    editor = window.table.editor
    editor.setPlainText("ledger")
    cursor = editor.textCursor()
    cursor.select(QTextCursor.SelectionType.Document)
    editor.setTextCursor(cursor)
    QTest.keyClick(editor, Qt.Key.Key_K, CONTROL)
    panel = window.of(Tm).panel
    assert panel.isVisible()
    assert panel.needle.text() == "ledger"
    rows = [row for row in range(12) if "ledger" in window.model.segment(row).target.lower()]
    assert panel.list.topLevelItemCount() == len(rows) > 1
    last = panel.list.topLevelItem(len(rows) - 1)
    assert "background-color" in last.data(2, HTML_ROLE)
    assert last.data(1, Qt.ItemDataRole.AccessibleTextRole) == window.model.segment(rows[-1]).source
    panel.list.itemClicked.emit(last, 2)
    assert window.table.currentIndex().row() == rows[-1]


@pytest.mark.slow
def test_typed_source_words_are_found_with_keys_alone(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    QTest.keyClick(window.table.editor, Qt.Key.Key_K, CONTROL)
    panel = window.of(Tm).panel
    qtbot.waitUntil(panel.needle.hasFocus, timeout=30000)
    panel.needle.setText("世界状态")
    QTest.keyClick(panel.needle, Qt.Key.Key_Return)
    assert panel.list.topLevelItemCount() == 2
    assert panel.list.hasFocus()
    QTest.keyClick(panel.list, Qt.Key.Key_Escape)
    assert window.table.editor.hasFocus() and panel.isVisible(), "results stay visible"
    QTest.keyClick(window.table.editor, Qt.Key.Key_K, CONTROL)
    assert "2" in " ".join(shown_texts(panel))
    panel.list.itemActivated.emit(panel.list.topLevelItem(1), 0)
    assert "世界状态" in window.table.current_segment.source
    panel.needle.setText("没有")
    qtbot.waitUntil(lambda: panel.list.topLevelItemCount() == 0, timeout=30000)
    assert "No translated segment" in " ".join(shown_texts(panel))
    assert panel.list.isHidden(), "blank rows"
    panel.needle.clear()
    qtbot.waitUntil(lambda: "No translated segment" not in " ".join(shown_texts(panel)), timeout=30000)
    field = panel.needle
    qtbot.waitUntil(lambda: field.x() == panel.width() - field.x() - field.width(), timeout=30000)
    QTest.keyClick(panel.needle, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.table.editor.hasFocus, timeout=30000)
    assert not panel.isVisible(), "an empty concordance is hidden"


def test_chips_show_their_code(qtbot, make_window, tmp_path, drafted):
    path = tmp_path / "code.zh.md"
    path.write_text("账本保存`tf.Tensor`的交易。\n\n节点读取`dtype`账本。\n", "utf-8")
    window = make_window(None, path)
    drafted(window)
    panel = window.of(Tm).panel
    window.docks.raise_panel("concordance")
    panel.look_up("账本")
    shown = {item.data(1, LABELS_ROLE)["{1/}"] for item in map(panel.list.topLevelItem, range(2))}
    assert shown == {"`tf.Tensor`", "`dtype`"}
    index, delegate = panel.list.model().index(0, 1), panel.list.itemDelegate()
    assert "tf.Tensor" in delegate.document(index, 400).toPlainText()


def test_marks_keep_the_text_as_it_is():
    marked = mark_spans("a < b & a", ((0, 1), (8, 9)), "#ffe49c")
    assert marked.count("background-color:#ffe49c") == 2
    assert "&lt; b &amp; " in marked


def test_the_list_follows_changes(make_window, document):
    window = make_window(None, document, False)
    panel, first = window.of(Tm).panel, window.model.segment(0)
    window.session.set_states({first.id: SegmentState("The ledger.", Status.DRAFT)})
    panel.look_up("ledger")
    (item,) = top_items(panel.list)
    before = item.icon(0).pixmap(14).toImage()
    window.session.set_states({first.id: SegmentState("A new ledger.", Status.CONFIRMED)})
    assert panel.list.topLevelItem(0) is item, "the selection stays"
    assert item.data(2, Qt.ItemDataRole.AccessibleTextRole) == "A new ledger."
    assert "background-color" in item.data(2, HTML_ROLE)
    assert item.icon(0).pixmap(14).toImage() != before


def marked(text: str, start: int, stop: int) -> str:
    """A text with one highlighted span."""
    return f'{text[:start]}<span style="background-color:yellow">{text[start:stop]}</span>{text[stop:]}'


@pytest.mark.parametrize(("start", "first"), [(0, 0), (100, 0), (101, 1), (2000, 1900), (2990, 2890)])
def test_long_texts_are_cut_around_the_first_words(start: int, first: int) -> None:
    text = "".join(map(str, range(1000)))[:3000].ljust(3000, "x")
    shown = "…" * (first > 0) + text[first : first + 1000] + "…" * (first < 2000)
    begin = start - first + (first > 0)
    assert mark_spans(text, ((start, start + 5),), "yellow") == marked(shown, begin, begin + 5)


def test_words_outside_the_shown_part_are_not_marked() -> None:
    text, whole = "x" * 1001, "x" * 1000
    assert mark_spans(whole, ((990, 1000),), "yellow") == marked(whole, 990, 1000)
    assert mark_spans(text, (), "yellow") == f"{whole}…"
    one = marked(whole + "…", 0, 5)
    assert mark_spans(text, ((0, 5), (996, 1001)), "yellow") == one
    assert mark_spans(text, ((0, 5), (995, 1000)), "yellow") == (
        f'{one[:-6]}<span style="background-color:yellow">xxxxx</span>…'
    )
