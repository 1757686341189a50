"""Import and export of memories and terms in the window with the real engine; matches in context by key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLineEdit, QMessageBox, QWidget

from anaphora.core.drafts import with_proposal
from anaphora.core.segment import Status
from anaphora.editor.widgets.html_table import HTML_ROLE
from anaphora.features.drafting.feature import Drafting
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.window.main_window import MainWindow

CONTROL = Qt.KeyboardModifier.ControlModifier
MEMORIES = Path(__file__).parents[2] / "golden" / "translation_memories"
LINES = ("打开文件。", "名称", "关闭文件。", "删除文件。", "名称", "新建文件。")
OMEGAT = """<tmx version="1.1"><header creationtool="OmegaT" srclang="ZH-CN"/><body>
<tu><prop type="file">a.docx</prop><prop type="prev">打开文件。</prop><prop type="next">关闭文件。</prop>
<tuv lang="ZH-CN"><seg>名称</seg></tuv><tuv lang="EN-US"><seg>Name to be opened</seg></tuv></tu>
<tu><prop type="file">b.docx</prop><prop type="prev">删除文件。</prop><prop type="next">新建文件。</prop>
<tuv lang="ZH-CN"><seg>名称</seg></tuv><tuv lang="EN-US"><seg>Name to be deleted</seg></tuv></tu>
</body></tmx>"""


@pytest.fixture
def open_lines(qtbot, make_real_window, tmp_path: Path, drafted) -> Callable[..., MainWindow]:
    """Opens a text, and waits for drafts and memories, without the shared memory."""

    def open_(*lines: str, name: str = "文.zh.txt", window: MainWindow | None = None) -> MainWindow:
        path = tmp_path / name
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        if window is None:
            window = make_real_window(path)
            window.of(Tm).service.use_shared(False)
        else:
            window.controller.close()
            window.opener.open(path)
            qtbot.waitUntil(lambda: window.session is not None, timeout=30000)
        drafted(window)
        assert window.of(Tm).service.memories.shared is None
        return window

    return open_


def choose(qtbot, parent: QWidget, path: Path, kind: str = "") -> None:
    """Answer the dialog that asks for a file; `kind` is a part of the filter to choose in it."""
    (dialog,) = parent.findChildren(QFileDialog)
    qtbot.waitUntil(dialog.isVisible, timeout=30000)
    if kind:
        wanted = next(each for each in dialog.nameFilters() if kind in each)
        dialog.selectNameFilter(wanted)
        dialog.filterSelected.emit(wanted)
    dialog.setDirectory(str(path.parent))
    dialog.findChild(QLineEdit).setText(path.name)
    dialog.accept()
    qtbot.waitUntil(lambda: not parent.findChildren(QFileDialog), timeout=30000)


def message_shown(qtbot, parent: QWidget) -> str:
    """The text of the message box, which is closed."""
    qtbot.waitUntil(lambda: bool(parent.findChildren(QMessageBox)), timeout=30000)
    (box,) = parent.findChildren(QMessageBox)
    text = box.text()
    box.close()
    qtbot.waitUntil(lambda: not parent.findChildren(QMessageBox), timeout=30000)
    return text


def import_into_project(qtbot, window: MainWindow, path: Path) -> str:
    window.actions_by_name["import_project_memory"].trigger()
    choose(qtbot, window, path)
    return message_shown(qtbot, window)


def matches(window: MainWindow) -> list[tuple[int, str]]:
    offers = [offer for offer in window.of(Drafting).suggester.offers if offer.match is not None]
    return [(offer.match.percent, offer.text) for offer in offers]


@pytest.mark.slow
def test_a_match_in_context_comes_first_and_a_key_inserts_it(qtbot, open_lines, tmp_path: Path) -> None:
    tmx = tmp_path / "omegat.tmx"
    tmx.write_text(OMEGAT, encoding="utf-8")
    window = open_lines(*LINES)
    assert "Added: 2" in import_into_project(qtbot, window, tmx)
    opened, deleted = "Name to be opened", "Name to be deleted"
    for row, in_context, elsewhere in ((1, opened, deleted), (4, deleted, opened)):
        window.table.go_to_row(row)
        qtbot.waitUntil(lambda: len(matches(window)) == 2, timeout=30000)
        assert matches(window) == [(101, in_context), (100, elsewhere)]
        shown = [window.docks.suggestions.list.item(place).data(HTML_ROLE) for place in range(2)]
        assert "101%" in shown[0] and in_context in shown[0] and "100%" in shown[1]
        assert window.docks.rail.section("suggestions").detail.text() == "101%"
        QTest.keyClick(window.table.editor, Qt.Key.Key_1, CONTROL)
        assert window.model.segment(row).target == in_context
        QTest.keyClick(window.table.editor, Qt.Key.Key_2, CONTROL)
        assert window.model.segment(row).target == elsewhere
        QTest.keyClick(window.table.editor, Qt.Key.Key_Z, CONTROL)
        assert window.model.segment(row).target == in_context
        assert window.model.segment(row).status is Status.EDITED


@pytest.mark.slow
@pytest.mark.parametrize("program", ["omegat", "trados", "memoq"])
def test_memories_of_other_programs_are_imported_and_exported(
    qtbot, open_lines, tmp_path: Path, program: str
) -> None:
    """In their variants of TMX; another project imports the exported file."""
    window = open_lines("账本保存每个交易。", "完")
    text = import_into_project(qtbot, window, MEMORIES / f"{program}.tmx")
    assert "Added: " in text and "Added: 0" not in text
    wanted = "The ledger keeps every transaction."
    qtbot.waitUntil(lambda: matches(window)[:1] == [(100, wanted)], timeout=30000)
    out = tmp_path / "out.tmx"
    with qtbot.waitSignal(window.of(Tm).exchange.exported, timeout=30000):
        window.actions_by_name["export_project_memory"].trigger()
        choose(qtbot, window, out)
    open_lines("账本保存每个交易。", name="新.zh.txt", window=window)
    assert matches(window) == []
    import_into_project(qtbot, window, out)
    qtbot.waitUntil(lambda: matches(window)[:1] == [(100, wanted)], timeout=30000)
    qtbot.waitUntil(lambda: window.docks.rail.section("suggestions").detail.text() == "100%", timeout=30000)
    QTest.keyClick(window.table.editor, Qt.Key.Key_1, CONTROL)
    assert window.model.segment(0).target == wanted


@pytest.mark.slow
def test_a_finished_project_is_imported_into_another_memory(qtbot, open_lines, tmp_path: Path) -> None:
    window = open_lines(*LINES[:3], name="旧.zh.txt")
    window.table.go_to_row(0)
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, "Open a dossier.")
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, CONTROL)
    project = window.controller.store.path
    open_lines(LINES[3], LINES[0], name="新.zh.txt", window=window)
    text = import_into_project(qtbot, window, project)
    assert ": 3\n" in text and "Added: 1" in text
    takes_the_import(qtbot, window, "旧.zh.txt", 1)


def takes_the_import(qtbot, window: MainWindow, origin: str, row: int = 0) -> None:
    window.table.go_to_row(2 if row == 0 else 0)
    window.table.go_to_row(row)
    qtbot.waitUntil(lambda: bool(matches(window)), timeout=30000)
    assert matches(window)[0][1] == "Open a dossier." and matches(window)[0][0] >= 100
    assert origin in window.docks.suggestions.list.item(0).data(HTML_ROLE)
    filled = lambda: window.model.segment(row).target == "Open a dossier."  # noqa: E731
    qtbot.waitUntil(filled, timeout=30000)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Z, CONTROL)
    assert not filled()
    QTest.keyClick(window.table.editor, Qt.Key.Key_1, CONTROL)
    assert window.model.segment(row).target == "Open a dossier."


@pytest.mark.slow
def test_terms_are_imported_and_exported_and_drafts_follow(qtbot, open_lines, tmp_path: Path) -> None:
    table = tmp_path / "terms.csv"
    table.write_text("source,target,usage,note\n缓存,larder,,a place\n缓存,cache,forbidden,\n,x,,\n", "utf-8")
    window = open_lines("缓存保存每个交易。", "每个节点读取账本。")
    draft = window.model.segment(0).target
    assert "cache" in draft.lower() and "larder" not in draft
    window.actions_by_name["terms"].trigger()
    dialog = window.of(Terms).segment_terms.dialog
    buttons = {
        button.text().replace("&", ""): button
        for box in dialog.findChildren(QDialogButtonBox)
        for button in box.buttons()
    }

    def exported(name: str, kind: str) -> Path:
        with qtbot.waitSignal(window.of(Terms).service.exported, timeout=30000):
            buttons["Export…"].click()
            choose(qtbot, dialog, tmp_path / name, kind)
        return tmp_path / name

    buttons["Import…"].click()
    choose(qtbot, dialog, table)
    text = message_shown(qtbot, dialog)
    assert "Entries in terms.csv: 3\n" in text and "New terms: 1" in text and "languages): 1" in text
    assert dialog.count.text() == "Terms: 1 of 1" and dialog.model.index(0, 2).data() == "cache"
    # The draft with the term may be tentative.
    made = lambda: with_proposal(window.model.segment(0)).target.lower()  # noqa: E731
    qtbot.waitUntil(lambda: "larder" in made(), timeout=30000)
    tbx = exported("out.tbx", "TBX")
    rows = exported("out.csv", "Table").read_text("utf-8-sig").splitlines()
    assert rows[1:] == ["缓存,larder,preferred,,a place", "缓存,cache,forbidden,,a place"]
    shown = [dialog.model.index(0, column).data() for column in range(5)]
    with qtbot.waitSignal(window.of(Terms).service.changed, timeout=30000):
        dialog.list.setCurrentIndex(dialog.proxy.index(0, 0))
        dialog.remove.click()
    assert dialog.model.rowCount() == 0
    dialog.base.setCurrentIndex(1)
    buttons["Import…"].click()
    choose(qtbot, dialog, tbx)
    assert "New terms: 1" in message_shown(qtbot, dialog)
    assert [dialog.model.index(0, column).data() for column in range(5)] == shown
    dialog.close()
