"""Words of a document's topic, with the real engine: where they act on drafts."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import pytest
from PySide6.QtWidgets import QTreeWidget

from anaphora.features.documents.feature import Documents
from anaphora.features.explain.feature import Explain
from anaphora.features.explain.view.topic import USE
from anaphora.formats.registry import read
from anaphora_nmt.memory.word_caches import WordCaches
from anaphora_nmt.types import MemoryRule, SourceSegment


@pytest.mark.slow
def test_of_documentation_they_act_unasked(qtbot, make_real_window):
    window = make_real_window()
    window.of(Documents).open_sample()
    qtbot.waitUntil(lambda: window.model.rowCount() > 20, timeout=30000)
    window.docks.raise_panel("why")
    window.docks.why.tabs.setCurrentWidget(window.of(Explain).topic)
    qtbot.waitUntil(lambda: bool(window.model.segment(2).target), timeout=30000)
    window.table.go_to_row(2)

    def told() -> float:
        explanation = window.of(Explain).inspector.explanation
        shown = [
            words
            for words in window.of(Explain).topic.findChildren(QTreeWidget)
            if not words.isColumnHidden(USE)
        ]
        tokens = explanation.tokens if explanation is not None and shown else ()
        return max((token.share_of(WordCaches.name) for token in tokens), default=0.0)

    qtbot.waitUntil(lambda: told() > 0.001, timeout=30000)


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
