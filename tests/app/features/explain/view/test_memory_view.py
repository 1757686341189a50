"""The memory's panels show effects in words; numbers only in the details."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QTreeWidget
from shown_texts import shown_texts

from anaphora.editor.appearance.theme import Theme
from anaphora.features.explain.view.effects import origin_text
from anaphora.features.explain.view.topic import USE, TopicPanel
from anaphora.features.explain.view.why import WhyPanel
from anaphora.system.interface_language import UiLanguage, install_language
from anaphora_nmt.steering import Matches, MemoryPack
from anaphora_nmt.types import (
    Explanation,
    MemoryEntry,
    MemorySection,
    MemoryUse,
    MemoryVersion,
    MemoryView,
    SourceWord,
    TokenTrace,
)

UNCHANGED = "The document memory did not affect this word."


def a_theme() -> Theme:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return Theme(app)


def trace(word: str, start: int, uses: tuple[MemoryUse, ...]) -> TokenTrace:
    return TokenTrace(
        word=word,
        start=start,
        end=start + len(word),
        log_probability=-0.25,
        attention=(0.5, 0.5),
        uses=uses,
        shares={use.memory: 0.5 for use in uses},
    )


@pytest.fixture
def explanation() -> Explanation:
    slots = MemorySection("slots", "Memory", (MemoryEntry("peer", "8"),), of_segments=True)
    view = MemoryView("9", MemoryVersion("d", 1), (slots,))
    followed = MemoryUse("confirmed", "node", "2", 0.75, 0.5, confirmed=True)
    tokens = (trace("the", 0, ()), trace("node", 4, (followed,)))
    return Explanation("9", "the node", (SourceWord("节", 0, 1), SourceWord("点", 1, 2)), tokens, view)


def test_the_panel_shows_words_with_an_effect(qtbot, explanation: Explanation) -> None:
    panel = WhyPanel(a_theme(), int)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_explanation(explanation)
    panel.select_word(0)
    assert UNCHANGED in shown_texts(panel) and not panel.words.isVisible()
    panel.select_word(1)
    assert panel.words.isVisible() and UNCHANGED not in shown_texts(panel)
    row = panel.words.topLevelItem(0)
    assert [row.text(column) for column in range(3)] == ["node", "2", "positive"]
    with qtbot.waitSignal(panel.segment_requested) as asked:
        panel.words.itemActivated.emit(row, 0)
    assert asked.args == ["2"]


def test_the_panel_shows_decisive_and_opposing_words(qtbot) -> None:
    places = (
        MemoryUse("confirmed", "cycle", "8", 0.5, 0.75, confirmed=True),
        MemoryUse("confirmed", "cycle", "3", 0.25, 0.01, confirmed=True),
    )
    decisive = replace(places[0], influence=1.5, decisive=True, occurrences=places)
    against = MemoryUse("confirmed", "cycle", "8", 0.5, -0.5, confirmed=True, translates="循环")
    idle = MemoryUse("confirmed", "other", "8", 0.5, 0.02, confirmed=True)
    followed = replace(trace("cycle", 0, (decisive, idle)), without_memory="loop")
    view = MemoryView("9", MemoryVersion("d", 1))
    tokens = (followed, trace("loop", 6, (against,)))
    shown = Explanation("9", "cycle loop", (SourceWord("循环", 0, 2),), tokens, view)
    panel = WhyPanel(a_theme(), int)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_explanation(shown)
    panel.select_word(0)
    assert shown_texts(panel)[0] == "cycle"
    assert panel.words.topLevelItemCount() == 1
    row = panel.words.topLevelItem(0)
    assert (row.text(2), row.childCount(), row.child(1).text(2)) == ("decisive", 2, "none")
    panel.select_word(1)
    assert panel.words.topLevelItem(0).text(2) == "negative"
    faint = replace(against, strength=0.02)
    panel.show_explanation(replace(shown, tokens=(followed, trace("loop", 6, (faint,)))))
    panel.select_word(1)
    assert panel.words.topLevelItem(0).text(2) == "negative"


def test_the_panel_lists_a_draft_only_if_it_changed_the_word(qtbot) -> None:
    draft = MemoryUse("confirmed", "but", "17", 0.5, 0.75)
    turned = replace(draft, decisive=True, occurrences=(draft, replace(draft, segment="4", confirmed=True)))
    tokens = (
        replace(trace("but", 0, (turned,)), without_memory="and"),
        trace("but", 4, (draft,)),
        trace("but", 8, (replace(turned, decisive=False, confirmed=True, segment="4"),)),
    )
    view = MemoryView("9", MemoryVersion("d", 1))
    shown = Explanation("9", "but but but", (SourceWord("但", 0, 1),), tokens, view, draft_without_memory="")
    panel = WhyPanel(a_theme(), int)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_explanation(shown)
    panel.select_word(0)
    row = panel.words.topLevelItem(0)
    assert [row.text(column) for column in range(3)] == ["but", "17, draft", "decisive"]
    assert "not confirmed" in row.toolTip(0) and row.icon(0).isNull()
    assert [row.child(at).text(1) for at in range(row.childCount())] == ["17, draft", "4"]
    panel.select_word(1)
    assert not panel.words.isVisible() and UNCHANGED in shown_texts(panel)
    panel.select_word(2)
    row = panel.words.topLevelItem(0)
    assert row.text(1) == "4" and [row.child(at).text(1) for at in range(row.childCount())] == ["4"]


def test_a_memory_unknown_to_the_panels_is_shown(qtbot) -> None:
    held = MemorySection("echoes", "Echoes", (MemoryEntry("peer", "8"),), of_segments=True, memory="toy")
    entries = MemoryEntry("Ada"), MemoryEntry("peer")
    words = MemorySection("names", "Names", entries, "people", memory="toy")
    view = MemoryView("9", MemoryVersion("d", 1), (held, words))
    uses = (
        MemoryUse("toy", "peer", "8", 0.5, 0.25, "echoes", confirmed=True),
        MemoryUse("toy", "Ada", "", 0.75, 0.5, "names"),
    )
    shown = Explanation("9", "peer", (SourceWord("点", 0, 1),), (trace("peer", 0, uses),), view)
    theme = a_theme()
    topic, why = TopicPanel(theme, int), WhyPanel(theme, int)
    for panel in (topic, why):
        qtbot.addWidget(panel)
        panel.show()
        panel.show_explanation(shown)
        panel.select_word(0)
    (listed,) = topic.findChildren(QTreeWidget)
    assert listed.isVisible() and listed.headerItem().text(0) == "Names" and "people" in shown_texts(topic)
    assert (listed.topLevelItem(0).text(0), listed.topLevelItem(0).text(USE)) == ("Ada", "75.0%")
    said = listed.topLevelItem(1)
    assert (said.text(0), said.text(USE), said.font(0).bold()) == ("peer", "", False), "it only occurs"
    assert [why.words.topLevelItem(row).text(0) for row in range(2)] == ["peer", "Ada"]
    assert why.words.topLevelItem(1).text(1) == "Names"


def test_sections_of_a_memory_are_named_in_the_language_of_the_window(qtbot, qapp) -> None:
    words = MemorySection("names", "Recent words", (MemoryEntry("Ada"),), memory="toy")
    uses = (MemoryUse("toy", "Ada", "", 0.75, 0.5, "names"),)
    view = MemoryView("9", MemoryVersion("d", 1), (words,))
    shown = Explanation("9", "Ada", (SourceWord("点", 0, 1),), (trace("Ada", 0, uses),), view)
    theme = a_theme()
    topic, why = TopicPanel(theme, int), WhyPanel(theme, int)
    for panel in (topic, why):
        qtbot.addWidget(panel)
        panel.show()

    def named() -> set[str]:
        for panel in (topic, why):
            panel.show_explanation(shown)
        why.select_word(-1)
        why.select_word(0)
        (listed,) = topic.findChildren(QTreeWidget)
        return {listed.headerItem().text(0), listed.accessibleName(), why.words.topLevelItem(0).text(1)}

    assert named() == {"Recent words"}
    install_language(qapp, UiLanguage.CHINESE)
    try:
        assert named() == {"近期词"}
    finally:
        install_language(qapp, UiLanguage.ENGLISH)


def test_a_model_without_topic_words_explains_why(qtbot) -> None:
    held = MemorySection("slots", "Memory", (MemoryEntry("peer", "8"),), of_segments=True)
    panel = TopicPanel(a_theme(), int)
    qtbot.addWidget(panel)
    panel.show()
    panel.show_view(MemoryView("9", MemoryVersion("d", 1), (held,)))
    assert "does not use topic words" in " ".join(shown_texts(panel)) and not panel.summary.isVisible()


def test_topic_words_are_shown_only_if_they_have_an_effect(qtbot, explanation: Explanation) -> None:
    entries = MemoryEntry("ledger"), MemoryEntry("node")
    topical = MemorySection(
        "topic", "Topic words", entries, "ledgers", memory="word_caches", takes_topic_rules=True
    )
    recent = MemorySection("recent", "Recent words", entries, memory="word_caches")
    idle = replace(explanation, view=replace(explanation.view, sections=(topical, recent)))
    panel = TopicPanel(a_theme(), int)
    qtbot.addWidget(panel)
    panel.show()

    def shown() -> dict[str, list[str]]:
        return {
            each.headerItem().text(0): [
                each.topLevelItem(row).text(0) for row in range(each.topLevelItemCount())
            ]
            for each in panel.findChildren(QTreeWidget)
            if each.isVisible()
        }

    for show in (lambda: panel.show_view(idle.view), lambda: panel.show_explanation(idle)):
        show()
        assert shown() == {"Recent words": ["ledger", "node"]} and not panel.summary.isVisible()
    use = MemoryUse("word_caches", "node", "", 0.75, 0.5, "topic")
    effective_uses = replace(idle.tokens[1], uses=(use,), shares={"word_caches": 0.1})
    panel.show_explanation(replace(idle, tokens=(idle.tokens[0], effective_uses)))
    assert shown() == {"Topic words": ["node"], "Recent words": ["ledger", "node"]}
    assert panel.summary.isVisible() and panel.summary.text() == "ledgers"


@pytest.mark.parametrize(
    ("segment", "english", "chinese"),
    [
        ("4", "segment 4", "句段 4"),
        (Matches((("甲", "a"), ("乙", "b"))).names()[1], "translation memory match 2", "翻译记忆库匹配 2"),
        (
            MemoryPack("manual", (("甲", "a"),)).names()[0],
            "memory pack segment manual#1",
            "记忆包句段 manual#1",
        ),
    ],
)
def test_a_match_and_a_segment_of_a_pack_are_named_as_such(qapp, segment, english, chinese) -> None:
    """Sentences about origins contain this text, so that they do not call a match a segment."""
    numbers = {"4": 4}.get
    assert origin_text(segment, lambda name: numbers(name, 0)) == english
    install_language(qapp, UiLanguage.CHINESE)
    try:
        assert origin_text(segment, lambda name: numbers(name, 0)) == chinese
    finally:
        install_language(qapp, UiLanguage.ENGLISH)
