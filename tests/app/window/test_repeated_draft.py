"""A draft that repeats confirmed text of the same source is shown as such, and can be switched off."""

from __future__ import annotations

import pytest

from anaphora.core.segment import Status
from anaphora.editor.table.segment_model import Column, Role
from anaphora.features.explain.feature import Explain
from anaphora.features.tm.view.memories import RepetitionMenu
from anaphora_nmt.types import Repeats

SOURCE, OWN = "单击按钮。", "Hit that one – now!"


@pytest.mark.slow
def test_a_repeated_draft_shows_its_segment_and_can_be_switched_off(
    qtbot, make_window, tmp_path, drafted, translator
):
    path = tmp_path / "按钮.zh.txt"
    path.write_text(f"{SOURCE}\n张量的形状。\n{SOURCE}\n", encoding="utf-8")
    window = make_window(translator, path)
    drafted(window)
    first, last = (window.model.segment(row).id for row in (0, 2))

    def draft_last_anew():
        window.controller.editing.type_text(last, "?")
        window.table.go_to_row(2)
        window.actions_by_name["again"].trigger()
        qtbot.waitUntil(lambda: window.model.segment(2).status is Status.DRAFT, timeout=30000)
        return window.model.segment(2).target

    def shown(text):
        qtbot.waitUntil(lambda: text in window.docks.reasons.text.text(), timeout=30000)

    window.controller.editing.type_text(first, OWN)
    window.controller.editing.confirm(first)
    assert draft_last_anew() == OWN
    shown("Whole draft: you confirmed this translation for the same source")
    index = window.model.index(2, Column.TARGET)
    qtbot.waitUntil(lambda: bool(index.data(Role.INFLUENCE)), timeout=30000)
    (mark,) = index.data(Role.INFLUENCE)
    assert (mark.start, mark.end) == (0, len(OWN))
    assert "The whole draft comes from segment 1" in window.of(Explain).influence.tip(mark)

    menu = window.findChild(RepetitionMenu)
    next(each for each in menu.reaches.actions() if each.data() == Repeats.NONE.value).trigger()
    assert draft_last_anew() != OWN
    qtbot.waitUntil(lambda: "Whole draft" not in window.docks.reasons.text.text(), timeout=30000)
    assert not any(mark.is_repetition for mark in index.data(Role.INFLUENCE) or ())
