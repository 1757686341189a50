"""The discourse panel in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.core.language_pair import LanguagePair
from anaphora.core.segment import SegmentState, Status
from anaphora.editor.widgets.rail import child_items, top_items
from anaphora.features.discourse.feature import DiscourseFeature

STORY = {
    "陆小满推开门。": "Lu Xiaoman opened the door.",
    "她看见桌上有一封信。": "He saw a letter on the table.",
    "陆小满坐下来，读了很久。": "Lu Xiaomin sat down and read for a long time.",
    "陆小满笑了。": "Lu Xiaoman smiled.",
}


def rows(window) -> list[str]:
    """The lines of the panel, those of mismatches indented."""
    lines = []
    for top in top_items(window.of(DiscourseFeature).panel.lines):
        lines.append(" | ".join(filter(None, map(top.text, range(5)))))
        lines += ["  " + " | ".join(map(each.text, range(5))) for each in child_items(top)]
    return lines


@pytest.fixture
def window(make_window, tmp_path):
    path = tmp_path / "信.zh.txt"
    path.write_text("\n".join(STORY) + "\n", encoding="utf-8")
    window = make_window(None, path, False)
    states = {each.id: SegmentState(STORY[each.source], Status.EDITED) for each in window.session.document}
    window.session.set_states(states)
    return window


FOUND = [
    "陆小满 | Lu Xiaoman | 3 segments",
    "  Spelt differently | Lu Xiaomin | Lu Xiaoman | certain | 3",
    "Pronouns and omitted subjects",
    "  Pronoun 她 | He | she | certain | 2",
    "Tense and person of the narrative · no narrative found",
]


def test_click_goes_to_segment_and_corrected_mismatch_disappears(qtbot, window, make_window) -> None:
    QTest.qWait(700)
    assert rows(window) == [], "nothing is worked out before it is seen"
    window.docks.raise_panel("discourse")
    qtbot.waitUntil(lambda: rows(window) == FOUND, timeout=30000)
    lines = window.of(DiscourseFeature).panel.lines
    place = lines.visualItemRect(child_items(top_items(lines)[1])[0]).center()
    QTest.mouseClick(lines.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.table.current_segment.source == "她看见桌上有一封信。"
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "She saw a letter.")
    qtbot.waitUntil(lambda: rows(window) == [*FOUND[:3], FOUND[4]], timeout=30000)
    path = window.controller.project.path
    window.controller.close()
    assert rows(window) == []
    window.opener.open(path)
    qtbot.waitUntil(lambda: rows(window) == [*FOUND[:3], FOUND[4]], timeout=30000)


def test_other_languages_show_only_names(qtbot, window) -> None:
    window.session.pair = LanguagePair("zh", "de")
    window.docks.raise_panel("discourse")
    qtbot.waitUntil(lambda: rows(window) == FOUND[:2], timeout=30000)
    assert "only in translations from Chinese into English" in window.of(DiscourseFeature).panel.about.text()


def test_another_document_does_not_show_the_results_of_the_last_one(qtbot, window) -> None:
    discourse = window.of(DiscourseFeature)
    window.docks.raise_panel("discourse")
    qtbot.waitUntil(lambda: rows(window) == FOUND, timeout=30000)
    discourse.service.show_document("another")
    assert rows(window) == [] and not discourse.panel.about.text()
    qtbot.waitUntil(lambda: bool(discourse.panel.about.text()), timeout=30000)
