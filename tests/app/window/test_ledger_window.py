"""The ledger of terms in the window with the real engine's alignments, and fixing a term from the list."""

from __future__ import annotations

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidgetItem
from selecting import select

from anaphora.core.consistency import Origin
from anaphora.core.segment import SegmentState, Status
from anaphora.editor.widgets.rail import child_items, top_items
from anaphora.features.terms.feature import Terms
from anaphora.features.terms.view.ledger_panel import REPORT_ROLE

TEXTS = {
    "账本保存每个交易。": "The ledger keeps every transaction.",
    "每个节点读取账本。": "Every node reads the ledger.",
    "我们更新账本。": "We update the register.",
    "数据库保存账本。": "The database stores ledgers.",
}
CHECKED_ROLE = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def window(qtbot, make_real_window, tmp_path, drafted):
    """账本 is “ledger” in three sentences, one of them confirmed, and “register” in one."""
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    ids = [segment.id for segment in window.session.document]
    window.session.set_states(
        {key: SegmentState(text, Status.EDITED) for key, text in zip(ids, TEXTS.values(), strict=True)}
    )
    window.controller.editing.confirm(ids[0])
    return window


def row_of(window, term: str) -> QTreeWidgetItem | None:
    """The term's row in the ledger."""
    rows = top_items(window.of(Terms).panel.terms)
    return next((item for item in rows if item.text(0) == term), None)


def wait_for(qtbot, window, term: str, called: str, by: str, *others: str) -> QTreeWidgetItem:
    """The term's row when it shows the rendering, its origin, and other renderings."""

    def is_rendered() -> bool:
        item = row_of(window, term)
        if item is None or (item.text(1), item.text(2)) != (called, by):
            return False
        renderings = {each.text for each in item.data(0, REPORT_ROLE).renderings}
        return renderings - {called} == {*others}

    qtbot.waitUntil(is_rendered, timeout=60000)
    item = row_of(window, term)
    assert item is not None
    return item


@pytest.mark.slow
def test_renderings_of_a_term_follow_the_text(qtbot, window) -> None:
    ids = [segment.id for segment in window.session.document]
    reports = {}
    window.of(Terms).consistency.reported.connect(
        lambda found: reports.update({report.term: report for report in found})
    )

    def called() -> dict[str, tuple[str, ...]]:
        report = reports.get("账本")
        return {each.text: each.segments for each in report.renderings} if report else {}

    wanted = {"ledger": (ids[0], ids[1], ids[3]), "register": (ids[2],)}
    qtbot.waitUntil(lambda: called() == wanted, timeout=60000)
    assert not reports["账本"].is_consistent and "数据" not in reports
    qtbot.waitUntil(lambda: reports["账本"].origin is Origin.CONFIRMED, timeout=30000)
    assert reports["账本"].chosen == "ledger"
    rows = {item.text(0) for item in top_items(window.of(Terms).panel.terms)}
    assert "账本" in rows
    with qtbot.assertNotEmitted(window.of(Terms).consistency.reported, wait=3000):
        window.table.go_to_row(3)  # a visit changes no rendering
    window.controller.editing.type_text(ids[2], "We update the ledger.")
    qtbot.waitUntil(lambda: set(called()) == {"ledger"} and reports["账本"].is_consistent, timeout=60000)


@pytest.mark.slow
def test_allowing_all_renderings_is_stored(qtbot, window, make_real_window) -> None:
    panel = window.of(Terms).panel
    window.docks.raise_panel("consistency")
    item = wait_for(qtbot, window, "账本", "ledger", "confirmed", "register")
    panel.terms.setCurrentItem(item)
    assert not item.data(0, REPORT_ROLE).is_consistent and panel.accept_button.isEnabled()
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        qtbot.mouseClick(panel.accept_button, Qt.MouseButton.LeftButton)
    item = wait_for(qtbot, window, "账本", "ledger", "term base", "register")
    assert item.data(0, REPORT_ROLE).is_consistent
    window.table.go_to_row(0)
    window.actions_by_name["next_inconsistent"].trigger()
    assert window.table.currentIndex().row() == 0, "nothing is inconsistent any more"
    path = window.controller.path
    window.controller.close()
    again = make_real_window(path)
    item = wait_for(qtbot, again, "账本", "ledger", "term base", "register")
    assert item.data(0, REPORT_ROLE).is_consistent


