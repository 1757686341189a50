"""Lists with rich text."""

from __future__ import annotations

from typing import cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QHeaderView, QStyleOptionViewItem, QTreeWidgetItem

from anaphora.views.appearance.theme import Theme, ThemeChoice
from anaphora.views.widgets.html_delegate import HtmlDelegate, html_list, set_html


def test_a_cell_is_as_high_as_its_wrapped_text_and_its_margins(qtbot) -> None:
    theme = Theme(cast(QApplication, QApplication.instance()), ThemeChoice.LIGHT)
    rows = html_list(theme, "Changes", ("No.", "Change"), 80, QHeaderView.ResizeMode.Fixed)
    qtbot.addWidget(rows)
    rows.resize(400, 400)
    item = QTreeWidgetItem(["plain", "plain"])
    set_html(item, 1, "words {1/}", "words {1/}", {"{1/}": "`bold`"})
    rows.addTopLevelItem(item)
    rows.show()
    delegate = cast(HtmlDelegate, rows.itemDelegate())
    index = rows.indexFromItem(item, 1)
    width = rows.columnWidth(1)
    hint = delegate.sizeHint(QStyleOptionViewItem(), index)
    assert hint.width() == width
    assert hint.height() == round(delegate.document(index, width - 16).size().height()) + 12
    assert "bold" in delegate.document(index, 300).toPlainText(), "its own labels"
    assert delegate.document(index, 10).textWidth() == 60 and delegate.document(index, 61).textWidth() == 61
    delegate.labels = {"{1/}": "`slanted`"}
    assert "bold" in delegate.document(index, 300).toPlainText()
    set_html(item, 1, "words {1/}", "words {1/}")
    assert "slanted" in delegate.document(index, 300).toPlainText(), "else those of all cells"
    painted, plain = QStyleOptionViewItem(), QStyleOptionViewItem()
    item.setText(1, "words")
    delegate.initStyleOption(painted, index)
    delegate.initStyleOption(plain, rows.indexFromItem(item, 0))
    assert (painted.text, plain.text) == ("", "plain")
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) and not rows.rootIsDecorated()
