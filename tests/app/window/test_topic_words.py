"""Topic words added and taken away in their panel, with the real engine: undone, and kept in the project."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QTreeWidget

from anaphora.formats.registry import read
from anaphora.memory.steering import RULES_SETTING
from anaphora.memory.view.topic import USE, WEIGHT, WORD
from anaphora.memory.view.topic_choice import SETTING
from anaphora.store.project import ProjectStore
from anaphora.views.widgets.panel import top_items
from anaphora_nmt.memory.word_caches import WordCaches
from anaphora_nmt.types import MemoryRule, SourceSegment

TOPIC = (WordCaches.name, "topic")


def listed(words: QTreeWidget) -> list[str]:
    return [item.text(WORD) for item in top_items(words)]


@pytest.fixture
def answers(monkeypatch) -> list[str]:
    """What the translator types into the questions, in order."""
    given: list[str] = []
    monkeypatch.setattr(QInputDialog, "getText", lambda *args, **kwargs: (given.pop(0), True))
    return given


@pytest.mark.slow
def test_topic_words_are_added_and_taken_undone_and_kept(qtbot, remembering, answers):
    window = remembering
    panel, stack = window.docks.topic, window.controller.editing.stack
    window.docks.raise_panel("why")
    window.docks.why.tabs.setCurrentWidget(panel)
    window.table.go_to_row(4)
    qtbot.waitUntil(lambda: TOPIC in panel._shown and bool(listed(panel._shown[TOPIC])), timeout=15000)
    words = panel._shown[TOPIC]
    before, steps = listed(words), stack.count()
    assert len(before) > 2 and "manifold" not in before and panel.add.isVisible()

    words.setFocus()
    words.setCurrentItem(words.topLevelItem(1))
    QTest.keyClick(words, Qt.Key.Key_Delete)
    without = [before[0], *before[2:]]
    qtbot.waitUntil(lambda: listed(words) == without, timeout=15000)
    answers += [" manifold "]
    QTest.mouseClick(panel.add, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: listed(words) == ["manifold", *without], timeout=15000)
    assert words.topLevelItem(0).text(WEIGHT) == "added"

    # what is no single word, or there already, changes nothing
    answers += ["two words", before[0], ""]
    for _ in range(3):
        words.setFocus()
        QTest.keyClick(words, Qt.Key.Key_Insert)
    assert not answers and stack.count() == steps + 2
    assert [action.text() for action in words.actions()] == [
        "Add a topic word…",
        "Take it from the topic words",
    ]

    for _ in range(2):
        window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: listed(words) == before, timeout=15000)
    for _ in range(2):
        window.actions_by_name["redo"].trigger()
    qtbot.waitUntil(lambda: listed(words) == ["manifold", *without], timeout=15000)

    path = window.controller.store.path
    window.controller.close()
    project = ProjectStore.open(path)
    kept = json.loads(project.setting(RULES_SETTING))
    project.close()
    assert [(rule["word"], rule["weight"], rule["topic"]) for rule in kept] == [
        (before[1], 0.0, True),
        ("manifold", 1.0, True),
    ]
    window.controller.open(path)
    qtbot.waitUntil(lambda: window.model.rowCount() == 5, timeout=8000)
    window.table.go_to_row(4)
    qtbot.waitUntil(lambda: listed(words) == ["manifold", *without], timeout=15000)


@pytest.mark.slow
def test_topic_words_act_where_the_translator_lets_them(qtbot, remembering, make_window, translator):
    window = remembering
    panel, inspector = window.docks.topic, window.inspector
    window.docks.raise_panel("why")
    window.docks.why.tabs.setCurrentWidget(panel)
    window.table.go_to_row(4)

    def acts() -> bool | None:
        tokens = inspector.explanation.tokens if inspector.explanation is not None else ()
        return any(token.share_of(WordCaches.name) for token in tokens) if tokens else None

    def choose(wanted: bool | None) -> None:
        choices = [panel.acting.itemData(row) for row in range(panel.acting.count())]
        panel.acting.setCurrentIndex(choices.index(wanted))
        panel.acting.activated.emit(panel.acting.currentIndex())

    # five sentences say too little of their topic
    qtbot.waitUntil(lambda: acts() is False and panel.acting.isVisible(), timeout=15000)
    assert panel.acting.currentData() is None and panel._shown[TOPIC].isColumnHidden(USE)
    assert panel.reading.isVisible() and "do not act" in panel.reading.text()
    choose(True)
    assert not panel.reading.isVisible(), "the choice says it"
    lists = panel._shown[TOPIC].parentWidget()
    assert lists.width() > lists.height() and lists.orientation() == Qt.Orientation.Horizontal
    qtbot.waitUntil(lambda: acts() is True, timeout=15000)
    qtbot.waitUntil(lambda: not panel._shown[TOPIC].isColumnHidden(USE), timeout=15000)
    assert window.services.settings.value(SETTING, type=bool)

    again = make_window(translator)
    assert again.docks.topic.acting.currentData() is True, "it holds in windows to come"
    choose(False)
    qtbot.waitUntil(lambda: acts() is False, timeout=15000)
    assert make_window(translator).docks.topic.acting.currentData() is False
    choose(None)
    assert make_window(translator).docks.topic.acting.currentData() is None


@pytest.mark.slow
def test_of_documentation_they_act_unasked(qtbot, make_real_window):
    window = make_real_window()
    window.open_sample()
    qtbot.waitUntil(lambda: window.model.rowCount() > 20, timeout=30000)
    window.docks.raise_panel("why")
    window.docks.why.tabs.setCurrentWidget(window.docks.topic)
    qtbot.waitUntil(lambda: bool(window.model.segment(2).target), timeout=30000)
    window.table.go_to_row(2)

    def told() -> float:
        explanation = window.inspector.explanation
        shown = [words for words in window.docks.topic._shown.values() if not words.isColumnHidden(USE)]
        tokens = explanation.tokens if explanation is not None and shown else ()
        return max((token.share_of(WordCaches.name) for token in tokens), default=0.0)

    qtbot.waitUntil(lambda: told() > 0.001, timeout=30000)
    reading = window.docks.topic.reading
    assert reading.isVisible() and "do not" not in reading.text()


@pytest.mark.slow
def test_a_gloss_that_is_added_to_the_topic_turns_a_draft(translator):
    """And the draft comes back when it is taken away again."""
    sample = Path(str(files("anaphora_resources").joinpath("samples", "sample.zh.md")))
    segments = [SourceSegment(each.id, each.source) for each in read(sample).segments]
    place = "further"
    segments.append(SourceSegment(place, "保密信息包括客户数据、源代码、运价表和技术文档。"))
    translator.open_document("sample", segments)
    before = translator.translate("sample", place).text
    assert "freight" not in before
    translator.steer("sample", [MemoryRule("freight", topic=True)])
    turned = translator.translate("sample", place).text
    assert "freight table" in turned
    explanation = translator.explain("sample", place, turned)
    token = next(each for each in explanation.tokens if each.word == "freight")
    (use,) = [each for each in token.uses if each.section == "topic" and each.label == "freight"]
    assert use.decisive and use.influence is not None and use.influence > 1
    translator.steer("sample", [])
    assert translator.translate("sample", place).text == before
    translator.close_document("sample")
