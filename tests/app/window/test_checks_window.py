"""The list of issues: filtering by kind, going to segments, dismissing, restoring and fixing."""

from __future__ import annotations

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from anaphora.core.segment import SegmentState, Status
from anaphora.editor.table.segment_model import Role
from anaphora.features.checks.checking import PAUSE_MS
from anaphora.features.checks.feature import Checks
from anaphora.features.checks.segment.check import RemarkKind
from anaphora.features.checks.view.dialog import ChecksDialog


def test_issues_are_filtered_dismissed_and_restored(qtbot, make_real_window, tmp_path, drafted) -> None:
    path = tmp_path / "数.zh.txt"
    path.write_text("共 42 个节点。\n账本。\n账本。\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    first, second, third = (window.model.segment(row).id for row in range(3))

    def remarks(row: int) -> tuple[str, ...]:
        return tuple(window.model.index(row, 0).data(Role.WARNINGS) or ())

    window.session.set_states(
        {
            first: SegmentState("There are the the nodes.", Status.EDITED),
            second: SegmentState("Ledger.", Status.EDITED),
            third: SegmentState("Register.", Status.EDITED),
        }
    )
    qtbot.waitUntil(lambda: len(remarks(0)) == 2 and bool(remarks(1)) and bool(remarks(2)), timeout=30000)
    window.actions_by_name["checks"].trigger()
    dialog = window.findChild(ChecksDialog)
    assert dialog.list.count() == 4
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(RemarkKind.NUMBERS))
    assert [dialog.list.item(0).text()] == ["1  The number 42 is missing."]
    assert (dialog.source.text(), dialog.target.text()) == ("共 42 个节点。", "There are the the nodes.")
    dialog.dismiss.click()
    assert dialog.list.count() == 0 and len(remarks(0)) == 1
    dialog.with_dismissed.setChecked(True)
    assert "dismissed" in dialog.list.item(0).text()
    dialog.dismiss.click()
    assert len(remarks(0)) == 2
    dialog.dismiss.click()
    dialog.kinds.setCurrentIndex(dialog.kinds.findData(RemarkKind.CONSISTENCY))
    dialog.list.setCurrentRow(1)
    dialog.go.click()
    assert window.table.current_segment.id == third
    dialog.close()
    menu = QMenu(window)
    window.of(Checks).fill_menu_at_word(menu)
    dismiss = next(action for action in menu.actions() if action.text().startswith("Dismiss: "))
    assert "elsewhere" in dismiss.text()
    dismiss.trigger()
    assert remarks(2) == ()
    window.controller.close()
    again = make_real_window(path)
    qtbot.waitUntil(lambda: bool(again.model.index(0, 0).data(Role.WARNINGS)), timeout=30000)
    assert [str(each) for each in again.model.index(0, 0).data(Role.WARNINGS)] == ["Repeated word: “the”."]
    qtbot.waitUntil(lambda: bool(again.model.index(1, 0).data(Role.WARNINGS)), timeout=30000)
    assert not again.model.index(2, 0).data(Role.WARNINGS)


def test_issues_are_fixed_together_and_from_the_menu(qtbot, make_real_window, tmp_path, drafted) -> None:
    path = tmp_path / "数.zh.txt"
    path.write_text("共 42 个节点。\n账本在这里。\n缓存在这里。\n文档在这里。\n", encoding="utf-8")
    window = make_real_window(path)
    drafted(window)
    ids = [window.model.segment(row).id for row in range(4)]
    wrong = ("There are the the nodes.", "The ledger is here 。", "The cache  is here.", "The file，here.")
    window.session.set_states(
        {each: SegmentState(text, Status.EDITED) for each, text in zip(ids, wrong, strict=True)}
    )
    window.table.go_to_row(3)
    window.controller.editing.confirm(ids[3])

    def count_of(row: int) -> int:
        return len(window.model.index(row, 0).data(Role.WARNINGS) or ())

    def texts() -> list[str]:
        return [window.model.segment(row).target for row in range(4)]

    qtbot.waitUntil(lambda: [count_of(row) for row in range(4)] == [2, 1, 1, 1], timeout=30000)
    window.actions_by_name["checks"].trigger()
    dialog = window.findChild(ChecksDialog)
    shown = [dialog.list.item(row).text() for row in range(5)]
    dialog.list.setCurrentRow(next(row for row, text in enumerate(shown) if "42" in text))
    assert not dialog.fix.isEnabled() and dialog.fixed.isHidden(), "nobody knows where 42 belongs"
    dialog.list.setCurrentRow(next(row for row, text in enumerate(shown) if "Repeated word" in text))
    assert "line-through" in dialog.fixed.text() and dialog.target.isHidden(), "shown once"
    dialog.fix.click()
    assert texts()[0] == "There are the nodes."
    qtbot.waitUntil(lambda: dialog.list.count() == 4 and dialog.fix_all.isEnabled(), timeout=30000)
    dialog.fix_all.click()
    qtbot.waitUntil(lambda: dialog.list.count() == 2, timeout=30000)
    assert texts() == ["There are the nodes.", "The ledger is here.", "The cache is here.", wrong[3]]
    assert window.status_line.currentMessage() == "Fixed segments: 2"
    # The place of 42 is unknown, and confirmed text stays.
    assert texts()[3] == wrong[3] and window.model.segment(3).status is Status.CONFIRMED
    dialog.close()
    window.actions_by_name["undo"].trigger()
    assert texts()[1:3] == [wrong[1], wrong[2]], "one undo restores all"
    window.table.go_to_row(3)
    menu = QMenu(window)
    window.of(Checks).fill_menu_at_word(menu)
    fix = next(action for action in menu.actions() if action.text().startswith("Fix: "))
    fix.trigger()
    assert texts()[3] == "The file, here." and window.model.segment(3).status is Status.EDITED


