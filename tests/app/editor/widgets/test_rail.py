"""The context rail: sections with useful information about the current segment."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from shown_texts import shown_texts

from anaphora.core.segment import Segment
from anaphora.editor.appearance.theme import Theme
from anaphora.editor.widgets.rail import ContextRail, RailSection
from anaphora.editor.widgets.sentence import Lines
from anaphora.features.explain.feature import Explain
from anaphora.features.explain.inspector import is_word
from anaphora.features.explain.view.why import ReasonLines
from anaphora_nmt.types import (
    Correction,
    Explanation,
    MemorySection,
    MemoryUse,
    MemoryVersion,
    MemoryView,
    SourceWord,
    TokenTrace,
)


@pytest.fixture
def theme(qapp) -> Theme:
    assert isinstance(qapp, QApplication)
    return Theme(qapp)


def explained(*uses: MemoryUse) -> Explanation:
    """A sentence of two words; the second one has the uses."""
    words = (SourceWord("读取", 0, 2), SourceWord("循环", 2, 4))
    tokens = (
        TokenTrace("reads", 0, 5, -0.1, (0.9, 0.1)),
        TokenTrace("loop", 6, 10, -0.1, (0.2, 0.8), uses),
    )
    return Explanation("9", "reads loop", words, tokens, MemoryView("9", MemoryVersion("d", 1)))


HINT = "Suggestions, terms and the effect of the document memory appear here."


def test_a_section_without_content_is_hidden(qtbot):
    sections = [RailSection(name, name, QLabel(name)) for name in ("matches", "terms")]
    rail = ContextRail(sections)
    qtbot.addWidget(rail)
    rail.show()
    assert HINT in shown_texts(rail) and not any(section.isVisible() for section in sections)
    rail.section("terms").show_filled(True, "2")
    assert sections[1].isVisible() and sections[1].detail.text() == "2" and not sections[0].isVisible()
    assert HINT not in shown_texts(rail)
    rail.section("terms").show_filled(False)
    assert HINT in shown_texts(rail)


FOLLOWED = MemoryUse("confirmed", "loop", "3", 0.5, 0.75, confirmed=True, translates="循环体")
AGAINST = MemoryUse("confirmed", "cycle", "8", 0.5, -0.5, confirmed=True, translates="循环", is_clear=True)


def test_the_card_shows_the_effect_of_each_pair_and_links_to_it(qtbot, theme):
    lines = ReasonLines(theme, int)
    qtbot.addWidget(lines)
    idle = replace(AGAINST, label="other", influence=0.02)
    lines.show_explanation(explained(FOLLOWED, AGAINST, idle))
    against, followed = (each.split("<br>") for each in lines.text.text().split("</p>")[:2])
    assert "循环 → <b>loop</b>" in followed[0] and "循环 → <b>loop</b>" in against[0]
    assert "✓ positive" in followed[1] and "循环体 → loop" in followed[1]
    assert 'href="3">segment 3</a>' in followed[1] and "you confirmed it" in followed[1]
    assert "✗ negative" in against[1] and "循环 → cycle" in against[1]
    assert "other" not in lines.text.text()
    decisive = replace(FOLLOWED, decisive=True)
    lines.show_explanation(explained(decisive, AGAINST))
    assert lines.text.text().index("✓ decisive") < lines.text.text().index("✗ negative")
    lines.show_explanation(explained(replace(FOLLOWED, translates="循环")))
    assert lines.text.text().count("loop") == 1, "the pair is named once"
    lines.select_word(1)
    assert lines.text.text().count("loop") == 1 and "segment 3" in lines.text.text()
    with qtbot.waitSignal(lines.segment_requested, timeout=30000) as asked:
        lines.text.linkActivated.emit("8")
    assert asked.args == ["8"]
    with qtbot.waitSignal(lines.changed, timeout=30000) as changed:
        lines.show_explanation(explained(replace(FOLLOWED, influence=0.01)))
    assert changed.args == [0]


def test_the_card_shows_the_cause_of_a_word_and_can_mute_it(qtbot, theme):
    lines = ReasonLines(theme, lambda segment: int(segment or 0))
    qtbot.addWidget(lines)
    but = replace(FOLLOWED, label="but", segment="17", decisive=True, translates="")
    topical = replace(but, segment="", section="topic", confirmed=False)
    sections = (MemorySection("topic", "Topic words", memory="confirmed"),)
    for use, said in (
        (but, ("✓ decisive", "segment 17", "you confirmed it")),
        (replace(but, confirmed=False), ("decisive", "segment 17", "a draft, not confirmed")),
        (topical, ("decisive", "Topic words")),
    ):
        shown = explained(use)
        lines.show_explanation(replace(shown, view=replace(shown.view, sections=sections)))
        text = lines.text.text()
        assert all(each in text for each in said) and ("✓" in text) == use.confirmed
        with qtbot.waitSignal(lines.steering_requested, timeout=30000) as asked:
            lines.text.linkActivated.emit("steer:0")
        assert asked.args == [use] and 'href="steer:0">Change…</a>' in text


def test_the_card_shows_alternatives_to_a_word(qtbot, theme):
    lines = ReasonLines(theme, int)
    qtbot.addWidget(lines)
    shown = explained(replace(FOLLOWED, decisive=True))
    turned = replace(shown.tokens[1], without_memory="cycle")
    shown = replace(shown, tokens=(shown.tokens[0], turned))
    lines.show_explanation(shown)
    lines.select_word(1)
    after, too = "would be “cycle”.", "also contains this word"
    assert after in lines.text.text() and too not in lines.text.text()
    lines.show_comparison(replace(shown, draft_without_memory="reads loop"))
    assert after not in lines.text.text() and too in lines.text.text()
    ended = replace(shown, tokens=(shown.tokens[0], replace(turned, without_memory="")))
    lines.show_explanation(ended)
    lines.select_word(1)
    assert "the sentence would end here" in lines.text.text()


def test_a_corrected_word_is_not_called_unaffected(qtbot, theme):
    lines = ReasonLines(theme, int)
    qtbot.addWidget(lines)
    for corrections, is_unaffected in (((), True), ((Correction("循环", "cycle", "loop", "7"),), False)):
        lines.show_explanation(replace(explained(), corrections=corrections))
        lines.select_word(1)
        assert ("did not affect" in lines.text.text()) is is_unaffected


class Neighbour(Lines):
    """A minimal section of the rail, which shows the current segment."""

    def show_segment(self, segment: Segment | None) -> None:
        self.show_lines([self.link(segment.id, segment.source)] if segment is not None else [])


def test_a_section_gets_the_segment_and_its_links_work(qtbot, theme):
    body = Neighbour(theme)
    rail = ContextRail([RailSection("neighbour", "Neighbour", body, body.changed)])
    qtbot.addWidget(rail)
    rail.show_segment(Segment("5", "账本"))
    assert rail.section("neighbour").is_filled and "账" in body.text.text()
    with qtbot.waitSignal(rail.segment_requested, timeout=30000) as asked:
        body.text.linkActivated.emit("5")
    assert asked.args == ["5"]
    rail.show_segment(None)
    assert not rail.section("neighbour").is_filled


@pytest.mark.slow
def test_a_double_click_on_a_source_word_chooses_its_counterpart(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.table.go_to_row(1)
    qtbot.waitUntil(lambda: window.of(Explain).inspector.explanation is not None, timeout=30000)
    explanation = window.of(Explain).inspector.explanation
    word = max(range(len(explanation.source_words)), key=lambda at: explanation.source_words[at].start)
    window.table.card.source.double_clicked.emit(explanation.source_words[word].start)
    # a mark is never the counterpart
    shares = [token.attention[word] * is_word(token) for token in explanation.tokens]
    assert window.of(Explain).inspector.word == shares.index(max(shares))
    assert window.table.editor.extraSelections() and window.table.card.source.extraSelections()
    assert not window.table.editor.textCursor().hasSelection()
