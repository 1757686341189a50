"""Deletions and insertions are distinguished."""

from __future__ import annotations

import html
import re
from typing import cast

from PySide6.QtWidgets import QApplication

from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.changes import THIN_SPACE, compared


def read(made: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", made))


def test_words_that_replace_each_other_do_not_run_together(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    assert read(compared(theme, "It reads the ledger.", "It reads the register.")) == (
        f"It reads the ledger{THIN_SPACE}register."
    )
    assert read(compared(theme, "It reads.", "It reads.")) == "It reads."
    assert THIN_SPACE not in compared(theme, "It reads.", "It also reads.")


def test_a_mostly_new_text_is_shown_without_marks(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    old = "Each section of this guide is an overview of one topic; links stand at its end."
    new = "This guide gives a brief overview of the fundamentals, and tells you where to go on."
    assert compared(theme, old, new) == new
    assert read(compared(theme, "", new)) == new and read(compared(theme, old, "")) == old
    # A longer or shorter text is not a new text.
    assert read(
        compared(theme, "Each section is an overview.", "Each section of it is a short overview.")
    ) == (f"Each section of it is an{THIN_SPACE}a short overview.")


def test_words_are_compared_as_words(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    for old, new, said in (
        ("甲方应当支付合同价款。", "甲方应当支付合同金额。", "甲方应当支付合同价款|金额。"),
        ("双方承担违约责任。", "双方均不承担连带责任。", "双方均不承担违约责任|连带责任。"),
        ("It doesn't pay well.", "It didn't pay well.", "It doesn't|didn't pay well."),
        ("The two big books.", "The many small books.", "The two big|many small books."),
    ):
        assert read(compared(theme, old, new)).replace(THIN_SPACE, "|") == said


def test_plain_deletions_and_insertions_are_marked(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    gone = compared(theme, "It also reads.", "It reads.")
    assert "line-through" in gone and theme.colours.match not in gone and THIN_SPACE not in gone
    new = compared(theme, "It reads.", "It also reads.")
    assert "line-through" not in new and theme.colours.match in new
    assert "<span" not in compared(theme, "It reads.", "It reads.")
