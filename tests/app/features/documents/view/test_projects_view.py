"""A project in the window: folders, the dock, header rows, changed files, copies."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
import time
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QDialog, QMessageBox, QPushButton, QTreeWidget

from anaphora.core.errors import ProjectError
from anaphora.core.matching import Unit
from anaphora.core.segment import Status
from anaphora.editor.table.active_card import GAP
from anaphora.editor.table.segment_delegate import BAND
from anaphora.features.documents.feature import Documents
from anaphora.features.documents.view.backups import BackupsDialog
from anaphora.features.documents.view.panel import INFO_ROLE
from anaphora.features.documents.view.saving import ReportDialog
from anaphora.features.export.view.dialog import ExportDialog
from anaphora.features.statistics.view.dialog import StatisticsDialog
from anaphora.features.steering.feature import Steering
from anaphora.features.steering.steering import RULES_SETTING
from anaphora.features.terms.feature import Terms
from anaphora.features.tm import exchange_service
from anaphora.features.tm.feature import Tm
from anaphora.features.tm.memories import TranslationMemories
from anaphora.project import opener, operations
from anaphora.project.exporting import writing
from anaphora.project.store.project import ProjectStore
from anaphora.project.store.terms.table import TermBase
from anaphora.project.store.units.table import TranslationMemory
from anaphora_nmt.types import MemoryRule, rules_from_plain


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three documents, one in a subfolder."""
    root = tmp_path / "手册"
    for name, count in (("2.txt", 3), ("10.txt", 2), ("附录/a.txt", 2)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("".join(f"{name}第{n}个账本。\n" for n in range(count)), "utf-8")
    return root


def names(window) -> list[str]:
    panel = window.docks.documents
    return [panel.list.item(row).data(INFO_ROLE).name for row in range(panel.list.count())]


def wait_until_open(qtbot, window) -> None:
    """Wait until the project is open and written beside the document."""
    memory = window.of(Tm).service
    qtbot.waitUntil(
        lambda: window.of(Terms).service.terms is not None and memory.memories is not None,
        timeout=20000,
    )
    qtbot.waitUntil(lambda: not memory.writing and window.controller.project.autosave.is_clean, timeout=20000)


def shown(window, kind: type[QDialog]) -> list:
    return [dialog for dialog in window.findChildren(kind) if dialog.isVisible()]


def press(box: QMessageBox, label: str) -> None:
    next(button for button in box.buttons() if button.text().replace("&", "") == label).click()


def confirm(window, row: int, text: str) -> None:
    segment = window.model.segment(row).id
    window.controller.editing.type_text(segment, text)
    assert window.controller.editing.confirm(segment)


def drop(widget, *paths: Path) -> None:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    widget.dropEvent(
        QDropEvent(
            QPointF(5, 5),
            Qt.DropAction.CopyAction,
            mime,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
    )


def test_a_dropped_folder_becomes_a_project(qtbot, make_window, folder, drafted) -> None:
    window = make_window()
    drop(window, folder)
    qtbot.waitUntil(lambda: window.model.rowCount() == 7, timeout=20000)
    assert names(window) == ["2.txt", "10.txt", "附录/a.txt"]
    assert window.windowTitle().startswith("手册")
    drafted(window)
    assert all(segment.target for segment in window.session.document)

    table, panel = window.table, window.docks.documents
    starts = [window.model.document_at(row) for row in range(7)]
    assert starts == ["2.txt", "", "", "10.txt", "", "附录/a.txt", ""]
    table.go_to_row(3)
    assert table.card.y() == table.rowViewportPosition(3) + BAND + GAP
    with_band = table.rowHeight(3)
    table.go_to_row(4)
    assert table.rowHeight(3) == table.rowHeight(2) + BAND
    assert table.rowHeight(4) == with_band - BAND
    assert "beginning of 10.txt" in table.model().index(3, 0).data(Qt.ItemDataRole.AccessibleTextRole)

    confirm(window, 5, "Appendix.")
    qtbot.waitUntil(
        lambda: ": 1 of" in panel.list.item(2).data(Qt.ItemDataRole.AccessibleTextRole), timeout=30000
    )
    panel.list.itemClicked.emit(panel.list.item(2))
    assert table.currentIndex().row() == 6, "the first unconfirmed segment"
    assert panel.chosen.name == "附录/a.txt"


def test_one_document_needs_no_dock_and_no_band(qtbot, make_window, document) -> None:
    window = make_window(path=document)
    assert window.model.document_at(0) == ""
    assert not window.docks.documents.isVisible()


@pytest.mark.slow
def test_documents_are_added_and_removed_with_their_work(qtbot, make_window, folder, tmp_path) -> None:
    window = make_window(path=folder)
    confirm(window, 6, "Last of all.")
    window.docks.documents.removal_requested.emit(window.controller.project.documents[0].id)
    (box,) = shown(window, QMessageBox)
    press(box, "Remove")
    qtbot.waitUntil(lambda: names(window) == ["10.txt", "附录/a.txt"], timeout=20000)

    extra = tmp_path / "extra.txt"
    extra.write_text("更多账本。\n", "utf-8")
    drop(window.docks.documents, extra)
    qtbot.waitUntil(lambda: names(window)[-1:] == ["extra.txt"], timeout=20000)
    qtbot.waitUntil(lambda: window.model.rowCount() == 5, timeout=20000)

    def current_is_chosen() -> bool:
        chosen, current = window.docks.documents.chosen, window.table.current_segment
        return chosen is not None and current is not None and chosen.id == current.document

    qtbot.waitUntil(current_is_chosen, timeout=20000)
    assert window.model.segment(3).target == "Last of all."
    assert window.model.segment(3).status is Status.CONFIRMED

    window.of(Documents).presenter.projects.list_backups()
    qtbot.waitUntil(lambda: bool(shown(window, BackupsDialog)), timeout=20000)
    (dialog,) = shown(window, BackupsDialog)
    assert re.search(r"[0-9a-f]{16}", dialog.windowTitle()) is None, "no reader has its key"
    whole = [row for row in range(dialog.list.topLevelItemCount()) if "of 7" in _confirmed(dialog, row)]
    dialog.list.setCurrentItem(dialog.list.topLevelItem(whole[0]))
    dialog.open_button.click()
    qtbot.waitUntil(lambda: window.model.rowCount() == 7, timeout=20000)
    assert "更多账本。" not in [segment.source for segment in window.session.document]
    assert re.search(r"· .*_\d{4}-\d\d-\d\d_\d\d-\d\d – Anaphora$", window.windowTitle()), (
        window.windowTitle()
    )
    assert re.search("[0-9a-f]{16}", window.windowTitle()) is None


def _confirmed(dialog: BackupsDialog, row: int) -> str:
    return dialog.list.topLevelItem(row).text(1)


@pytest.mark.slow
def test_fifty_documents_are_one_document_to_the_engine(qtbot, make_window, tmp_path, drafted) -> None:
    from recording_translator import RecordingTranslator

    root, double = tmp_path / "fifty", RecordingTranslator()
    root.mkdir()
    for number in range(50):
        (root / f"{number}.txt").write_text(f"第{number}个节点。\n缓存{number}。\n", "utf-8")
    window = make_window(double, root)
    drafted(window)
    assert [name for name, _ in double.calls].count("open") == 1
    ids = [segment.id for segment in window.session.document]
    assert [segment for name, segment in double.calls if name == "translate"][:100] == ids
    confirm(window, 3, "The cache of the first.")
    qtbot.waitUntil(lambda: ("remember", ids[3]) in double.calls, timeout=30000)
    later = double.memory(window.session.key, ids[20])
    slots = later.section("continuous_cache", "slots").entries
    assert ids[3] in {slot.segment for slot in slots if slot.confirmed}


def test_unreadable_files_are_listed(qtbot, make_window, folder) -> None:
    (folder / "bad.docx").write_bytes(b"x")
    window = make_window(path=folder)
    qtbot.waitUntil(lambda: bool(shown(window, ReportDialog)), timeout=20000)
    (dialog,) = shown(window, ReportDialog)
    assert [name for name, _ in dialog.rows] == ["bad.docx"]
    assert len(names(window)) == 3


def test_statistics_can_be_copied(qtbot, make_window, folder) -> None:
    from PySide6.QtGui import QGuiApplication

    window = make_window(path=folder)
    for _ in range(2):  # the second one while the first is counted
        window.actions_by_name["statistics"].trigger()
    qtbot.waitUntil(lambda: bool(shown(window, StatisticsDialog)), timeout=20000)
    (dialog,) = shown(window, StatisticsDialog)
    next(each for each in dialog.findChildren(QPushButton) if each.text() == "Copy").click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[1].startswith("2.txt\t") and lines[4].split("\t")[3] == "7"
    assert lines[5].split("\t") == ["Match", "Segments", "Words", "Characters"]
    assert sum(int(line.split("\t")[1]) for line in lines[6:]) == 7


def test_words_are_counted_without_a_memory(qtbot, make_window, folder, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise ProjectError("The disk is full.")

    monkeypatch.setattr(TranslationMemories, "_open_memories", fail)
    window = make_window(path=folder)
    window.actions_by_name["statistics"].trigger()
    qtbot.waitUntil(lambda: bool(shown(window, StatisticsDialog)), timeout=20000)
    assert not any(
        each.isVisible() for each in shown(window, StatisticsDialog)[0].findChildren(QTreeWidget)[1:]
    )
    assert "memory is not open" in window.statusBar().currentMessage()


def test_all_documents_are_exported_even_if_the_project_is_closed(
    qtbot, make_window, folder, tmp_path, monkeypatch
) -> None:
    window = make_window(path=folder)
    confirm(window, 3, "Tenth.")
    out = tmp_path / "out"
    (out / "2.txt").mkdir(parents=True)
    before = (folder / "10.txt").read_bytes()
    window.of(Documents).exporting.export_all(folder)
    qtbot.waitUntil(lambda: len(shown(window, ReportDialog)) == 1, timeout=20000)
    (dialog,) = shown(window, ReportDialog)
    assert all("is the original" in reason for _, reason in dialog.rows)
    assert (folder / "10.txt").read_bytes() == before
    dialog.close()
    monkeypatch.setattr(writing, "check_destination", lambda *_: time.sleep(0.1))
    window.of(Documents).exporting.export_all(out)
    window.controller.close()
    qtbot.waitUntil(lambda: bool(shown(window, ReportDialog)), timeout=20000)
    (dialog,) = shown(window, ReportDialog)
    assert dialog.rows[0][0] == "2.txt" and "folder has this name" in dialog.rows[0][1]
    assert (out / "10.txt").read_text("utf-8").startswith("Tenth.\n")
    assert (out / "附录" / "a.txt").exists()


@pytest.mark.slow
def test_a_file_changed_outside_can_be_used(qapp, qtbot, make_window, folder) -> None:
    window = make_window(path=folder)
    confirm(window, 1, "Kept.")
    path = folder / "2.txt"
    path.write_text("新句。\n" + path.read_text("utf-8"), "utf-8")
    later = path.stat().st_mtime_ns + 3_000_000_000
    os.utime(path, ns=(later, later))
    qapp.applicationStateChanged.emit(Qt.ApplicationState.ApplicationActive)
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    (box,) = shown(window, QMessageBox)
    assert "2.txt" in box.text()
    press(box, "Use the new versions")
    qtbot.waitUntil(lambda: window.model.rowCount() == 8, timeout=20000)
    assert window.model.segment(0).source == "新句。"
    assert (window.model.segment(2).target, window.model.segment(2).status) == ("Kept.", Status.CONFIRMED)


@pytest.mark.slow
def test_saving_as_continues_in_the_new_file(qtbot, make_window, folder, tmp_path) -> None:
    window = make_window(path=folder)
    confirm(window, 0, "One.")
    target = tmp_path / "kept" / "mine.anaphora"
    target.parent.mkdir()
    window.of(Documents).presenter.projects.save_as(target)
    qtbot.waitUntil(lambda: window.controller.path == target, timeout=20000)
    assert window.controller.store.path == target
    assert window.model.segment(0).target == "One."
    assert window.windowTitle().startswith("手册")


CHANGES = {
    "a rule": lambda window: window.of(Steering).service.use_rules((MemoryRule("账本"),)),
    "a setting": lambda window: window.controller.project.save_setting("dismissed/test", "meanwhile"),
    "a term": lambda window: window.of(Terms).service.add_pair("账本", "ledger"),
    "units of a memory": lambda window: window.of(Tm).service.memories.project.add([Unit("账本", "ledger")]),
    "a translation": lambda window: confirm(window, 1, "Meanwhile."),
}
KEPT = {
    "a rule": lambda store: rules_from_plain(json.loads(store.setting(RULES_SETTING)))[0].word,
    "a setting": lambda store: store.setting("dismissed/test"),
    "a term": lambda store: TermBase("project", store).entries()[0].source,
    "units of a memory": lambda store: next(
        unit.source for unit in TranslationMemory("project", store).units() if not unit.key
    ),
    "a translation": lambda store: store.load_document().at(1).target,
}


@pytest.mark.parametrize("step", ["copied", "opened"])
@pytest.mark.parametrize("change", CHANGES)
def test_changes_during_saving_as_are_in_the_new_file(
    qtbot, make_window, folder, tmp_path, monkeypatch, change, step
) -> None:
    """Copying and opening, delayed at their end until the change is on the disk."""
    window = make_window(path=folder)
    controller = window.controller
    old = controller.store
    wait_until_open(qtbot, window)
    at_the_end, go_on = threading.Event(), threading.Event()
    module, name = (operations, "save_as") if step == "copied" else (opener, "open_paths")
    real = getattr(module, name)

    def held(*arguments):
        result = real(*arguments)
        at_the_end.set()
        assert go_on.wait(20)
        return result

    monkeypatch.setattr(module, name, held)
    target = tmp_path / "mine.anaphora"
    window.of(Documents).presenter.projects.save_as(target)
    qtbot.waitUntil(at_the_end.is_set, timeout=20000)
    writes = old.writes
    CHANGES[change](window)
    qtbot.waitUntil(lambda: old.writes > writes and controller.project.autosave.is_clean, timeout=20000)
    go_on.set()
    qtbot.waitUntil(lambda: controller.path == target, timeout=20000)
    expected = {"a setting": "meanwhile", "a translation": "Meanwhile."}.get(change, "账本")
    assert KEPT[change](controller.store) == expected


TMX = Path(__file__).parents[4] / "golden" / "tmx" / "wtforms.tmx"


def late_units(store: ProjectStore) -> bool:
    return len(TranslationMemory("project", store)) > 0


LATE = {
    "a term": (TermBase, "put", CHANGES["a term"], KEPT["a term"]),
    "an import": (
        exchange_service,
        "import_units",
        lambda window: window.of(Tm).controller.import_file(TMX, "project"),
        late_units,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("change", LATE)
def test_waiting_changes_are_in_an_opened_copy(
    qtbot, make_window, folder, tmp_path, monkeypatch, change
) -> None:
    """Writing, delayed until the copy has been read and the old project is being closed."""
    window = make_window(path=folder)
    controller = window.controller
    wait_until_open(qtbot, window)
    holder, name, start, kept = LATE[change]
    begun, go_on = threading.Event(), threading.Event()
    real, real_open = getattr(holder, name), opener.open_paths

    def held(*arguments):
        begun.set()
        assert go_on.wait(20)
        return real(*arguments)

    def opened(*arguments):
        result = real_open(*arguments)
        threading.Timer(0.3, go_on.set).start()
        return result

    monkeypatch.setattr(opener, "open_paths", opened)
    monkeypatch.setattr(holder, name, held)
    start(window)
    assert begun.wait(20)
    target = tmp_path / "mine.anaphora"
    window.of(Documents).presenter.projects.save_as(target)
    qtbot.waitUntil(lambda: controller.path == target, timeout=20000)
    assert kept(controller.store)


def test_a_project_deleted_under_the_window_is_reported_and_saved_elsewhere(
    qtbot, make_window, folder, tmp_path
) -> None:
    window = make_window(path=folder)
    store = window.controller.store
    assert store is not None
    qtbot.waitUntil(lambda: window.controller.project.autosave.is_clean, timeout=20000)
    store.path.unlink()
    confirm(window, 0, "Not lost.")
    window.controller.project.autosave.save_setting("dismissed/test", "waits")
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    (box,) = shown(window, QMessageBox)
    assert "moved or deleted" in box.text() and "Save project as" in box.informativeText()
    box.close()
    target = tmp_path / "saved.anaphora"
    window.of(Documents).presenter.projects.save_as(target)
    qtbot.waitUntil(lambda: window.controller.path == target, timeout=20000)
    assert window.model.segment(0).target == "Not lost."
    assert window.controller.store.setting("dismissed/test") == "waits"
    assert not window.controller.saving.problem


@pytest.mark.slow
def test_a_damaged_project_is_opened_from_its_backup(qtbot, make_window, document) -> None:
    from anaphora.project.saving import back_up_changed

    window = make_window(path=document)
    confirm(window, 0, "One.")
    store = window.controller.store
    assert window.controller.project.autosave.flush(10)
    back_up_changed(store)
    confirm(window, 1, "Two.")
    window.controller.close()
    broken = b"no project any more" * 100
    store.path.write_bytes(broken)
    later = datetime.now() + timedelta(minutes=35)
    os.utime(store.path, (later.timestamp(), later.timestamp()))
    window.opener.open(document)
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    (box,) = shown(window, QMessageBox)
    assert "opened the backup" in box.text() and f"{later:%H:%M} are lost" in box.text()
    kept = store.path.with_name(store.path.name + ".damaged")
    assert str(kept) in box.informativeText() and kept.read_bytes() == broken
    box.close()
    assert window.controller.store.path == store.path
    first, second = window.model.segment(0), window.model.segment(1)
    assert (first.target, first.status) == ("One.", Status.CONFIRMED)
    assert second.status is not Status.CONFIRMED


def test_a_damaged_project_without_backup_can_be_started_over(qtbot, make_window, document) -> None:
    window = make_window(path=document)
    confirm(window, 0, "One.")
    path = window.controller.store.path
    window.controller.close()
    broken = b"no project any more" * 100
    path.write_bytes(broken)
    window.opener.open(document)
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    (box,) = shown(window, QMessageBox)
    assert "damaged" in box.text()
    offered = [button.text() for button in box.buttons()]
    assert not any("backups" in each for each in offered), "there are none"
    assert box.defaultButton() is None or "Save what" in box.defaultButton().text()
    assert "backups" not in box.informativeText()
    press(box, "Start a new project")
    qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=20000)
    assert window.model.segment(0).status is not Status.CONFIRMED
    assert path.with_name(path.name + ".damaged").read_bytes() == broken


def change(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    later = path.stat().st_mtime_ns + 3_000_000_000
    os.utime(path, ns=(later, later))


def test_the_export_asks_about_a_file_changed_meanwhile(qtbot, make_window, document) -> None:
    window = make_window(path=document)
    confirm(window, 0, "Kept.")
    change(document, "新句。\n" + document.read_text("utf-8"))
    window.actions_by_name["export"].trigger()
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    (box,) = shown(window, QMessageBox)
    assert document.name in box.text() and not shown(window, ExportDialog)
    press(box, "Keep the old versions")
    qtbot.waitUntil(lambda: bool(shown(window, ExportDialog)), timeout=20000)
    shown(window, ExportDialog)[0].reject()
    window.actions_by_name["export"].trigger()
    qtbot.waitUntil(lambda: bool(shown(window, ExportDialog)), timeout=20000)
    assert not shown(window, QMessageBox), "this change has been decided"
    shown(window, ExportDialog)[0].reject()
    change(document, "另一句。\n" + document.read_text("utf-8"))
    window.actions_by_name["export_all"].trigger()
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    press(shown(window, QMessageBox)[0], "Use the new versions")
    qtbot.waitUntil(lambda: window.model.rowCount() > 0 and window.model.segment(0).source == "另一句。")
    assert not shown(window, ExportDialog)


@pytest.mark.parametrize("is_copy", [False, True])
def test_work_on_a_file_that_was_moved_or_copied_is_offered(
    qtbot, make_window, document, tmp_path, is_copy
) -> None:
    window = make_window(path=document)
    confirm(window, 0, "Kept.")
    project = window.controller.store.path
    other = tmp_path / "elsewhere" / "renamed.txt"
    other.parent.mkdir()
    (shutil.copyfile if is_copy else shutil.move)(document, other)
    if not is_copy:
        window.controller.close()
    window.opener.open(other)
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    (box,) = shown(window, QMessageBox)
    assert str(document) in box.text()
    press(box, "Start a new project" if is_copy else "Open that project")
    qtbot.waitUntil(lambda: window.controller.path == other, timeout=20000)
    assert (window.controller.store.path == project) is not is_copy
    assert window.model.segment(0).target == ("" if is_copy else "Kept.")
    window.controller.close()
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.controller.path == other, timeout=20000)
    assert not shown(window, QMessageBox), "its location is known"


def test_work_on_a_folder_that_was_renamed_is_offered(qtbot, make_window, folder) -> None:
    window = make_window(path=folder)
    confirm(window, 1, "Kept.")
    window.controller.close()
    renamed = folder.rename(folder.with_name("新手册"))
    (renamed / "new.txt").write_text("新的一句。\n", "utf-8")
    window.opener.open(renamed)
    qtbot.waitUntil(lambda: bool(shown(window, QMessageBox)), timeout=20000)
    press(shown(window, QMessageBox)[0], "Open that project")
    qtbot.waitUntil(lambda: window.controller.path == renamed, timeout=20000)
    assert window.model.segment(1).target == "Kept."
    project = window.controller.project
    assert {Path(each.path).parent for each in project.documents} == {renamed, renamed / "附录"}
    assert len(project.watched) == 3 and not project.undecided
    qtbot.waitUntil(lambda: bool(shown(window, ReportDialog)), timeout=20000)
    (dialog,) = shown(window, ReportDialog)
    assert [name for name, _ in dialog.rows] == ["new.txt"]


def test_files_that_are_renamed_or_copied_within_a_folder_are_noticed(qtbot, make_window, folder) -> None:
    window = make_window(path=folder)
    confirm(window, 1, "Kept.")
    window.controller.close()
    (folder / "2.txt").rename(folder / "3.txt")
    shutil.copyfile(folder / "10.txt", folder / "copy.txt")
    window.opener.open(folder)
    qtbot.waitUntil(lambda: bool(shown(window, ReportDialog)), timeout=20000)
    assert [name for name, _ in shown(window, ReportDialog)[0].rows] == ["copy.txt"]
    assert window.model.segment(1).target == "Kept."
    paths = {Path(each.path).name for each in window.controller.project.documents}
    assert paths == {"3.txt", "10.txt", "a.txt"}


def test_documents_show_their_progress(qtbot, make_window, folder) -> None:
    window = make_window(path=folder)
    confirm(window, 0, "Second.")
    items = window.docks.documents.list
    qtbot.waitUntil(lambda: "\n33% confirmed" in items.item(0).text(), timeout=20000)
    assert " words" in items.item(0).text() and items.item(1).text().splitlines()[1].startswith(
        "0% confirmed"
    )
    room = items.visualItemRect(items.item(0)).height()
    assert room >= 2 * items.fontMetrics().height(), "both lines are visible"
