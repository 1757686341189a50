"""A word corrected by keyboard: following drafts, the card, the list, changes, undo, storage and export."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from anaphora.cli.headless_help import help_of
from anaphora.core.segment import SegmentState, Status
from anaphora.editor.widgets.rail import top_items
from anaphora.features.corrections.corrections import CORRECTIONS_SETTING
from anaphora.features.corrections.feature import Corrections
from anaphora.features.corrections.view.panel import APPLIES_TO, CHOSEN, REJECTED, SOURCE, USES
from anaphora.features.drafting.feature import Drafting
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog
from anaphora.features.terms.feature import Terms
from anaphora.project.store.project import ProjectStore

CONTROL = Qt.KeyboardModifier.ControlModifier
SENTENCES = (
    "收到告警后，请检查设备。",
    "在设置页面关闭告警。",
    "配置文件保存在磁盘上。",
    "管理员可以查看所有告警。",
)


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "告警.zh.txt"
    path.write_text("\n".join(SENTENCES) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def window(make_real_window, drafted, path):
    """A drafted document in which one word of the first segment was corrected and confirmed by keyboard."""
    window = make_real_window(path)
    drafted(window)
    assert "alarm" in target(window, 1) and "alarms" in target(window, 3)
    correct(window)
    return window


def correct(window) -> None:
    window.table.go_to_row(0)
    editor = window.table.editor
    start = editor.toPlainText().index("alarm")
    editor.put_caret(start)
    for _ in "alarm":
        QTest.keyClick(editor, Qt.Key.Key_Delete)
    QTest.keyClicks(editor, "alert")
    QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL)


def target(window, row: int) -> str:
    return window.session.document.at(row).target


def follow(qtbot, window, word: str) -> None:
    """Wait until both later drafts have a word."""
    qtbot.waitUntil(lambda: all(word in target(window, row) for row in (1, 3)), timeout=30000)


def listed(window) -> list[tuple[str, ...]]:
    columns = SOURCE, CHOSEN, REJECTED, APPLIES_TO
    return [
        tuple(item.text(column) for column in columns)
        for item in top_items(window.of(Corrections).panel.list)
    ]


def test_the_next_segment_opens_with_the_draft_that_follows(qtbot, window) -> None:
    assert window.table.currentIndex().row() == 1
    other = target(window, 2)
    follow(qtbot, window, "alert")
    assert window.table.editor.toPlainText() == target(window, 1)
    assert window.session.document.at(1).status is Status.DRAFT and target(window, 2) == other
    window.actions_by_name["undo"].trigger()
    follow(qtbot, window, "alarm")
    window.actions_by_name["redo"].trigger()
    follow(qtbot, window, "alert")


def test_the_card_shows_a_correction_at_once(qtbot, window) -> None:
    follow(qtbot, window, "alert")
    shown = window.docks.reasons.text
    qtbot.waitUntil(lambda: "you replaced" in shown.text(), timeout=30000)
    first = shown.text().split("</p>")[0]
    assert all(part in first for part in ("告警", "alert", "alarm", ">segment 1<"))


def test_corrections_are_listed_and_counted(qtbot, window) -> None:
    follow(qtbot, window, "alert")
    window.actions_by_name["corrections"].trigger()
    assert listed(window) == [("告警", "alert", "alarm", "This project")]
    header = window.of(Corrections).panel.list.header()
    assert header.sectionSize(USES) >= header.sectionSizeHint(USES), "its title is not cut"
    qtbot.waitUntil(lambda: top_items(window.of(Corrections).panel.list)[0].text(USES) == "2", timeout=30000)


def test_drafts_follow_an_edited_correction(qtbot, window, monkeypatch) -> None:
    follow(qtbot, window, "alert")
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("warning", True))
    window.actions_by_name["corrections"].trigger()
    QTest.keyClick(window.of(Corrections).panel.list, Qt.Key.Key_F2)
    follow(qtbot, window, "warning")
    window.actions_by_name["undo"].trigger()
    follow(qtbot, window, "alert")


def test_a_correction_is_forgotten_after_a_preview(qtbot, window) -> None:
    follow(qtbot, window, "alert")
    window.actions_by_name["corrections"].trigger()
    QTest.keyClick(window.of(Corrections).panel.list, Qt.Key.Key_Delete)
    dialog = window.findChild(MemoryPreviewDialog)
    qtbot.waitUntil(lambda: "change" in dialog.state.text(), timeout=30000)
    dialog.accept()
    qtbot.waitUntil(lambda: listed(window) == [], timeout=30000)
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: len(listed(window)) == 1, timeout=30000)


def test_a_correction_becomes_a_term_with_one_key(qtbot, window) -> None:
    follow(qtbot, window, "alert")
    window.actions_by_name["corrections"].trigger()
    for allowed in (("alert",), ("alert", "alarm")):
        with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000) as stored:
            QTest.keyClick(window.of(Corrections).panel.list, Qt.Key.Key_T)
        assert stored.args[0].source == "告警" and stored.args[0].allowed == allowed
        with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
            window.of(Terms).service.settle("告警", ["alarm"])


def test_corrections_are_stored_in_the_project(qtbot, window, make_real_window, drafted, path) -> None:
    follow(qtbot, window, "alert")
    store_path = window.controller.store.path
    qtbot.waitUntil(window.close, timeout=20000)
    qtbot.waitUntil(lambda: window.controller.session is None, timeout=30000)
    store = ProjectStore.open(store_path)
    (kept,) = json.loads(store.setting(CORRECTIONS_SETTING))
    assert (kept["source"], kept["rejected"], kept["chosen"]) == ("告警", "alarm", "alert")
    store.close()
    with help_of([store_path], []) as given:  # of `anaphora translate`
        assert [each.chosen for pack in given.packs for each in pack.corrections] == ["alert"]
    again = make_real_window(path)
    drafted(again)
    assert listed(again) == [("告警", "alert", "alarm", "This project")]
    again.of(Drafting).service.redraft([segment.id for segment in again.session.document])
    follow(qtbot, again, "alert")
    shown = again.docks.reasons.text
    again.table.go_to_row(3)
    qtbot.waitUntil(lambda: "you replaced" in shown.text(), timeout=30000)


def test_a_shared_correction_is_followed_in_another_project(
    qtbot, window, make_real_window, drafted, tmp_path
) -> None:
    follow(qtbot, window, "alert")
    window.actions_by_name["corrections"].trigger()
    reach = window.of(Corrections).panel.reach
    reach.setCurrentIndex(2)
    reach.activated.emit(2)
    qtbot.waitUntil(lambda: listed(window)[0][3] == "All projects", timeout=30000)
    qtbot.waitUntil(window.close, timeout=20000)
    qtbot.waitUntil(lambda: window.controller.session is None, timeout=30000)
    other = tmp_path / "别的.zh.txt"
    other.write_text(f"{SENTENCES[3]}\n", encoding="utf-8")
    again = make_real_window(other)
    drafted(again)
    assert "alerts" in target(again, 0)
    assert listed(again) == [("告警", "alert", "alarm", "All projects")]


def test_the_card_shows_the_correction_behind_a_proposal(qtbot, window) -> None:
    """A tentative draft is also explained."""
    follow(qtbot, window, "alert")
    row = next(each for each in (1, 3) if window.model.segment(each).state.report is not None)
    segment = window.model.segment(row)
    proposed = SegmentState(report=replace(segment.state.report, proposal=segment.target))
    window.session.set_states({segment.id: proposed})
    window.table.go_to_row(row)
    qtbot.waitUntil(lambda: "alarm" in window.docks.reasons.text.text(), timeout=30000)
    assert not window.table.editor.toPlainText()


def test_the_scope_survives_a_later_change_of_the_confirmed_text(qtbot, window) -> None:
    follow(qtbot, window, "alert")
    window.actions_by_name["corrections"].trigger()
    reach = window.of(Corrections).panel.reach
    reach.setCurrentIndex(2)
    reach.activated.emit(2)
    qtbot.waitUntil(lambda: listed(window)[0][3] == "All projects", timeout=30000)
    window.table.go_to_row(0)
    editor = window.table.editor
    QTest.keyClick(editor, Qt.Key.Key_End, CONTROL)
    QTest.keyClicks(editor, " Now.")
    qtbot.waitUntil(lambda: listed(window) == [], timeout=30000)
    QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL)
    qtbot.waitUntil(lambda: bool(listed(window)), timeout=30000)
    assert listed(window) == [("告警", "alert", "alarm", "All projects")]
