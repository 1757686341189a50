"""An unresponsive disk: the window keeps working, shows the reason, and loses nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from disks import HangingDisk, hanging_disk
from PySide6.QtCore import QEventLoop, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from anaphora.core.errors import ProjectError
from anaphora.features.documents.feature import Documents
from anaphora.project import saving

LONGEST_TURN = 0.5
"""Seconds by the clock, of which the disk takes 0.2."""


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HangingDisk]:
    """The disk of the data folder."""
    with hanging_disk(tmp_path / "disk") as made:
        monkeypatch.setenv("ANAPHORA_DATA", str(made.place / "data"))
        yield made


def confirm(window, row: int, text: str) -> None:
    segment = window.model.segment(row).id
    window.controller.editing.type_text(segment, text)
    assert window.controller.editing.confirm(segment)


def longest_of(begin: Callable[[], object], done: Callable[[], bool]) -> float:
    """The longest time, by the clock, that the window's thread is blocked until `done`."""
    begun = time.monotonic()
    begin()
    longest, end = time.monotonic() - begun, begun + 60
    while not done():
        assert time.monotonic() < end
        begun = time.monotonic()
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents)
        longest = max(longest, time.monotonic() - begun)
        time.sleep(0.002)
    return longest


def dialogs(window) -> list[QDialog]:
    return [each for each in window.findChildren(QDialog) if each.isVisible()]


def project_is_closed(window) -> bool:
    return window.controller.saving.finish(0.0)


@pytest.mark.slow
def test_closing_does_not_block_the_window_and_can_be_cancelled(qtbot, make_window, document, disk) -> None:
    window = make_window(path=document)
    assert window.controller.flush(20)
    disk.hang()
    confirm(window, 0, "First.")
    for leave in (window.close, window.actions_by_name["close"].trigger):
        assert longest_of(leave, lambda: bool(dialogs(window))) < LONGEST_TURN
        leave()
        (waiting,) = dialogs(window)
        assert waiting is window.of(Documents).presenter.saving.dialog
        assert waiting.text == "Your last changes are being written to the disk…"
        QTest.keyClick(waiting, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not dialogs(window), timeout=5000)
        assert window.session is not None and window.isVisible()
    assert longest_of(window.close, lambda: bool(dialogs(window))) < LONGEST_TURN
    disk.release()
    qtbot.waitUntil(lambda: window.session is None and not window.isVisible(), timeout=20000)


@pytest.mark.slow
def test_closing_without_waiting_writes_the_rest_in_the_background(
    qtbot, make_window, document, disk, monkeypatch
) -> None:
    monkeypatch.setattr(saving, "LONG_SECONDS", 1.0)
    window = make_window(path=document)
    path = Path(window.session.key)
    assert window.controller.flush(20)
    disk.hang()
    confirm(window, 0, "First.")
    boxes = lambda: window.findChildren(QMessageBox)  # noqa: E731
    assert longest_of(window.actions_by_name["close"].trigger, lambda: bool(boxes())) < LONGEST_TURN
    (box,) = boxes()
    assert box.windowTitle() == "Your last changes are not saved"
    assert box.text() == "Your last changes are not saved yet."
    leave = next(each for each in box.buttons() if each.text() == "Close without saving")
    assert longest_of(leave.click, lambda: window.session is None) < LONGEST_TURN
    assert not project_is_closed(window)
    monkeypatch.setattr(saving, "LEAVING_SECONDS", 0.3)
    with pytest.raises(ProjectError, match="not responding"):
        window.controller.saving.after_closing(lambda: pytest.fail("other threads still write to the file"))
    window.opener.open(path)  # waits for what is still being written, not in the window
    assert longest_of(lambda: None, lambda: window.session is None) < LONGEST_TURN
    disk.release()
    qtbot.waitUntil(lambda: window.session is not None, timeout=20000)
    assert window.model.segment(0).target == "First."


@pytest.mark.slow
def test_opening_and_changing_wait_without_blocking_the_window(
    qtbot, make_window, document, disk, tmp_path, monkeypatch
) -> None:
    window = make_window(path=document)
    controller, session = window.controller, window.session
    qtbot.waitUntil(lambda: not controller.tasks.is_busy and controller.flush(20), timeout=20000)
    other = tmp_path / "合同.zh.txt"
    other.write_text("甲方支付价款。\n", "utf-8")
    monkeypatch.setenv("ANAPHORA_DATA", str(tmp_path / "elsewhere"))
    disk.hang()
    confirm(window, 0, "First.")
    for leave in (
        lambda: window.opener.open(other),
        lambda: window.of(Documents).presenter.projects.add((other,)),
    ):
        assert longest_of(leave, lambda: bool(dialogs(window))) < LONGEST_TURN
        (waiting,) = dialogs(window)
        assert waiting is window.of(Documents).presenter.saving.dialog
        QTest.keyClick(waiting, Qt.Key.Key_Escape)
        qtbot.waitUntil(lambda: not dialogs(window), timeout=30000)
        assert window.session is session and window.model.segment(0).target == "First."
    window.opener.open(other)
    qtbot.waitUntil(lambda: bool(dialogs(window)), timeout=5000)
    disk.release()
    qtbot.waitUntil(lambda: window.model.rowCount() == 1 and not dialogs(window), timeout=20000)
