"""The context rail: only what is known about the sentence, and has a use there."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QByteArray, Signal
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow

from anaphora.application.window_settings import WindowSettings
from anaphora.core.segment import Segment
from anaphora.memory.inspector import is_word
from anaphora.memory.view.reasons import ReasonLines
from anaphora.views.appearance.theme import Theme
from anaphora.views.widgets.rail import ContextRail, RailSection
from anaphora.views.widgets.sentence import Lines
from anaphora.window.docks import BOTTOM, Docks
from anaphora_nmt.types import (
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


def test_a_section_without_content_is_not_there(qtbot):
    sections = [RailSection(name, name, QLabel(name)) for name in ("matches", "terms")]
    rail = ContextRail(sections)
    qtbot.addWidget(rail)
    rail.show()
    assert rail._empty.isVisible() and not any(section.isVisible() for section in sections)
    rail.section("terms").show_filled(True, "2")
    assert sections[1].isVisible() and sections[1].detail == "2" and not sections[0].isVisible()
    assert not rail._empty.isVisible()
    rail.section("terms").show_filled(False)
    assert rail._empty.isVisible()


FOLLOWED = MemoryUse("confirmed", "loop", "3", 0.5, 0.75, confirmed=True, translates="循环体")
AGAINST = MemoryUse("confirmed", "cycle", "8", 0.5, -0.5, confirmed=True, translates="循环", is_clear=True)


def test_the_card_says_which_pair_did_what_and_goes_there(qtbot, theme):
    lines = ReasonLines(theme, int)
    qtbot.addWidget(lines)
    idle = replace(AGAINST, label="other", influence=0.02)
    lines.show_explanation(explained(FOLLOWED, AGAINST, idle))
    against, followed = (each.split("<br>") for each in lines.text.text().split("</p>")[:2])
    assert "循环 → <b>loop</b>" in followed[0] and "循环 → <b>loop</b>" in against[0]
    assert "✓ supporting" in followed[1] and "循环体 → loop" in followed[1]
    assert 'href="3">segment 3</a>' in followed[1] and "you confirmed it" in followed[1]
    assert "✗ against" in against[1] and "循环 → cycle" in against[1]
    assert 'href="use:0">Use it here</a>' in against[1] and "Use it here" not in followed[1]
    assert "other" not in lines.text.text()
    decisive = replace(FOLLOWED, decisive=True)
    lines.show_explanation(explained(decisive, AGAINST))
    assert lines.text.text().index("✓ decisive") < lines.text.text().index("✗ against")
    with qtbot.waitSignal(lines.segment_requested, timeout=30000) as asked:
        lines.text.linkActivated.emit("8")
    assert asked.args == ["8"]
    with qtbot.waitSignal(lines.use_requested, timeout=30000) as used:
        lines.text.linkActivated.emit("use:1")
    assert used.args == ["cycle", "8"]
    with qtbot.waitSignal(lines.changed, timeout=30000) as changed:
        lines.show_explanation(explained(replace(FOLLOWED, influence=0.01)))
    assert changed.args == [0]


def test_the_card_says_supporting_only_of_confirmed_content_words_that_stand_there(qtbot, theme):
    lines = ReasonLines(theme, int)
    qtbot.addWidget(lines)
    for use in (
        replace(FOLLOWED, label="Sorry"),  # "I only remember the last three": no such word
        replace(FOLLOWED, label="the"),
        replace(FOLLOWED, label="8"),
        replace(FOLLOWED, confirmed=False),
    ):
        lines.show_explanation(explained(use))
        assert lines.text.text() == "", use.label
    lines.show_explanation(explained(replace(FOLLOWED, label="Loops")))
    assert "循环体 → Loops" in lines.text.text(), "the same word in another form"


def test_the_card_names_what_turned_a_word_says_if_it_is_a_draft_and_lets_it_be_muted(qtbot, theme):
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


def test_the_card_compares_with_the_draft_without_memory(qtbot, theme):
    lines = ReasonLines(theme, int)
    qtbot.addWidget(lines)
    shown = explained(FOLLOWED)
    lines.show_explanation(shown)
    lines.show_comparison(replace(shown, draft_without_memory="reads cycle"))
    assert "Without the memory: reads" in lines.text.text()
    lines.show_segment(Segment("1", "{1/}", tags=(("{1/}", "`tf.Tensor`"),)))
    lines.show_comparison(replace(shown, draft_without_memory="reads {1/}"))
    assert "tf.Tensor" in lines.text.text(), "code as the table shows it"


def test_the_card_begins_with_the_chosen_word_and_tells_the_rest_when_asked(qtbot, theme):
    lines = ReasonLines(theme, int)
    qtbot.addWidget(lines)
    many = [replace(FOLLOWED, label=f"loop-{letter}", segment=letter) for letter in "12345"]
    lines.show_explanation(explained(*many))
    assert lines.text.text().count("supporting") == 4 and ">1 more</a>" in lines.text.text()
    lines.text.linkActivated.emit("all:")
    assert lines.text.text().count("supporting") == 5
    lines.show_explanation(explained())
    assert lines.text.text() == ""
    lines.select_word(1)
    assert "循环 → <b>loop</b>" in lines.text.text() and "led to this word" in lines.text.text()
    article = replace(explained().tokens[1], word="the")
    lines.show_explanation(replace(explained(), tokens=(explained().tokens[0], article)))
    lines.select_word(1)
    said = lines.text.text()
    assert "<b>the</b>" in said and "→ <b>" not in said, "an article comes from no word of the source"
    lines.show_explanation(explained())
    lines.select_word(1)
    with qtbot.waitSignal(lines.details_requested, timeout=30000):
        lines.text.linkActivated.emit("details:")


class Neighbour(Lines):
    """Says which segment is current: all that a section of the rail has to be."""

    def show_segment(self, segment: Segment | None) -> None:
        self.show_lines([self.link(segment.id, segment.source)] if segment is not None else [])


def test_a_section_is_told_the_segment_and_its_links_lead_there(qtbot, theme):
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


class Count(Lines):
    """How many characters the target has."""

    def follow_target(self, segment: Segment) -> None:
        self.show_lines([str(len(segment.target))])


def test_a_section_is_told_what_is_typed(qtbot, make_window, document, theme):
    window = make_window(None, document)
    body = Count(theme)
    window.docks.rail.add(RailSection("count", "Characters", body, body.changed))
    window.table.go_to_row(0)
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "three")
    assert window.docks.rail.section("count").is_filled and ">5<" in body.text.text()


def test_at_first_the_window_fits_the_screen_and_only_the_rail_is_open(make_window, document):
    window = make_window(None, document)
    shown = [dock.objectName() for dock in window.docks._docks if dock.isVisible()]
    assert shown == ["rail"]
    window.docks.raise_panel("why")
    assert window.docks.why.isVisible()


class MoreDocks(Docks):
    """With one panel more, at the bottom."""

    def _panels(self) -> list[QDockWidget]:
        self.more = Neighbour(self._theme)
        return [*super()._panels(), self._dock("more", "More", self.more, BOTTOM)]


def test_a_panel_of_its_own_is_one_line(qtbot, theme):
    window = QMainWindow()
    qtbot.addWidget(window)
    docks = MoreDocks(window, theme, int, lambda _: None)
    window.show()
    docks.arrange()
    assert [dock.objectName() for dock in docks._docks if dock.isVisible()] == ["documents", "rail"]
    assert docks.below() == (docks.why, docks.consistency, docks.concordance, docks.more)
    assert [each.text() for each in docks.toggles()][-2:] == ["Details", "More"]
    docks.raise_panel("why", focus=False)
    docks.raise_panel("more", focus=False)
    (why, more), areas = (docks._docks[-3], docks._docks[-1]), window.dockWidgetArea
    assert areas(more) is areas(why) is BOTTOM and more in window.tabifiedDockWidgets(why)
    docks.show_segment(Segment("5", "账本"))
    assert "账" in docks.more.text.text()
    docks.toggle_preview()
    assert docks.preview.isVisible() and docks.more.isVisible()


def test_a_window_saved_on_a_large_screen_opens_on_a_small_one(qtbot, make_window, tmp_path):
    window = make_window(start=False)
    room = window.screen().availableGeometry()
    window.setGeometry(room.width() * 2, room.height(), room.width() * 2, room.height() * 3)
    settings = window.services.settings
    settings.setValue("geometry", window.saveGeometry())
    assert settings.finish(20)
    assert isinstance(WindowSettings(tmp_path / "window.ini").value("geometry"), QByteArray)
    window.state.restore()
    assert room.contains(window.geometry())


@pytest.mark.slow
def test_a_double_click_on_a_source_word_chooses_its_counterpart(qtbot, make_window, document, drafted):
    window = make_window(None, document)
    drafted(window)
    window.table.go_to_row(1)
    qtbot.waitUntil(lambda: window.inspector.explanation is not None, timeout=30000)
    explanation = window.inspector.explanation
    word = max(range(len(explanation.source_words)), key=lambda at: explanation.source_words[at].start)
    window.table.card.source.pointed.emit(explanation.source_words[word].start)
    # a mark is never the counterpart
    shares = [token.attention[word] * is_word(token) for token in explanation.tokens]
    assert window.inspector.word == shares.index(max(shares))
    assert window.table.editor.extraSelections() and window.table.card.source.extraSelections()
    assert not window.table.editor.textCursor().hasSelection()


def test_no_line_is_broken_inside_a_chinese_link(theme, qtbot):
    lines = Lines(theme)
    qtbot.addWidget(lines)
    document = QTextDocument()
    document.setHtml(f"您已确认这一句段，{lines.link('1', '在此处采用')}")
    for width in range(60, 160, 4):
        document.setTextWidth(width)
        layout = document.firstBlock().layout()
        text = document.firstBlock().text()
        start, end = text.index("在"), text.index("用") + 1
        starts = [layout.lineAt(number).textStart() for number in range(layout.lineCount())]
        assert not [each for each in starts if start < each < end], width


class Told(QLabel):
    """A body that notes what it is told."""

    counted = Signal(int)

    def __init__(self) -> None:
        super().__init__("body")
        self.segments: list[Segment | None] = []
        self.targets: list[Segment] = []

    def show_segment(self, segment: Segment | None) -> None:
        self.segments.append(segment)

    def follow_target(self, segment: Segment) -> None:
        self.targets.append(segment)


def test_a_section_is_there_as_long_as_it_counts_something(qtbot):
    body, plain = Told(), QLabel("plain")
    section = RailSection("told", "Told", body, body.counted)
    rail = ContextRail([section])
    qtbot.addWidget(rail)
    rail.add(RailSection("plain", "Plain", plain))
    filled: list[bool] = []
    section.filled.connect(filled.append)
    assert not section.is_filled and rail.has("told") and not rail.has("other")
    assert section.accessibleName() == "Told" and rail.section("told") is section
    for count in (1, 0, 2):
        body.counted.emit(count)
    assert filled == [True, False, True] and section.is_filled and section.detail == ""
    rail.show_segment(segment := Segment("1", "账本"))
    rail.show_segment(None)
    rail.follow_target(segment)
    assert body.segments == [segment, None] and body.targets == [segment]


def test_a_section_stands_below_those_before_and_is_scrolled_to(qtbot):
    sections = [RailSection(str(number), str(number), QLabel("x\n" * 20)) for number in range(3)]
    rail = ContextRail(sections)
    qtbot.addWidget(rail)
    rail.resize(240, 200)
    rail.show()
    for section in sections:
        section.show_filled(True)
    QTest.qWait(1)
    QApplication.processEvents()
    tops = [section.y() for section in sections]
    assert tops == sorted(tops) and rail.minimumWidth() == 240
    assert rail.wanted_height() >= sum(section.sizeHint().height() for section in sections) > 200
    bar = rail._area.verticalScrollBar()
    assert bar.value() == 0
    rail.reveal("2")
    assert bar.value() + rail._area.viewport().height() >= sections[2].y() + 1
    with pytest.raises(KeyError):
        rail.reveal("other")