def shown(dialog: ChecksDialog) -> list[str]:
    """The remarks in the list, without the numbers of their segments."""
    return [dialog.list.item(row).text().partition("  ")[2] for row in range(dialog.list.count())]


def test_dismissals_go_with_their_text_when_segments_are_joined_and_split(
    qtbot, make_window, tmp_path
) -> None:
    path = tmp_path / "数.zh.txt"
    path.write_text("共 42 个节点。账本有 17 页。缓存有 5 项。\n", encoding="utf-8")
    window = make_window(None, path)

    def remarks(row: int) -> list[str]:
        return [str(each) for each in window.model.index(row, 0).data(Role.WARNINGS) or ()]

    def ids() -> list[str]:
        return [segment.id for segment in window.session.document]

    texts = ("There are nodes.", "The ledger has pages.", "The cache has items.")
    window.session.set_states(
        {each: SegmentState(text, Status.EDITED) for each, text in zip(ids(), texts, strict=True)}
    )
    qtbot.waitUntil(lambda: all(len(remarks(row)) == 1 for row in range(3)), timeout=30000)
    checking = window.of(Checks).service
    for segment_id, remark, _ in checking.remarks()[:2]:
        checking.dismiss(segment_id, remark.key)
    assert [len(remarks(row)) for row in range(3)] == [0, 0, 1]
    window.controller.resegmentation.merge(ids()[0])
    qtbot.waitUntil(lambda: len(ids()) == 2, timeout=30000)
    qtbot.waitUntil(lambda: len(remarks(1)) == 1, timeout=30000)
    assert remarks(0) == [] and "5" in remarks(1)[0]  # the third segment has a new id
    window.actions_by_name["undo"].trigger()
    qtbot.waitUntil(lambda: len(ids()) == 3, timeout=30000)
    qtbot.waitUntil(lambda: [len(remarks(row)) for row in range(3)] == [0, 0, 1], timeout=30000)
    window.controller.close()
    again = make_window(None, path)
    qtbot.waitUntil(lambda: len(again.of(Checks).service.remarks()) == 3, timeout=30000)
    assert [dismissed for _, _, dismissed in again.of(Checks).service.remarks()] == [True, True, False]


def test_a_translation_is_too_short_only_when_typing_has_finished(
    qtbot, make_window, tmp_path, drafted
) -> None:
    path = tmp_path / "长.zh.txt"
    source = "每个节点都保存账本的一份副本，交易在写入区块之前要经过验证，验证之后才能写入。"
    path.write_text(f"{source}\n共 42 个节点。\n", encoding="utf-8")
    window = make_window(None, path)
    drafted(window)
    short = "The translation is very short for its source."
    card, editor = window.table.card, window.table.editor
    checked: list[str] = []
    window.of(Checks).service.checked.connect(lambda segment, _: checked.append(segment))

    def type_in(text: str) -> None:
        checked.clear()
        QTest.keyClicks(editor, text)
        qtbot.waitUntil(lambda: window.model.segment(0).id in checked, timeout=20000)

    editor.selectAll()
    type_in("Each")
    qtbot.wait(PAUSE_MS + 300)
    assert short not in card.remarks.text(), "a pause in the middle of a sentence"
    type_in(".")
    assert short not in card.remarks.text(), "it may be an abbreviation"
    qtbot.waitUntil(lambda: short in card.remarks.text(), timeout=20000)
    type_in(" node")
    assert short not in card.remarks.text()
    window.table.go_to_row(1)
    assert short in (window.model.index(0, 0).data(Role.WARNINGS) or ())
    window.table.go_to_row(0)
    assert card.remarks.text() == short
    type_in(" keeps")
    assert card.remarks.text() == ""
    window.controller.editing.confirm(window.model.segment(0).id)
    qtbot.waitUntil(lambda: card.remarks.text() == short, timeout=20000)


def test_the_next_remark_is_reported_once(qtbot, make_window, tmp_path) -> None:
    path = tmp_path / "数.zh.txt"
    path.write_text("节点。\n共 42 个节点。\n", encoding="utf-8")
    window = make_window(None, path)
    second = window.model.segment(1).id
    window.session.set_states({second: SegmentState("There are nodes.", Status.EDITED)})
    qtbot.waitUntil(lambda: bool(window.model.index(1, 0).data(Role.WARNINGS)), timeout=20000)
    window.show_message("an older message")
    window.actions_by_name["next_warning"].trigger()
    assert window.table.card.remarks.text() == "The number 42 is missing."
    assert window.status_line.currentMessage() == ""
