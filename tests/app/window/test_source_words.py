"""What each source word did for a word of the translation, by leaving it out, in the window."""

from __future__ import annotations

import math

import pytest

SOURCE_WORD = "性能"


def coloured(window) -> list[str]:
    """The parts of the source that are coloured, the strongest first, as they are said."""
    said = window.docks.why._heat.accessibleName()
    return said.split(", ") if said else []


@pytest.mark.slow
def test_source_words_are_coloured_by_what_is_lost_without_them(qtbot, remembering, translator) -> None:
    window = remembering
    window.table.go_to_row(3)
    inspector, why = window.inspector, window.docks.why
    qtbot.waitUntil(lambda: inspector.explanation is not None, timeout=30000)
    asked = []
    inspector.source_left_out.connect(lambda *answer: asked.append(answer))
    words = [token.word for token in inspector.explanation.tokens]
    inspector.choose(words.index("data"))
    qtbot.wait(300)
    assert not why.isVisible()
    assert not asked, "nobody looked, and it was worked out"

    window.docks.raise_panel("why")
    qtbot.waitUntil(lambda: bool(coloured(window)), timeout=30000)
    segment = window.model.segment(3)
    exact = translator.source_influences(window.session.key, segment.id, segment.target, words.index("data"))
    sources = [word.word for word in inspector.explanation.source_words]
    best = max(range(len(exact)), key=exact.__getitem__)
    assert sources[best] == "数据"
    share = f"{1 - math.exp(-exact[best]):.0%}"
    assert coloured(window)[0] == f"without 数据: {share} less likely"
    assert "less likely the word is" in why._heat_note.text()

    # Another word, other parts of the source; the first one's stay known.
    inspector.choose(words.index("accuracy"))
    assert not coloured(window)
    assert "Leaving out" in why._heat_note.text()
    qtbot.waitUntil(lambda: len(asked) == 2, timeout=30000)
    inspector.choose(words.index("data"))
    assert coloured(window)[0].startswith("without 数据")
    assert len(asked) == 2

    # A changed text is asked about anew.
    window.controller.editing.type_text(segment.id, "The accuracy hangs on the data.")
    assert not coloured(window)
