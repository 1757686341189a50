"""Labels of the rail break what has no blanks, and give back what they were given."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtTest import QTest

from anaphora.editor.widgets.sentence import breakable, rich_label

ADDRESS = "https://example.org/" + "segment_of_the_path/" * 8


def test_a_long_string_is_broken_where_the_label_ends(qtbot):
    label = rich_label()
    qtbot.addWidget(label)
    label.setText("short")
    line = label.heightForWidth(240)
    label.setText(f'before <a href="{ADDRESS}">{ADDRESS}</a>')
    assert label.heightForWidth(240) > 3 * line, "it stood in one line, and was cut off"
    assert label.minimumSizeHint().width() <= 240
    assert label.text().count(ADDRESS) == 2


def test_tags_entities_and_chinese_are_left_as_they_are():
    assert breakable("a plain text of short words, 一二三四五六七八九十" * 3) == (
        "a plain text of short words, 一二三四五六七八九十" * 3
    )
    link = f'<a href="{ADDRESS}">x</a>'
    assert breakable(link) == link
    assert breakable("&lt;" * 25) == "&lt;" * 24 + "\u200b" + "&lt;"


def test_what_is_copied_is_what_was_shown(qtbot):
    label = rich_label()
    qtbot.addWidget(label)
    label.setText(ADDRESS)
    label.setSelection(0, len(breakable(ADDRESS)))
    assert label.selectedText() == ADDRESS
    QTest.keySequence(label, QKeySequence(QKeySequence.StandardKey.Copy))
    assert QGuiApplication.clipboard().text() == ADDRESS
