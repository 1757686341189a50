"""Repetitions and the translation memory through the window: confirming, matches, import, concordance."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from remembered_words import remembered
from shown_texts import shown_texts

from anaphora.core.matching import Unit
from anaphora.core.segment import Status
from anaphora.editor.widgets.html_table import HTML_ROLE
from anaphora.engine.worker import default_loader
from anaphora.features.drafting.feature import Drafting
from anaphora.features.explain.feature import Explain
from anaphora.features.tm.feature import Tm
from anaphora.features.tm.memories import PROJECT, SHARED
from anaphora.features.tm.view.memories import RepetitionMenu
from anaphora.project.store.units.file import MemoryFile
from anaphora.project.store.units.table import TranslationMemory
from anaphora.system.locations import default_model, shared_memory_path
from anaphora_nmt.types import Repeats

CONTROL = Qt.KeyboardModifier.ControlModifier
MEMORIES = Path(__file__).parents[2] / "golden" / "translation_memories"


@pytest.fixture
def repeating(tmp_path: Path) -> Path:
    path = tmp_path / "指南.zh.txt"
    lines = ["自动微分", "打开文件。", "第3章", "自动微分", "打开全部文件。", "第12章", "自动微分"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "账本.zh.txt"
    path.write_text("账本保存每个交易。\n每个节点读取账本。\n", encoding="utf-8")
    return path


def open_window(make_real_window, drafted, path: Path):
    window = make_real_window(path)
    drafted(window)
    return window


def confirm(window, row: int, text: str) -> None:
    window.table.go_to_row(row)
    editor = window.table.editor
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return, CONTROL)


def targets(window) -> list[str]:
    return [segment.target for segment in window.session.document]


def repetition_menu(window) -> RepetitionMenu:
    return window.findChild(RepetitionMenu)


def test_repetitions_get_the_text_and_one_undo_restores_all(qtbot, make_real_window, drafted, repeating):
    window = open_window(make_real_window, drafted, repeating)
    drafts = targets(window)
    confirm(window, 3, "Auto-differentiation")
    after = targets(window)
    assert [after[row] for row in (0, 3, 6)] == ["Auto-differentiation"] * 3
    statuses = [window.model.segment(row).status for row in (0, 3, 6)]
    assert statuses == [Status.EDITED, Status.CONFIRMED, Status.EDITED]
    assert "Repetitions filled in: 2" in window.status_line.currentMessage()
    QTest.keyClick(window.table.editor, Qt.Key.Key_Z, CONTROL)
    assert [targets(window)[row] for row in (0, 6)] == [drafts[0], drafts[6]]
    assert window.model.segment(3).status is Status.EDITED
    assert window.table.currentIndex().row() == 3, "the view shows the confirmed segment"


@pytest.mark.slow
def test_propagated_text_survives_closing_and_joining(qtbot, make_real_window, drafted, repeating):
    window = open_window(make_real_window, drafted, repeating)
    confirm(window, 0, "Auto-differentiation")
    window.controller.close()
    window.opener.open(repeating)
    qtbot.waitUntil(lambda: window.session is not None, timeout=30000)
    drafted(window)
    assert [targets(window)[row] for row in (0, 3, 6)] == ["Auto-differentiation"] * 3
    assert window.model.segment(3).status is Status.EDITED


@pytest.mark.slow
def test_the_choice_about_repetitions_is_stored_and_used(qtbot, make_real_window, drafted, repeating):
    window = open_window(make_real_window, drafted, repeating)
    menu = repetition_menu(window)
    none = next(action for action in menu.reaches.actions() if action.data() == Repeats.NONE.value)
    none.trigger()
    assert not menu.confirm.isEnabled()
    draft = targets(window)[0]
    confirm(window, 3, "Auto-differentiation")
    assert targets(window)[0] == draft
    qtbot.waitUntil(window.close, timeout=20000)
    other = open_window(make_real_window, drafted, repeating)
    assert repetition_menu(other).reaches.checkedAction().data() == Repeats.NONE.value
    everywhere = repetition_menu(other).reaches.actions()[0]
    everywhere.trigger()
    repetition_menu(other).confirm.trigger()
    confirm(other, 6, "Autodiff")
    assert other.model.segment(0).status is Status.CONFIRMED and targets(other)[0] == "Autodiff"
    assert other.model.segment(3).target == "Auto-differentiation", "it was already confirmed"


@pytest.mark.slow
def test_matches_come_before_drafts_and_a_key_inserts_one(qtbot, make_real_window, drafted, repeating):
    window = open_window(make_real_window, drafted, repeating)
    window.docks.show_dock("rail", False)
    confirm(window, 1, "Open the file.")
    qtbot.waitUntil(lambda: len(window.of(Tm).service.memories.project) == 1, timeout=30000)
    window.table.go_to_row(4)
    qtbot.waitUntil(lambda: bool(window.of(Drafting).suggester.offers), timeout=30000)
    offer = window.of(Drafting).suggester.offers[0]
    assert offer.match.percent == 71 and offer.text == "Open the file."
    draft = targets(window)[4]
    QTest.keyClick(window.table.editor, Qt.Key.Key_2, CONTROL)
    assert targets(window)[4] == draft and window.docks.suggestions.isVisible()
    QTest.keyClick(window.table.editor, Qt.Key.Key_Down, CONTROL)
    window.table.go_to_row(4)
    qtbot.waitUntil(lambda: len(window.of(Drafting).suggester.offers) > 1, timeout=30000)
    assert window.of(Drafting).suggester.offers[1].match is None
    item = window.docks.suggestions.list.item(0)
    shown = item.data(HTML_ROLE)
    assert "71%" in shown and repeating.name in shown
    assert "全部" in shown and "background-color" in shown, "the difference is marked"
    assert "71% match" in item.data(Qt.ItemDataRole.AccessibleTextRole)
    QTest.keyClick(window.table.editor, Qt.Key.Key_1, CONTROL)
    assert targets(window)[4] == "Open the file."
    assert window.model.segment(4).status is Status.EDITED
    QTest.keyClick(window.table.editor, Qt.Key.Key_Z, CONTROL)
    assert targets(window)[4] == draft


def test_a_broken_file_is_reported_and_changes_nothing(qtbot, make_real_window, drafted, document, tmp_path):
    window = open_window(make_real_window, drafted, document)
    broken = tmp_path / "broken.tmx"
    broken.write_bytes((MEMORIES / "memoq.tmx").read_bytes()[:-20])
    with qtbot.waitSignal(window.of(Tm).exchange.failed, timeout=30000):
        window.of(Tm).controller.import_file(broken, SHARED)
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)), timeout=30000)
    (box,) = window.findChildren(QMessageBox)
    assert "not valid XML" in box.text() and box.informativeText()
    box.close()
    assert len(window.of(Tm).service.memories.shared) == 0
    assert window.of(Tm).controller.progress.dialog is None


@pytest.mark.slow
def test_an_import_is_cancelled_and_leaves_nothing(qtbot, make_real_window, drafted, document, tmp_path):
    large = tmp_path / "large.tmx"
    with large.open("w", encoding="utf-8") as file:
        file.write('<tmx version="1.4"><header srclang="zh"/><body>')
        for number in range(30000):
            file.write(
                f'<tu><tuv xml:lang="zh"><seg>第{number}句话在这里</seg></tuv>'
                f'<tuv xml:lang="en"><seg>Sentence {number} is here</seg></tuv></tu>'
            )
        file.write("</body></tmx>")
    window = open_window(make_real_window, drafted, document)
    window.of(Tm).controller.import_file(large, PROJECT)
    qtbot.waitUntil(lambda: len(window.of(Tm).service.memories.project) > 0, timeout=60000)
    with qtbot.waitSignal(window.of(Tm).exchange.ended, timeout=60000):
        QTest.keyClick(window.of(Tm).controller.progress.dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.of(Tm).controller.progress.dialog is None, timeout=30000)
    assert window.status_line.currentMessage() == "Cancelled. Nothing was changed."
    assert len(window.of(Tm).service.memories.project) == 0
    assert window.findChildren(QMessageBox) == []


def test_the_export_contains_confirmed_units(qtbot, make_real_window, drafted, repeating, tmp_path):
    window = open_window(make_real_window, drafted, repeating)
    window.docks.show_dock("rail", False)
    confirm(window, 1, "Open the file.")
    qtbot.waitUntil(lambda: len(window.of(Tm).service.memories.project) == 1, timeout=30000)
    out = tmp_path / "out.tmx"
    with qtbot.waitSignal(window.of(Tm).exchange.exported, timeout=30000):
        window.of(Tm).controller.export_file(out, PROJECT)
    assert "<seg>Open the file.</seg>" in out.read_text("utf-8")
    assert "exported to" in window.status_line.currentMessage()


def test_the_concordance_searches_the_memory(qtbot, make_real_window, drafted, document):
    window = open_window(make_real_window, drafted, document)
    with qtbot.waitSignal(window.of(Tm).exchange.imported, timeout=30000):
        window.of(Tm).controller.import_file(MEMORIES / "memoq.tmx", SHARED)
    qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)), timeout=30000)
    window.findChildren(QMessageBox)[0].close()
    qtbot.waitUntil(lambda: not window.findChildren(QMessageBox), timeout=30000)
    editor = window.table.editor
    editor.setPlainText("keeps every transaction")
    cursor = editor.textCursor()
    cursor.select(QTextCursor.SelectionType.Document)
    editor.setTextCursor(cursor)
    # Not by its key: without a window manager, the window stays inactive after the message is closed.
    window.actions_by_name["concordance"].trigger()
    panel = window.of(Tm).panel
    qtbot.waitUntil(lambda: "in translation memories" in " ".join(shown_texts(panel)), timeout=30000)
    last = panel.list.topLevelItem(panel.list.topLevelItemCount() - 1)
    assert last.text(0) == "TM" and "guide.xml" in last.data(1, HTML_ROLE)
    assert "background-color" in last.data(2, HTML_ROLE)
    row = window.table.currentIndex().row()
    panel.list.itemClicked.emit(last, 1)
    assert window.table.currentIndex().row() == row
    source = window.table.card.source
    cursor = source.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(2, QTextCursor.MoveMode.KeepAnchor)
    source.setTextCursor(cursor)
    source.setFocus()
    window.actions_by_name["concordance"].trigger()
    assert panel.needle.text() == source.toPlainText()[:2] == "账本", "also from a selection in the source"


def test_a_damaged_shared_memory_does_not_stop_the_work(
    qtbot, make_real_window, drafted, repeating, data_folder
):
    data_folder.mkdir(parents=True, exist_ok=True)
    (data_folder / "translation-memory.sqlite").write_bytes(b"no database " * 99)
    window = open_window(make_real_window, drafted, repeating)
    assert window.of(Tm).service.memories.shared is None
    confirm(window, 1, "Open the file.")
    qtbot.waitUntil(lambda: len(window.of(Tm).service.memories.project) == 1, timeout=30000)
    assert (data_folder / "translation-memory.sqlite").read_bytes() == b"no database " * 99


@pytest.mark.slow
def test_the_engine_reads_the_memory_and_the_panel_shows_it(qtbot, make_window, tmp_path, data_folder):
    file = MemoryFile.open(shared_memory_path())
    sources = ("学习率调度器控制训练。", "学习率调度器在每一步更新。")
    targets_ = ("The pace planner controls the training.", "The pace planner is updated at every step.")
    TranslationMemory("m", file).add([Unit(*pair) for pair in zip(sources, targets_, strict=True)])
    file.close()
    document = tmp_path / "scheduler.txt"
    document.write_text("学习率调度器控制微调。\n学习率调度器在每一轮更新。\n", "utf-8")
    window = make_window(default_loader(default_model(), "cpu", 1), document, start=False)
    worker = window.desk.worker
    with qtbot.waitSignal(worker.steered, timeout=180000):
        worker.start()
    qtbot.waitUntil(lambda: all("pace planner" in text for text in targets(window)), timeout=120000)
    inspector = window.of(Explain).inspector
    qtbot.waitUntil(lambda: bool(remembered(inspector)), timeout=120000)
    assert {"match:1", "match:2"} <= {entry.segment for entry in remembered(inspector)}
    card = window.docks.reasons.text
    qtbot.waitUntil(lambda: "from the translation memory" in card.text(), timeout=120000)
