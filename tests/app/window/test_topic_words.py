"""Words of a document's topic and their influence on drafts, with the real engine."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QTreeWidget

from anaphora.features.documents.feature import Documents
from anaphora.features.explain.feature import Explain
from anaphora.features.explain.view.topic import USE
from anaphora_nmt.memory.word_caches import WordCaches


@pytest.mark.slow
def test_topic_words_act_in_documentation_by_default(qtbot, make_real_window):
    window = make_real_window()
    window.of(Documents).open_sample()
    qtbot.waitUntil(lambda: window.model.rowCount() > 20, timeout=30000)
    window.docks.raise_panel("why")
    window.docks.why.tabs.setCurrentWidget(window.of(Explain).topic)
    qtbot.waitUntil(lambda: bool(window.model.segment(2).target), timeout=30000)
    window.table.go_to_row(2)

    def strength() -> float:
        explanation = window.of(Explain).inspector.explanation
        shown = [
            words
            for words in window.of(Explain).topic.findChildren(QTreeWidget)
            if not words.isColumnHidden(USE)
        ]
        tokens = explanation.tokens if explanation is not None and shown else ()
        return max((token.share_of(WordCaches.name) for token in tokens), default=0.0)

    qtbot.waitUntil(lambda: strength() > 0.001, timeout=30000)
