"""Joining and splitting segments in the window, and the dialog of the sentence rules."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from recording_translator import RecordingTranslator
from shown_texts import button

from anaphora.core.segment import Status
from anaphora.features.documents.feature import Documents
from anaphora.features.find.feature import Find
from anaphora.features.segments.view.sentence_rules import RulesDialog
from anaphora.project.importing.sentence_rules import UserRules, built_in_rules
from anaphora.project.store.project import ProjectStore

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
TEXT = "账本保存交易，节点读取缓存。我们更新缓存。每个节点保存记录。\n\n区块是记录。\n"


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "文.zh.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier, widget=None):
    QTest.keyClick(widget or window.table.editor, key, modifiers)


def sources(window):
    return [segment.source for segment in window.session.document]


def ready(qtbot, window):
    """Wait until every segment has a draft, so that the engine has the new segments."""
    qtbot.waitUntil(
        lambda: all(segment.status is not Status.NOT_STARTED for segment in window.session.document),
        timeout=20000,
    )


@pytest.mark.slow
def test_join_split_undo_and_export(qtbot, make_window, text, drafted, tmp_path):
    double = RecordingTranslator()
    window = make_window(double, text)
    drafted(window)
    before = list(window.session.document)
    window.table.editor.put_caret(3)
    press(window, Qt.Key.Key_J, CONTROL)
    qtbot.waitUntil(lambda: window.model.rowCount() == 3, timeout=30000)
    assert sources(window)[0] == "账本保存交易，节点读取缓存。我们更新缓存。"
    joined = window.model.segment(0)
    assert joined.status is Status.DRAFT and joined.target == f"{before[0].target} {before[1].target}"
    assert window.table.currentIndex().row() == 0
    assert window.table.editor.caret == 3 and window.table.editor.toPlainText() == joined.target
    qtbot.waitUntil(lambda: "resegmentation" in [name for name, _ in double.calls], timeout=30000)
    drawn = [segment for method, segment in double.calls if method == "translate"]
    assert joined.id not in drawn[4:], "segments with a target are not drafted again"

    press(window, Qt.Key.Key_J, CONTROL | SHIFT)
    picker = window.table.card.source
    assert picker.is_choosing and picker.caret == joined.source.index("我们")
    picker.put_caret(joined.source.index("节点"))
    press(window, Qt.Key.Key_Return, widget=picker)
    qtbot.waitUntil(lambda: window.model.rowCount() == 4, timeout=30000)
    assert sources(window)[:2] == ["账本保存交易，", "节点读取缓存。我们更新缓存。"]
    assert not picker.is_choosing and window.table.currentIndex().row() == 0
    ready(qtbot, window)
    window.table.go_to_row(1)
    press(window, Qt.Key.Key_Return, CONTROL)
    assert window.model.segment(1).status is Status.CONFIRMED

    destination = tmp_path / "out.txt"
    with qtbot.waitSignal(window.of(Documents).exporting.exported, timeout=30000):
        window.of(Documents).exporting.export(destination)
    assert destination.read_text("utf-8").count("\n") == TEXT.count("\n")
    assert "账" not in destination.read_text("utf-8")

    for _ in range(3):
        window.actions_by_name["undo"].trigger()
    assert list(window.session.document) == before


def test_the_project_keeps_splits_and_merges(qtbot, make_window, text, drafted):
    window = make_window(None, text)
    drafted(window)
    press(window, Qt.Key.Key_J, CONTROL)
    qtbot.waitUntil(lambda: window.model.rowCount() == 3, timeout=30000)
    path, expected = window.controller.store.path, sources(window)
    assert window.controller.close()
    store = ProjectStore.open(path)
    try:
        assert [segment.source for segment in store.load_document()] == expected
    finally:
        store.close()


def test_impossible_joins_and_splits_are_reported(qtbot, make_window, text, drafted):
    window = make_window(None, text)
    drafted(window)
    window.table.go_to_row(2)
    press(window, Qt.Key.Key_J, CONTROL)
    assert "last segment" in window.status_line.currentMessage()
    press(window, Qt.Key.Key_J, CONTROL | SHIFT)
    press(window, Qt.Key.Key_Escape, widget=window.table.card.source)
    assert window.table.editor.hasFocus() or window.focusWidget() is window.table.editor
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=30000)
    press(window, Qt.Key.Key_J, CONTROL | SHIFT)
    window.of(Find).bar.open(False)
    assert not window.table.card.source.is_choosing, "the focus has left the field"
    assert window.of(Find).bar.needle.hasFocus()
    window.of(Find).bar.close_bar()
    press(window, Qt.Key.Key_J, CONTROL | SHIFT)
    press(window, Qt.Key.Key_Home, widget=window.table.card.source)
    press(window, Qt.Key.Key_Return, widget=window.table.card.source)
    qtbot.waitUntil(lambda: "nothing to translate" in window.status_line.currentMessage(), timeout=30000)
    assert len(sources(window)) == 4


def test_units_of_bilingual_files_are_fixed(qtbot, make_window, tmp_path, drafted):
    path = tmp_path / "a.po"
    path.write_text('msgid "账本。节点。"\nmsgstr ""\n\nmsgid "缓存"\nmsgstr ""\n', "utf-8")
    window = make_window(None, path)
    drafted(window)
    for modifiers in (CONTROL, CONTROL | SHIFT):
        window.status_line.clearMessage()
        press(window, Qt.Key.Key_J, modifiers)
        assert "cannot be joined" in window.status_line.currentMessage()


@pytest.mark.slow
def test_rules_are_edited_tested_and_used_for_new_documents(qtbot, make_window, text):
    window = make_window(start=False)
    window.actions_by_name["sentence_rules"].trigger()
    dialog = window.findChild(RulesDialog)
    assert dialog.list.topLevelItemCount() == len(built_in_rules())
    dialog.sample.setPlainText("一，二。三")
    button(dialog, "Add").click()
    dialog.before.setText("，")
    dialog.before.textEdited.emit("，")
    dialog.kind.setCurrentIndex(0)
    qtbot.waitUntil(lambda: dialog.parts.count() == 3, timeout=30000)
    dialog.save()
    window.opener.open(text)
    qtbot.waitUntil(lambda: window.model.rowCount() > 0, timeout=30000)
    assert sources(window)[0] == "账本保存交易，"


def test_rules_are_tested_in_the_language_of_the_project(qtbot, tmp_path):
    german = "Am 3. Tag endet z. B. der Vertrag. Beide unterschreiben."
    dialog = RulesDialog(UserRules(tmp_path), None, "de", german)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: dialog.parts.count() == 2, timeout=30000)
    assert dialog.parts.item(0).text() == "Am 3. Tag endet z. B. der Vertrag."
    button(dialog, "Add").click()
    assert dialog.language.currentData() == "de.*" and dialog.language.currentText() == "Deutsch"
    shown = [dialog.list.topLevelItem(row).text(0) for row in range(dialog.list.topLevelItemCount())]
    assert "Chinese" in shown and "suomi" in shown and not any("und" in name.split("|") for name in shown)
    plain = RulesDialog(UserRules(tmp_path), None, "zh", german)
    qtbot.addWidget(plain)
    qtbot.waitUntil(lambda: plain.parts.count() == 3, timeout=30000)  # not declared as German


def test_a_wrong_expression_is_reported_and_not_saved(qtbot, tmp_path):
    rules = UserRules(tmp_path)
    dialog = RulesDialog(rules)
    qtbot.addWidget(dialog)
    dialog.before.setText("(")
    dialog.before.textEdited.emit("(")
    assert dialog.message.property("role") == "wrong"
    dialog.save()
    assert not rules.path.exists() and dialog.result() != RulesDialog.DialogCode.Accepted
    button(dialog, "Reset").click()
    dialog.save()
    assert not rules.path.exists(), "the built-in rules need no file"


def test_rules_stay_visible_beside_many_language_names(qtbot, tmp_path):
    dialog = RulesDialog(UserRules(tmp_path), None, "zh", "账本。")
    qtbot.addWidget(dialog)
    dialog.show()
    header, bar = dialog.list.header(), dialog.list.horizontalScrollBar()
    assert any(
        len(dialog.list.topLevelItem(row).text(0)) > 80 for row in range(dialog.list.topLevelItemCount())
    )
    assert bar.maximum() == 0
    assert all(header.sectionSize(column) > 100 for column in (2, 3))


@pytest.mark.slow
def test_undo_removes_the_message_of_a_step(qtbot, make_window, text, drafted):
    window = make_window(None, text)
    drafted(window)
    press(window, Qt.Key.Key_J, CONTROL)
    qtbot.waitUntil(lambda: window.model.rowCount() == 3, timeout=30000)
    assert window.status_line.currentMessage() == "Segments joined"
    for action, rows in (("undo", 4), ("redo", 3)):
        window.show_message("Segments joined")
        window.actions_by_name[action].trigger()
        assert window.model.rowCount() == rows and window.status_line.currentMessage() == ""


@pytest.mark.slow
def test_both_parts_of_a_split_draft_are_drafted(qtbot, make_window, text, drafted):
    double = RecordingTranslator()
    window = make_window(double, text)
    drafted(window)
    whole = window.model.segment(0)
    place = whole.source.index("节点")
    window.controller.resegmentation.split(whole.id, place)
    qtbot.waitUntil(lambda: window.model.rowCount() == 5, timeout=30000)
    ready(qtbot, window)
    parts = [window.model.segment(row) for row in (0, 1)]
    drawn = [segment for method, segment in double.calls if method == "translate"]
    assert all(part.id in drawn[4:] for part in parts), "each part has its own draft"
    assert whole.target not in [part.target for part in parts]
