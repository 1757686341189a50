"""Tabs for the documents of a project, by keyboard and mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.features.documents.feature import Documents
from anaphora.features.tabs.feature import Tabs

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "手册"
    root.mkdir()
    for name in "abc":
        (root / f"{name}.txt").write_text("".join(f"{name}第{n}个账本。\n" for n in range(3)), "utf-8")
    return root


def tabs(window) -> list[str]:
    bar = window.of(Tabs).bar
    return [bar.tabText(at) for at in range(bar.count())] if bar.isVisible() else []


def row(window) -> int:
    return window.model.row_of(window.table.current_segment.id)


def press(window, shift: bool = False) -> None:
    QTest.keyClick(window.table.editor, Qt.Key.Key_Tab, CONTROL | SHIFT if shift else CONTROL)


def test_a_tab_leads_to_the_last_segment_of_its_document(make_window, folder) -> None:
    window = make_window(path=folder)
    assert tabs(window) == [] and row(window) == 0
    window.table.go_to_row(1)
    press(window)
    assert tabs(window) == ["a.txt", "b.txt"] and row(window) == 3
    window.table.go_to_row(5)
    press(window)
    assert row(window) == 1, "the last segment of the first document"
    window.table.go_to_row(7)
    assert tabs(window) == ["a.txt", "b.txt", "c.txt"]
    for _ in range(2):
        press(window, shift=True)
    assert row(window) == 1
    bar = window.of(Tabs).bar
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    assert row(window) == 5 and bar.currentIndex() == 1


def test_a_removed_document_and_another_project_have_no_tabs(qtbot, make_window, folder, tmp_path) -> None:
    window = make_window(path=folder)
    for at in (3, 6, 0):
        window.table.go_to_row(at)
    window.of(Documents).presenter.projects.remove(window.controller.project.documents[1].id)
    qtbot.waitUntil(lambda: tabs(window) == ["a.txt", "c.txt"], timeout=20000)
    other = tmp_path / "other.txt"
    other.write_text("另一个。\n", "utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.model.rowCount() == 1, timeout=20000)
    assert tabs(window) == []


def test_tabs_are_closed_by_hand_and_kept_with_the_project(qtbot, make_window, folder, tmp_path) -> None:
    window = make_window(path=folder)
    for at in (7, 4, 1, 8):
        window.table.go_to_row(at)
    bar = window.of(Tabs).bar
    bar.tabCloseRequested.emit(1)
    assert tabs(window) == ["a.txt", "b.txt"] and row(window) == 4, "the next tab is shown"
    other = tmp_path / "other.txt"
    other.write_text("另一个。\n", "utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.model.rowCount() == 1, timeout=20000)
    window.opener.open(folder)
    qtbot.waitUntil(lambda: tabs(window) == ["a.txt", "b.txt"] and row(window) == 4, timeout=20000)
    press(window)
    assert row(window) == 1, "where it was left"


def test_the_key_closes_the_current_tab_and_the_project_with_the_last_one(qtbot, make_window, folder) -> None:
    window = make_window(path=folder)
    for at in (7, 4, 1):
        window.table.go_to_row(at)
    close = window.actions_by_name["close"]
    close.trigger()
    assert tabs(window) == ["c.txt", "b.txt"] and row(window) in (4, 7)
    close.trigger()
    assert window.controller.project is not None and tabs(window) == []
    close.trigger()
    qtbot.waitUntil(lambda: window.controller.project is None, timeout=20000)


def test_names_stay_readable_in_a_small_window(make_window, folder) -> None:
    for name in ("采购合同补充协议", "使用手册与常见问题解答的完整版本（第二版）", "售后服务说明", "h"):
        (folder / f"{name}.txt").write_text("账本。\n", "utf-8")
    window = make_window(path=folder)
    window.resize(1024, 700)
    for at in range(window.model.rowCount()):
        window.table.go_to_row(at)
    bar = window.of(Tabs).bar
    assert len(tabs(window)) == 7
    for at, text in enumerate(tabs(window)):
        assert bar.tabRect(at).width() > bar.fontMetrics().horizontalAdvance(text)


def test_the_other_tabs_are_closed_and_moved_for_good(qtbot, make_window, folder, tmp_path) -> None:
    window = make_window(path=folder)
    for at in (7, 4, 1):
        window.table.go_to_row(at)
    bar = window.of(Tabs).bar
    bar.tabCloseRequested.emit(tabs(window).index("b.txt"))
    bar.moveTab(1, 0)
    assert tabs(window) == ["c.txt", "a.txt"]
    other = tmp_path / "other.txt"
    other.write_text("另一个。\n", "utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.model.rowCount() == 1, timeout=20000)
    window.opener.open(folder)
    qtbot.waitUntil(lambda: bool(tabs(window)), timeout=20000)
    assert tabs(window) == ["c.txt", "a.txt"]


def test_without_a_document_there_is_no_next_one(make_window) -> None:
    window = make_window(start=False)
    for name in ("next_document", "previous_document"):
        window.actions_by_name[name].trigger()
    assert tabs(window) == []
