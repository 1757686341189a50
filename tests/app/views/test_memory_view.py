"""The memory's panels: confirmed words that a word follows stand with the slots, whichever the model read."""

from __future__ import annotations

from typing import cast

import pytest
from PySide6.QtWidgets import QApplication

from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.memory import EFFECT, SEGMENT, STRENGTH, WORD, MemoryPanel
from anaphora.views.panels.topic import USE, TopicPanel
from anaphora.views.panels.why import WhyPanel
from anaphora.views.widgets.bars import LABEL_ROLE
from anaphora_nmt.types import (
    Explanation,
    MemoryEntry,
    MemorySection,
    MemoryShare,
    MemoryUse,
    MemoryVersion,
    MemoryView,
    SourceWord,
    TokenTrace,
)


def trace(word: str, start: int, uses: tuple[MemoryUse, ...]) -> TokenTrace:
    return TokenTrace(
        word=word,
        start=start,
        end=start + len(word),
        log_probability=-0.25,
        attention=(0.5, 0.5),
        uses=uses,
        shares=tuple(MemoryShare(use.memory, f"its {use.memory}", 0.5) for use in uses),
    )


@pytest.fixture
def explanation() -> Explanation:
    slots = MemorySection("slots", "Memory", (MemoryEntry("peer", "8", 0),), of_segments=True)
    view = MemoryView("9", MemoryVersion("d", 1), (slots,))
    followed = MemoryUse("confirmed", "node", "2", 0.75, 0.5, confirmed=True)
    tokens = (trace("the", 0, ()), trace("node", 4, (followed,)))
    return Explanation("9", "the node", (SourceWord("节", 0, 1), SourceWord("点", 1, 2)), tokens, view)


def test_a_confirmed_word_that_no_slot_holds_any_more_comes_first(qtbot, explanation: Explanation) -> None:
    panel = MemoryPanel(Theme(cast(QApplication, QApplication.instance())), int)
    qtbot.addWidget(panel)
    panel.show_explanation(explanation)
    assert [panel._slots.topLevelItem(0).text(WORD), panel._slots.topLevelItemCount()] == ["peer", 1]
    panel.select_word(1)
    first = panel._slots.topLevelItem(0)
    assert (first.text(WORD), first.text(SEGMENT), first.data(STRENGTH, LABEL_ROLE)) == ("node", "2", "75%")
    assert first.text(EFFECT).startswith("+") and not first.icon(WORD).isNull()
    with qtbot.waitSignal(panel.segment_requested) as asked:
        panel._slots.itemClicked.emit(first, WORD)
    assert asked.args == ["2"]


def test_why_shows_what_was_followed_and_says_where_nothing_was(qtbot, explanation: Explanation) -> None:
    panel = WhyPanel(Theme(cast(QApplication, QApplication.instance())), int)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_explanation(explanation)
    panel.select_word(0)
    assert panel._nothing.isVisible() and not panel._slots.isVisible()
    assert [name for name, bar in panel._shares.items() if bar.isVisible()] == ["confirmed"]
    panel.select_word(1)
    assert panel._slots.isVisible() and not panel._words.isVisible() and not panel._nothing.isVisible()
    assert panel._slots.topLevelItem(0).text(0) == "node"
    with qtbot.waitSignal(panel.segment_requested) as asked:
        panel.slot_matrix.row_chosen.emit(0)
    assert asked.args == ["2"]


def test_a_memory_that_the_panels_have_never_heard_of_is_shown(qtbot) -> None:
    held = MemorySection("echoes", "Echoes", (MemoryEntry("peer", "8", 1),), of_segments=True, memory="toy")
    words = MemorySection("names", "Names", (MemoryEntry("Ada", weight=0.25),), "people", memory="toy")
    view = MemoryView("9", MemoryVersion("d", 1), (held, words))
    uses = (
        MemoryUse("toy", "peer", "8", 0.5, 0.25, "echoes"),
        MemoryUse("toy", "Ada", "", 0.75, 0.5, "names"),
    )
    shown = Explanation("9", "peer", (SourceWord("点", 0, 1),), (trace("peer", 0, uses),), view)
    theme = Theme(cast(QApplication, QApplication.instance()))
    memory, topic, why = MemoryPanel(theme, int), TopicPanel(theme), WhyPanel(theme, int)
    for panel in (memory, topic, why):
        qtbot.addWidget(panel)
        panel.show()
        panel.show_explanation(shown)
        panel.select_word(0)
    row = memory._slots.topLevelItem(0)
    assert (row.text(WORD), row.text(SEGMENT), row.data(STRENGTH, LABEL_ROLE)) == ("peer", "8", "50%")
    (listed,) = topic._shown.values()
    assert listed.isVisible() and listed.headerItem().text(0) == "Names" and topic._topic.text() == "people"
    assert (listed.topLevelItem(0).text(0), listed.topLevelItem(0).text(USE)) == ("Ada", "75%")
    assert why._shares["toy"].isVisible() and why._shares["toy"].accessibleName() == "its toy: 50%"
    assert why._slots.topLevelItem(0).text(0) == "peer"
    assert (why._words.topLevelItem(0).text(0), why._words.topLevelItem(0).text(1)) == ("Ada", "names")
