"""The memory's panels: confirmed words that a word follows stand with the slots, whichever the model read."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from anaphora.views.appearance.theme import Theme
from anaphora.views.panels.memory import EFFECT, SEGMENT, STRENGTH, WORD, MemoryPanel
from anaphora.views.panels.why import WhyPanel
from anaphora.views.widgets.bars import LABEL_ROLE
from anaphora_nmt.types import (
    ConfirmedUse,
    Explanation,
    MemoryVersion,
    MemoryView,
    SlotView,
    SourceWord,
    TokenTrace,
)


def trace(word: str, start: int, confirmed: tuple[ConfirmedUse, ...]) -> TokenTrace:
    return TokenTrace(
        word=word,
        start=start,
        end=start + len(word),
        log_probability=-0.25,
        attention=(0.5, 0.5),
        slots=(),
        cache_gate=0.0,
        cached_words=(),
        word_gate=0.0,
        confirmed=confirmed,
        confirmed_gate=0.5 if confirmed else 0.0,
    )


@pytest.fixture
def explanation() -> Explanation:
    view = MemoryView("9", MemoryVersion("d", 1), (SlotView("peer", "8", 0),), "", (), ())
    tokens = (trace("the", 0, ()), trace("node", 4, (ConfirmedUse("node", "2", 0.75, 0.5),)))
    return Explanation("9", "the node", (SourceWord("节", 0, 1), SourceWord("点", 1, 2)), tokens, view)


def test_a_confirmed_word_that_no_slot_holds_any_more_comes_first(qtbot, explanation: Explanation) -> None:
    panel = MemoryPanel(Theme(QApplication.instance()), int)
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
    panel = WhyPanel(Theme(QApplication.instance()), int)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_explanation(explanation)
    panel.select_word(0)
    assert panel._nothing.isVisible() and not panel._slots.isVisible()
    assert not panel._cache_gate.isVisible() and not panel._word_gate.isVisible()
    panel.select_word(1)
    assert panel._slots.isVisible() and not panel._words.isVisible() and not panel._nothing.isVisible()
    assert panel._slots.topLevelItem(0).text(0) == "node"
    with qtbot.waitSignal(panel.segment_requested) as asked:
        panel.slot_matrix.row_chosen.emit(0)
    assert asked.args == ["2"]