@pytest.mark.slow
def test_one_rendering_everywhere_from_the_ledger_is_grammatical(qtbot, window) -> None:
    before = [segment.target for segment in window.session.document]
    panel = window.of(Terms).panel
    panel.terms.setCurrentItem(wait_for(qtbot, window, "账本", "ledger", "confirmed", "register"))
    panel.rendering.setText("account book")
    qtbot.mouseClick(panel.use_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.of(Terms).ledger.preview is not None, timeout=60000)
    preview = window.of(Terms).ledger.preview
    shown = [each.value for each in preview.model.rows]
    assert [each.before for each in shown] == before
    called = re.compile(r"(Account|.*[a-z,] account) books?\b.*")
    assert all(called.fullmatch(each.after) for each in shown), f"a capital inside a sentence: {shown}"
    assert not any(" a account" in each.after.lower() for each in shown), shown
    assert not preview.checked(), "human translations"
    for row in range(1, len(shown)):
        preview.model.setData(preview.model.index(row, 0), Qt.CheckState.Checked, CHECKED_ROLE)
    assert len(preview.checked()) == 3, "one is confirmed"
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        preview.accept()
    assert window.model.segment(0).target == before[0]
    wait_for(qtbot, window, "账本", "account book", "term base", "ledger")
    window.actions_by_name["undo"].trigger()
    assert [segment.target for segment in window.session.document] == before


@pytest.mark.slow
def test_the_ledger_leads_to_sentences_and_changes_confirmed_ones_if_checked(qtbot, window) -> None:
    panel = window.of(Terms).panel
    window.docks.raise_panel("consistency")
    item = wait_for(qtbot, window, "账本", "ledger", "confirmed", "register")
    register = next(each for each in child_items(item) if each.text(1) == "register")
    panel.terms.scrollToItem(register)
    place = panel.terms.visualItemRect(register).center()
    qtbot.mouseClick(panel.terms.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert window.table.currentIndex().row() == 2
    panel.rendering.selectAll()
    QTest.keyClicks(panel.rendering, "account book")
    qtbot.mouseClick(panel.use_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.of(Terms).ledger.preview is not None, timeout=60000)
    preview = window.of(Terms).ledger.preview
    for row in range(preview.model.rowCount()):
        preview.model.setData(preview.model.index(row, 0), Qt.CheckState.Checked, CHECKED_ROLE)
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        qtbot.mouseClick(preview.apply_button, Qt.MouseButton.LeftButton)
    assert all("account book" in segment.target.lower() for segment in window.session.document)
    item = wait_for(qtbot, window, "账本", "account book", "term base")
    assert item.data(0, REPORT_ROLE).is_consistent, "it has no other rendering"
    window.actions_by_name["undo"].trigger()
    assert [segment.target for segment in window.session.document] == [*TEXTS.values()]
    assert window.model.segment(0).status is Status.CONFIRMED


@pytest.mark.slow
def test_one_key_turns_a_candidate_into_a_term(qtbot, make_real_window, tmp_path, drafted) -> None:
    """Without any edits, the ledger lists recurring terms with their renderings in drafts."""
    path = tmp_path / "账本.zh.txt"
    path.write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    item = wait_for(qtbot, window, "账本", "ledger", "draft")
    assert item.data(0, REPORT_ROLE).count == 4
    assert {segment.status for segment in window.session.document} == {Status.DRAFT}
    drafts = [segment.target for segment in window.session.document]
    # A selection on both sides and one key; drafts with another rendering are made again.
    card = window.table.card
    card.editor.selectAll()
    QTest.keyClicks(card.editor, "The journal keeps every transaction.")
    select(card.source, "账本")
    select(card.editor, "journal")
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    with qtbot.waitSignal(window.of(Terms).service.stored, timeout=30000):
        QTest.keyClick(card.editor, Qt.Key.Key_G, both)
    assert "账本 → journal" in window.status_line.currentMessage()
    rest = range(1, 4)
    qtbot.waitUntil(
        lambda: all(re.search(r"\bjournals?\b", window.model.segment(row).target) for row in rest),
        timeout=60000,
    )
    assert {window.model.segment(row).status for row in rest} == {Status.DRAFT}
    assert all(window.model.segment(row).target != drafts[row] for row in rest)
    assert not any("ledger" in window.model.segment(row).target.lower() for row in rest), (
        "no “journal ledger”"
    )
    wait_for(qtbot, window, "账本", "journal", "term base")
