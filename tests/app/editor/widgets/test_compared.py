"""Deletions and insertions are distinguished."""

from __future__ import annotations

import re
from typing import cast

from PySide6.QtWidgets import QApplication

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.compared import THIN_SPACE, compared


def read(made: str) -> str:
    return re.sub(r"<[^>]*>", "", made)


def test_words_that_replace_each_other_do_not_run_together(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    assert read(compared(theme, "It reads the ledger.", "It reads the register.")) == (
        f"It reads the ledger{THIN_SPACE}register."
    )
    assert read(compared(theme, "It reads.", "It reads.")) == "It reads."
    assert THIN_SPACE not in compared(theme, "It reads.", "It also reads.")


def test_a_sentence_that_was_written_anew_stands_behind_the_old_one(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    old = "Each section of this guide is an overview of one topic; links stand at its end."
    new = "This guide gives a brief overview of the fundamentals."
    assert read(compared(theme, old, new)) == f"{old}{THIN_SPACE}{new}"
    # Longer or shorter variants are still the same sentence.
    assert read(
        compared(theme, "Each section is an overview.", "Each section of it is a short overview.")
    ) == (f"Each section of it is an{THIN_SPACE}a short overview.")
    assert read(compared(theme, "", new)) == new and read(compared(theme, old, "")) == old


def test_what_went_without_a_successor_and_what_came_without_a_predecessor_is_marked(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    gone = compared(theme, "It also reads.", "It reads.")
    assert "line-through" in gone and theme.colours.match not in gone and THIN_SPACE not in gone
    new = compared(theme, "It reads.", "It also reads.")
    assert "line-through" not in new and theme.colours.match in new
    assert "<span" not in compared(theme, "It reads.", "It reads.")
