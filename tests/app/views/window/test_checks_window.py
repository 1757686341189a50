"""The list of what the checks found: filtered by kind, gone to, dismissed for good, brought back."""

from __future__ import annotations

from PySide6.QtWidgets import QMenu

from anaphora.core.remarks import RemarkKind
from anaphora.core.segment import SegmentState, Status
from anaphora.models.segment_model import Role
from anaphora.services.dismissals import Dismissals
from anaphora.views.dialogs.checks import ChecksDialog


def test_a_person_filters_goes_dismisses_and_brings_back(qtbot, make_window, tmp_path, drafted) -> None:
    path = tmp_path / "数.zh.txt"
    path.write_text("共 42 个节点。\n账本。\n账本。\n", encoding="utf-8")
    window = make_window(None, path)
    drafted(window)
    first, second, third = (window.model.segment(row).id for row in range(3))

    def said(row: int) -> tuple[str, ...]:
        return tuple(window.model.index(row, 0).data(Role.WARNINGS) or ())

    window.session.set_states(
        {
            first: SegmentState("There are the the nodes.", Status.EDITED),
            second: SegmentState("Ledger.", Status.EDITED),
            third: SegmentState("Register.", Status.EDITED),
        }
    )
    qtbot.waitUntil(lambda: len(said(0)) == 2 and bool(said(1)) and bool(said(2)), timeout=15000)
    window.actions_by_name["checks"].trigger()
    dialog = window.findChild(ChecksDialog)
    assert dialog.list.count() == 4
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(RemarkKind.NUMBERS))
    assert [dialog.list.item(0).text()] == ["1  The number 42 is missing."]
    dialog.dismiss.click()
    assert dialog.list.count() == 0 and len(said(0)) == 1
    dialog.with_dismissed.setChecked(True)
    assert "dismissed" in dialog.list.item(0).text()
    dialog.dismiss.click()
    assert len(said(0)) == 2
    dialog.dismiss.click()
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(RemarkKind.CONSISTENCY))
    dialog.list.setCurrentRow(1)
    dialog.go.click()
    assert window.table.current_segment.id == third
    dialog.close()
    menu = QMenu(window)
    window.checks.fill_menu(menu)
    assert "elsewhere" in menu.actions()[0].text()
    menu.actions()[0].trigger()
    assert said(2) == ()
    window.controller.close()
    again = make_window(None, path)
    qtbot.waitUntil(lambda: bool(again.model.index(0, 0).data(Role.WARNINGS)), timeout=15000)
    assert [str(each) for each in again.model.index(0, 0).data(Role.WARNINGS)] == [
        "A word is doubled: “the”."
    ]
    qtbot.waitUntil(lambda: bool(again.model.index(1, 0).data(Role.WARNINGS)), timeout=15000)
    assert not again.model.index(2, 0).data(Role.WARNINGS)


def test_what_is_kept_badly_counts_as_nothing() -> None:
    held = Dismissals()
    for kept in ("", "{", "[1]", '{"a": 1}', "[[1, 2]]"):
        held.open(kept, lambda key, value: None)
    assert held.holds("1", "2")
