"""One decision applies to all documents and other projects, with the real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from anaphora.core.segment import Status
from anaphora.editor.table.segment_model import Role
from anaphora.editor.widgets.html_table import HTML_ROLE
from anaphora.editor.widgets.rail import top_items
from anaphora.features.checks.segment.check import RemarkKind
from anaphora.features.checks.view.dialog import ChecksDialog
from anaphora.features.drafting.feature import Drafting
from anaphora.features.find.feature import Find
from anaphora.features.terms.feature import Terms
from anaphora.features.tm.feature import Tm
from anaphora.window.main_window import MainWindow

CONTROL = Qt.KeyboardModifier.ControlModifier
LOCKED = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">
<file original="a" source-language="zh-CN" target-language="en-US" datatype="plaintext"><body>
<trans-unit id="1"><source>每个节点读取账本。</source></trans-unit>
<trans-unit id="2" translate="no"><source>账本保存42个交易。</source>
<target>The register keeps the the transactons.</target></trans-unit>
<trans-unit id="3"><source>账本保存42个交易。</source></trans-unit>
</body></file></xliff>"""


@pytest.fixture
def open_texts(qtbot, make_real_window, tmp_path: Path, drafted) -> Callable[..., MainWindow]:
    """Opens documents as one project, and waits for drafts and memories."""

    def open_(**texts: str) -> MainWindow:
        paths = []
        for name, text in texts.items():
            stem, _, suffix = name.rpartition("_")
            paths.append(tmp_path / f"{stem}.zh.{suffix}")
            paths[-1].write_text(text, encoding="utf-8")
        window = make_real_window(paths[0] if len(paths) == 1 else None)
        if len(paths) > 1:
            window.opener.open(*paths)
            qtbot.waitUntil(lambda: window.table.currentIndex().row() >= 0, timeout=30000)
        drafted(window)
        return window

    return open_


def targets(window: MainWindow) -> list[str]:
    return [segment.target for segment in window.session.document]


def write(window: MainWindow, row: int, text: str) -> None:
    window.table.go_to_row(row)
    window.table.editor.selectAll()
    QTest.keyClicks(window.table.editor, text)


def confirm(window: MainWindow, row: int, text: str) -> None:
    write(window, row, text)
    QTest.keyClick(window.table.editor, Qt.Key.Key_Return, CONTROL)


@pytest.mark.slow
def test_a_repetition_in_another_document_keeps_its_own_tags_numbers_and_case(qtbot, open_texts) -> None:
    window = open_texts(
        a_md="第3章：**Python**\n\n完\n", b_md="第12章：*python*\n\n第3章：**Python**\n\n第3章：Go\n"
    )
    qtbot.waitUntil(lambda: window.controller.project.repetitions.is_ready, timeout=30000)
    before = targets(window)
    confirm(window, 0, "Part 3: {1}Python{/1}")
    wanted = [
        "Part 3: {1}Python{/1}",
        before[1],
        "Part 12: {1}python{/1}",
        "Part 3: {1}Python{/1}",
        before[4],
    ]
    assert targets(window) == wanted
    assert [window.model.segment(row).status for row in (2, 3, 4)] == [
        Status.EDITED,
        Status.EDITED,
        Status.DRAFT,
    ]
    assert "Repetitions filled in: 2 · of these, adapted: 1" in window.status_line.currentMessage()
    QTest.keyClick(window.table.editor, Qt.Key.Key_Z, CONTROL)
    assert targets(window)[1:] == before[1:], "one undo restores both documents"


@pytest.mark.slow
def test_a_name_confirmed_in_one_document_is_used_in_the_others(qtbot, open_texts, drafted) -> None:
    window = open_texts(
        a_txt="星图是一款地图编辑软件。\n",
        b_txt="本手册介绍如何安装星图。\n星图支持离线使用。\n请打开星图。\n",
    )
    assert not any("StarMap" in target for target in targets(window))
    confirm(window, 0, "StarMap is a map editing program.")
    drafted(window)
    qtbot.waitUntil(lambda: all("StarMap" in target for target in targets(window)), timeout=60000)


