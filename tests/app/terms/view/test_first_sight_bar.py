"""The line that offers the recurring names and terms of a document."""

from __future__ import annotations

import pytest

from anaphora.terms.view.first_sight_bar import FirstSightBar
from anaphora.views.appearance.theme import Theme, ThemeChoice


@pytest.mark.parametrize(
    ("names", "terms", "said"),
    [
        (0, 23, "Recurring terms: 23."),
        (4, 0, "Recurring names: 4."),
        (4, 23, "Recurring names: 4, terms: 23."),
    ],
)
def test_what_there_is_none_of_is_not_counted(qtbot, qapp, names: int, terms: int, said: str) -> None:
    bar = FirstSightBar(Theme(qapp, ThemeChoice.LIGHT))
    qtbot.addWidget(bar)
    bar.offer(names, terms)
    assert bar.said.text().partition(" Settle")[0] == said
