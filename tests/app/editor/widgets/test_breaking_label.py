"""Labels of the rail wrap text without blanks, and return their original text."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest

from anaphora.editor.widgets.sentence import breakable, rich_label

ADDRESS = "https://example.org/" + "segment_of_the_path/" * 8


def test_a_long_string_wraps_at_the_end_of_the_label(qtbot):
    label = rich_label()
    qtbot.addWidget(label)
    label.setText("short")
    line = label.heightForWidth(240)
    label.setText(f'before <a href="{ADDRESS}">{ADDRESS}</a>')
    assert label.heightForWidth(240) > 3 * line, "it must not be cut off in one line"
    assert label.minimumSizeHint().width() <= 240
    assert label.text().count(ADDRESS) == 2


def test_markup_entities_and_chinese_are_not_broken():
    assert breakable("a plain text of short words, 一二三四五六七八九十" * 3) == (
        "a plain text of short words, 一二三四五六七八九十" * 3
    )
    link = f'<a href="{ADDRESS}">x</a>'
    assert breakable(link) == link
    assert breakable("&lt;" * 25) == "&lt;" * 24 + "\u200b" + "&lt;"


def test_copied_text_has_no_added_breaks(qtbot):
    label = rich_label()
    qtbot.addWidget(label)
    label.setText(ADDRESS)
    label.setSelection(0, len(breakable(ADDRESS)))
    assert label.selectedText() == ADDRESS
    QTest.keySequence(label, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text() == ADDRESS
