"""What went and what came in its place can be told apart."""

from __future__ import annotations

import re
from typing import cast

from PySide6.QtWidgets import QApplication

from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.compared import THIN_SPACE, compared


def read(made: str) -> str:
    return re.sub(r"<[^>]*>", "", made)


def test_words_that_replace_each_other_do_not_run_together(qapp) -> None:
    theme = Theme(cast(QApplication, qapp))
    assert read(compared(theme, "It reads the ledger.", "It reads the register.")) == (
        f"It reads the ledger{THIN_SPACE}register."
    )
    assert read(compared(theme, "It reads.", "It reads.")) == "It reads."
    assert THIN_SPACE not in compared(theme, "It reads.", "It also reads.")
