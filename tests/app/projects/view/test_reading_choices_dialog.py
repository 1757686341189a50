"""The dialog of how a document is read: long texts, wide tables, the keyboard, the colours of now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QTableWidget

from anaphora.core.project import DocumentInfo
from anaphora.core.reading_choices import MOST_COLUMNS, Columns
from anaphora.formats.bilingual.csv_table import Shown
from anaphora.projects.reading_choices import Offer, Trial
from anaphora.projects.view.reading_choices import ReadingChoicesDialog
from anaphora.views.appearance.theme import DARK, LIGHT, Theme, ThemeChoice


@pytest.fixture
def theme(qapp) -> Iterator[Theme]:
    found = Theme(cast(QApplication, qapp), ThemeChoice.LIGHT)
    yield found
    found.choose(ThemeChoice.SYSTEM)


def dialog_of(
    qtbot, theme: Theme, texts: tuple[str, ...], table: Shown | None = None
) -> ReadingChoicesDialog:
    document = DocumentInfo("1", "a", "", "csv" if table else "txt", "", "", 1, 1, "")
    dialog = ReadingChoicesDialog(Offer(document, table, texts), False, theme)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


def test_a_long_text_is_shown_where_the_first_match_stands(qtbot, theme: Theme) -> None:
    text = "x" * 900 + "@@a@@" + "y" * 20_000
    dialog = dialog_of(qtbot, theme, ("short", text))
    dialog.show_trial(Trial(0, ((), ((900, 905), (910, 20_000), (20_001, 20_002)))))
    first, second = dialog.matches.toPlainText().split("\n")
    assert first.startswith("…xxx") and "x@@a@@yyy" in first and first.endswith("y…") and second == "short"
    assert len(first) <= 202
    assert dialog.matches.toHtml().count("background-color") == 2


def test_matches_are_in_the_colours_of_now(qtbot, theme: Theme) -> None:
    dialog = dialog_of(qtbot, theme, ("a",))
    dialog.show_trial(Trial(0, (((0, 1),),)))
    assert LIGHT.match in dialog.matches.toHtml()
    theme.choose(ThemeChoice.DARK)
    assert DARK.match in dialog.matches.toHtml() and LIGHT.match not in dialog.matches.toHtml()


def test_a_wide_table_neither_widens_the_dialog_nor_keeps_the_keyboard(qtbot, theme: Theme) -> None:
    rows = (("字" * 200,) * MOST_COLUMNS,) * 3
    dialog = dialog_of(qtbot, theme, (), Shown(rows, Columns((1,), (-1,))))
    assert dialog.minimumSizeHint().width() <= 760
    table = cast(QTableWidget, dialog.findChild(QTableWidget))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Tab)
    assert dialog.columns is not None and dialog.focusWidget() is dialog.columns.sources
