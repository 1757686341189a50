"""Rules for the memory in the window with the real engine: preview, undo and storage."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu

from anaphora.core.segment import Status
from anaphora.editor.widgets.rail import USE_ROLE, top_items
from anaphora.features.steering.feature import Steering
from anaphora.features.steering.steering import RULES_SETTING
from anaphora.features.steering.view.list_dialog import MemoryRulesDialog
from anaphora.features.steering.view.preview_dialog import MemoryPreviewDialog
from anaphora.project.store.project import ProjectStore
from anaphora_nmt.types import MemoryRule, MemoryUse


def the_dialog(qtbot, window) -> MemoryPreviewDialog:
    """The open preview with the engine's result."""
    dialog = window.findChild(MemoryPreviewDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: "Calculating" not in dialog.state.text(), timeout=30000)
    return dialog


def shown(dialog) -> dict[int, str]:
    """The previewed drafts by number."""
    return {row.number: row.texts[1] for row in dialog.model.rows}


def close(qtbot, window, dialog, agree: bool) -> None:
    (dialog.accept if agree else dialog.reject)()
    qtbot.waitUntil(lambda: window.findChild(MemoryPreviewDialog) is None, timeout=30000)


def targets(window) -> dict[int, str]:
    return {row + 1: window.model.segment(row).target for row in range(window.model.rowCount())}


def choose(qtbot, window, row: int, word: str):
    """Select a remembered word that influences a segment."""
    window.docks.raise_panel("why")
    window.table.go_to_row(row)
    words = window.docks.why.words
    window.table.editor.put_caret(window.model.segment(row).target.index(word) + 1)

    def found():
        return [item for item in top_items(words) if item.text(0) == word]

    qtbot.waitUntil(lambda: bool(found()), timeout=30000)
    words.setCurrentItem(found()[0])
    assert words.currentItem().data(0, USE_ROLE).label == word
    return words


@pytest.mark.slow
def test_forgetting_a_word_can_be_previewed_and_undone(qtbot, remembering):
    window = remembering
    words = choose(qtbot, window, 1, "register")
    before = targets(window)
    words.setFocus()
    qtbot.waitUntil(words.hasFocus, timeout=30000)
    QTest.keyClick(words, Qt.Key.Key_Delete)
    dialog = the_dialog(qtbot, window)
    previewed = shown(dialog)
    assert "ledger" in previewed[2] and "1 draft would change" in dialog.state.text()
    assert targets(window) == before, "nothing changes before the user agrees"
    close(qtbot, window, dialog, agree=False)
    assert window.of(Steering).service.rules == ()

    # Not by its key: without a window manager, the window stays inactive after the dialog is closed.
    next(each for each in words.actions() if each.shortcut() == QKeySequence("Del")).trigger()
    close(qtbot, window, the_dialog(qtbot, window), agree=True)
    segment = window.model.segment(0)
    assert window.of(Steering).service.rules == (MemoryRule("register", segment.id, weight=0.0),)
    qtbot.waitUntil(lambda: targets(window) == before | previewed, timeout=30000)
    changed = window.docks.change.text.text()
    assert "ledger" in changed and "register" in changed, "the displayed draft shows its changes"
    assert segment.target == "The register keeps all transactions.", "confirmed text stays"
    assert segment.status is Status.CONFIRMED

    window.actions_by_name["undo"].trigger()
    assert window.of(Steering).service.rules == ()
    qtbot.waitUntil(lambda: targets(window) == before, timeout=30000)
    window.actions_by_name["redo"].trigger()
    qtbot.waitUntil(lambda: targets(window) == before | previewed, timeout=30000)

    # Rules are listed and can be removed, which is also a step.
    window.actions_by_name["memory_rules"].trigger()
    rules = window.findChild(MemoryRulesDialog)
    lines = rules.findChild(QListWidget)
    assert lines.count() == 1 and lines.item(0).text() == "“register” from segment 1: forgotten"
    rules.remove.click()
    assert lines.count() == 0 and window.of(Steering).service.rules == ()
    qtbot.waitUntil(lambda: targets(window) == before, timeout=30000)
    window.actions_by_name["undo"].trigger()
    assert lines.count() == 1
    rules.close()


@pytest.mark.slow
def test_a_corrected_word_is_followed_and_stored_in_the_project(qtbot, remembering):
    window = remembering
    choose(qtbot, window, 1, "register")
    use = window.docks.why.words.currentItem().data(0, USE_ROLE)
    window.of(Steering).controller.correct(use, "logbook")
    dialog = the_dialog(qtbot, window)
    previewed = shown(dialog)
    assert "logbook" in previewed[2], previewed
    close(qtbot, window, dialog, agree=True)
    before = targets(window) | previewed
    qtbot.waitUntil(lambda: targets(window) == before, timeout=30000)

    # The project stores it, and it applies after reopening.
    path = window.controller.store.path
    window.controller.close()
    with_rules = ProjectStore.open(path)
    kept = json.loads(with_rules.setting(RULES_SETTING))
    with_rules.close()
    assert [(rule["word"], rule["instead"]) for rule in kept] == [("register", "logbook")]
    with qtbot.waitSignal(window.desk.worker.steered, timeout=30000):
        window.opener.open(path)
    qtbot.waitUntil(lambda: window.model.rowCount() == 5, timeout=30000)
    assert window.of(Steering).service.rules[0].instead == "logbook"


def test_a_word_without_a_segment_can_be_forgotten(qtbot, make_window, document):
    """Topic words and words of the previous sentences have only this rule."""
    window = make_window(None, document)
    window.of(Steering).controller.show_menu(
        MemoryUse("word_caches", "compute", section="topic", decisive=True)
    )
    menu = window.table.findChild(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)
    (forget,) = menu.actions()
    assert forget.text() == "Forget the word everywhere"
    menu.close()
    forget.trigger()
    window.findChild(MemoryPreviewDialog).agreed.emit()
    assert window.of(Steering).service.rules == (
        MemoryRule("compute", weight=0.0),
        MemoryRule("compute", weight=0.0, topic=True),
    )
