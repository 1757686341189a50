"""A full disk in the real window: no work is lost without the user's consent."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from accessible_tree import nameless, tree_of
from disks import fill, small_disk
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from anaphora.editor.appearance.theme import ThemeChoice
from anaphora.features.comments.feature import Comments
from anaphora.features.documents.feature import Documents
from anaphora.features.tm.feature import Tm
from anaphora.project.document import autosave

LONG = "long " * 15_000
NOT_SAVED = "Your last changes are not saved"


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder on a disk of 4 MiB; saving is retried sooner than usual."""
    monkeypatch.setattr(autosave, "RETRY_SECONDS", 0.05)
    with small_disk(tmp_path / "disk", "4m") as place:
        monkeypatch.setenv("ANAPHORA_DATA", str(place / "data"))
        yield place


@pytest.fixture
def screen_reader() -> Iterator[None]:
    """A listener."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


def confirm(window, row: int, text: str) -> None:
    segment = window.model.segment(row).id
    window.controller.editing.type_text(segment, text)
    assert window.controller.editing.confirm(segment)


def boxes(window, title: str) -> list[QMessageBox]:
    found = window.findChildren(QMessageBox)
    return [box for box in found if box.isVisible() and box.windowTitle() == title]


def the_question(qtbot, window) -> QMessageBox:
    """The question about unsaved changes, which is the only message box."""
    qtbot.waitUntil(lambda: bool(boxes(window, NOT_SAVED)), timeout=20000)
    qtbot.wait(100)
    (box,) = (box for box in window.findChildren(QMessageBox) if box.isVisible())
    assert box.windowTitle() == NOT_SAVED
    return box


def button(box: QMessageBox, text: str):
    return next(each for each in box.buttons() if each.text() == text)


@pytest.mark.slow
def test_work_on_a_full_disk_is_saved_in_the_data_folder(
    qtbot, make_window, document, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(autosave, "RETRY_SECONDS", 0.05)
    with small_disk(tmp_path / "share", "4m") as share:
        window = make_window(path=document)
        controller = window.controller
        window.of(Documents).presenter.projects.save_as(share / "mine.anaphora")
        qtbot.waitUntil(lambda: controller.store.path.parent == share, timeout=20000)
        fill(share)
        confirm(window, 0, LONG)
        title = "Your changes cannot be saved"
        qtbot.waitUntil(lambda: bool(boxes(window, title)), timeout=20000)
        button(boxes(window, title)[0], "Save the project in Anaphora's data folder").click()
        qtbot.waitUntil(lambda: controller.store.path.parent.name == "projects", timeout=20000)
        assert controller.flush(20)
        assert next(iter(controller.store.load_document())).target == LONG


@pytest.mark.slow
def test_unsaved_work_prevents_closing_and_opening(
    qtbot, make_window, document, tmp_path, disk, monkeypatch
) -> None:
    window = make_window(path=document)
    controller, session = window.controller, window.session
    confirm(window, 0, "First.")
    assert controller.flush(20)
    ballast = fill(disk)
    confirm(window, 1, LONG)
    # before the failure is reported, and again after it
    for leave in (window.actions_by_name["close"].trigger, window.close):
        leave()
        leave()
        box = the_question(qtbot, window)
        assert "the disk is full" in box.text()
        assert "save the project as another file" in box.informativeText()
        assert box.defaultButton().text() == "Cancel"
        button(box, "Cancel").click()
        assert window.session is session and window.isVisible()
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path / "elsewhere"))
    other = tmp_path / "合同.zh.txt"
    other.write_text("甲方支付价款。\n", "utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: bool(boxes(window, NOT_SAVED)), timeout=20000)
    assert boxes(window, NOT_SAVED)[0].informativeText().startswith("Before you open another project")
    assert window.session is session and window.model.segment(1).target == LONG
    boxes(window, NOT_SAVED)[0].close()
    ballast.unlink()
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.model.rowCount() == 1, timeout=20000)
    window.opener.open(Path(session.key))
    qtbot.waitUntil(lambda: window.model.rowCount() == 12, timeout=20000)
    assert [window.model.segment(row).target for row in range(2)] == ["First.", LONG]


@pytest.mark.slow
def test_the_question_about_unsaved_work_works_by_keyboard_and_is_announced(
    qtbot, make_window, document, disk, screen_reader
) -> None:
    """The document has a text of 100,000 characters."""
    window = make_window(path=document)
    confirm(window, 0, "First.")
    assert window.controller.flush(20)
    fill(disk)
    confirm(window, 1, "0123456789" * 10_000)
    for key, is_left in ((Qt.Key.Key_Escape, False), (Qt.Key.Key_Return, False), (Qt.Key.Key_Space, True)):
        window.actions_by_name["close"].trigger()
        box = the_question(qtbot, window)
        assert box.height() < window.height() and box.focusWidget() is box.defaultButton()
        assert not nameless(box)
        names = [node.name for node in tree_of(box)]
        assert {NOT_SAVED, "Cancel", "Close without saving"} <= set(names)
        assert any("the disk is full" in each for each in names)
        assert any("save the project as another file" in each for each in names)
        if is_left:
            for _ in range(5):
                if box.focusWidget() is button(box, "Close without saving"):
                    break
                QTest.keyClick(box.focusWidget(), Qt.Key.Key_Tab)
            assert box.focusWidget() is button(box, "Close without saving")
        QTest.keyClick(box.focusWidget(), key)
        qtbot.wait(50)
        assert (window.session is None) == is_left and not boxes(window, NOT_SAVED)


@pytest.mark.slow
def test_confirmations_on_a_full_disk_reach_the_memories_later(
    qtbot, make_window, document, drafted, disk
) -> None:
    window = make_window(path=document)
    drafted(window)
    memory = window.of(Tm).service
    confirm(window, 0, "First.")
    assert window.controller.flush(20)
    qtbot.waitUntil(lambda: len(memory.memories.project) == 1 and not memory.writing, timeout=20000)
    ballast = fill(disk)
    with qtbot.waitSignal(memory.failed, timeout=20000):
        confirm(window, 1, LONG)
    ballast.unlink()
    confirm(window, 2, "Third.")
    qtbot.waitUntil(lambda: [len(each) for each in memory.memories.all()] == [3, 3], timeout=20000)


@pytest.mark.slow
def test_unfinished_comments_are_not_lost(qtbot, make_window, document, disk) -> None:
    window = make_window(path=document)
    confirm(window, 0, "First.")
    assert window.controller.flush(20)
    ballast = fill(disk)
    ids = [segment.id for segment in window.session.document]
    for each in ids:
        window.of(Comments).controller.show_segment(each)
        window.of(Comments).panel.field.setText("word " * 6000)
    window.actions_by_name["close"].trigger()
    box = the_question(qtbot, window)
    button(box, "Cancel").click()
    ballast.unlink()
    assert window.controller.flush(20)
    assert all(len(window.controller.comments.of(each)) == 1 for each in ids)


def test_unwritable_settings_are_reported_in_the_status_bar(qtbot, make_window, tmp_path) -> None:
    """They are reported once, and the choice applies."""
    (tmp_path / "window.ini").mkdir()
    window = make_window(start=False)
    message = lambda: window.status_line.currentMessage()  # noqa: E731
    qtbot.waitUntil(lambda: "settings cannot be saved" in message(), timeout=5000)
    window.status_line.clearMessage()
    window.state.choose_theme(ThemeChoice.DARK)
    qtbot.wait(100)
    assert not message() and window.desk.settings.value("theme") == "dark"
    assert not window.findChildren(QMessageBox)
