"""The ledger of terms in the window, by the alignments of the real engine; a term mended from the list."""

from __future__ import annotations

import pytest

from anaphora.core.consistency import Origin
from anaphora.core.segment import SegmentState, Status
from anaphora.models.segment_model import Role
from anaphora.term_base.entries import Entry, TargetTerm, Usage
from anaphora.views.dialogs.checks import ChecksDialog
from anaphora.views.widgets.panel import top_items

TEXTS = {
    "账本保存每个交易。": "The ledger keeps every transaction.",
    "每个节点读取账本。": "Every node reads the ledger.",
    "我们更新账本。": "We update the register.",
    "数据库保存账本。": "The database stores ledgers.",
}


@pytest.fixture
def window(qtbot, make_real_window, tmp_path, drafted):
    """A document in which 账本 is a ledger in three sentences, one is confirmed, and a register in one."""
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


@pytest.mark.slow
def test_what_a_term_is_called_is_read_off_and_follows_the_text(qtbot, window) -> None:
    ids = [segment.id for segment in window.session.document]
    reports = {}
    window.services.consistency.reported.connect(
        lambda found: reports.update({report.term: report for report in found})
    )

    def called() -> dict[str, tuple[str, ...]]:
        report = reports.get("账本")
        return {each.text: each.segments for each in report.renderings} if report else {}

    wanted = {"ledger": (ids[0], ids[1], ids[3]), "register": (ids[2],)}
    qtbot.waitUntil(lambda: called() == wanted, timeout=60000)
    assert not reports["账本"].consistent and "数据" not in reports
    qtbot.waitUntil(lambda: reports["账本"].origin is Origin.CONFIRMED, timeout=30000)
    assert reports["账本"].chosen == "ledger"
    rows = {item.text(0) for item in top_items(window.docks.consistency.terms)}
    assert "账本" in rows
    window.controller.editing.type_text(ids[2], "We update the ledger.")
    qtbot.waitUntil(lambda: set(called()) == {"ledger"} and reports["账本"].consistent, timeout=60000)


@pytest.mark.slow
def test_a_forbidden_term_is_mended_from_the_list(qtbot, window) -> None:
    entry = Entry("账本", (TargetTerm("ledger"), TargetTerm("register", Usage.FORBIDDEN)))
    with qtbot.waitSignal(window.services.terms.put, timeout=30000):
        window.services.terms.write("project", entry)
    qtbot.waitUntil(lambda: bool(window.model.index(2, 0).data(Role.WARNINGS)), timeout=30000)
    window.actions_by_name["checks"].trigger()
    dialog = window.findChild(ChecksDialog)
    assert "register" in dialog.list.item(0).text() and dialog.list.count() == 1
    assert dialog.mend.isEnabled() and "ledger" in dialog.mended.text()
    qtbot.waitUntil(dialog.mend_all.isEnabled, timeout=30000)
    dialog.mend_all.click()
    qtbot.waitUntil(lambda: window.model.segment(2).target == "We update the ledger.", timeout=30000)
    qtbot.waitUntil(lambda: dialog.list.count() == 0, timeout=30000)
    dialog.close()
    window.actions_by_name["undo"].trigger()
    assert window.model.segment(2).target == "We update the register."
