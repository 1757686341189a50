"""Exact matches are filled in and marked; one undo removes them, and no draft replaces them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from recording_translator import RecordingTranslator

from anaphora.core.matching import Unit
from anaphora.core.segment import Status
from anaphora.editor.table.segment_model import Column
from anaphora.features.comments.feature import Comments
from anaphora.features.drafting.feature import Drafting
from anaphora.features.tm.feature import Tm
from anaphora.features.tm.view.memories import RepetitionMenu
from anaphora.project.exporting.writing import summarise
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.locations import shared_memory_path
from anaphora_nmt.types import Repeats

CONTROL = Qt.KeyboardModifier.ControlModifier
KEPT = Unit("账本保存每个交易。", "The register keeps every deal.", changed=10)
READ = Unit("每个节点读取账本。", "Nodes read the register.", changed=10)


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "账本.zh.txt"
    path.write_text(
        "我们需要更新缓存。\n账本保存每个交易。\n每个节点读取账本。\n缓存保存世界状态。\n", encoding="utf-8"
    )
    return path


@pytest.fixture
def share(data_folder: Path) -> Callable:
    """Adds units to the shared memory."""

    def put(*units: Unit) -> None:
        data_folder.mkdir(exist_ok=True)
        file = MemoryFile.open(shared_memory_path())
        TranslationMemory("shared", file).add(units)
        file.close()

    return put


@pytest.fixture
def wait_for(qtbot) -> Callable:
    return lambda window, row, text: qtbot.waitUntil(lambda: target(window, row) == text, timeout=30000)


def target(window, row: int) -> str:
    return window.model.segment(row).target


def filling_choice(window) -> QAction:
    return next(each for each in window.findChildren(QAction) if "matches automatically" in each.text())


def reopen(qtbot, window, path: Path) -> None:
    window.controller.close()
    window.opener.open(path)
    qtbot.waitUntil(
        lambda: window.session is not None and window.table.currentIndex().row() >= 0, timeout=30000
    )


def test_exact_matches_are_filled_in_and_marked(qtbot, make_window, drafted, document, share, wait_for):
    share(KEPT, Unit("每个节点读取帐本。", "Almost the same."))
    window = make_window(None, document)
    wait_for(window, 1, KEPT.target)
    drafted(window)
    filled, other = window.model.segment(1), window.model.segment(2)
    assert (filled.target, filled.status) == (KEPT.target, Status.EDITED)
    assert other.status is Status.DRAFT, "the model drafts fuzzy matches"
    status = window.model.index(1, Column.STATUS)
    assert "100% match" in status.data(Qt.ItemDataRole.ToolTipRole)
    assert status.data(Qt.ItemDataRole.AccessibleTextRole) == "100% match"
    assert (summary := summarise(window.session.document)).edited == 0 and summary.matches == 1
    window.table.go_to_row(1)
    assert window.table.card.state.text() == "100% match"
    lines = window.of(Comments).history.text
    qtbot.waitUntil(lambda: "from the translation memory ·" in lines.text(), timeout=30000)
    QTest.keyClicks(window.table.editor, "!")
    assert window.table.card.state.text() == "Edited", "it counts as a person's work"


def test_matches_replace_drafts_made_before_the_memories_were_ready(
    qtbot, make_window, drafted, document, share, wait_for
):
    window = make_window(None, document)
    drafted(window)
    editing, drafts = window.controller.editing, [target(window, row) for row in range(4)]
    editing.type_text(window.model.segment(2).id, "Mine.")
    share(KEPT, READ)
    window.of(Tm).filling.search()
    wait_for(window, 1, KEPT.target)
    assert [target(window, row) for row in (0, 2, 3)] == [drafts[0], "Mine.", drafts[3]]
    share(Unit(window.model.segment(3).source, drafts[3]))
    window.of(Tm).filling.search()
    qtbot.waitUntil(lambda: window.model.segment(3).status is Status.EDITED, timeout=30000)
    assert target(window, 3) == drafts[3], "an equal draft is marked as a match"


def test_one_undo_removes_all_matches_and_the_model_drafts_again(
    qtbot, make_window, drafted, document, share, wait_for
):
    share(KEPT, READ)
    window = make_window(None, document, start=False)
    wait_for(window, 1, KEPT.target)
    wait_for(window, 2, READ.target)
    assert "filled in from the translation memory: 2" in window.status_line.currentMessage()
    QTest.keyClick(window.table.editor, Qt.Key.Key_Z, CONTROL)
    assert [target(window, row) for row in (1, 2)] == ["", ""]
    window.desk.worker.start()
    drafted(window)
    assert [window.model.segment(row).status for row in range(4)] == [Status.DRAFT] * 4
    share(Unit(window.model.segment(0).source, "New in the memory."))
    reopen(qtbot, window, document)
    wait_for(window, 0, "New in the memory.")
    assert window.model.segment(1).status is Status.DRAFT, "it is not filled in again after reopening"


def test_the_model_never_drafts_over_a_match(qtbot, make_window, drafted, document, share, wait_for):
    share(KEPT, READ)
    double = RecordingTranslator()
    window = make_window(double, document, start=False)
    wait_for(window, 2, READ.target)
    window.desk.worker.start()
    drafted(window)

    def drafted_rows() -> set[int]:
        ids = {call[1] for call in double.calls if call[0] == "translate"}
        return {row for row in range(4) if window.model.segment(row).id in ids}

    assert drafted_rows() == {0, 3}
    double.calls.clear()
    segment = window.model.segment(0)
    window.controller.editing.type_text(segment.id, "We must update the buffer.")
    window.controller.editing.confirm(segment.id)
    qtbot.waitUntil(lambda: drafted_rows() == {3}, timeout=30000)
    window.of(Drafting).service.redraft([each.id for each in window.session.document])
    drafted(window)
    reopen(qtbot, window, document)
    drafted(window)
    assert drafted_rows() == {3}
    assert [target(window, row) for row in (1, 2)] == [KEPT.target, READ.target]
    assert "100%" in window.model.state_name(window.model.segment(1)), "the project stores the mark"


def test_filling_can_be_switched_off_permanently(qtbot, make_window, drafted, document, share, wait_for):
    window = make_window(None)
    choice = filling_choice(window)
    assert choice.isChecked()
    choice.trigger()
    share(KEPT)
    other = make_window(None, document)
    drafted(other)
    assert not filling_choice(other).isChecked()
    assert other.model.segment(1).status is Status.DRAFT and not other.controller.editing.stack.canUndo()
    filling_choice(other).trigger()
    wait_for(other, 1, KEPT.target)


@pytest.mark.parametrize("reach", [Repeats.NONE, Repeats.ALL])
def test_the_choice_about_repetitions_is_respected(
    qtbot, make_window, drafted, tmp_path, share, wait_for, reach
):
    path = tmp_path / "重复.zh.txt"
    path.write_text("打开文件。\n账本保存每个交易。\n打开文件。\n", encoding="utf-8")
    window = make_window(None, path)
    drafted(window)
    menu = window.findChild(RepetitionMenu)
    next(each for each in menu.reaches.actions() if each.data() == Repeats.NONE.value).trigger()
    editing = window.controller.editing
    editing.type_text(window.model.segment(0).id, "Open the file.")
    editing.confirm(window.model.segment(0).id)
    next(each for each in menu.reaches.actions() if each.data() == reach.value).trigger()
    draft = target(window, 2)
    share(KEPT)
    reopen(qtbot, window, path)
    wait_for(window, 1, KEPT.target)
    assert target(window, 2) == (draft if reach is Repeats.NONE else "Open the file.")


def test_neither_a_confirmation_nor_a_match_leaves_its_context(qtbot, make_window, tmp_path):
    path = tmp_path / "ctx.po"
    values = {"verb": "", "state": "", "door": "Ajar"}
    entries = ['msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n']
    for name, text in values.items():
        flag = "#, fuzzy\n" if text else ""
        entries.append(f'{flag}msgctxt "{name}"\nmsgid "打开"\nmsgstr "{text}"\n')
    path.write_text("\n".join(entries), encoding="utf-8")
    window = make_window(None, path, start=False)
    editing, held = window.controller.editing, [segment.id for segment in window.session.document]
    editing.type_text(held[0], "Open")
    editing.confirm(held[0])
    qtbot.waitUntil(
        lambda: (
            window.of(Tm).service.memories is not None
            and bool(list(window.of(Tm).service.memories.project.units()))
        ),
        timeout=30000,
    )
    window.of(Tm).filling.search()
    window.actions_by_name["pretranslate"].trigger()
    dialog = window.of(Tm).pretranslation.dialog
    qtbot.waitUntil(dialog.progress.isHidden, timeout=20000)
    assert dialog.counts.topLevelItemCount() == 0, "nothing fits in another context"
    assert [target(window, row) for row in range(3)] == ["Open", "", "Ajar"]


def test_an_error_while_finding_matches_closes_the_dialog(qtbot, make_window, document, monkeypatch) -> None:
    window = make_window(path=document, start=False)
    qtbot.waitUntil(lambda: window.of(Tm).service.memories is not None, timeout=30000)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(window.of(Tm).service.memories, "find", fail)
    with qtbot.captureExceptions() as errors:
        window.actions_by_name["pretranslate"].trigger()
        qtbot.waitUntil(lambda: window.of(Tm).pretranslation.dialog is None and bool(errors), timeout=30000)
    assert {kind for kind, *_ in errors} == {ZeroDivisionError}, "it is logged and shown to the user"