@pytest.mark.slow
def test_confirmed_text_of_one_project_is_a_match_in_another(qtbot, open_texts, drafted, tmp_path) -> None:
    window = open_texts(old_txt="打开文件。\n")
    confirm(window, 0, "Open up a dossier.")
    qtbot.waitUntil(lambda: len(window.of(Tm).service.memories.shared) == 1, timeout=30000)
    window.controller.close()
    other = tmp_path / "new.zh.txt"
    other.write_text("关闭。\n打开文件。\n", encoding="utf-8")
    window.opener.open(other)
    qtbot.waitUntil(lambda: window.session is not None, timeout=30000)
    drafted(window)
    assert len(window.of(Tm).service.memories.project) == 0
    window.table.go_to_row(1)
    qtbot.waitUntil(
        lambda: bool(window.of(Drafting).suggester.offers and window.of(Drafting).suggester.offers[0].match),
        timeout=30000,
    )
    assert window.of(Drafting).suggester.offers[0].match.percent == 100
    assert "old.zh.txt" in window.docks.suggestions.list.item(0).data(HTML_ROLE)
    QTest.keyClick(window.table.editor, Qt.Key.Key_1, CONTROL)
    assert targets(window)[1] == "Open up a dossier."


@pytest.mark.slow
def test_missing_and_crossed_tags_are_found_and_visited(qtbot, open_texts) -> None:
    window = open_texts(a_md="节点。\n\n每个节点读取**账本**和*缓存*。\n")

    def kinds() -> set[RemarkKind]:
        return {each.kind for each in window.model.index(1, 0).data(Role.WARNINGS) or ()}

    assert kinds() == set(), "the engine copies them"
    for wrong in (
        "Nodes read the {1}ledger and the {2}cache{/2}.",
        "{1}Nodes {2}read{/1} the ledger{/2}, the cache.",
    ):
        write(window, 1, wrong)
        qtbot.waitUntil(lambda: kinds() == {RemarkKind.TAGS}, timeout=30000)
        window.table.go_to_row(0)
        QTest.keyClick(window.table.editor, Qt.Key.Key_F8)
        assert window.table.currentIndex().row() == 1
    write(window, 1, "Nodes read the {1}ledger{/1} and the {2}cache{/2}.")
    qtbot.waitUntil(lambda: kinds() == set(), timeout=30000)


@pytest.mark.slow
def test_a_locked_segment_is_never_listed_or_changed(qtbot, open_texts) -> None:
    window = open_texts(a_xlf=LOCKED)
    locked, wrong = window.model.segment(1), "The register keeps the the transactons."
    assert (locked.status, locked.target) == (Status.LOCKED, wrong)
    # its repetition is confirmed, and another segment has an issue
    confirm(window, 2, "The ledger keeps the 42 transactions.")
    write(window, 0, "The the nodes read the ledger.")
    qtbot.waitUntil(lambda: bool(window.model.index(0, 0).data(Role.WARNINGS)), timeout=30000)
    assert targets(window)[1] == wrong
    window.table.go_to_row(1)
    editor = window.table.editor
    QTest.keyClicks(editor, "x")
    QTest.keyClick(editor, Qt.Key.Key_1, CONTROL)
    assert "locked" in window.status_line.currentMessage()
    assert not editor.ghost and targets(window)[1] == wrong
    window.table.go_to_row(2)
    for _ in range(3):
        window.actions_by_name["next_warning"].trigger()
        assert window.table.currentIndex().row() != 1
    window.actions_by_name["checks"].trigger()
    dialog = window.findChild(ChecksDialog)
    listed = {dialog.list.item(row).data(Qt.ItemDataRole.UserRole)[0] for row in range(dialog.list.count())}
    assert window.model.segment(0).id in listed and locked.id not in listed
    dialog.close()
    # neither replacing nor one rendering lists it
    bar = window.of(Find).bar
    bar.open(True)
    bar.with_confirmed.setChecked(True)
    bar.needle.setText("the")
    bar.replacement.setText("a")
    qtbot.waitUntil(lambda: bool(window.of(Find).finder.hits), timeout=30000)
    bar.replace_all.click()
    qtbot.waitUntil(lambda: window.of(Find).finder.preview is not None, timeout=10000)
    shown = [each.value.segment for each in window.of(Find).finder.preview.model.rows]
    assert shown and locked.id not in shown
    window.of(Find).finder.preview.reject()
    panel = window.of(Terms).panel

    def term() -> list:
        return [item for item in top_items(panel.terms) if item.text(0) == "账本"]

    qtbot.waitUntil(lambda: bool(term()), timeout=60000)
    panel.terms.setCurrentItem(term()[0])
    panel.rendering.setText("account book")
    qtbot.mouseClick(panel.use_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.of(Terms).ledger.preview is not None, timeout=60000)
    shown = [each.value.segment for each in window.of(Terms).ledger.preview.model.rows]
    assert shown and locked.id not in shown
    window.of(Terms).ledger.preview.reject()
    assert targets(window)[1] == wrong
